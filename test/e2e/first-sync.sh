#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a new array: what diff, sync and status say before and after"

array 3 1
for i in 1 2 3; do
	put "$W/d$i/films/a$i.bin" 5000
	put "$W/d$i/b$i.txt" 700
done
remember_all

step "diff lists what is new, and leaves no file behind"
expect 2 diff
says '^add films/a1\.bin$'
says '^There are differences!'
counts 6 added
counts 0 removed
gone "$W/c/content"
gone "$W/p1/parity"

step "scrub and check have nothing to go by"
expect 1 -p full scrub

step "the first sync"
expect 0 sync
says '^Everything OK'
exists "$W/c/content"
exists "$W/p1/content"
cmp "$W/c/content" "$W/p1/content" || fail "the copies of the content file differ"
[ "$(stat -c %a "$W/c/content" "$W/p1/parity" | sort -u)" = 600 ] || fail "content or parity is open to others"
gone "$W/c/content.tmp"
same_all

step "now there is nothing to do"
expect 0 diff
says '^No differences'
counts 6 equal
before=$(stat -c '%n %Y %i' "$W/c/content" "$W/p1/content" "$W/p1/parity")
expect 0 sync
says '^Nothing to do'
if ours; then	# the peer wakes every disk that holds a copy
	[ "$before" = "$(stat -c '%n %Y %i' "$W/c/content" "$W/p1/content" "$W/p1/parity")" ] ||
		fail "a sync with nothing to do has written"
fi
synced

step "status"
expect 0 status
says '^No sync is in progress'
says '^No error detected'
says 'The oldest block was scrubbed 0 days ago'
says ' d3$'

step "list"
expect 0 list
says ' 5000 [0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2} films/a2\.bin$'
says '^ +6 files, for '

step "scrub, of what was never scrubbed, then of all"
expect 0 -p new scrub
says '^Everything OK'
expect 0 -p full scrub
expect 0 status
says_not 'of the array is not scrubbed'

step "quiet and verbose"
expect 0 -qqqqq check
[ ! -s "$W/out" ] || fail "-qqqqq is not quiet"
expect 0 -v check
says '^correct films/a1\.bin$'
if ours; then	# a reader of lines would take the last progress and what follows for one
	! grep -q $'\r' "$W/out" || fail "progress is drawn where there is no terminal"
fi

step "log"
expect 0 -l "$W/log" check
grep -q '^summary:exit:ok$' "$W/log" || fail "the log does not end with summary:exit:ok"
expect 0 -l ">>$W/log" diff
[ "$(grep -c '^summary:exit:' "$W/log")" = 2 ] || fail ">> does not append to the log"

step "a file grows, one goes, one comes"
put "$W/d1/b1.txt" 9000
rm "$W/d2/b2.txt"
put "$W/d3/new" 2048
expect 2 diff
counts 1 added
counts 1 removed
counts 1 updated
says '^update b1\.txt$'
says '^remove b2\.txt$'
says '^add new$'
expect 0 sync
synced
