#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "two disks are mounted in each other's place"

array 2 1
for n in 1 2 3; do put "$W/d1/a$n" 3000; put "$W/d2/b$n" 2000; done
expect 0 sync
remember_all

mv "$W/d1" "$W/x"
mv "$W/d2" "$W/d1"
mv "$W/x" "$W/d2"
expect 2 diff
# Without UUIDs nothing but the files tells. It stops, or takes every file for relocated; it never goes wrong.
run sync
case $rc in
0) synced ;;
1)
	[ -s "$W/err" ] || fail "refused without a word"
	mv "$W/d1" "$W/x"
	mv "$W/d2" "$W/d1"
	mv "$W/x" "$W/d2"
	expect 0 diff
	same_all
	;;
*) fail "sync exits $rc" ;;
esac
expect 0 check
verified
