#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "two parity files are exchanged in the configuration: neither is written for the other"

array 2 2
for d in 1 2; do put "$W/d$d/f" 5000; done
expect 0 sync
remember_all

exchange() { sed -i "s|^parity |x-|; s|^2-parity |parity |; s|^x-|2-|; s|^2-/|2-parity /|" "$CONF"; }
exchange
for d in 1 2; do put "$W/d$d/new" 3000; done
if ours; then
	for command in sync scrub check fix touch; do
		refuse $command
		warns 'exchanged in the configuration'
	done
	expect 0 status
	exchange
fi
expect 0 sync
remember_all
lose "$W/d1"
lose "$W/d2"
expect 0 fix
same_all
expect 0 sync

step "a file that moved to another place is no exchange"
mkdir "$W/elsewhere"
mv "$W/p2/parity" "$W/elsewhere/"
sed -i "s|^2-parity .*|2-parity $W/elsewhere/parity|" "$CONF"
expect 0 sync
expect 0 check
expect 0 sync

step "it is what the user wants"
ours || exit 0
exchange
mv "$W/p1/parity" "$W/x"
mv "$W/elsewhere/parity" "$W/p1/parity"
mv "$W/x" "$W/elsewhere/parity"
refuse sync
expect 0 --force-uuid sync
expect 0 sync
expect 0 check

step "a level is taken from the configuration, and the file of the other one is left: it holds other parity"
mv "$CONF" "$W/conf"
grep -v '^2-parity' "$W/conf" | sed "s|^parity .*|parity $W/p1/parity|" > "$CONF"
refuse sync
warns 'was one of the 2-parity'
grep -v '^2-parity' "$W/conf" > "$CONF"
expect 0 sync
expect 0 check
