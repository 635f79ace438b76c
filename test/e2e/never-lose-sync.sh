#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a sync that meets damage, changes or bad parity leaves all that it cannot do as recoverable as it was"

fresh() { rm -rf "$W"/[dpc][0-9]* "$W/c"; array "$@"; }

# W1: what parity stands for must not be forgotten where a stripe is skipped
step "a damaged file, a new one in its stripes, one level"
fresh 2 1
put "$W/d1/four" 4096
expect 0 sync
remember good "$W/d1"
flip "$W/d1/four" 1030
put "$W/d2/new" 4096
expect 1 sync
run sync
run fix
gone "$W/d1/four.unrecoverable"
same good "$W/d1"
run sync
expect 0 -p full scrub
synced

step "... two levels, and the one that is tried first is wrong there"
fresh 2 2
put "$W/d1/four" 4096
expect 0 sync
remember good "$W/d1"
flip "$W/d1/four" 1030
flip "$W/p1/parity" 1040
put "$W/d2/new" 4096
expect 1 sync
run fix
gone "$W/d1/four.unrecoverable"
same good "$W/d1"
run sync
expect 0 -p full scrub
synced

step "... a file of that stripe was replaced, and two levels hold both"
fresh 2 2
put "$W/d1/four" 4096
put "$W/d2/old" 4096
put "$W/d2/stays" 100		# of a disk where nothing does, sync asks first
expect 0 --test-force-order-alpha sync
remember good "$W/d1"
flip "$W/d1/four" 1030
rm "$W/d2/old"
put "$W/d2/new" 4000
expect 1 sync
run fix
gone "$W/d1/four.unrecoverable"
same good "$W/d1"
run sync
expect 0 -p full scrub
synced

if ours; then
	step "... a sync was killed when one level was new and the other one old: the next one protects what the file should be"
	fresh 2 2
	put "$W/d1/four" 4096
	put "$W/d2/old" 4096
	put "$W/d2/stays" 100
	expect 0 --test-force-order-alpha sync
	remember good "$W/d1"
	cp -p "$W/p1/parity" "$W/old parity"
	put "$W/d2/old" 4096 again
	remember new "$W/d2"
	expect 0 --test-kill-after-sync sync
	cp -p "$W/old parity" "$W/p1/parity"
	flip "$W/d1/four" 1030
	expect 1 sync
	lose "$W/d2"
	run fix
	same good "$W/d1"
	same new "$W/d2"
	run sync
	expect 0 -p full scrub
	synced
fi

# W2: what was done is kept, whatever else went wrong
step "one file changes during the sync and another one is damaged: all others are protected, the damage is marked"
fresh 2 2
put "$W/d1/damaged" 3000
expect 0 --test-force-order-alpha sync
flip "$W/d1/damaged" 10
put "$W/d1/z/changing" 2000
put "$W/d1/y/new" 5000
put "$W/d2/x/new" 20000
expect 1 --test-force-order-alpha --test-run "echo more >> $W/d1/z/changing" sync
says_not '^Everything OK'
expect 0 status
says '^DANGER! In the array there'
cp -a "$W/d1/y/new" "$W/new1"
cp -a "$W/d2/x/new" "$W/new2"
rm "$W/d1/y/new"
run -m fix
cmp "$W/new1" "$W/d1/y/new" || fail "d1/y/new is not protected"
rm "$W/d2/x/new"
run -m fix
cmp "$W/new2" "$W/d2/x/new" || fail "d2/x/new is not protected"
expect 0 -e fix
cmp <(put /dev/stdout 3000 "$W/d1/damaged") "$W/d1/damaged" || fail "the damage was not repaired"
expect 0 sync
expect 0 -p full scrub
synced

step "... and it is stopped: what was done by then is kept"
if ours; then
	fresh 2 1
	put "$W/d1/first" 2000
	put "$W/d2/large" 40000000
	interrupt 1.5 INT --bw-limit 5M sync		# it would take 16 seconds
	if [ "$rc" != 0 ]; then
		[ "$rc" = 130 ] || fail "an interrupted sync ends with $rc"
		cp -a "$W/d1/first" "$W/first"
		run status
		rm "$W/d1/first"
		run -m fix
		cmp "$W/first" "$W/d1/first" || fail "the work until ^C was thrown away"
	fi
	expect 0 sync
	synced
fi

if ours; then	# SnapRAID has no such stop before 13
	for hash in 16 8; do
		step "a copy of a file, and a new file, come beside an old one, and the sync stops before it writes parity: hashes of $hash"
		fresh 2 1 "hashsize $hash"
		put "$W/d1/a" 4096
		put "$W/d1/v" 4096
		put "$W/d2/b" 1000
		expect 0 --test-force-order-alpha sync
		remember good "$W/d1"
		cp -p "$W/d1/a" "$W/d2/a"
		put "$W/d2/c" 4096
		run --test-force-order-alpha --test-kill-before-sync sync
		lose "$W/d1"
		run fix
		same good "$W/d1"
		expect 0 sync
		synced
	done

	step "a sync is killed when the parity has the data and before that is recorded, then it rots: it is as bad as any other"
	fresh 2 1
	put "$W/d1/a" 1000
	remember good "$W/d1"
	expect 0 --test-kill-after-sync -h sync
	flip "$W/d1/a" 10
	expect 1 sync
	run status
	says '^DANGER! In the array there are 1 errors!'
	expect 0 fix
	same good "$W/d1"
	expect 0 -p bad scrub
	synced

	step "a sync -F was stopped, and then something rots: a sync that trusts no copies does not take it for new"
	fresh 2 1
	put "$W/d1/a" 3000
	put "$W/d2/b" 3000
	expect 0 sync
	remember good "$W/d1"
	expect 0 --test-kill-before-sync -F sync
	flip "$W/d1/a" 10
	expect 1 -N sync
	expect 0 -e fix
	same good "$W/d1"
	expect 0 -p bad scrub
	synced
fi
