#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a new level, or a parity file made again, that was stopped half way is not taken for whole"

ours || skip "12.2 forgets an interrupted sync -F, and takes a file that was only made long for parity"

array 3 1
for i in 1 2 3; do put "$W/d$i/f" $((90000 * i)); put "$W/d$i/dir/g" 5000; done
expect 0 sync
remember_all

step "a second level is added: a plain sync does not make it"
mkdir -p "$W/p2"
sed -i "1a 2-parity $W/p2/parity" "$CONF"
expect 1 sync
warns 'force-full'
gone "$W/p2/parity"

step "sync -F is stopped before it wrote any parity: diff and status know, a plain sync completes it"
expect 0 --test-kill-before-sync -F sync
expect 2 diff
run status
says 'NOT fully synced'
step "... and meanwhile the first level protects as before"
lose "$W/d2"
expect 0 fix
same_all
expect 0 sync
synced
lose "$W/d1"
lose "$W/d3"
expect 0 fix
same_all

step "fix makes a lost parity file anew and is killed: a sync refuses what is there, or it is whole"
for after in 0.01 0.02 0.03 0.05 0.08; do
	rm -f "$W/p1/parity"
	timeout -s KILL "$after" "$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" fix > /dev/null 2>&1
	flock "$W/c/content.lock" true		# it may still be dying
	run sync
	if [ "$rc" = 0 ]; then
		verified
	else
		warns 'force-full'
	fi
	expect 0 fix
	expect 0 sync
	synced
done
