#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a disk is mounted read-only, as after an error of its file system: it is told, and what needs it least goes on"
[ "$(id -u)" = 0 ] || skip "only root can mount"

mounted=()
undo() { local m; for m in "${mounted[@]}"; do umount "$m" 2> /dev/null; done; }

# read_only DIR: it is, by a mount over itself
read_only()
{
	mount --bind "$1" "$1" 2> /dev/null && mount -o remount,bind,ro "$1" 2> /dev/null || skip "nothing can be mounted"
	mounted+=("$1")
}
writable() { undo; mounted=(); }

array 2 2
put "$W/d1/a" 3000
put "$W/d1/b" 2000
put "$W/d2/a" 4000
expect 0 sync
remember_all

step "all of them: whatever only reads works, and says nothing of it"
for d in "$W"/[dpc]*; do [ ! -d "$d" ] || read_only "$d"; done
if ours; then
	for command in status list diff dup; do
		expect 0 "$command"
		! grep -qi 'read-only' "$W/err" || fail "'$command' needs to write nothing"
	done
fi
expect 1 sync
warns 'Read-only file system'
expect 1 fix
writable
expect 0 diff
synced
same_all

step "a data disk: its files cannot be restored, each other one is, and the next run does the rest"
rm "$W/d1/a" "$W/d2/a"
read_only "$W/d1"
expect 1 fix
tells "$W/d1/a.*Read-only file system"
cmp <(put /dev/stdout 4000 "$W/d2/a") "$W/d2/a" || fail "a file of another disk is not back"
gone "$W/d1/a"
writable
expect 0 fix
same_all

step "... nothing is written to it by a sync, which goes on"
read_only "$W/d1"
put "$W/d2/new" 2500
expect 0 sync
writable
synced
remember_all

step "the disk of a content copy: the sync is refused, and leaves all copies alike and whole"
read_only "$W/c"
put "$W/d2/later" 2500
expect 1 sync
warns "$W/c.*Read-only file system"
expect 2 diff
writable
cmp "$W/c/content" "$W/p1/content" || fail "the copies differ"
rm "$W/d1/b"
expect 0 -f b fix
expect 0 sync
synced
