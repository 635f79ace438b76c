#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "disks are taken out and put in, by turns: the places in the parity are kept by both programs"

for pair in "$SNAPRAID $PEER" "$PEER $SNAPRAID"; do
	read -r first second <<< "$pair"
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	step "$(name_of "$first") takes out the second of four disks"
	array 4 2
	populate 4 1024
	by "$first"
	expect 0 sync
	lose "$W/d2"
	expect 0 -E sync
	sed -i '/^data d2 /d' "$CONF"
	expect 0 sync
	verified
	accepted "$second"

	step "$(name_of "$second") repairs the others"
	remember_all
	lose "$W/d1"
	lose "$W/d4"
	expect 0 fix
	same_all

	step "... and gives the place to a new disk"
	mkdir "$W/d5"
	put "$W/d5/fresh" 7000
	sed -i "s|^data d1 .*|data d5 $W/d5\n&|" "$CONF"
	expect 0 sync
	verified
	accepted "$first"
	remember_all
	lose "$W/d5"
	lose "$W/d3"
	expect 0 fix
	same_all
done
