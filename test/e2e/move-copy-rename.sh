#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "files are moved, copied, renamed, swapped and touched: each is called what it is, and costs no more"
# The two made-up UUIDs make inodes trusted, as on a disk of one's own.
OPTIONS+=(--test-fake-uuid)

array 2 1
fresh()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1
	put "$W/d1/dir/one" 3000
	put "$W/d1/two" 2000
	put "$W/d1/three" 1000
	put "$W/d2/four" 5000
	put "$W/d2/five" 600
	touch -d '2022-02-02 02:02:02.123456789' "$W"/d?/* "$W/d1/dir/one"
	touch -d '2022-02-02 03:03:03.000000000' "$W/d1/three"
	run sync
	[ "$rc" = 0 ] || fail "sync exits $rc"
}

# after WHAT LINE WORD=N...: diff says LINE and counts so; the sync works; all can be restored
after()
{
	step "$1"
	expect 2 diff
	says "$2"
	shift 2
	for word in "$@"; do counts "${word#*=}" "${word%=*}"; done
	expect 0 sync
	synced
	remember_all
	lose "$W/d1"
	expect 0 fix
	same_all
	fresh
}

fresh
mv "$W/d1/two" "$W/d1/zwei"
after "renamed in place" '^move two -> zwei$' moved=1 added=0 removed=0 equal=4

mkdir "$W/d1/sub" && mv "$W/d1/dir/one" "$W/d1/sub/one"
after "moved to another directory" '^move dir/one -> sub/one$' moved=1 added=0 removed=0

mv "$W/d1/two" "$W/d1/x" && mv "$W/d1/three" "$W/d1/two" && mv "$W/d1/x" "$W/d1/three"
after "two names swapped" '^move two -> three$' moved=2 updated=0

mv -f "$W/d1/two" "$W/d1/three"
after "renamed over another" '^move two -> three$' moved=1 removed=1

cp -p "$W/d1/dir/one" "$W/d2/one"
after "copied with its time to another disk, elsewhere" '^copy dir/one -> one$' copied=1 added=0

cp -p "$W/d1/three" "$W/d2/other-name"
after "copied under another name" '^add other-name$' added=1 copied=0

cp -p "$W/d1/two" "$W/d1/two.tmp" && mv "$W/d1/two.tmp" "$W/d1/two"
after "replaced by a copy of itself" '^restore two$' restored=1 updated=0

touch "$W/d1/two"
after "touched" '^update two$' updated=1

chmod 600 "$W/d1/two"
step "mode changed: nothing to sync"
expect 0 diff

mv "$W/d1/dir/one" "$W/d2/one"
if ours; then
	after "gone to another disk" '^relocate dir/one -> one$' relocated=1 removed=0 copied=0
else
	after "gone to another disk" '^copy dir/one -> one$' copied=1 removed=1
fi

step "-N takes a copy for a new file"
cp -p "$W/d1/dir/one" "$W/d2/one"
expect 0 -N sync
synced

step "a false copy (same name, size and time, other bytes) is not taken for the original"
fresh
put "$W/d2/two" 2000 other-bytes
touch -r "$W/d1/two" "$W/d2/two"
if ours; then	# what was taken for a copy and is not is new, and is protected at once
	expect 0 sync
else
	expect 1 sync
	expect 0 -N sync
fi
synced
remember_all
lose "$W/d2"
expect 0 fix
same_all

if ours; then
	step "restored from a backup, of one size and time, each in the inode of the other: no file is taken for another"
	fresh
	put "$W/d1/a" 3000
	put "$W/d1/b" 3000
	touch -d '2022-02-02 02:02:02.5' "$W/d1/a" "$W/d1/b"
	expect 0 sync
	remember_all
	cp "$W/d1/a" "$W/backup"
	cp "$W/d1/b" "$W/d1/a" && cp "$W/backup" "$W/d1/b"
	touch -d '2022-02-02 02:02:02.5' "$W/d1/a" "$W/d1/b"
	mv "$W/d1/a" "$W/x" && mv "$W/d1/b" "$W/d1/a" && mv "$W/x" "$W/d1/b"
	same_all
	expect 2 diff
	says '^restore a$'
	expect 0 sync
	synced
	expect 0 check
	lose "$W/d1"
	expect 0 fix
	same_all

	step "if it was their names that were swapped, that is told; accepted, it is protected"
	expect 0 sync
	mv "$W/d1/a" "$W/x" && mv "$W/d1/b" "$W/d1/a" && mv "$W/x" "$W/d1/b"
	expect 1 sync
	expect 0 --accept-changed sync
	synced
	remember_all
	lose "$W/d1"
	expect 0 fix
	same_all
fi
