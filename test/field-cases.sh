#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every case, or those named by number, on $SNAPRAID. Those of the file "later" may fail.
set -u
here=$(cd "$(dirname "$0")/cases" && pwd)
SNAPRAID=${SNAPRAID:-$here/../../build/snapraid}
options="--test-skip-device --test-skip-self"
# A file vanishes while the sync is in front of it, and not in the middle.
slowed=$options
! "$SNAPRAID" --help | grep -q bw-limit || slowed="$options --bw-limit 16M"
held=0 failed=0 later=0 skipped=0

for case in "$here"/[0-9]*.sh; do
	name=$(basename "$case" .sh)
	[ $# = 0 ] || case " $* " in *" ${name%%-*} "*) ;; *) continue ;; esac
	CASE_OPTS=$options
	[ "${name%%-*}" != 023 ] || CASE_OPTS=$slowed
	words=$(export CASE_OPTS; timeout -k 5 120 bash "$case" "$SNAPRAID" 2>&1 | tail -1; exit "${PIPESTATUS[0]}")
	case $? in
	0)
		held=$((held + 1))
		! grep -q "^$name\b" "$here/later" || words="$words (take it out of the list of later ones)"
		;;
	77) skipped=$((skipped + 1)) ;;
	*)
		if grep -q "^$name\b" "$here/later"; then
			later=$((later + 1))
			words="later: $words"
		else
			failed=$((failed + 1))
		fi
		;;
	esac
	echo "$name: $words"
done
echo "$held hold, $failed do not, $later are for later, $skipped cannot be judged here"
[ "$failed" = 0 ]
