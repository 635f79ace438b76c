#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
thin=3
. "$(dirname "$0")/lib.sh"
story "fix and scrub are killed, or the power is cut, at each call that changes a file; then they run again"

array 3 1
put "$W/d1/a" 3000
put "$W/d1/deep/er/b" 2000
put "$W/d1/c" 1024
: > "$W/d1/deep/empty"
mkdir "$W/d1/deep/folder"
ln -s ../a "$W/d1/deep/link"
ln "$W/d1/a" "$W/d1/deep/hard"
put "$W/d2/a" 4000
put "$W/d3/a" 3500
put "$W/d3/edited" 5500
expect 0 sync
known "$W"/d?
remember_all
cp -p "$W/d3/edited" "$W/edited"
# Rows without a block of d1: a file of the user, changed by him.
printf X | dd of="$W/d3/edited" bs=1 seek=5000 conv=notrunc 2> /dev/null
lose "$W/d1"
# And what stands in the way: it is moved aside, and must be there, once, whatever happens.
put "$W/d1/c/mine" 50
ln -s "$W/nowhere" "$W/d1/deep"
known "$W"/d1 "$W"/d3
keep start

# again ARG...: the run is repeated; all must be as it was
again()
{
	nothing_false "$W/d1"
	nothing_false "$W/d3"
	run "$@"
	[ "$rc" = 0 ] || fail "after $what: '$*' again exits $rc"
	[ -z "$(find "$W"/[dpc]* -name '*.tmp')" ] || fail "after $what: something temporary stays"
	[ "$(find "$W/d1" -path '*/c.changed-*/mine' -size 50c | wc -l)" = 1 ] || fail "after $what: a directory that was in the way is lost"
	[ "$(readlink "$W"/d1/deep.changed-*)" = "$W/nowhere" ] || fail "after $what: a link that was in the way is lost"
	rm -r "$W"/d1/*.changed-*
	find "$W/d3" -name 'edited.changed-*' -delete
	same_all
}

step "fix of a lost disk"
calls fix
echo "   $calls calls"
cuts=(cut:all cut:names cut:data)
for ((at = 1; at <= calls + 1; at += STEP)); do
	for how in kill-before "${cuts[at % 3]}"; do
		back start
		harmed "$how" "$at" fix
		killed "$at"
		what="a fix with $how at call $at ($(victim))"
		again fix
	done
done
run sync
verified

step "fix of damage: what a sync finds after the kill is the file as it was, with what is left of the damage"
back start
run fix
rm -rf "$W"/d1/*.changed-* "$W/d3"/edited.changed-*
for at in 100 1100 3100; do flip "$W/d2/a" $at; done
keep start
calls fix
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	harmed kill-before "$at" fix
	killed "$at"
	what="a fix killed at call $at ($(victim))"
	grep -q " times $W/d2/a .*HARM" "$W/trace" && continue	# between a block and its time: that cannot be one call
	run diff
	[ "$(count updated)" = 0 ] || fail "after $what: a sync would take it for a new version"
	run fix
	[ "$rc" = 0 ] || fail "after $what: fix exits $rc"
	same_all
done

step "scrub: what it found is found again, and what it proved stays proven"
back start
run fix
rm -rf "$W"/d1/*.changed-* "$W/d3"/edited.changed-*
flip "$W/d2/a" 100
keep start
calls_rc=1 calls -p full scrub
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	kind=(all names data)
	harmed "cut:${kind[at % 3]}" "$at" -p full scrub
	case $rc in 137 | 1) ;; *) fail "a scrub ends with $rc";; esac
	what="a scrub killed at call $at ($(victim))"
	run -p full scrub
	[ "$rc" = 1 ] || fail "after $what: the damage is not found"
	run -e fix
	[ "$rc" = 0 ] || fail "after $what: 'fix -e' exits $rc"
	same_all
done
run -p bad scrub
[ "$rc" = 0 ] || fail "scrub of what was repaired exits $rc"
verified
