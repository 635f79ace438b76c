#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "real disks: ext4, xfs and btrfs, with their UUIDs, and a parity disk that is really full"

[ "$(id -u)" = 0 ] || skip "not root"
for tool in losetup mkfs.ext4 mkfs.xfs mkfs.btrfs; do command -v $tool > /dev/null || skip "no $tool"; done
OPTIONS=(--test-skip-self)

mounted=()
undo() { local m; for m in "${mounted[@]}"; do umount -l "$m" 2> /dev/null; done; }

# disk NAME KIND MIB: a fresh file system, mounted
disk()
{
	local image=$W/$1.img
	umount "$W/$1" 2> /dev/null
	rm -f "$image"
	truncate -s "$3M" "$image"
	case $2 in
	ext4) mkfs.ext4 -q -F -m 0 "$image" ;;
	xfs) mkfs.xfs -q -f "$image" ;;
	btrfs) mkfs.btrfs -q -f "$image" ;;
	esac > /dev/null 2>&1 || skip "cannot make $2"
	up "$1"
}
up()
{
	mkdir -p "$W/$1"
	mount -o loop "$W/$1.img" "$W/$1" 2> /dev/null || skip "cannot mount a loop device"
	mounted+=("$W/$1")
}

disk d1 ext4 32
disk d2 xfs 320
disk d3 btrfs 128
disk p1 ext4 32
disk p2 ext4 16
cat > "$CONF" <<EOF
blocksize 4
parity $W/p1/parity
2-parity $W/p2/parity
content $W/p1/content
content $W/p2/content
content $W/d1/content
data d1 $W/d1
data d2 $W/d2
data d3 $W/d3
exclude /lost+found/
EOF
for i in 1 2 3; do
	for n in 1 2 3 4; do put "$W/d$i/dir/f$n" $((20000 * n + i)); done
	ln -s f1 "$W/d$i/dir/soft"
	ln "$W/d$i/dir/f2" "$W/d$i/hard"
	mkdir "$W/d$i/empty"
done
expect 0 sync
verified
# What is an array's: not the content file, not lost+found.
bare() { tree "$1" | grep -v -e ' content$' -e 'lost+found' -e 'content\.lock' -e ' content\.side'; }
bare "$W/d1" > "$W/t1"; bare "$W/d2" > "$W/t2"; bare "$W/d3" > "$W/t3"
back() { bare "$W/d$1" | cmp -s - "$W/t$1" || { bare "$W/d$1" | diff "$W/t$1" - | head; fail "d$1 is not as it was"; }; }

# The peer learns a UUID from links that udev makes, and a container has none.
uuids=1
ours || ! grep -q 'UUID is unsupported' "$W/err" || uuids=
if [ -n "$uuids" ]; then
	step "inodes tell a move from a new file"
	mv "$W/d2/dir/f3" "$W/d2/moved"
	expect 2 diff
	counts 1 moved
	counts 0 added
	mv "$W/d2/moved" "$W/d2/dir/f3"
	expect 0 diff
fi

for lost in "1 ext4 32" "2 xfs 320" "3 btrfs 128"; do
	set -- $lost
	step "d$1 ($2) is replaced by a new, empty disk"
	disk "d$1" "$2" "$3"
	expect 0 -d "d$1" fix
	back "$1"
	expect 0 -d "d$1" -a check
	expect 0 sync
	expect 0 diff
done

step "all three are mounted again: the same UUIDs, nothing to do"
for i in 1 2 3; do umount "$W/d$i"; up d$i; done
expect 0 diff

place() { mount -o loop "$W/$1.img" "$W/$2" || fail "mount"; }
if [ -n "$uuids" ]; then
	step "three disks are swapped around: more than two changed UUIDs are refused"
	for i in 1 2 3; do umount "$W/d$i"; done
	place d1 d2; place d2 d3; place d3 d1
	expect 1 sync
	expect 1 diff
	warns 'force-uuid'
	for i in 1 2 3; do umount "$W/d$i"; done
	for i in 1 2 3; do place d$i d$i; done
	expect 0 diff
	expect 0 check
fi

if [ -n "$uuids" ] && ours; then
	step "the two parity disks are mounted in each other's place: neither is written for the other"
	put "$W/d1/new" 5000
	swap() { umount "$W/p1" "$W/p2"; place "$1" p1; place "$2" p2; }
	swap p2 p1
	for command in sync fix; do
		expect 1 $command
		warns "p1/parity'.*2-parity.*each other's place"
	done
	swap p1 p2
	rm "$W/d1/new"
	expect 0 diff
	expect 0 check
fi

step "a data disk is not mounted"
umount "$W/d3"
expect 1 sync
place d3 d3

step "the second parity disk is full"
put "$W/d3/large" 20000000
expect 1 -l "$W/log" sync
grep -q '^outofparity:d3:large$' "$W/log" || fail "the file that does not fit is not named in the log"
rm "$W/d3/large"
expect 0 sync
synced

step "a content file on a disk that the parity fills has no room to be saved: the parity gives back what it took"
if ours; then
	cp "$CONF" "$W/good.conf"
	mkdir -p "$W/shared" "$W/c"
	mount -t tmpfs -o size=512k none "$W/shared" || fail "mount"
	mounted+=("$W/shared")
	printf '%s\n' "blocksize 1" "parity $W/shared/parity" "content $W/shared/content" "content $W/c/content" "data d1 $W/d1/dir" \
		"data d2 $W/d2/dir" > "$CONF"
	expect 0 --test-skip-device sync
	before=$(stat -c %s "$W/shared/parity")
	for n in 1 2; do put "$W/d1/dir/large$n" 300000; done
	expect 1 --test-skip-device sync
	warns 'No space left'
	[ "$before" = "$(stat -c %s "$W/shared/parity")" ] || fail "the parity keeps the room"
	expect 0 --test-skip-device -p full scrub
	rm "$W"/d1/dir/large?
	put "$W/d1/dir/small" 5000
	expect 0 --test-skip-device sync
	rm "$W/d1/dir/small"
	cp "$W/good.conf" "$CONF"
fi

step "there must be more copies of the content file than there are levels, on disks of their own"
cp "$CONF" "$W/good.conf"
sed -i '/^content .*d1/d' "$CONF"
expect 1 sync
expect 1 diff
cp "$W/good.conf" "$CONF"

step "status knows the sizes"
expect 0 status
says_not ' - .* d1$'
