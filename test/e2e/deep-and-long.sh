#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "trees as deep as a path can say, names of 255 bytes, on a small stack"

# chain DIR NAME LEVELS: directories one in the other; at the end a file, a link, an empty directory
chain()
{
	$PYTHON3 -c '
import os, sys
os.chdir(sys.argv[1])
for level in range(int(sys.argv[3])):
    os.mkdir(sys.argv[2])
    os.chdir(sys.argv[2])
with open("file", "wb") as file:
    file.write(b"x" * 3000)
os.symlink("file", "link")
os.mkdir("empty")
' "$1" "$2" "$3"
}

name() { printf "$1%.0s" $(seq 1 "$2"); }	# so often

array 2 1
chain "$W/d1" a 1900
chain "$W/d1" "$(name b 200)" 15
chain "$W/d2" c 900
long=$(name n 255)
put "$W/d1/$long" 4000
put "$W/d2/$(name é 127)x" 3000
ln "$W/d1/$long" "$W/d1/$(name h 255)"
ln -s "$long" "$W/d1/$(name s 255)"
mkdir "$W/d1/$(name m 255)"
put "$W/d2/x" 300
remember_all
! ours || ulimit -s 256		# 12.2 needs 2 MB

step "all commands go through it"
expect 0 --test-force-order-alpha sync	# so that the longest name has blocks beyond those of the other disk
expect 0 diff
expect 0 -p full scrub
expect 0 check
expect 0 list
expect 0 dup
expect 0 touch
verified

step "the disk is lost"
lose "$W/d1"
expect 0 fix
same_all
expect 0 diff

if ours; then
	step "a file of the longest name was changed: it is kept aside under a name that fits"
	echo mine > "$W/d1/$long"
	expect 0 fix
	[ "$(cat "$W"/d1/nnnn*.changed-*)" = mine ] || fail "the edit is lost"
	rm "$W"/d1/*.changed-*
	same_all

	step "deeper than a path can say: named, and the rest goes on"
	chain "$W/d2" q 3000
	put "$W/d2/new" 3000
	expect 2 diff
	warns "the path 'q/q/q.* is too long and is not protected"
	for option in -h -v; do	# all that can be is synced, whenever; what cannot is never passed over in silence
		expect 1 $option sync
		warns "the path 'q/q/q.* is too long and is not protected"
		says_not '^Everything OK'
		expect 0 diff
	done
	cp "$W/d2/new" "$W/new"
	rm "$W/d2/new"
	expect 0 -f new fix
	cmp "$W/new" "$W/d2/new" || fail "a file beside it is not protected"
	rm "$W/d2/new"
	$PYTHON3 -c 'import os, sys
os.chdir(sys.argv[1])
for level in range(3000): os.chdir("q")
for name in "file", "link": os.unlink(name)
os.rmdir("empty")
for level in range(3000):
    os.chdir("..")
    os.rmdir("q")
' "$W/d2"
	expect 0 sync

	step "only a part of it can be restored"
	rm "$W/d1/$long" "$W"/d1/hhhh*
	find "$W/d2" -type f -delete
	run fix
	[ "$rc" = 1 ] || fail "fix ends with $rc"
	kept=$(sed -n "s|^What could be recovered of '$W/d1/[hn].*' is kept as '\(.*\)'\. .*|\1|p" "$W/err")
	[ -f "$kept" ] || fail "it is not told where the part is kept"
	put "$W/whole" 4000 "$W/d1/$long"
	part=$(stat -c %s "$kept")
	[ "$part" = 4000 ] && cmp -i 3072 "$W/whole" "$kept" || fail "the last block is not kept"

	step "... and the next run begins from it, whatever is lost by then"
	rm "$W/p1/parity"
	run fix
	[ "$rc" = 1 ] || fail "fix ends with $rc"
	cmp -i 3072 "$W/whole" "$kept" || fail "the last block is not kept"
	says '^ +[0-9]+ recovered errors'
fi
