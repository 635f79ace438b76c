#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the two programs sync one array by turns, ten rounds of changes, some of their syncs unfinished"

array 4 2
populate 4 1024
by "$SNAPRAID"
expect 0 sync
turn=("$PEER" "$SNAPRAID")
for round in 1 2 3 4 5 6 7 8 9 10; do
	who=${turn[$((round % 2))]}
	other=${turn[$(((round + 1) % 2))]}
	step "round $round, $(name_of "$who")"
	change 4 1024 $round
	by "$who"
	case $((round % 4)) in
	1)	# unfinished: the other goes on
		expect 0 --test-kill-after-sync sync
		by "$other"
		expect 2 diff
		expect 0 sync
		;;
	2) expect 0 -h sync ;;
	*) expect 0 sync ;;
	esac
	verified
	by "$other"
	expect 0 diff
	expect 0 check
	if [ $((round % 3)) = 0 ]; then
		remember_all
		lose "$W/d$((round % 4 + 1))"
		lose "$W/d$(((round + 2) % 4 + 1))"
		expect 0 fix
		same_all
	fi
	flip "$W/d1/dir 4/file-4" $((round * 11))
	expect 1 -p full scrub
	by "$who"
	expect 0 -e fix
	expect 0 -p bad scrub
	expect 0 check
done
verified
