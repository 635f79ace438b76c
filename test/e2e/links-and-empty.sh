#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "symbolic links, hard links, empty directories and empty files are kept, and come back"

array 2 1
put "$W/d1/file" 3000
ln "$W/d1/file" "$W/d1/second"
mkdir "$W/d1/sub"
ln "$W/d1/file" "$W/d1/sub/third"
ln -s file "$W/d1/soft"
ln -s /nowhere/at/all "$W/d1/dangling"
ln -s ../.. "$W/d1/sub/up"
: > "$W/d1/empty"
mkdir -p "$W/d1/e/m/p/t/y"
put "$W/d2/x" 1000
touch -d '2011-11-11 11:11:11.111111111' "$W/d1/file" "$W/d1/empty"
expect 0 sync
synced
remember_all

step "the whole disk"
lose "$W/d1"
expect 1 check
expect 0 fix
same_all
expect 0 check

step "a link that points elsewhere, a copy in place of a hard link, a file in place of a link"
ln -sfn elsewhere "$W/d1/soft"
cp -p "$W/d1/second" "$W/copy" && rm "$W/d1/second" && cp -p "$W/copy" "$W/d1/second"
rm "$W/d1/dangling" && echo text > "$W/d1/dangling"
expect 1 check
expect 0 fix
if ours; then	# what someone has written there is put aside, not destroyed
	[ "$(cat "$(aside "$W/d1/dangling")")" = text ] || fail "the file in place of the link is lost"
	[ "$(readlink "$(aside "$W/d1/soft")")" = elsewhere ] || fail "what the link said is lost"
	rm "$(aside "$W/d1/dangling")" "$(aside "$W/d1/soft")"
fi
same_all

step "the name that holds the blocks is removed, its other names stay"
rm "$W/d1/file"
expect 2 diff
expect 0 sync
synced
remember_all
lose "$W/d1"
expect 0 fix
same_all

step "a changed link is an update, a removed one a removal"
ln -sfn other "$W/d1/soft"
rm "$W/d1/dangling"
expect 2 diff
says '^update soft$'
says '^remove dangling$'
expect 0 sync
synced

step "an empty directory is recorded, and not counted"
mkdir "$W/d2/new-empty"
expect 0 sync
expect 0 diff
rmdir "$W/d2/new-empty"
expect 0 fix
exists "$W/d2/new-empty"

step "an array of links, empty files and directories only"
rm -rf "$W"/[dpc][0-9]* "$W/c"
array 1 1
: > "$W/d1/empty"
ln -s target "$W/d1/soft"
mkdir -p "$W/d1/a/b"
expect 0 sync
remember_all
rm -r "$W/d1/soft" "$W/d1/a" "$W/d1/empty"
if ours; then	# the peer does nothing at all in an array without a block
	expect 1 check
	expect 0 fix
	same_all
	expect 0 check
fi

step "obstacles do not end the repair of others"
rm -rf "$W"/[dpc][0-9]* "$W/c"
array 2 1
for n in a b c d; do put "$W/d1/$n" 1500; done
ln -s target "$W/d1/soft"
put "$W/d1/z/deep" 700
put "$W/d2/x" 100
expect 0 sync
cp -a "$W/d1" "$W/keep"
lose "$W/d1"
mkdir "$W/d1/a" && echo mine > "$W/d1/a/precious"
ln -s "$W/outside" "$W/d1/b"
echo mine > "$W/d1/z"
run fix
if ours; then	# the peer stops at the first
	for n in c d; do cmp "$W/keep/$n" "$W/d1/$n" || fail "$n was not restored"; done
	[ "$(readlink "$W/d1/soft")" = target ] || fail "the link was not restored"
	for n in a z; do mv "$(aside "$W/d1/$n")" "$W/$n"; done
	[ "$(cat "$W/z")" = mine ] || fail "fix has destroyed a file that was in the way"
else
	cp -a "$W/d1/a" "$W/a"
fi
[ "$(cat "$W/a/precious")" = mine ] || fail "fix has destroyed a file that was in the way"
gone "$W/outside"
