#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a content file lies on sectors that cannot be read: another copy is used, and nothing waits for ever"

ours || skip "the peer stops"
[ "$(id -u)" = 0 ] || skip "only root can mount"
for tool in mkfs.ext4 filefrag; do command -v $tool > /dev/null || skip "no $tool"; done
undo() { umount -l "$W/m" 2> /dev/null; }

array 2 1
mkdir "$W/m"
sed -i "0,/^content/s#^content#content $W/m/content\n&#" "$CONF"
truncate -s 24M "$W/image"
mkfs.ext4 -q -O ^has_journal -b 1024 "$W/image" || skip "cannot make a file system"
mount -o loop "$W/image" "$W/m" 2> /dev/null || skip "cannot mount a loop device"
for i in $(seq 40); do put "$W/d1/f$i" 3000; put "$W/d2/g$i" 3000; done
expect 0 sync
remember_all
sync "$W/m/content"
at=$(filefrag -b1024 -v "$W/m/content" | awk '$1 == "0:" { print $4 + 0 }')

step "from its fifth KiB on"
umount "$W/m"
mount -o loop "$W/image" "$W/m" || skip "cannot mount it again"
truncate -s $(((at + 4) * 1024)) "$W/image"
! cat "$W/m/content" > "$W/read" 2> /dev/null || skip "it can be read all the same"
expect 0 list
warns "Content file '$W/m/content' is damaged: cannot be read: Input/output error"
rm "$W/d1/f7"
expect 0 fix
same_all

step "it is not the first copy: a sync reads it all the same"
sed -i "\\|^content $W/m/|d" "$CONF"
echo "content $W/m/content" >> "$CONF"
expect 0 list
! grep -q 'cannot be read' "$W/err" || fail "it was read"
run sync
warns "Content file '$W/m/content' is damaged: cannot be read: Input/output error"
expect 0 check
same_all
