#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every command of doc/stories.md, on disks that are file systems in images, in a name space of its own: /etc, /mnt and
# /var are copies or empty. What stands in comments, "run: ...", breaks disks and looks whether all is well.
set -euo pipefail
source=$(cd "${srcdir:-.}" && pwd)
text=$source/doc/stories.md
skip() { echo "skipped: $*"; exit 77; }
die() { echo "FAILED: $*"; exit 1; }

# ---- outside

if [ "${1:-}" != inside ]; then
	[ "$(id -u)" = 0 ] || skip "not root"
	unshare --mount true 2> /dev/null || skip "no name spaces"
	command -v mkfs.ext4 > /dev/null || skip "needs e2fsprogs"
	work=$(mktemp -d)
	trap 'for l in $(losetup -n -O NAME,BACK-FILE | awk -v w="$work/" "index(\$2, w) == 1 { print \$1 }"); do losetup -d "$l"; done; rm -rf "$work"' EXIT
	truncate -s 8M "$work/try"
	losetup -f "$work/try" 2> /dev/null || skip "no loop devices"
	srcdir=$source WORK=$work SNAPRAID=$SNAPRAID PEER=$PEER unshare --mount --propagation private bash "$0" inside
	exit
fi

# ---- inside

set +o pipefail
mkdir "$WORK/etc" "$WORK/bin"
cp -a /etc/. "$WORK/etc"
mount --bind "$WORK/etc" /etc
mount -t tmpfs none /var
mount -t tmpfs none /mnt
mkdir /var/log
rm -f /etc/snapraid.conf
NEW=

# by ours|peer: who is called snapraid
by()
{
	local program=$SNAPRAID
	[ "$1" = ours ] || [ ! -x "$PEER" ] || program=$PEER
	printf '#!/bin/sh\nexec %s --test-skip-self "$@"\n' "$program" > "$WORK/bin/snapraid"
	chmod +x "$WORK/bin/snapraid"
}

# new NAME: a disk is put in, and its partition is $NEW. The parity disk is small, to be full one day.
number=0
new()
{
	local size=64M
	number=$((number + 1))
	[ "$1" != parity1 ] || size=40M
	truncate -s $size "$WORK/disk.$number"
	NEW=$(losetup -f --show "$WORK/disk.$number")
}

# fill DIRECTORY NAME COUNT: files of 1 MiB
fill()
{
	local i
	mkdir -p "$1/$2"
	for i in $(seq "$3"); do head -c 1000000 /dev/urandom > "$1/$2/$2$i"; done
}

# rot FILE: one bit of it, and no time
rot()
{
	touch -r "$1" "$WORK/time"
	printf '\x55' | dd of="$1" bs=1 seek=12345 conv=notrunc 2> /dev/null
	touch -r "$WORK/time" "$1"
}

# run LINE COMMANDS: all of them; one that fails is the end
run()
{
	local status
	echo "== $2" >> "$WORK/log"
	case $2 in
	'new '* | 'by '*) eval "$2" && return ;;
	esac
	set +e
	(set -e && eval "$2") >> "$WORK/log" 2>&1 < /dev/null
	status=$?
	set -e
	[ "$status" = 0 ] || { tail -40 "$WORK/log"; die "doc/stories.md:$1: exit $status: $2"; }
}

by ours
PATH=$WORK/bin:$PATH
for disk in disk1 disk2; do
	new $disk
	mkfs.ext4 -q -m 0 "$NEW"
	mkdir /mnt/$disk
	mount "$NEW" /mnt/$disk
done
mkdir -p /mnt/disk1/photos/2024 /mnt/disk1/films /mnt/disk2/music
for i in 1 2 3; do
	head -c $((i * 70001)) /dev/urandom > /mnt/disk1/photos/2024/p$i.raw
	head -c $((i * 900001)) /dev/urandom > /mnt/disk1/films/film$i.mkv
	head -c $((i * 300001)) /dev/urandom > /mnt/disk2/music/song$i.ogg
done
new parity1

commands=0 line_number=0 block= in_block= here=1
while IFS= read -r line; do
	line_number=$((line_number + 1))
	if [ "$line" = '```' ]; then
		[ -z "$in_block" ] && in_block=1 || in_block=
		# What begins with a prompt needs a running system.
		[ -z "$block" ] || [ "${block:0:1}" = '$' ] || [ -z "$here" ] || run "$line_number" "$block"
		block=
	elif [ -n "$in_block" ]; then
		block+=$line$'\n'
		commands=$((commands + 1))
	elif [ "${line:0:3}" = '## ' ]; then
		echo "$line"
		here=1
		if [ "$line" = '## With mergerfs' ] && ! { command -v mergerfs && [ -e /dev/fuse ]; } > /dev/null; then
			here=
			echo "not run: no mergerfs here"
		fi
	elif [ "${line:0:10}" = '<!-- run: ' ] && [ -n "$here" ]; then
		line=${line#<!-- run: }
		run "$line_number" "${line% -->}"
	fi
done < "$text"
[ "$commands" -gt 80 ] || die "too few commands: the text was not read right"
echo "$commands lines of commands"
cd /
umount /mnt/* 2> /dev/null || true
