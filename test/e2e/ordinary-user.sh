#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "who may read the content file may look at the array, and change nothing"

ours || exit 0		# the peer needs to write its lock
array 2 1
put "$W/d1/one" 3000
put "$W/d2/two" 3000
expect 0 sync
if [ "$(id -u)" = 0 ]; then	# root may write everywhere
	command -v setpriv > /dev/null || skip "no setpriv"
	chmod 755 "$W"
	RUN_UNDER="setpriv --reuid=65534 --regid=65534 --clear-groups $RUN_UNDER"
	$RUN_UNDER "$SNAPRAID" -V > /dev/null 2>&1 || skip "another user may not run the program"
fi
chmod 644 "$W"/c/content "$W"/p1/content
chmod 555 "$W"/c "$W"/p1

looks()
{
	local command
	for command in status list dup locate diff; do expect 0 $command; done
	for command in sync scrub fix check touch rehash; do
		refuse $command
		warns 'content.lock'
	done
}

step "the lock is of another one"
chmod 000 "$W/c/content.lock"
looks

step "there is no lock"
chmod 755 "$W/c"
rm -f "$W/c/content.lock"
chmod 555 "$W/c"
looks
gone "$W/c/content.lock"

step "no copy of the content file may be read: said, and not taken for a new array"
chmod 000 "$W"/c/content "$W"/p1/content
refuse status
warns 'Permission denied'
