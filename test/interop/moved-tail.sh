#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
thin=5
. "$(dirname "$0")/../fault/lib.sh"
story "files move to shorten the parity, and it is killed at each call: the other program can go on from there"
command -v -- "$PEER" > /dev/null || skip "no other snapraid to exchange arrays with"
OPTIONS+=(--test-force-order-alpha)

prepare_tail 1
ours=$SNAPRAID
calls sync
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	harmed kill-before "$at" sync
	killed "$at"
	what="a sync killed before call $at ($(victim))"
	now=$(cat "$W"/p?/parity "$W"/p?/content "$W/c/content" | sha256sum)
	case " ${seen:-} " in *" $now "*) continue ;; esac
	seen="${seen:-} $now"
	rm -f "$W"/{c,p?}/*.{side,log,tmp,lock}
	keep killed

	SNAPRAID=$PEER
	run diff
	[ "$rc" = 0 ] || [ "$rc" = 2 ] || fail "after $what: diff of the other program exits $rc"
	! grep -qE '^(add|remove|update|move|copy|restore) ' "$W/out" || fail "after $what: it finds changes"
	run check
	[ "$rc" = 0 ] || fail "after $what: check of the other program exits $rc"
	for i in 1 2 3; do
		back killed
		remember lost "$W/d$i"
		lose "$W/d$i"
		run fix
		same lost "$W/d$i"
	done
	back killed
	run sync
	[ "$rc" = 0 ] || fail "after $what: sync of the other program exits $rc"
	verified
	SNAPRAID=$ours
done
