#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "files that may not be read, and a folder that may not be entered"

array 2 1
put "$W/d1/readable" 3000
put "$W/d1/secret" 3000
put "$W/d2/x" 5000
if [ "$(id -u)" = 0 ]; then	# nothing is unreadable to root
	command -v setpriv > /dev/null || skip "no setpriv"
	chmod 755 "$W"
	chown -R 65534:65534 "$W"
	RUN_UNDER="setpriv --reuid=65534 --regid=65534 --clear-groups $RUN_UNDER"
	$RUN_UNDER "$SNAPRAID" -V > /dev/null 2>&1 || skip "another user may not run the program"
fi

step "a file: all others are synced, this one is named, and the exit code tells"
chmod 000 "$W/d1/secret"
expect 1 sync
tells 'secret'
says_not '^Everything OK'
if ours; then expect 2 diff; fi
chmod 644 "$W/d1/secret"
expect 0 sync
expect 0 check

step "a file that was readable at the last sync"
chmod 000 "$W/d1/secret"
expect 0 diff
expect 1 check
expect 1 -p full scrub
chmod 644 "$W/d1/secret"
expect 0 -p full scrub

step "a folder: nothing is taken for removed"
mkdir "$W/d1/closed"
put "$W/d1/closed/file" 1000
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$W/d1"
expect 0 sync
chmod 000 "$W/d1/closed"
refuse sync
refuse diff
chmod 755 "$W/d1/closed"
expect 0 diff
verified
