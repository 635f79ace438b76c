#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a sync that is killed goes on where the checkpoint log says it was"

ours || skip "12.2 has no checkpoint log"

array 3 2 "exclude *.skip"
for i in 1 2 3; do put "$W/d$i/old" 20000; put "$W/d$i/gone" 9000; put "$W/d$i/stays" 4000; done
expect 0 sync
for i in 1 2 3; do put "$W/d$i/new" $((30000 * i)); rm "$W/d$i/gone"; put "$W/d$i/old" 15000 changed; done
cp -a "$W" "$W.before" && undo() { rm -rf "$W.before"; }

step "killed after all parity was written, before the last save: next to nothing is left to do"
expect 0 --test-checkpoint-every 7 --test-kill-after-sync sync
exists "$W/c/content.log"
exists "$W/p1/content.log"
run diff
says 'Taken from the checkpoint log'
if [ "$rc" = 2 ]; then says '^The files are as recorded'; fi
remember_all
step "... and a lost disk comes back as it was in that sync"
lose "$W/d2"
expect 0 fix
same_all
step "... without the log of one copy, too"
rm "$W/c/content.log"
lose "$W/d1"
expect 0 fix
same_all
expect 0 sync
gone "$W/p1/content.log"
synced

step "a log that is torn or rotten counts up to there"
for damage in torn rotten; do
	rm -rf "$W/d1" "$W/d2" "$W/d3" "$W/p1" "$W/p2" "$W/c"
	cp -a "$W.before"/[dpc]* "$W"
	expect 0 --test-checkpoint-every 5 --test-kill-after-sync sync
	for log in "$W"/c/content.log "$W"/p?/content.log; do
		size=$(stat -c %s "$log")
		if [ "$damage" = torn ]; then truncate -s $((size * 2 / 3)) "$log"; else flip "$log" $((size / 2)); fi
	done
	expect 2 diff
	says 'Taken from the checkpoint log'
	expect 0 sync
	synced
done

step "the log of another content file is not taken"
rm -rf "$W/d1" "$W/d2" "$W/d3" "$W/p1" "$W/p2" "$W/c"
cp -a "$W.before"/[dpc]* "$W"
expect 0 --test-checkpoint-every 5 --test-kill-after-sync sync
for at in c p1 p2; do cp "$W/$at/content.log" "$W/$at.keep"; done
put "$W/d1/more" 3000
expect 0 --test-kill-before-sync sync
for at in c p1 p2; do cp "$W/$at.keep" "$W/$at/content.log"; done
run diff
says_not 'Taken from the checkpoint log'
expect 0 sync
synced

step "SnapRAID 12.2 goes on from the same state without it"
rm -rf "$W/d1" "$W/d2" "$W/d3" "$W/p1" "$W/p2" "$W/c"
cp -a "$W.before"/[dpc]* "$W"
expect 0 --test-checkpoint-every 5 --test-kill-after-sync sync
by "$PEER"
expect 0 sync
by "$SNAPRAID"
expect 0 diff
synced
