#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a parity file is missing, short, long or rotten"

array 3 2
for i in 1 2 3; do put "$W/d$i/f" $((9000 * i)); done
expect 0 sync
remember_all
cp -a "$W/p1/parity" "$W/parity"

step "missing: sync does not fake it"
rm "$W/p1/parity"
put "$W/d1/new" 100
expect 1 sync
warns 'force-full'
if ours; then gone "$W/p1/parity"; fi
rm -f "$W/d1/new" "$W/p1/parity"
expect 1 -p full scrub
if ours; then expect 1 check; fi
step "... a lost disk comes back from the other level"
lose "$W/d2"
expect 0 fix
same_all
exists "$W/p1/parity"
expect 0 check
verified

step "short"
truncate -s 5120 "$W/p1/parity"
put "$W/d1/new" 100
expect 1 sync
warns 'force-full'
rm "$W/d1/new"
expect 0 fix
expect 0 sync
cmp "$W/parity" "$W/p1/parity" || fail "the parity is another one"

# A file that was only touched need not be computed again, but what is cut off has to be.
if ours; then
	for cut in rm 'truncate -s 1024'; do
		step "gone from the first stripes on ($cut), and all files there were touched"
		touch "$W"/d?/f
		$cut "$W/p1/parity"
		expect 0 -E sync
		synced
	done
	remember_all
fi

step "missing, and made again by sync -F"
rm "$W/p2/parity"
expect 0 -F sync
synced

step "longer than needed is no harm"
head -c 3072 /dev/zero >> "$W/p1/parity"
expect 0 check
put "$W/d1/new" 100
expect 0 sync
synced
rm "$W/d1/new"
expect 0 sync

step "rotten: check and scrub find it, fix writes it again"
flip "$W/p1/parity" 3000
expect 1 check
expect 1 -p full scrub
expect 0 fix
cmp "$W/parity" "$W/p1/parity" || fail "the parity was not mended"
expect 0 check
expect 0 -p bad scrub

step "a rotten byte in one level, and a lost disk: the other level gives the right data"
flip "$W/p1/parity" 3000
lose "$W/d3"
expect 0 fix
same_all
expect 0 check
