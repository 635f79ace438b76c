#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
thin=3
. "$(dirname "$0")/lib.sh"
story "parity that is made again is cut off at each call: half of it is never taken for the whole"

kinds=(kill-before cut:all cut:names cut:data cut:1)

# each WHAT ARG...: the run is cut off at each call. Then sync either refuses or ends with parity that is right
each()
{
	local what_is=$1
	shift
	calls "$@"
	echo "   $calls calls"
	for ((at = 1; at <= calls + 1; at += STEP)); do
		back start
		harmed "${kinds[at % 5]}" "$at" "$@"
		killed "$at"
		what="$what_is with ${kinds[at % 5]} at call $at ($(victim))"
		keep killed
		run sync
		if [ "$rc" = 0 ]; then
			verified
		else
			back killed
		fi
		run "$@"
		[ "$rc" = 0 ] || fail "$what: again it exits $rc"
		run sync
		[ "$rc" = 0 ] || fail "$what: sync exits $rc"
		verified
	done
}

array 3 2
for i in 1 2 3; do put "$W/d$i/a" $((3000 + 1100 * i)); done
expect 0 sync
keep whole

step "fix of a lost level"
rm "$W/p2/parity"
keep start
each "a fix of parity" fix

step "fix of a level that is too short"
back whole
truncate -s 2048 "$W/p1/parity"
keep start
each "a fix of parity" fix

step "a new level"
back whole
rm "$W/p2/parity"
cp "$CONF" "$W/two"
sed -i '/^2-parity/d' "$CONF"
expect 0 sync
cp "$W/two" "$CONF"
keep start
each "a full sync" -F sync
