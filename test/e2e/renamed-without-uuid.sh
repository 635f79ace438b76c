#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a disk without a UUID (a container, a subvolume, tmpfs) knows its renamed files, and trusts no inode blindly"
ours || skip "the peer reads and computes them anew"

for keep in on off; do
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1 "keep_metadata $keep"
	put "$W/d1/one" 5000
	put "$W/d1/two" 3000
	put "$W/d1/dir/three" 2000
	put "$W/d2/x" 7000
	touch -d '2022-02-02 02:02:02.123456789' "$W"/d1/*
	touch -d '2022-02-02 02:02:03.5' "$W/d1/dir/three"
	expect 0 sync
	warns 'UUID is unsupported'

	step "renamed, moved, swapped, with metadata $keep: the parity stays as it is"
	mv "$W/d1/one" "$W/d1/uno"
	mv "$W/d1/dir" "$W/d1/folder"
	expect 2 diff
	says '^move one -> uno$'
	says '^move dir/three -> folder/three$'
	counts 2 moved
	counts 0 added
	counts 0 removed
	touch -d '2001-01-01' "$W/p1/parity"
	expect 0 sync
	says 'Looking at the data of files'
	[ "$(stat -c %Y "$W/p1/parity")" = "$(date -d '2001-01-01' +%s)" ] || fail "the parity was written"
	synced
	mv "$W/d1/uno" "$W/d1/t"
	mv "$W/d1/two" "$W/d1/uno"
	mv "$W/d1/t" "$W/d1/two"
	expect 2 diff
	counts 2 moved
	expect 0 sync
	synced

	step "... and it is damaged besides"
	remember good "$W/d1"
	mv "$W/d1/two" "$W/d1/zwei"
	flip "$W/d1/zwei" 1500
	expect 1 sync
	tells "$W/d1/zwei"
	expect 0 status
	says '^DANGER! In the array there'
	expect 0 -e fix
	mv "$W/d1/zwei" "$W/d1/two"
	same good "$W/d1"
	expect 0 sync
	synced
done

step "inodes that changed hands: a new file with the inode and another time is new"
mv "$W/d1/two" "$W/d1/new"
put "$W/d1/new" 5000 other		# in the same inode, as if the file system had used it again
expect 2 diff
says '^add new$'
says '^remove two$'
expect 0 sync
synced
