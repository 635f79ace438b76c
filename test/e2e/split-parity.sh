#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "parity in several files, each as large as its disk allows"

mkdir -p "$W"/p1/{a,b,c} "$W"/p2/{a,b,c} "$W/c"
cat > "$CONF" <<EOF
blocksize 1
parity $W/p1/a/par,$W/p1/b/par,$W/p1/c/par
2-parity $W/p2/a/par,$W/p2/b/par,$W/p2/c/par
content $W/c/content
content $W/p1/content
content $W/p2/content
data d1 $W/d1
data d2 $W/d2
data d3 $W/d3
EOF
for i in 1 2 3; do put "$W/d$i/old" $((6000 * i)); done
# The limit is made up: 8 KiB to 16 KiB for each file, so that 18 KiB need two or three of them.
expect 0 --test-parity-limit 8192 sync
first=$(stat -c %s "$W/p1/a/par")
[ $((first % 1024)) = 0 ] || fail "a split holds a part of a block"
[ "$(stat -c %s "$W/p1/b/par")" -gt 0 ] || fail "the second file is not used"
synced
remember_all

step "status counts the room of their file system once"
if ours; then
	expect 0 -l "$W/log" status
	free=$(sed -n 's/^summary:parity_block_free:parity://p' "$W/log")
	there=$(sed -n 's/^summary:disk_block_free:d1://p' "$W/log")	# the same one
	[ "$free" -lt $((there * 3 / 2)) ] || fail "$free blocks are to be free, and the file system has $there"
fi

step "it grows into the next file"
for i in 1 2 3; do put "$W/d$i/new" $((1300 * i)); done
expect 0 --test-parity-limit 8192 sync
[ "$(stat -c %s "$W/p1/a/par")" = "$first" ] || fail "a full file has changed its size"
synced
remember_all

step "two disks"
lose "$W/d1"
lose "$W/d3"
expect 0 --test-parity-limit 8192 fix
same_all

step "one file of a parity is lost"
rm "$W/p1/b/par"
if ours; then	# the peer takes the hole for parity
	refuse --test-parity-limit 8192 sync
	warns 'force-full'
	gone "$W/p1/b/par"
fi
run --test-parity-limit 8192 check
if ours; then [ "$rc" = 1 ] || fail "check exits $rc without a parity"; fi
expect 0 --test-parity-limit 8192 fix
expect 0 --test-parity-limit 8192 sync
synced

step "a file that is used cannot be taken out of the configuration"
sed -i "s|^parity .*|parity $W/p1/a/par|" "$CONF"
refuse sync

ours || exit 0		# the peer needs all of them
# one_lost [folder]: a disk, and the first file of the parity; `folder`: where it was is there
one_lost()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1
	mkdir "$W/p1/a" "$W/p1/b"
	sed -i "s|^parity .*|parity $W/p1/a/par,$W/p1/b/par|" "$CONF"
	for i in 1 2 3 4 5 6; do
		put "$W/d1/f$i" 3000
		put "$W/d2/g$i" 3000
	done
	expect 0 --test-parity-limit 8192 sync
	[ -s "$W/p1/b/par" ] || fail "the second file is not used"
	rm -r "$W/p1/a"
	[ $# = 0 ] || mkdir "$W/p1/a"
	lose "$W/d1"
}
back() { find "$W/d1" -name 'f?' | wc -l; }

step "a disk is lost, and one file of the parity: what the other one covers comes back"
one_lost folder
expect 1 -d d1 fix
warns "Cannot open the parity file '.*/a/par'"
n=$(back)
[ "$n" -ge 1 ] || fail "of 6 files $n are back"
gone "$W/p1/a/par"
step "... also if its disk cannot be reached"
one_lost
expect 1 -D fix
warns "Cannot open the parity file '.*/a/par'"
[ "$(back)" = "$n" ] || fail "of 6 files $(back) are back"
step "... check looks at what is there"
one_lost folder
expect 1 check
warns "Cannot open the parity file '.*/a/par'"
[ "$(grep -c '^recoverable' "$W/out")" = "$n" ] || fail "not $n files can be restored"

[ "$(id -u)" = 0 ] || exit 0
mkdir "$W/small"
mount -t tmpfs -o size=64k none "$W/small" 2> /dev/null || exit 0
undo() { umount "$W/small"; }

step "the disk of the first file is replaced by a smaller one: fix writes what fits, and the second file stays as it is"
rm -rf "$W"/[dpc][0-9]* "$W/c"
array 2 1
sed -i "s|^parity .*|parity $W/small/par,$W/p1/par|" "$CONF"
put "$W/d1/f" 80000
put "$W/d2/g" 80000
expect 0 sync
[ -s "$W/p1/par" ] || fail "the second file is not used"
cp "$W/p1/par" "$W/second"
remember_all
umount "$W/small"
mount -t tmpfs -o size=32k none "$W/small" || exit 1
expect 1 fix
cmp "$W/p1/par" "$W/second" || fail "the second file is another one"
same_all
[ "$(grep -c 'Cannot write the parity' "$W/err")" = 1 ] || fail "that it does not fit is not told, or again and again"
refuse sync
warns 'force-full'
step "... and a large one makes it whole"
umount "$W/small"
mount -t tmpfs -o size=64k none "$W/small" || exit 1
expect 0 fix
cmp "$W/p1/par" "$W/second" || fail "the second file is another one"
synced
