#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "bytes change by themselves: scrub finds them, status tells, fix -e mends, scrub -p bad confirms"

OPTIONS+=(--test-force-order-alpha)	# so that we know which block is where

# Real rot leaves the ctime as it is, which no test can do: so ours must not look at it.
unseen=()
! ours || unseen=("keep_metadata off")
array 3 2 "${unseen[@]}"
for i in 1 2 3; do for n in 1 2 3; do put "$W/d$i/f$n" 6000; done; done
expect 0 sync
remember_all

step "two files of two disks and a byte of the parity"
flip "$W/d1/f1" 1500
flip "$W/d2/f3" 5999
flip "$W/p1/parity" 7000
expect 0 sync			# nothing changed by size or time
expect 1 -p full -l "$W/log" scrub
grep -Eq '^error(_data)?:1:d1:f1:' "$W/log" || fail "the log does not name block 1 of d1:f1"
grep -Eq '^error(_data)?:[0-9]+:d2:f3:' "$W/log" || fail "the log does not name d2:f3"
grep -Eq '^parity_error(_data)?:6:parity:' "$W/log" || fail "the log does not name the parity"
grep -q '^summary:error_data:3$' "$W/log" || fail "not three data errors in the log"
grep -q '^summary:exit:error$' "$W/log" || fail "no summary:exit:error in the log"
says ' 3 data errors'

step "the marks survive: status, and a sync and a scrub of other things"
expect 0 status
says '^DANGER! In the array there are 3 errors!'
says_not 'No error detected'
put "$W/d3/other" 900
expect 0 sync
rm "$W/d3/other"
expect 0 sync

step "fix -e mends just these"
touch -d '2020-01-01' "$W/d3/f2"
expect 0 -e fix
says '^recovered f1$'
says '^recovered f3$'
[ "$(stat -c %Y "$W/d3/f2")" = "$(date -ud 2020-01-01 +%s)" ] || fail "fix -e touched a file that was fine"
expect 0 sync
expect 0 -p bad scrub
says '^Everything OK'
expect 0 status
says '^No error detected'
expect 0 check
verified

step "a sync meets a rotten block: that stripe is left, the rest is done, and fix can still mend it"
rm -rf "$W"/[dp][0-9]* "$W/c"
array 2 1
put "$W/d1/four" 4096
expect 0 sync
remember good "$W/d1"
flip "$W/d1/four" 1030
put "$W/d2/new" 8192
expect 1 sync
says ' 1 data errors'
says_not '^Everything OK'
cp -p "$W/d2/new" "$W/new"
if ours; then	# the peer has by now forgotten what the parity of that stripe stands for
	expect 0 -e fix
	same good "$W/d1"
	expect 0 sync
	expect 0 -p bad scrub
	synced
fi
cmp "$W/new" "$W/d2/new" || fail "a new file was changed"

if ours; then
	rm -rf "$W"/[dp][0-9]* "$W/c"
	array 3 3
	for i in 1 2 3; do put "$W/d$i/f" 9000; done
	expect 0 sync
	remember_all
	for level in 1 2 3; do
		step "level $level alone, at both ends of a block: the others and all files stay as they are"
		cp "$W/p$level/parity" "$W/parity"
		flip "$W/p$level/parity" 1024
		flip "$W/p$level/parity" 4095
		before=$(cat "$W"/p[!$level]/parity | sha256sum)
		expect 1 -p full scrub
		says ' 2 data errors'
		expect 0 -e fix
		cmp "$W/parity" "$W/p$level/parity" || fail "level $level is not as it was"
		[ "$before" = "$(cat "$W"/p[!$level]/parity | sha256sum)" ] || fail "another level was changed"
		same_all
		expect 0 -p full scrub
	done

	step "a side file, anywhere: it is no more of use, and nothing else is of less"
	for ((at = 0; at < $(stat -c %s "$W/c/content.side"); at += 23)); do
		for side in "$W"/[cp]*/content.side; do flip "$side" "$at"; done
		QUIET=1 expect 0 diff
		rm "$W/d1/f"
		QUIET=1 expect 0 -f f fix
		QUIET=1 expect 0 --test-force-content-write sync
	done
	same_all
	synced
fi
