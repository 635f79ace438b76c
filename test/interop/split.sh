#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "parity in several files, grown by one program and then by the other"

for pair in "$SNAPRAID $PEER" "$PEER $SNAPRAID"; do
	read -r first second <<< "$pair"
	step "$(name_of "$first") first"
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 3 2
	sed -i "s|^parity .*|parity $W/p1/a,$W/p1/b,$W/p1/c,$W/p1/d|; s|^2-parity .*|2-parity $W/p2/a,$W/p2/b,$W/p2/c,$W/p2/d|" "$CONF"
	populate 3 1024
	by "$first"
	expect 0 --test-parity-limit 8192 sync
	[ -s "$W/p1/b" ] || fail "the second file is not used"
	verified
	accepted "$second"
	by "$second"
	for n in 1 2 3; do put "$W/d$n/more" $((3000 * n)); done
	expect 0 --test-parity-limit 8192 sync
	verified
	accepted "$first"
	by "$first"
	remember_all
	lose "$W/d1"
	lose "$W/d3"
	expect 0 --test-parity-limit 8192 fix
	same_all
	rm "$W/d2/more" "$W/d3/more"
	expect 0 --test-parity-limit 8192 sync
	verified
	accepted "$second"
done
