#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "as many disks as there are levels are lost at once, and every byte is back"

fill()
{
	local i n
	for i in 1 2 3 4 5 6 7; do
		for n in 1 2 3; do put "$W/d$i/dir $n/file-$n" $((i * 900 + n * 311)); done
		: > "$W/d$i/empty"
		mkdir -p "$W/d$i/nothing/in/here"
		ln -s "dir 1/file-1" "$W/d$i/soft"
		ln "$W/d$i/dir 2/file-2" "$W/d$i/hard"
	done
	touch -d '1999-12-31 23:59:59.5' "$W/d1/dir 1/file-1"
}

# try LEVELS DISK...: these disks are lost
try()
{
	local levels=$1 disk
	shift
	step "$levels ${Z:+z-}levels, lost: $*"
	for disk in "$@"; do lose "$W/$disk"; done
	expect 0 fix
	says '^Everything OK'
	same_all
	expect 0 check
}

for levels in 1 2 3 4 5 6 z; do
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	Z=
	[ $levels != z ] || { Z=1 levels=3; }
	array 7 $levels
	fill
	expect 0 sync
	verified
	remember_all
	case $levels in
	1) try 1 d4 ;;
	2) try 2 d1 d7 ;;
	3) try 3 d2 d3 d6 ;;
	4) try 4 d1 d2 d5 d7 ;;
	5) try 5 d1 d3 d4 d5 d6 ;;
	6) try 6 d1 d2 d3 d4 d5 d7 ;;
	esac
done
Z=

step "data disks and parity lost together: d2, d5, parity and 3-parity of 4 levels"
rm -rf "$W"/[dp][0-9]* "$W/c"
array 7 4
fill
expect 0 sync
remember_all
lose "$W/d2"
lose "$W/d5"
lose "$W/p1"
lose "$W/p3"
expect 0 fix
same_all
exists "$W/p1/parity"
expect 0 sync
synced

step "one more than there are levels: what can be saved is saved, what cannot is said, nothing is made up"
rm -rf "$W"/[dp][0-9]* "$W/c"
array 3 1
put "$W/d1/long" 20000
put "$W/d2/short" 3000
put "$W/d3/short" 2000
expect 0 sync
cp -a "$W/d1" "$W/keep1"
cp -a "$W/d2" "$W/keep2"
lose "$W/d1"
lose "$W/d2"
expect 1 fix
says 'UNRECOVERABLE errors'
gone "$W/d1/long"
gone "$W/d2/short"
exists "$W/d1/long.unrecoverable"
cmp -s <(tail -c +3073 "$W/d1/long.unrecoverable") <(tail -c +3073 "$W/keep1/long") ||
	fail "the blocks of 'long' that one parity can give were not recovered"

step "the second disk is found again: now the first one can be completed"
rm -rf "$W/d2"
mv "$W/keep2" "$W/d2"
expect 0 fix
cmp "$W/d1/long" "$W/keep1/long" || fail "'long' is wrong"
gone "$W/d1/long.unrecoverable"
expect 0 check
