#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a disk is not mounted: its mount point is an empty folder, or not there at all"

array 3 1
for i in 1 2 3; do for n in 1 2 3; do put "$W/d$i/f$n" $((i * 1000 + n)); done; done
expect 0 sync
remember_all

step "an empty folder"
mv "$W/d2" "$W/unmounted"
mkdir "$W/d2"
refuse sync
warns 'd2'
expect 2 diff
expect 1 check
step "... even if other things are new"
put "$W/d1/new" 5000
refuse sync
rm "$W/d1/new"
step "... mounted again: as before"
rmdir "$W/d2"
mv "$W/unmounted" "$W/d2"
expect 0 diff
expect 0 check

step "no folder"
mv "$W/d2" "$W/unmounted"
refuse sync
refuse diff
refuse fix
step "status and list do not need the disk"
expect 0 status
expect 0 list
says ' f3$'
step "check and fix can do without it with -D"
expect 1 -D check
rm "$W/d1/f1"
run -D fix
mv "$W/unmounted" "$W/d2"
expect 0 fix
same_all

step "the folder of the parity"
mv "$W/p1" "$W/unmounted"
expect 1 sync
expect 1 -p full scrub
mv "$W/unmounted" "$W/p1"
expect 0 diff
synced
