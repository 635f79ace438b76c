#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a second instance on the same array does not start"

array 1 1
put "$W/d1/file" 3000
expect 0 sync
lock=$W/c/content.lock
exists "$lock"
exec 9> "$lock"
flock -n 9 || fail "the lock is still held after the end"

for command in sync diff check fix status list scrub; do
	refuse $command
	warns 'already in use'
done
step "a command that touches nothing needs no lock"
expect 0 --test-skip-lock diff
exec 9>&-
expect 0 diff

step "the lock of a killed one does not stay"
interrupt 0.01 KILL check
expect 0 diff
