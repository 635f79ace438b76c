#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
ours || skip "the peer has no --to"
story "fix --to DIR restores into another directory, and the array stays as it is"
OPTIONS+=(--test-force-order-alpha)	# so that of two hard links the first by name is the file

fresh() { rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/to"; array "$@"; mkdir "$W/to"; }

populate()
{
	fresh 3 1
	put "$W/d1/a" 5000
	put "$W/d1/same" 3000
	put "$W/d1/deep/er/b" 2500
	expect 0 sync		# so `a` is the file and deep/hard the link, whatever the inodes
	ln "$W/d1/a" "$W/d1/deep/hard"
	ln -s ../a "$W/d1/deep/soft"
	: > "$W/d1/empty"
	mkdir "$W/d1/folder"
	put "$W/d2/same" 4000
	put "$W/d3/x" 7000
	expect 0 sync
	remember_all
	remember d1 "$W/d1"
	cp -a "$W/d1" "$W/keep-d1"
}

# untouched CODE ARG...: the run exits so, and changes nothing but the target
array_state()
{
	for dir in "$W"/[dpc] "$W"/[dpc][0-9]; do [ ! -d "$dir" ] || { echo "$dir"; tree "$dir" | grep -v content.lock; }; done
}

untouched()
{
	array_state > "$W/.state"
	expect "$@"
	array_state | cmp -s "$W/.state" - && return
	array_state | diff "$W/.state" - | head
	fail "the array was touched"
}

step "all of it, with nothing lost"
populate
untouched 0 --to "$W/to" fix
for i in 1 2 3; do
	tree "$W/d$i" > "$W/.tree.one"
	tree "$W/to/d$i" > "$W/.tree.two"
	cmp -s "$W/.tree.one" "$W/.tree.two" || { diff "$W/.tree.one" "$W/.tree.two"; fail "d$i is not the same there"; }
done

step "again: all is there, nothing is written"
remember to "$W/to"
untouched 0 --to "$W/to" fix
says '^already there .*to/d1/same$'
same to "$W/to"

step "what differs there is told, and not overwritten; what is missing comes"
echo mine > "$W/to/d3/x"
rm "$W/to/d1/same" "$W/to/d1/empty"
mkdir "$W/to/d1/empty"
untouched 1 --to "$W/to" fix
warns "to/d3/x' is already there"
[ "$(cat "$W/to/d3/x")" = mine ] || fail "a file was overwritten"
[ -d "$W/to/d1/empty" ] || fail "a directory was replaced"
cmp "$W/to/d1/same" "$W/d1/same" || fail "the missing one was not restored"

step "modes and times of directories come along, as on the disk"
populate
chmod 711 "$W/d1/deep" && chmod 640 "$W/d1/same" && chmod 500 "$W/d1/folder" && touch -d 2001-02-03 "$W/d1/deep"
expect 0 sync
untouched 0 --to "$W/to" -d d1 fix
for f in deep same folder; do
	[ "$(stat -c '%a %Y' "$W/d1/$f")" = "$(stat -c '%a %Y' "$W/to/d1/$f")" ] || fail "mode or time of $f"
done

step "a lost disk; it need not even be there"
populate
lose "$W/d1"
untouched 0 -d d1 --to "$W/to" fix
tree "$W/to/d1" > "$W/.tree.d1now"
cmp -s "$W/.tree.d1" "$W/.tree.d1now" || fail "d1 is not back"
gone "$W/to/d2"
rm -rf "$W/to" && mkdir "$W/to"
rmdir "$W/d1"
untouched 0 --to "$W/to" fix
tree "$W/to/d1" > "$W/.tree.d1now"
cmp -s "$W/.tree.d1" "$W/.tree.d1now" || fail "d1 is not back"
mkdir "$W/d1"

step "wrong, short and missing parity stays what it is"
populate
flip "$W/p1/parity" 100
truncate -s -1024 "$W/p1/parity"
untouched 0 --to "$W/to" fix
rm -rf "$W/p1/parity" "$W/to" && mkdir "$W/to"
untouched 0 --to "$W/to" fix

step "damage and edits are not what is restored: what was recorded is"
populate
flip "$W/d1/a" 100
echo "a newer edit" >> "$W/d3/x"
rm "$W/d1/same"
untouched 0 --to "$W/to" fix
tree "$W/to/d1" > "$W/.tree.d1now"
cmp -s "$W/.tree.d1" "$W/.tree.d1now" || fail "d1 is not as recorded"
[ "$(stat -c %s "$W/to/d3/x")" = 7000 ] || fail "x is not as recorded"

step "a selection; a hard link brings its file along"
rm -rf "$W/to" && mkdir "$W/to"
untouched 0 --to "$W/to" -f /deep/hard fix
cmp "$W/to/d1/deep/hard" "$W/keep-d1/a" || fail "the hard link has not its data"
[ "$(cd "$W/to" && find . -type f | wc -l)" = 2 ] || fail "not the link and its file were restored: $(cd "$W/to" && find . -type f)"
untouched 0 --to "$W/to" -m fix
cmp "$W/to/d1/same" "$W/keep-d1/same" || fail "the missing file is not there"
gone "$W/to/d3"

step "what is lost is kept as far as it goes, and a second run with another source completes it"
populate
lose "$W/d1"
lose "$W/d3"
untouched 1 --to "$W/to" fix
says '^unrecoverable .*x$'
cmp "$W/to/d2/same" <(put /dev/stdout 4000 "$W/d2/same") || fail "the file of the good disk is not there"
gone "$W/to/d1/a"
untouched 0 -i "$W/keep-d1" --to "$W/to" fix
tree "$W/to/d1" > "$W/.tree.d1now"
cmp -s "$W/.tree.d1" "$W/.tree.d1now" || fail "d1 is not back"
cmp "$W/to/d3/x" <(put /dev/stdout 7000 "$W/d3/x") || fail "x is not there"
[ -z "$(find "$W/to" -name '*.unrecoverable' -o -name '.snapraid*')" ] || fail "something temporary stays"

step "never through a link in the target"
populate
mkdir "$W/outside"
ln -s "$W/outside" "$W/to/d2"
untouched 1 --to "$W/to" fix
rm "$W/to/d2"
mkdir -p "$W/to/d1"
ln -s "$W/outside" "$W/to/d1/deep"
untouched 1 --to "$W/to" fix
cmp "$W/to/d1/a" "$W/d1/a" || fail "the others were not restored"
[ -z "$(ls -A "$W/outside")" ] || fail "written through a link"

step "refusals: no directory, one in the array, together with --meta-only, with another command"
refuse --to "$W/nothing" fix
refuse --to "$W/d1/folder" fix
refuse --to "$W/d1" fix
rm "$W/d1/same"
untouched 1 --to "$W" fix		# $W/d1 is the disk
refuse --to "$W/to" --meta-only fix
refuse --to "$W/to" check

rm -rf "$W/to" && mkdir "$W/to"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none "$W/to" 2> /dev/null; then
	undo() { umount "$W/to" 2> /dev/null; mount -o remount,bind,rw "$W/d1" 2> /dev/null; umount "$W/d1" 2> /dev/null; }
	step "the target is full: one message a disk, and what fits is there"
	put "$W/d1/big" 200000
	expect 0 sync
	expect 1 --to "$W/to" fix
	# Which files of the other disks still fit depends on which came first.
	told=$(grep -c 'no space' "$W/err")
	[ "$told" -ge 1 ] && [ "$told" -le 3 ] || fail "not one message a disk"
	cmp "$W/to/d1/a" "$W/d1/a" || fail "what fits is not there"
	gone "$W/to/d1/big"
	umount "$W/to"

	step "a disk that is read-only"
	mount --bind "$W/d1" "$W/d1" && mount -o remount,bind,ro "$W/d1"
	expect 0 --to "$W/to" fix
	cmp "$W/to/d1/big" "$W/d1/big" || fail "not restored"
fi
