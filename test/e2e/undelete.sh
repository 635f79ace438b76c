#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "files deleted by mistake come back, with their time, and nothing else is touched"

array 3 2
for i in 1 2 3; do for n in a b c; do put "$W/d$i/docs/$n$i" $((1000 * i + 17)); done; done
touch -d '2001-02-03 04:05:06.123456789' "$W/d1/docs/a1"
expect 0 sync
remember_all

step "one file"
rm "$W/d1/docs/a1"
expect 1 check
says '^recoverable docs/a1$'
expect 0 fix -m
says '^recovered docs/a1$'
same_all

step "by name; the others stay lost"
rm "$W/d1/docs/b1" "$W/d1/docs/c1"
expect 0 fix -f c1
gone "$W/d1/docs/b1"
exists "$W/d1/docs/c1"
expect 0 fix -f /docs/b1
same_all

step "a whole directory, with -f and a directory pattern"
rm -r "$W/d2/docs"
expect 0 fix -f docs/
same_all

step "a later edit of another file is not undone by -m"
rm "$W/d3/docs/a3"
echo "newer words" > "$W/d1/docs/b1"
expect 0 fix -m
exists "$W/d3/docs/a3"
[ "$(cat "$W/d1/docs/b1")" = "newer words" ] || fail "fix -m has overwritten a file that was there"

step "and by disk"
rm "$W/d1/docs/a1" "$W/d2/docs/a2"
expect 0 fix -d d2 -m
exists "$W/d2/docs/a2"
gone "$W/d1/docs/a1"
expect 0 fix
if ours; then	# an edit is newer than what the array knows: it is put aside, not destroyed
	[ "$(cat "$(aside "$W/d1/docs/b1")")" = "newer words" ] || fail "the edit of b1 is lost"
	rm "$(aside "$W/d1/docs/b1")"
fi
same_all
expect 0 check
verified
