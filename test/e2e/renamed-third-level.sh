#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "3-parity is called z-parity in the configuration, or the other way round: the two are not mixed in one file"
ours || skip "the peer mixes them"

array 4 3
for d in 1 2 3 4; do put "$W/d$d/f" 5000; done
expect 0 sync

# now LEVEL: so it is called from here on
now() { sed -i "s/^[3z]-parity /$1 /" "$CONF"; }
# lost COUNT: so many disks come back from what is there
lost()
{
	remember_all
	for d in $(seq 1 "$1"); do lose "$W/d$d"; done
	expect 0 fix
	same_all
	expect 0 sync
	expect 0 -p full scrub
}

for pair in "z-parity 3-parity" "3-parity z-parity"; do
	set -- $pair
	step "$2 becomes $1, with nothing to do, and with something"
	now "$1"
	refuse sync
	for d in 1 2 3 4; do put "$W/d$d/new" 3000 "$1"; done
	for command in sync scrub check fix touch; do
		refuse $command
		warns "the third level was '$2' at the last sync"
		warns '-F sync'
	done
	expect 0 status
	expect 2 diff
	now "$2"
	expect 0 sync
	lost 3

	step "... it is what the user wants"
	put "$W/d1/new" 4000 "$2"
	now "$1"
	expect 0 -F sync
	lost 3
	now "$2"
	refuse check
	now "$1"
done

step "it is what the user wants, and is killed before any of the parity is written"
now z-parity
expect 0 --test-kill-before-sync -F sync
now 3-parity
refuse sync
now z-parity
lost 2
lost 3

step "a level that no sync has taken in is neither"
cp "$CONF" "$W/conf"
sed -i '/^z-parity/d' "$CONF"
put "$W/d1/new" 6000
expect 0 sync
cp "$W/conf" "$CONF"
now 3-parity
touch -d '2020-02-02 02:02:02' "$W/d1/new"
expect 0 touch
now z-parity
expect 0 -F sync
lost 3

step "... nor is it both, once fix has made it"
sed -i '/^z-parity/d' "$CONF"
put "$W/d1/new" 5000
expect 0 sync
cp "$W/conf" "$CONF"
now 3-parity
expect 0 fix
now z-parity
refuse sync
expect 0 fix
expect 0 touch
expect 0 sync
lost 3

step "without blocks there is nothing to compute, and it is known all the same"
for d in 1 2 3 4; do lose "$W/d$d"; ln -s x "$W/d$d/link"; done
expect 0 -E sync
now 3-parity
refuse sync
expect 0 -F sync
expect 0 sync

step "the last who saved told nothing of it"
find "$W" -name '*.side' -delete
now z-parity
expect 0 sync
