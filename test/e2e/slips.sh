#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "slips of the hand: a mistyped name, a lost line, a path from the working directory, a disk not mounted"

ours || skip "12.2 says nothing of these"

array 2 2
for i in 1 2; do put "$W/d$i/f$i" 9000; done
expect 0 sync

step "fix -f with a name that no file has is no restore"
expect 1 -f f3 fix
warns 'No recorded file matches'
expect 1 -f /d1/f1 check
warns 'begins with a slash'
step "... but one of a file that is there is fine, and so is one that has nothing missing"
expect 0 -f f2 fix
expect 0 -m -f f2 fix

step "check names the parity that is wrong"
flip "$W/p2/parity" 1500
expect 1 check
warns 'Data error in the 2-parity'
expect 0 fix
expect 0 check

step "a level that leaves the configuration is missed"
cp "$CONF" "$W/two.conf"
sed -i '/^2-parity/d' "$CONF"
expect 0 diff
warns '2 parity levels, and the configuration has 1'
cp "$W/two.conf" "$CONF"
expect 0 diff
! grep -q 'parity levels' "$W/err" || fail "the warning stays"

step "one file under two names"
cp "$CONF" "$W/two.conf"
for line in "content $W/p1/../p2/parity" "content $W/link"; do
	ln -sf "$W/p1/parity" "$W/link"
	{ cat "$W/two.conf"; echo "$line"; } > "$CONF"
	expect 1 status
	warns 'are the same file'
done
cp "$W/two.conf" "$CONF"

step "disks by paths from the working directory: content files are ours as ever"
cd "$W" || fail "cd"
sed -i "s|$W/||" "$CONF"
sed -i "1a content $W/d1/content" "$CONF"
expect 0 sync
expect 0 diff
counts 0 added

step "a disk that was forgotten at the mounting is not filled, nor taken for empty"
[ "$(id -u)" = 0 ] && command -v mkfs.ext4 > /dev/null || skip "no right to mount"
[ "$(stat -c %d "$W")" = "$(stat -c %d /)" ] || skip "the work directory is not on the system disk"
mounted=()
undo() { local m; for m in "${mounted[@]}"; do umount -l "$m" 2> /dev/null; done; }
for d in m1 m2 m3; do
	mkdir "$W/$d"
	truncate -s 16M "$W/$d.img"
	mkfs.ext4 -q -F "$W/$d.img" && mount -o loop "$W/$d.img" "$W/$d" 2> /dev/null || skip "cannot mount a loop device"
	mounted+=("$W/$d")
done
cat > "$CONF" <<EOF
blocksize 1
parity $W/m3/parity
content $W/m2/content
content $W/m3/content
data d1 $W/m1
data d2 $W/m2
exclude /lost+found/
EOF
OPTIONS=(--test-skip-self)
put "$W/m1/f1" 9000
put "$W/m2/f2" 9000
expect 0 sync
umount "$W/m1"
for command in diff sync check fix "-m fix"; do
	expect 1 $command
	warns 'Is it not mounted'
	gone "$W/m1/f1"
done
mount -o loop "$W/m1.img" "$W/m1"
expect 0 diff
expect 0 check
