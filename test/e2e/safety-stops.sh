#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "what looks like an accident stops the sync, and the option that allows it is named"

array 2 1
for n in 1 2 3; do put "$W/d1/a$n" 3000; put "$W/d2/b$n" 3000; done
expect 0 sync
remember_all

step "a file that had data is empty"
cp -p "$W/d1/a1" "$W/a1"
: > "$W/d1/a1"
refuse sync
warns 'force-zero'
expect 2 diff
step "... it was an accident"
expect 0 -f a1 fix
cmp "$W/a1" "$W/d1/a1" || fail "a1 was not restored"
step "... it was meant"
: > "$W/d1/a1"
expect 0 -Z sync
synced

step "a disk has lost all its files"
mkdir "$W/away"
mv "$W/d2"/* "$W/away"
refuse sync
warns 'force-empty'
warns 'd2'
expect 2 diff
counts 3 removed
step "... it was an accident"
mv "$W/away"/* "$W/d2"
expect 0 diff
step "... it was meant"
rm "$W/d2"/*
expect 0 -E sync
synced

if ours; then	# the peer asks only where not even a link is left
	step "a disk has lost all its files but a link"
	for n in 1 2 3; do put "$W/d2/b$n" 3000; done
	ln -s b1 "$W/d2/link"
	expect 0 sync
	mv "$W/d2"/b? "$W/away"
	refuse sync
	warns 'force-empty'
	warns '/d2/b1$'
	step "... all its files are on another disk"
	cp -p "$W/away"/* "$W/d1"
	refuse sync
	warns "seem to be of 'd2': 3"
	expect 0 -E sync
	synced
	rm "$W"/d1/b?
	expect 0 sync
fi

step "a parity level is added"
mkdir "$W/p2"
sed -i "s|^parity .*|&\n2-parity $W/p2/parity\ncontent $W/p2/content|" "$CONF"
expect 1 sync
warns 'force-full'
if ours; then gone "$W/p2/parity"; fi
expect 0 -F sync
synced

# W31
if ours; then
	step "a level is taken away: it is told what that costs"
	cp "$CONF" "$W/two"
	sed -i '/^2-parity/d' "$CONF"
	expect 0 diff
	warns 'synced with 2 parity levels, and the configuration has 1'
	expect 0 sync
	warns 'stands 1 lost disks?'
	cp "$W/two" "$CONF"
	expect 0 -F sync
	synced
fi

if ours; then
	step "more are removed than a limit allows: not an error, and nothing is done"
	for n in 1 2 3 4 5 6; do put "$W/d2/c$n" 2000; done
	expect 0 sync
	rm "$W"/d2/c[1-3]
	before=$(state)
	expect 2 --gui-threshold-removes 3 sync
	[ "$before" = "$(state)" ] || fail "something was written"
	expect 0 --gui-threshold-removes 4 sync
fi
