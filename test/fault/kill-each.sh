#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a sync is killed at each call that changes a file: what was safe before is safe after, and the next goes on"

prepare_sync
calls sync
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	harmed kill-before "$at" sync
	killed "$at"
	what="a sync killed before call $at ($(victim))"
	survives
done
