#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a file is written to and its time put back: sync tells, keeps what was, and takes the change in when told to"

ours || skip "the peer does not look at the ctime"

array 2 1
put "$W/d1/f" 9000
put "$W/d2/g" 9000
for i in 1 2; do put "$W/d$i/stays" 100; done
expect 0 sync
remember_all

edit() # edit FILE: another byte behind the same time
{
	touch -r "$1" "$W/.time"
	printf X | dd of="$1" bs=1 seek=5000 conv=notrunc 2> /dev/null
	touch -r "$W/.time" "$1"
}

step "sync tells of it, and what was synced can be had back"
edit "$W/d2/g"
expect 0 diff
expect 1 -l "$W/log" sync
grep -q 'accept-changed' "$W/err" "$W/log" || fail "the way out is not named"
grep -q '^suspect:d2:g' "$W/log" || fail "the file is not named"
expect 1 sync					# as long as nobody has said what it is
expect 0 -e fix
same_all
expect 0 sync
expect 0 -p full scrub

step "... or it is taken in"
edit "$W/d2/g"
expect 1 sync
expect 0 -l "$W/log" --accept-changed sync
grep -q '^scan:update:d2:g' "$W/log" || fail "the update is not told"
verified
remember_all
expect 0 sync
lose "$W/d1"
expect 0 fix
same_all
expect 0 sync

step "... or it gets a time of its own"
edit "$W/d1/f"
touch "$W/d1/f"
expect 0 sync
verified

step "a new ctime alone is no change: the data is looked at once"
cp -p "$W/d1/f" "$W/.copy"
cat "$W/.copy" > "$W/d1/f"
touch -r "$W/.copy" "$W/d1/f"
expect 0 diff
expect 0 sync
grep -q 'Looking at the data' "$W/out" || fail "the data was not looked at"
expect 0 sync
! grep -q 'Looking at the data' "$W/out" || fail "the data was looked at twice"

step "reasons that can be seen cost no look: mode, name, links; nor does snapraid touch"
OPTIONS+=(--test-fake-uuid)	# a disk without a UUID is looked at for its new names too
expect 0 --test-force-content-write sync
chmod 640 "$W/d1/f"
mv "$W/d2/g" "$W/d2/h"
expect 0 sync
! grep -q 'Looking at the data' "$W/out" || fail "a mode made it look at the data"
ln "$W/d1/f" "$W/d1/link"
expect 0 sync
! grep -q 'Looking at the data' "$W/out" || fail "a link made it look at the data"
touch -d @1500000000 "$W/d1/f"
expect 0 sync
expect 0 touch
expect 0 diff
expect 0 sync
! grep -q 'Looking at the data' "$W/out" || fail "touch made it look at the data"
