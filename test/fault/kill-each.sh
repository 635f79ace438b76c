#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a sync is killed at each call that changes a file: what was safe before is safe after, and the next goes on"

kill_each() # kill_each ARG...
{
	calls "$@"
	echo "   $calls calls"
	for ((at = 1; at <= calls + 1; at += STEP)); do
		back start
		harmed kill-before "$at" "$@"
		killed "$at"
		what="a sync killed before call $at ($(victim))"
		survives
	done
}

step "changes, two levels"
prepare_sync
kill_each sync

step "additions and a copy, one level"
prepare_additions
kill_each sync

step "... with short hashes"
prepare_additions "hashsize 8"
kill_each -h sync
