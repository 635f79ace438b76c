#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "files do not become others by a time that lost its fraction of a second, nor stay the same by one"
ours || skip "the peer goes by the whole time alone"

for keep in on off; do
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1 "keep_metadata $keep"
	for n in 1 2 3; do put "$W/d1/a$n" 3000; put "$W/d2/b$n" 5000; done
	touch -d '2022-02-02 02:02:02.123456789' "$W"/d?/*
	expect 0 sync

	step "a disk was copied by way of a file system with whole seconds, metadata $keep: its parity stays"
	touch -d '2022-02-02 02:02:02' "$W"/d2/*
	expect 2 diff
	counts 3 restored
	counts 0 updated
	touch -d '2001-01-01' "$W/p1/parity"
	expect 0 sync
	[ "$(stat -c %Y "$W/p1/parity")" = "$(date -d '2001-01-01' +%s)" ] || fail "the parity was written"
	synced
	remember_all
	lose "$W/d2"
	expect 0 -d d2 fix
	same_all
	expect 0 diff

	step "... and a file of it was edited in that second"
	put "$W/d2/b2" 5000 edited
	touch -d '2022-02-02 02:02:02.5' "$W/d2/b2"
	expect 2 diff
	expect 0 -v sync
	says 'update b2'
	synced
	remember_all
	lose "$W/d2"
	expect 0 -d d2 fix
	same_all
done
