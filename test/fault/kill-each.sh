#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
thin=131
. "$(dirname "$0")/lib.sh"
story "a sync is killed at each call that changes a file, and then disks are lost: what was safe before is safe after"

kill_each() # kill_each LOST ARG...: so many disks at once are lost
{
	local lost=$1
	shift
	calls "$@"
	states=0 losses=0
	for ((at = 1; at <= calls + 1; at += STEP)); do
		back start
		harmed kill-before "$at" "$@"
		killed "$at"
		what="a sync killed before call $at ($(victim))"
		survives "$lost"
	done
	echo "   $calls calls, $states states left behind, $losses losses"
}

step "changes, two levels"
prepare_sync
kill_each 2 sync

step "additions and a copy, two levels"
prepare_additions 2
kill_each 2 sync

step "... one level"
prepare_additions 1
kill_each 1 sync

step "... with short hashes"
prepare_additions 1 "hashsize 8"
kill_each 1 -h sync

# kill_twice LOST CHANGE: the sync is killed at each call; CHANGE is done; the next sync is killed, at another call for
# each of the first, or at each of TWICE calls
kill_twice()
{
	local lost=$1 change=$2 again i
	stopped=2 states=0 losses=0
	back start
	calls sync
	for ((at = 1; at <= calls + 1; at += STEP)); do
		for ((i = 0; i < ${TWICE:-1}; ++i)); do
			back start
			harmed kill-before "$at" sync
			killed "$at"
			what="a sync killed before call $at ($(victim))"
			"$change"
			again=$(((at * 37 + i * 53) % (calls + 20) + 1))
			harmed kill-before "$again" sync
			killed "$again"
			what="$what, and one killed before call $again ($(victim))"
			survives "$lost"
		done
	done
	stopped=1
	echo "   $calls calls, $states states left behind, $losses losses"
}

change_new()
{
	put "$W/d1/new" 3100 later
	rm "$W/d3/new"
	put "$W/d2/later" 6000
	mv "$W/d2/copy" "$W/d3/copied"
	mkdir "$W/d2/there"
	mv "$W/d2/new" "$W/d2/there/new"
	put "$W/d3/later" 2000
}

change_old()
{
	put "$W/d2/rewrite" 2400 later
	rm "$W/d1/stay" "$W/d3/new"
	put "$W/d3/stay" 3600 later
	put "$W/d2/later" 6000
	mv "$W/d1/there/zhere" "$W/d1/zback"
	mv "$W/d1/new" "$W/d3/new"
}

step "killed, and again after what is new was changed, removed and moved: what is old survives the loss of a disk"
prepare_additions 2
sure=1
kill_twice 2 change_new

step "... after what is old was changed, too: what theory allows comes back"
prepare_sync
sure=0
kill_twice 2 change_old

change_beside()
{
	put "$W/d1/early" 2000
}

step "... after one more file came: what is old survives the loss of two disks"
prepare_hole
kill_twice 2 change_beside

# Neither what moves nor what shares a stripe with it, before or after, may have less protection for a moment.
step "the last files move to holes, so that the parity gets shorter: one level"
prepare_tail 1
size=$(stat -c %s "$W/p1/parity")
kill_each 1 sync
[ "$(stat -c %s "$W/p1/parity")" -lt $((size / 2)) ] || fail "the parity did not get shorter"

step "... and two"
prepare_tail 2
kill_each 2 sync

step "... and what -W moves, and what -R brings together"
prepare_tail 1
kill_each 1 -W 20k sync
prepare_pieces 1
kill_each 1 -R sync
