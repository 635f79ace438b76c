#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "scrub, check and status tell damage from a file that was changed since the sync: only damage is an alarm"
ours || skip "the peer takes both for errors"

fresh() { rm -rf "$W"/[dpc][0-9]* "$W/c"; array 3 "$1"; for i in 1 2 3; do for n in a b; do put "$W/d$i/$n$i" 3000; done; done; QUIET=1 expect 0 sync; }

# no_alarm WHAT: it is said that a1 is other, and nothing else
no_alarm()
{
	step "$1"
	for audit in "" -a; do
		expect 0 check $audit
		says '^changed a1$'
		says '^Files changed since the last sync, which could not be checked: 1\.'
		says_not 'recoverable|damaged'
		says '^Everything OK'
	done
	expect 0 -p full scrub
	expect 0 status
	says '^No error detected\.'
	expect 0 -f a2 check
	says_not 'changed'
	expect 2 diff
	expect 0 sync
	synced
	expect 0 -p full scrub
	fresh 1
}

fresh 1
put "$W/d1/a1" 3000 edited
no_alarm "edited, of the same size"
echo more >> "$W/d1/a1"
no_alarm "longer"
put "$W/d1/a1" 1500 shorter
no_alarm "shorter"

step "touched: it was checked, and is right"
touch "$W/d1/a1"
expect 0 -v check
says '^correct a1$'
says_not 'could not be checked'

step "two in one stripe, more than the parity could bring back"
put "$W/d1/a1" 3000 edited
put "$W/d2/a2" 3000 edited
expect 0 check
says '^changed a1$'
says '^changed a2$'
expect 0 sync
synced

step "damage is told, beside a change in the same stripe too"
fresh 2
flip "$W/d2/a2" 100
expect 1 check
says '^recoverable a2$'
expect 1 check -a
says '^damaged a2$'
put "$W/d1/a1" 3000 edited
expect 1 check
says '^changed a1$'
says '^recoverable a2$'
expect 1 -p full scrub
tells "Data error in file '$W/d2/a2'"
! cat "$W/out" "$W/err" | grep "Data error.*a1" || fail "a1 is not damaged"
expect 0 status
says '^DANGER! In the array there'
expect 0 -e fix
cmp "$W/d2/a2" <(put /dev/stdout 3000 "$W/d2/a2") || fail "a2 was not repaired"
cmp "$W/d1/a1" <(put /dev/stdout 3000 edited) || fail "the edit is lost"
expect 0 sync
expect 0 -p bad scrub
expect 0 status
says '^No error detected\.'

step "a copy that is synced in part, as a stripe of it could not be: what was synced of it is not taken for a change"
fresh 1
rm "$W/d2/a2"
expect 0 sync
cp -p "$W/d1/a1" "$W/d2/a1"
flip "$W/d1/a1" 2500
flip "$W/d3/a3" 2500
expect 1 sync
flip "$W/d2/a1" 100
expect 1 -l "$W/log" sync
grep -q '^suspect:d2:a1' "$W/log" || fail "damage is taken for a change"
