#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "more files are removed or updated than the configuration takes for normal: the sync stops before it begins"
ours || skip "the peer has no thresholds in its configuration"

limits() { sed -i '/^threshold/d' "$CONF"; [ $# = 0 ] || printf '%s\n' "$@" >> "$CONF"; }

array 2 1 "threshold_removed 3" "threshold_updated 50%"
for n in $(seq 1 10); do put "$W/d1/a$n" 1500; put "$W/d2/b$n" 900; done
ln -s a1 "$W/d1/link"
expect 0 sync

# stopped ARG...: exit 2, nothing written, and the way through is named
stopped()
{
	local before
	before=$(state)
	expect 2 "$@"
	[ "$before" = "$(state)" ] || fail "something was written"
	warns "--force-threshold"
}

step "removed: by number"
rm "$W/d1/a1" "$W/d1/a2"
expect 0 diff --test-expect-need-sync
! grep -q force-threshold "$W/err" || fail "two are no reason to warn"
rm "$W/d1/link"
stopped sync
warns "3 files of 21 are removed, and 'threshold_removed' is 3"
for name in d1/a1 d1/a2 d1/link; do warns "^    $W/$name$"; done
expect 2 diff
warns "A sync will refuse this unless '--force-threshold'"

step "... it was an accident"
expect 0 fix -m
expect 0 diff

step "... it was meant, once"
rm "$W/d1/a1" "$W/d1/a2" "$W/d1/link"
expect 0 --force-threshold sync
synced
rm "$W"/d1/a3 "$W"/d2/b[13]
stopped sync
expect 0 --force-threshold sync

step "removed: by share of all files"
limits "threshold_removed 30%"
rm "$W"/d1/a[456] "$W"/d2/b2
expect 2 diff
expect 0 sync
rm "$W"/d1/a7 "$W"/d2/b[4567]
expect 2 diff
stopped sync
warns "5 files of 11 are removed, and 'threshold_removed' is 30%"
expect 0 --force-threshold sync

step "updated"
limits "threshold_updated 40%"
put "$W/d2/c" 900
for name in d1/a8 d1/a9; do put "$W/$name" 700 new; done
expect 0 sync
for name in d2/b8 d2/b9 d2/b10; do put "$W/$name" 700 new; done
stopped sync
warns "3 files of 7 are updated, and 'threshold_updated' is 40%"
expect 0 fix
rm "$W"/d?/*.changed-*
expect 0 diff

step "a moved or renamed file is none"
limits "threshold_removed 1" "threshold_updated 1"
mv "$W/d1/a8" "$W/d2/a8"
expect 0 sync
synced

step "a lost disk stops it too, and needs its own option besides"
rm "$W"/d2/*
refuse sync
warns force-empty
warns force-threshold
refuse --force-threshold sync
stopped -E sync
expect 0 -E --force-threshold sync
synced

step "the option of a caller is a limit of its own"
rm "$W/d1/a9"
expect 2 --force-threshold --gui-threshold-removes 1 sync
expect 0 --force-threshold --gui-threshold-removes 2 sync
synced
