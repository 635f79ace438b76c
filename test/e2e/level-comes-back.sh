#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a level that was out of the configuration for a while is not taken for one of the present array"

ours || exit 0		# the peer takes it so, and says that there is nothing to do
away()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/keep"
	array 3 2
	for n in 1 2 3 4; do
		put "$W/d1/a$n" 3000
		put "$W/d2/b$n" 4000
		put "$W/d3/c$n" 2500
	done
	expect 0 sync
	cp "$CONF" "$W/conf"
	sed -i '/^2-parity/d; /p2.content/d' "$CONF"
	put "$W/d1/a1" 3000 again
	expect 0 sync
	cp "$W/conf" "$CONF"
	remember_all
}

two_disks_come_back()
{
	lose "$W/d1"
	lose "$W/d2"
	expect 0 fix
	same_all
}

step "away while the array changed: sync does not trust what is there"
away
refuse sync
warns '2-parity.*force-full'
warns 'snapraid fix'

step "... nor after something else saved the content"
expect 0 --test-force-content-write touch
refuse sync

step "sync -F takes it in"
expect 0 -F sync
expect 0 sync
two_disks_come_back

step "so does fix"
away
expect 1 check
expect 0 fix
expect 0 sync
expect 0 -p full scrub
two_disks_come_back
synced

step "away while nothing changed: it is as good as before"
expect 0 sync
cp "$CONF" "$W/conf"
sed -i '/^2-parity/d; /p2.content/d' "$CONF"
expect 0 sync
cp "$W/conf" "$CONF"
expect 0 sync
two_disks_come_back
