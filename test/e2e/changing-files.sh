#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "files change, shrink, grow or vanish between the scan and the reading"

# during COMMAND: what happens between the two; sync tells, the rest is protected, the next sync completes it
during()
{
	step "$1"
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 3 1
	put "$W/d1/steady" 4000
	put "$W/d2/steady" 4000
	expect 0 sync
	put "$W/d1/moving" 4000
	put "$W/d2/other" 9000
	put "$W/d3/third" 2000
	sleep 0.01
	expect 1 --test-run "cd '$W/d1' && $1" sync
	says_not '^Everything OK'
	tells 'moving'
	cp -a "$W/d2" "$W/keep"
	expect 2 diff
	step "... what was there before is still protected"
	rm "$W/d2/steady"
	run -m -d d2 fix
	cmp "$W/d2/steady" "$W/keep/steady" || fail "steady was not recovered"
	rm -rf "$W/keep"
	expect 0 sync
	synced
}

during "echo more >> moving"
during "truncate -s 1500 moving"
during "truncate -s 0 moving; echo 12345 > moving"
during "rm moving"
during "rm moving && mkdir moving"
during "rm moving && ln -s steady moving"
during "touch moving"

step "a file of the last sync changes: its old state stays known"
rm -rf "$W"/[dpc][0-9]* "$W/c"
array 3 2
put "$W/d1/old" 4000
: > "$W/d1/unchanged"
put "$W/d3/mate" 4000
expect 0 sync
cp -p "$W/d3/mate" "$W/mate"
put "$W/d2/new" 6000
sleep 0.01
expect 1 --test-run "echo changed > '$W/d1/old'" sync
rm "$W/d3/mate"
if ours; then	# the peer no longer knows that d2 was empty there, and that the parity still is of that state
	expect 0 -f mate fix
	cmp "$W/mate" "$W/d3/mate" || fail "mate was not recovered"
fi
cp -p "$W/mate" "$W/d3/mate"
expect 0 sync
synced
