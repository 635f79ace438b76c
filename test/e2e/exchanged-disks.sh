#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "disks with UUIDs are in each other's place, and there are levels enough to repair that many: nothing is written to them"
ours || skip "the peer writes each one's files to the other"

[ "$(id -u)" = 0 ] || skip "not root"
for tool in losetup mkfs.ext4; do command -v $tool > /dev/null || skip "no $tool"; done
OPTIONS=(--test-skip-self)

mounted=()
undo() { local m; for m in "${mounted[@]}"; do umount -l "$m" 2> /dev/null; done; }

fresh() { rm -f "$W/images/$1"; truncate -s 16M "$W/images/$1"; mkfs.ext4 -q -F -m 0 "$W/images/$1" > /dev/null 2>&1 || skip "cannot make ext4"; }
place() # DISK DIR
{
	mkdir -p "$W/$2"
	mount -o loop "$W/images/$1" "$W/$2" 2> /dev/null || skip "cannot mount a loop device"
	mounted+=("$W/$2")
}
# at DIR=DISK...: these disks are there now
at()
{
	local pair
	for pair; do umount "$W/${pair%=*}" 2> /dev/null; done
	for pair; do place "${pair#*=}" "${pair%=*}"; done
}

mkdir "$W/images"
for disk in d1 d2 d3 p1 p2 p3; do fresh $disk; place $disk $disk; done
array 3 3
echo 'exclude /lost+found/' >> "$CONF"
for d in 1 2 3; do
	for n in 1 2 3 4; do put "$W/d$d/dir/f$d$n" $((5000 * n)); done
	put "$W/d$d/readme.txt" 700 "readme $d"
	touch -d '2020-02-02 02:02:02' "$W/d$d/readme.txt"
done
expect 0 sync
! grep -q 'UUID is unsupported' "$W/err" || skip "no UUIDs here"
remember_all

# refused WORDS...: by the commands, and each of them is said
commands="sync scrub check fix touch"
refused()
{
	local command words
	for command in $commands; do
		refuse $command
		for words; do warns "$words"; done
		warns 'force-uuid'
	done
}

step "two are mounted in each other's place"
at d2=d3 d3=d2
refused "d2/', of data disk 'd2', .* data disk 'd3' " "d3/', of data disk 'd3', .* data disk 'd2' "
expect 0 status
expect 0 list
expect 2 diff
warns "each other's place"
at d2=d2 d3=d3
same_all

commands="sync fix"
step "... or exchanged in the configuration"
exchange() { sed -i "s|^data d2 .*|data d2 $W/x|; s|^data d3 .*|data d3 $W/d2|; s|$W/x$|$W/d3|" "$CONF"; }
cp "$CONF" "$W/good.conf"
exchange
refused "d3/', of data disk 'd2', .* data disk 'd3' "
cp "$W/good.conf" "$CONF"
same_all
expect 0 diff

step "three are moved around"
at d1=d2 d2=d3 d3=d1
refused "d1/', of data disk 'd1', .* data disk 'd2' "
at d1=d1 d2=d2 d3=d3

step "one is at the place of a lost one, and a new one at its own"
fresh new
at d2=d3 d3=new
refused "d2/', of data disk 'd2', .* data disk 'd3' "
step "... or nothing is at its own"
at d3=d3
umount "$W/d3" "$W/d2"
place d3 d2
rmdir "$W/d3"
refuse -D fix
warns "d2/', of data disk 'd2', .* data disk 'd3' "
at d2=d2 d3=d3
same_all
expect 0 diff

step "a parity disk is at the place of a data disk, and the other way round"
at d2=p2 p2=d2
for command in sync fix touch; do
	expect 1 $command
	warns "d2/', of data disk 'd2', .* parity '2-parity' "
	[ $command = touch ] || warns "p2/parity', of parity '2-parity', .* data disk 'd2' "
done
at d2=d2 p2=p2
same_all
expect 0 diff

step "a disk that is replaced by a new one is repaired"
fresh new
at d2=new
expect 0 fix
same_all
expect 0 sync
expect 0 check

step "a disk that gets another name stays where it is"
sed -i 's|^data d3 |data third |' "$CONF"
expect 0 sync
warns "third"
expect 0 diff

step "it is what the user wants: the files went to the other disk, too"
sed -i "s|^data d1 .*|data d1 $W/x|; s|^data third .*|data third $W/d1|; s|$W/x$|$W/d3|" "$CONF"
mv "$W/d1/dir" "$W/d1/readme.txt" "$W/p1/"
mv "$W/d3/dir" "$W/d3/readme.txt" "$W/d1/"
mv "$W/p1/dir" "$W/p1/readme.txt" "$W/d3/"
refuse sync
expect 0 --force-uuid sync
expect 0 diff
expect 0 check
expect 0 sync

step "two disks on one file system are not each other's"
for tool in mkfs.btrfs btrfs; do command -v $tool > /dev/null || exit 0; done
truncate -s 128M "$W/both.img"
mkfs.btrfs -q -f "$W/both.img" > /dev/null 2>&1 && mkdir "$W/both" && mount -o loop "$W/both.img" "$W/both" 2> /dev/null || exit 0
mounted+=("$W/both")
for name in a b c; do btrfs -q subvolume create "$W/both/$name" > /dev/null || fail "subvolume"; done
printf '%s\n' "blocksize 1" "parity $W/p1/both" "content $W/p1/content.both" "content $W/c/content.both" "content $W/d1/content.both" \
	"2-parity $W/p2/both" "data a $W/both/a" "data b $W/both/b" "data d2 $W/d2" 'exclude /lost+found/' > "$CONF"
for name in a b; do put "$W/both/$name/f" 5000 $name; done
expect 0 sync
remember files "$W/both" "$W/d2/dir"
step "... and that of a lost one comes to them"
sed -i "s|^data d2 .*|data d2 $W/both/c|" "$CONF"
expect 0 fix
expect 0 sync
expect 0 check
