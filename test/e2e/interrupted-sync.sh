#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a sync is stopped, by ^C or by force: nothing is lost, status says so, and the next one goes on"

array 3 2
put "$W/d1/keep" 300000
put "$W/d2/keep" 200000
put "$W/d3/keep" 250000
expect 0 sync
remember kept "$W/d1" "$W/d2" "$W/d3"

step "stopped by force after the parity was written, before that was recorded"
put "$W/d1/new" 300000
expect 0 --test-kill-after-sync sync
expect 0 status
tells '^WARNING! The array is NOT fully synced\.'
says '^You have a sync in progress at '
expect 2 diff
remember with_new "$W/d1" "$W/d2" "$W/d3"
step "... and now a disk is lost"
lose "$W/d2"
expect 0 fix
same with_new "$W/d1" "$W/d2" "$W/d3"
expect 0 sync
synced

step "stopped before the parity was written"
put "$W/d3/more" 100000
if ours; then
	run --test-kill-before-sync sync
	expect 2 diff
	rm "$W/d3/more"
	remember old "$W/d1" "$W/d2" "$W/d3"
	lose "$W/d1"
	run fix
	rm -f "$W/d3/more.unrecoverable"
	same old "$W/d1" "$W/d2" "$W/d3"
	gone "$W/d3/more"
	put "$W/d3/more" 100000
fi
expect 0 sync
synced

step "old data is never handed out as a new file: a file is replaced by one of another length, then lost"
if ours; then
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 2
	put "$W/d1/a" 1000
	put "$W/d2/b" 3000
	run sync
	rm "$W/d1/a"
	put "$W/d1/n" 1024
	run --test-kill-before-sync sync
	cp -p "$W/d1/n" "$W/n"
	rm "$W/d1/n"
	run fix
	[ ! -e "$W/d1/n" ] || cmp "$W/n" "$W/d1/n" || fail "a deleted file was handed out as the new one"

	step "... or put where a file was deleted before the last sync"
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 2
	put "$W/d1/a" 2000
	put "$W/d1/tail" 2000
	run sync
	rm "$W/d1/a"
	run sync
	put "$W/d1/n" 2000
	run --test-kill-before-sync sync
	cp -p "$W/d1/n" "$W/n"
	rm "$W/d1/n"
	run fix
	[ ! -e "$W/d1/n" ] || cmp "$W/n" "$W/d1/n" || fail "a deleted file was handed out as the new one"
fi

step "a file is deleted, and a sync dies that has taken it out of the parity; a new one takes its place; then a disk is lost"
if ours; then
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1
	put "$W/d1/hole" 3000
	put "$W/d1/tail" 3000
	put "$W/d2/x" 6000
	run sync
	rm "$W/d1/hole"
	run --test-kill-after-sync sync
	put "$W/d1/new" 3000
	run --test-kill-before-sync sync
	remember with_new "$W/d1" "$W/d2"
	lose "$W/d2"
	expect 0 fix
	same with_new "$W/d1" "$W/d2"
	expect 0 sync
	synced
fi

# false_copy MOMENT: a file that has name, size and time of another one and other data; the sync stops there
false_copy()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 3 1
	put "$W/d1/a/f.bin" 20000
	put "$W/d2/y" 2000
	put "$W/d3/x" 20000
	expect 0 sync
	put "$W/d2/b/f.bin" 20000
	touch -r "$W/d1/a/f.bin" "$W/d2/b/f.bin"
	run "--test-kill-$1-sync" sync
	remember_all
}

step "what was only taken for a copy is not made one: it is left as it is, and said"
if ours; then
	false_copy before
	expect 1 check
	says '^changed b/f.bin'
	warns 'other data than was recorded for them, and are left alone: 1\.'
	for selection in '' '-f f.bin' '-d d2'; do
		# shellcheck disable=SC2086
		expect 1 $selection fix
		same_all
		warns "b/f.bin' was taken for a copy.* It is left alone"
	done
	mkdir "$W/to"
	expect 1 --to "$W/to" -d d2 fix
	cmp "$W/d2/b/f.bin" "$W/to/d2/b/f.bin" || fail "not what is on the disk"
	step "... and the parity may have its data: then it helps to bring back others"
	for lost in d1/a/f.bin d3/x; do
		false_copy after
		rm "$W/$lost"
		expect 1 fix	# not a word of "all is well" as long as that file is as it is
		same_all
		says "^recovered ${lost#*/}"
	done
	expect 0 --force-nocopy sync
	synced
	step "... or that of a true copy that is damaged since"
	rm -r "$W/d2/b"
	expect 0 sync
	mkdir "$W/d2/b"
	cp -p "$W/d1/a/f.bin" "$W/d2/b/f.bin"
	run --test-kill-after-sync sync
	remember copied "$W/d2"
	flip "$W/d2/b/f.bin" 3000
	remember all "$W/d1" "$W/d2" "$W/d3"
	lose "$W/d3"
	expect 1 fix
	same all "$W/d1" "$W/d2" "$W/d3"
	rm "$W/d2/b/f.bin"
	expect 0 fix
	same copied "$W/d2"
fi

# stopped SIGNAL: a long sync gets the signal at some moment in its work
stopped()
{
	local wait
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 3 1
	put "$W/d1/small" 5000
	put "$W/d2/small" 5000
	run sync
	remember small "$W/d2"
	for wait in 0.1 0.06 0.04 0.2 0.3; do
		marker=0
		put "$W/d1/large" 30000000
		put "$W/d3/large" 20000000
		interrupt "$wait" "$1" sync
		code=$rc
		! grep -q '^Everything OK' "$W/out" || marker=1
		run status
		! grep -q '^You have a sync in progress' "$W/out" || return 0
		rm -f "$W/d1/large" "$W/d3/large"
		run sync
	done
	return 1
}

step "a copy is known by the hashes of the other file, also to a fix that may not look at that one"
rm -rf "$W"/[dp][0-9]*/* "$W"/c/*
for i in 1 2 3; do put "$W/d$i/f" 9000; done
expect 0 sync
mkdir "$W/d2/copy"
cp -p "$W/d1/f" "$W/d2/copy/f"
expect 0 --test-kill-after-sync sync
remember_all
lose "$W/d2"
expect 0 -N fix
same_all

step "^C"
if stopped INT; then
	if ours; then	# the peer ends with 0 and says that all is well
		[ "$code" != 0 ] || fail "an interrupted sync exits 0"
		[ "$marker" = 0 ] || fail "an interrupted sync says that all is well"
	fi
	[ ! -e "$W/c/content.tmp" ] || fail "a temporary file is left"
	lose "$W/d2"
	expect 0 -d d2 fix
	same small "$W/d2"
	expect 0 sync
	expect 0 check
else
	echo "   (each sync was over before the signal)"
fi

step "power cut"
if stopped KILL; then
	expect 2 diff
	lose "$W/d2"
	expect 0 -d d2 fix
	same small "$W/d2"
	expect 0 sync
	says '^Everything OK'
	expect 0 check
else
	echo "   (each sync was over before the signal)"
fi
