#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh BINARY [ARGUMENTS OF compare.py]
# Our program against the peer, step by step, on one array in memory. The method is described in compare.py; for
# disks that turn, see slow-disks.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
binary=$1
shift
peer=${PEER:-/usr/bin/snapraid}
command -v "$peer" > /dev/null || { echo "no $peer to compare with"; exit 1; }

# Data, both parities and both sets of content files must fit, with room to spare.
free=$(df --output=avail -m /dev/shm | tail -1)
mb=512
while [ $((mb * 6 * 2)) -gt "$free" ] && [ $mb -gt 16 ]; do mb=$((mb / 2)); done
exec "${PYTHON3:-python3}" "$here/compare.py" "$binary" "$peer" --disks 6 --parities 2 --mb "$mb" \
	--file-kib $((mb * 1024 / 8)) --rounds 3 --tiny 2000 \
	--ours-opts=--test-skip-self --peer-opts=--test-skip-self "$@"
