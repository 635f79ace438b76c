#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "an array made by one program is used, changed and repaired by the other, and goes back"

# handover FIRST SECOND DISKS LOST...: FIRST makes it, SECOND takes it over, FIRST gets it back
handover()
{
	local first=$1 second=$2 disks=$3 unit=$((${BLOCK:-1} * 1024)) d
	shift 3
	echo "   ($(name_of "$first") makes it, $(name_of "$second") takes it over)"
	populate "$disks" "$unit"
	by "$first"
	expect 0 sync
	accepted "$second"

	by "$second"
	remember_all
	for d in "$@"; do lose "$W/d$d"; done
	expect 0 fix
	same_all
	change "$disks" "$unit" 1
	expect 2 diff
	expect 0 sync

	accepted "$first"
	by "$first"
	remember_all
	for d in "$@"; do lose "$W/d$d"; done
	expect 0 fix
	same_all
	change "$disks" "$unit" 2
	expect 0 sync
	accepted "$second"
}

clean() { rm -rf "$W"/[dpc][0-9]* "$W/c"; }

both() # both DISKS LEVELS CONFIG... -- LOST...
{
	local disks=$1 levels=$2 lines=() pair
	shift 2
	while [ "$1" != -- ]; do lines+=("$1"); shift; done
	shift
	for pair in "$SNAPRAID $PEER" "$PEER $SNAPRAID"; do
		clean
		array "$disks" "$levels" ${lines[@]+"${lines[@]}"}
		handover $pair "$disks" "$@"
	done
}

for levels in 1 2 3 4 5 6; do
	step "$levels levels"
	both 6 $levels -- $(seq 1 $((levels > 5 ? 5 : levels)))
done
step "z-parity"
Z=1 both 5 3 -- 1 3 5
step "blocks of 4 KiB"
BLOCK=4 both 3 2 -- 1 3
step "blocks of 256 KiB"
BLOCK=256 both 2 1 -- 2
step "hashes of 8 bytes"
both 3 2 'hashsize 8' -- 1 2
step "hashes of 8 bytes, blocks of 4 KiB"
BLOCK=4 both 3 1 'hashsize 8' -- 3
