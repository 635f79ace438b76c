#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a run that was stopped never looks like a finished one: not in its exit code, on screen, in diff or in status"
ours || skip "the peer ends some of them with 0"

array 3 2
for i in 1 2 3; do put "$W/d$i/large" 8000000; done
expect 0 sync
remember_all

# stopped SIGNAL ARG...: it was stopped in its work, and says so; 1 if it always was too fast. Each try begins with $first.
first=:
stopped()
{
	local signal=$1 wait
	shift
	for wait in 0.05 0.1 0.03 0.02 0.2 0.01; do
		$first
		rm -f "$W/log"
		QUIET=1 interrupt "$wait" "$signal" -l "$W/log" "$@"
		grep -q '^sigint:' "$W/log" || continue
		case $signal:$rc in INT:130 | TERM:143) ;; *) fail "'$*' stopped by SIG$signal ends with $rc" ;; esac
		warns '^Stopping at stripe [0-9]+'
		says_not '^Everything OK'
		! grep -q '^summary:exit:ok' "$W/log" || fail "the log says that all is well"
		return 0
	done
	echo "   (each run was over before the signal)"
	return 1
}

for signal in INT TERM; do
	step "SIG$signal: scrub, check"
	stopped $signal -p full scrub
	stopped $signal check
	stopped $signal check -a

	step "SIG$signal: fix"
	first="rm -f $W/d1/large"
	if stopped $signal fix; then
		gone "$W/d1/large"
		expect 1 check
		expect 2 diff
	fi
	first=:
	expect 0 fix
	same_all

	expect 0 sync		# it looks at what fix wrote, before it records anything

	step "SIG$signal: sync"
	put "$W/d2/new" 6000000 "$signal"
	for option in "" -h -F; do
		stopped $signal $option sync || continue
		expect 2 diff
		says_not '^No differences'
		[ "$option" = -h ] && continue	# while it hashes nothing is recorded yet
		expect 0 status
		says '^You have a sync in progress'
	done
	expect 0 sync
	expect 0 diff
	expect 0 status
	says '^No sync is in progress'
	expect 0 check
	remember_all
done
