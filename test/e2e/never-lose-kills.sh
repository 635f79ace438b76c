#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a sync is killed when the parity is new, old, or of each some: old files come back, new ones are not made up"

fresh() { rm -rf "$W"/[dpc][0-9]* "$W/c" "$W"/before.*; array "$@"; }

# killed LEVEL...: a sync is killed at its end, before it can say so. These levels are as they were before, as if it had
# not come so far with them.
killed()
{
	local level
	for level in "$W"/p?; do cp -p "$level/parity" "$W/before.${level##*p}"; done
	expect 0 --test-kill-after-sync sync
	for level in "$@"; do cp -p "$W/before.$level" "$W/p$level/parity"; done
}

# not_made_up FILE BYTES: the file was new in a sync that was killed, and then it was lost. Under its name is what it was,
# or nothing, and then that is told.
not_made_up()
{
	rm "$1"
	run fix
	if [ -e "$1" ]; then
		cmp -s <(put /dev/stdout "$2" "$1") "$1" || fail "handed out as $1: what it never was"
	else
		[ "$rc" = 1 ] || fail "$1 is not back, and fix exits $rc"
	fi
}

# W3
step "a file took the place of a shorter one that was deleted, and is lost before the parity has it"
fresh 2 2
put "$W/d1/deleted" 1000
put "$W/d1/stays" 3000
put "$W/d2/a" 5000
expect 0 --test-force-order-alpha sync
rm "$W/d1/deleted"
put "$W/d1/new" 1024
killed 1 2
not_made_up "$W/d1/new" 1024

step "... of a longer one"
fresh 2 2
put "$W/d1/deleted" 1024
put "$W/d1/stays" 3000
put "$W/d2/a" 5000
expect 0 --test-force-order-alpha sync
rm "$W/d1/deleted"
put "$W/d1/new" 1000
killed 1 2
not_made_up "$W/d1/new" 1000

step "... of one whose deletion was synced, and nothing else lay in its stripe"
fresh 2 2
put "$W/d1/stays" 100
put "$W/d1/z-deleted" 3072
put "$W/d1/zz-stays" 100
put "$W/d2/a" 1000
expect 0 --test-force-order-alpha sync
rm "$W/d1/z-deleted"
expect 0 sync
put "$W/d1/new" 3072
killed 1 2
not_made_up "$W/d1/new" 3072

# W5
for levels in "1" "2"; do
	step "a file came, and level $levels has not got it: two disks with old files are lost"
	fresh 3 2
	put "$W/d1/a" 3000
	put "$W/d2/a" 3000
	put "$W/d3/stays" 100
	put "$W/d1/big" 9000
	put "$W/d2/big" 9000
	expect 0 --test-force-order-alpha sync
	remember old "$W/d1" "$W/d2"
	put "$W/d3/new" 9000
	killed $levels
	lose "$W/d1"
	lose "$W/d2"
	run fix
	same old "$W/d1" "$W/d2"
	expect 0 sync
	synced
done

step "a file came, it was written to level 1, and then again to none: a disk with old files is lost"
fresh 2 2
put "$W/d1/a" 9000
put "$W/d2/stays" 100
expect 0 --test-force-order-alpha sync
remember old "$W/d1"
put "$W/d2/new" 9000
killed 2
put "$W/d2/new" 9000 again
killed 1 2
lose "$W/d1"
run fix
same old "$W/d1"
expect 0 sync
synced

step "... a file was changed, it was written to level 1, and changed again, and written to level 2"
fresh 2 2
put "$W/d1/a" 9000
put "$W/d2/changed" 9000
put "$W/d2/stays" 100
expect 0 --test-force-order-alpha sync
remember old "$W/d1"
put "$W/d2/changed" 9000 again
killed 2
put "$W/d2/changed" 9000 "and again"
killed 1
lose "$W/d1"
run fix
same old "$W/d1"
expect 0 sync
synced

# What came to a stripe before a sync was killed there, the parity may have. What comes later must not be mistaken for it.
step "a file came, and then one more, and each sync was killed: a disk with old files is lost"
fresh 2 1
put "$W/d1/a-gone" 3000
put "$W/d1/b" 6000
put "$W/d2/stays" 9000
expect 0 --test-force-order-alpha sync
rm "$W/d1/a-gone"
expect 0 sync
remember old "$W/d2"
put "$W/d1/new" 3000
killed
put "$W/d1/earlier" 3000
expect 0 --test-force-order-alpha --test-kill-before-sync sync
lose "$W/d2"
run fix
same old "$W/d2"
expect 0 sync
synced

step "... it went, and level 1 has it and level 2 has not, but one that came to another disk: that disk is lost, too"
fresh 3 2
put "$W/d1/a-gone" 3000
put "$W/d1/b" 6000
put "$W/d2/a-gone" 3000
put "$W/d2/b" 2000
put "$W/d3/stays" 9000
expect 0 --test-force-order-alpha sync
rm "$W/d1/a-gone" "$W/d2/a-gone"
expect 0 sync
remember old "$W/d3"
put "$W/d1/new" 3000
killed
rm "$W/d1/new"
put "$W/d2/later" 3000
killed 1
lose "$W/d2"
lose "$W/d3"
run fix
same old "$W/d3"
