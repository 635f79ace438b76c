#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the parity is as long as it has to be: what lies behind a hole moves into it, and new files take holes that fit"
ours || skip "only our program moves files"

size() { stat -c %s "$W/p1/parity"; }
stamps() { stat -c '%n %i %y %s' "$W"/p?/* "$W"/c/content*; }

# Every disk can be lost, and nothing is left to do.
proven()
{
	local d
	synced
	expect 0 -p full scrub
	stamps > "$W/before"
	expect 0 sync
	says "Nothing to do"
	stamps | cmp -s - "$W/before" || fail "a sync with nothing to do writes"
	for d in "$W"/d?; do
		remember lost "$d"
		lose "$d"
		expect 0 fix
		same lost "$d"
	done
	synced
}

step "a big file is deleted, and two small ones lie behind it"
array 3 1 "keep_metadata off"	# damage is not seen before the data is read
put "$W/d1/a-big" 200000
put "$W/d2/a" 3000
put "$W/d3/a" 2000
expect 0 --test-force-order-alpha sync
put "$W/d1/small" 2500
put "$W/d3/b-big" 250000
expect 0 sync
put "$W/d3/last" 1000
expect 0 sync
[ "$(size)" -gt 250000 ] || fail "the parity is too short already"
rm "$W"/d?/*-big
expect 0 sync
says "Moving the last 2 files to free places"
[ "$(size)" = 3072 ] || fail "the parity has $(size) bytes, and 3072 would do"
proven

step "what is left behind a hole moves with a sync that has nothing else to do"
put "$W/d2/big" 90000
expect 0 --test-force-order-alpha sync
put "$W/d2/last" 5000
expect 0 sync
rm "$W/d2/big"
expect 0 --force-full sync
[ "$(size)" -gt 90000 ] || fail "it moved already"
expect 0 sync
[ "$(size)" -le 9216 ] || fail "the parity still has $(size) bytes"
proven

step "it moves nothing that is damaged"
put "$W/d2/big" 90000
expect 0 sync
put "$W/d1/last" 100000
expect 0 sync
put "$W/d1/very-last" 1000
expect 0 sync
rm "$W/d1/last"
expect 0 --force-full sync
before=$(size)
flip "$W/d1/very-last" 500
expect 1 sync
warns "Data error in file '$W/d1/very-last'"
[ "$(size)" = "$before" ] || fail "the parity was cut"
expect 0 -e fix
expect 0 -p bad scrub
expect 0 sync
[ "$(size)" -lt "$before" ] || fail "the parity was not cut"
proven

step "what changes after the scan makes no move fail: neither the file itself, nor one at its new place"
rm "$W"/d?/*
expect 0 -E sync
put "$W/d1/big" 90000
put "$W/d2/beside" 5000
expect 0 --test-force-order-alpha sync
put "$W/d1/last" 5000
expect 0 sync
rm "$W/d1/big"
expect 0 --force-full sync
before=$(size)
for change in "touch '$W/d2/beside'" "rm '$W/d2/beside'" "touch '$W/d1/last'"; do
	expect 0 --test-run "$change" sync
	says "have changed meanwhile"
	says "Everything OK"
	[ "$(size)" = "$before" ] || fail "the parity was cut"
	expect 0 status
	says "No sync is in progress"
	[ -e "$W/d2/beside" ] || put "$W/d2/beside" 5000
	expect 0 -E --force-full sync
done
expect 0 sync
[ "$(size)" -lt "$before" ] || fail "the parity was not cut"
proven

step "a new file takes a hole that holds all of it, not the first free blocks"
rm "$W"/d?/*
expect 0 -E sync
for n in 1 2 3 4 5 6 7 8 9; do put "$W/d1/f$n" $((n * 1024)); done
put "$W/d2/all" 46000
expect 0 --test-force-order-alpha sync
rm "$W"/d1/f[258]
expect 0 sync
put "$W/d1/seven" 7000
put "$W/d1/five" 5000
expect 0 sync
expect 0 -l "$W/log" status
grep -q '^summary:fragmented_file_count:0$' "$W/log" || fail "files lie in pieces: $(grep fragmented "$W/log")"
[ "$(size)" = 46080 ] || fail "the parity has $(size) bytes"
proven

# pieces: how many files lie in pieces
pieces()
{
	expect 0 -l "$W/log" status
	pieces=$(sed -n 's/^summary:fragmented_file_count://p' "$W/log")
}

step "-R brings files in pieces together, and the end down as far as the fullest disk allows"
rm "$W"/d?/*
expect 0 -E sync
for n in 1 2 3 4 5 6 7 8 9; do put "$W/d1/f$n" 2048; done
put "$W/d2/all" 12000
expect 0 --test-force-order-alpha sync
rm "$W"/d1/f[2468]
put "$W/d1/wide" 6144
expect 0 sync
pieces
[ "$pieces" = 1 ] || fail "$pieces files lie in pieces, 1 should"
rm "$W"/d1/f[19] "$W/d2/all"
put "$W/d3/all" 20000
expect 0 -E sync
expect 0 -R sync
says "Moving 1 files to other places"
pieces
[ "$pieces" = 0 ] || fail "$pieces files lie in pieces"
proven

step "-W moves the last files, also where that gives back less than it costs"
rm "$W"/d?/*
expect 0 -E sync
for n in 1 2; do put "$W/d1/a$n" 4096; done
put "$W/d1/last" 6144
put "$W/d2/all" 11264
expect 0 --test-force-order-alpha sync
rm "$W"/d1/a?
expect 0 sync
expect 0 sync
says "Nothing to do"
[ "$(size)" = 14336 ] || fail "the parity has $(size) bytes"
expect 0 -W 9G sync
says "Moving 1 files to other places"
[ "$(size)" = 11264 ] || fail "the parity has $(size) bytes"
proven

step "status foretells how much more fits on each disk"
rm -rf "$W"/[dpc]* "$CONF"
array 2 1
sed -i '/^content .*p1/d' "$CONF"
undo() { umount "$W/p1" 2> /dev/null; }
mount -t tmpfs -o size=4M none "$W/p1" 2> /dev/null || skip "the last step needs to mount a small file system"
put "$W/d1/a" 600000
put "$W/d2/gone" 500000
put "$W/d2/last" 100000
expect 0 --test-force-order-alpha sync
rm "$W/d2/gone"
expect 0 sync
for disk in d1 d2; do
	expect 0 -l "$W/log" status
	free=$(sed -n "s/^summary:disk_free:$disk://p" "$W/log")
	put "$W/$disk/too-much" $((free + 100000))
	run sync
	warns "outofparity $disk too-much"
	put "$W/$disk/too-much" $((free - 100000))
	expect 0 sync
	proven
	rm "$W/$disk/too-much"
	expect 0 sync
done
