#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a parity file that may only be read still restores files"

ours || exit 0		# the peer stops
array 2 1
put "$W/d1/one" 30000
put "$W/d2/two" 30000
if [ "$(id -u)" = 0 ]; then	# root may write everywhere
	command -v setpriv > /dev/null || skip "no setpriv"
	chmod 755 "$W"
	chown -R 65534:65534 "$W"
	RUN_UNDER="setpriv --reuid=65534 --regid=65534 --clear-groups $RUN_UNDER"
	$RUN_UNDER "$SNAPRAID" -V > /dev/null 2>&1 || skip "another user may not run the program"
fi
expect 0 sync
remember_all
chmod 444 "$W/p1/parity"

step "check and scrub do as always"
expect 0 check
expect 0 -p full scrub

step "fix brings back a lost disk, and tells that the parity was not looked at"
lose "$W/d1"
expect 1 fix
same_all
warns 'parity.*cannot be written'

step "writable again: all is well"
chmod 600 "$W/p1/parity"
expect 0 fix
synced

step "the same where it is marked immutable"
if chattr +i "$W/p1/parity" 2> /dev/null; then
	undo() { chattr -i "$W/p1/parity"; }
	lose "$W/d1"
	expect 1 fix
	chattr -i "$W/p1/parity"
	same_all
	warns 'parity.*cannot be written'
else
	echo "   (not on this file system)"
fi
