#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "pipes, sockets, devices and mount points are left out, and told"

array 2 1
put "$W/d1/file" 1000
put "$W/d2/file" 1000
mkfifo "$W/d1/pipe"
$PYTHON3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$W/d1/sock" || skip "no sockets"
[ "$(id -u)" != 0 ] || mknod "$W/d1/device" c 1 3 2> /dev/null || true
mkdir "$W/d1/only-special"
mkfifo "$W/d1/only-special/pipe"

expect 2 diff
counts 2 added
tells 'pipe'
TIME_LIMIT=20 expect 0 sync
expect 0 diff
TIME_LIMIT=20 expect 0 check
TIME_LIMIT=20 expect 0 -p full scrub
verified

step "a rule keeps them quiet"
printf 'exclude pipe\nexclude sock\nexclude device\n' >> "$CONF"
expect 0 diff
[ -p "$W/d1/pipe" ] || fail "the pipe is gone"

if ! ours; then exit 0; fi	# the peer waits for someone to write into the pipe
step "a pipe in the place of a file: fix does not hang"
rm "$W/d1/file"
mkfifo "$W/d1/file"
TIME_LIMIT=20 expect 1 check
TIME_LIMIT=20 run fix
[ "$rc" -le 1 ] || fail "fix ends with $rc"
rm "$W/d1/file"

step "a pipe in the place of the parity, or of a content file: nothing hangs, and the others serve"
expect 0 fix
mv "$W/p1/parity" "$W/parity"
mkfifo "$W/p1/parity"
TIME_LIMIT=20 expect 1 check
TIME_LIMIT=20 expect 1 sync
rm "$W/p1/parity"
mv "$W/parity" "$W/p1/parity"
rm "$W/c/content"
mkfifo "$W/c/content"
TIME_LIMIT=20 expect 0 diff
warns 'c/content'
TIME_LIMIT=20 expect 0 check
