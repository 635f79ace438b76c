#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "two disks are mounted in each other's place"

array 2 1
for n in 1 2 3; do put "$W/d1/a$n" 3000; put "$W/d2/b$n" 2000; done
expect 0 sync
remember_all

mv "$W/d1" "$W/x"
mv "$W/d2" "$W/d1"
mv "$W/x" "$W/d2"
expect 2 diff
exchange() { mv "$W/d1" "$W/x"; mv "$W/d2" "$W/d1"; mv "$W/x" "$W/d2"; }
# Without UUIDs nothing but the files tells, and all of them seem to have gone to the other disk.
if ours; then
	refuse sync
	warns "seem to be of 'd1': 3"
	warns "seem to be of 'd2': 3"
	warns 'force-empty'
	exchange
	expect 0 diff
	same_all

	step "... or exchanged in the configuration"
	sed -i "s|^data d1 .*|data d1 $W/x|; s|^data d2 .*|data d2 $W/d1|; s|$W/x$|$W/d2|" "$CONF"
	refuse sync
	warns 'force-empty'
	expect 2 diff
	warns 'force-empty'

	step "... a link that both have is no proof"
	sed -i "s|^data d1 .*|data d1 $W/x|; s|^data d2 .*|data d2 $W/d2|; s|$W/x$|$W/d1|" "$CONF"
	ln -s here "$W/d1/current"
	ln -s here "$W/d2/current"
	expect 0 sync
	exchange
	refuse sync

	step "... it is what the user wants"
	expect 0 -E sync
	synced
else
	expect 0 sync
	synced
fi
