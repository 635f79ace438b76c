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

# It marks a block of each stripe as not in the parity, which the first level has all the same.
stopped()
{
	rm -rf "$W"/[dp][0-9]* "$W/c"
	array 3 2
	for i in 1 2 3; do put "$W/d$i/f" $((20000 * i)); put "$W/d$i/g" 5000; done
	expect 0 sync
	remember_all
	rm "$W/p2/parity"
	expect 0 --test-kill-before-sync -F sync
}
for options in '' -h; do
	step "sync -F is stopped, and a file rots: a sync ($options) does not take the damage in"
	stopped
	flip "$W/d1/f" 5000
	expect 1 $options sync
	warns "Data error in file '.*/d1/f'.*fix"
	expect 0 -e fix
	same_all
	expect 0 -p bad scrub
	expect 0 sync
	synced
done
step "... nor does fix think that this is how the file was"
stopped
flip "$W/d1/f" 5000
expect 1 check
says '^recoverable f'
expect 0 fix
same_all
step "... but that can be said, and then it is so"
stopped
flip "$W/d1/f" 5000
expect 0 --accept-changed sync
synced

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

# half_made [LOST]: that was synced before, and the side file says so, also if the parity is lost.
half_made()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1
	for i in 1 2; do put "$W/d$i/f" 9000; put "$W/d$i/stays" 100; done
	expect 0 sync
	remember_all
	[ -z "${1:-}" ] || rm "$1"
	expect 0 --test-kill-before-sync -F sync
}
for disk in d1 d2; do
	step "a file of $disk rots after sync -F was stopped: check and scrub tell, fix mends"
	half_made
	flip "$W/$disk/f" 5000
	expect 1 check
	says '^recoverable f'
	expect 1 -p full scrub
	warns "Data error in file '.*/$disk/f'"
	expect 0 fix
	same_all
	expect 0 sync
	synced

	step "... and there is no parity: nothing takes the damage for new data, but if it is told to"
	half_made "$W/p1/parity"
	flip "$W/$disk/f" 5000
	expect 1 check
	expect 1 -p full scrub
	expect 1 sync
	warns 'accept-changed'
	expect 1 sync
	warns "Data error in file '.*/$disk/f'"
	expect 0 --accept-changed sync
	synced

	step "... a ctime alone is no change"
	half_made
	cp -p "$W/$disk/f" "$W/.copy"
	cat "$W/.copy" > "$W/$disk/f"
	touch -r "$W/.copy" "$W/$disk/f"
	expect 0 sync
	synced
done
