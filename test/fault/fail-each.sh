#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
thin=23
. "$(dirname "$0")/lib.sh"
story "each call that changes a file fails once: it is told, nothing is lost, and the next run heals"

# told: a run that fails says which file it was about; one that does not has done all
told()
{
	local path
	case $rc in
	0 | 1) ;;
	124 | 137) fail "$what: it hangs" ;;
	*) fail "$what: it ends with $rc" ;;
	esac
	[ "$rc" = 1 ] || return
	# Of a temporary name the one it stands for is as good.
	path=$(grep ' HARM$' "$W/trace" | head -1 | cut -d' ' -f3)
	path=${path%.tmp}
	case $path in
	*/.snapraid-*) path=$(dirname "$path") ;;
	*/content.side) path=/content ;;	# that it is not in its place is mended by the next save
	*/p1/parity) path="the parity" ;;
	*/p2/parity) path="the 2-parity" ;;
	esac
	cat "$W/out" "$W/err" | grep -F -e "$path" -e outofparity > /dev/null || fail "$what: no word of $path"
}

errors=(EIO ENOSPC short)

step "sync"
prepare_sync
calls --test-force-autosave-at 10 sync
autosaves
echo "   $calls calls"
for ((at = 1; at <= calls; at += STEP)); do
	back start
	error=${errors[at % 2]}
	[ $((at % 7)) != 0 ] || error=short
	harmed "$error" "$at" --test-force-autosave-at 10 sync
	what="a sync with $error at call $at ($(victim))"
	told
	if [ "$rc" = 0 ]; then
		verified
		run diff
		[ "$rc" = 0 ] || fail "$what: not all was done"
	else
		survives
	fi
done

step "an autosave fails: what was done by then is in the last save"
create=$(awk '/write .*\/parity /{ parity = 1 } parity && /create .*\/c\/content.tmp /{ print $1; exit }' "$W/trace")
back start
harmed ENOSPC "$create" --test-force-autosave-at 10 sync
what="a sync with ENOSPC at call $create ($(victim))"
told
[ "$rc" = 1 ] || fail "$what: it says that all went well"
$PYTHON3 "$ORACLE/content-dump.py" "$W/c/content" > "$W/dump"
$PYTHON3 - "$W/dump" <<-'PY' || fail "$what: the last save was not done"
	import json, sys
	dump = json.load(open(sys.argv[1]))
	new = [run for file in dump["files"] if file["path"] in ("new", "rewrite") for run in file["runs"]]
	sys.exit(not any(run["pos"] < 10 and run["state"] == "BLK" for run in new))
PY
survives

step "a sync with checkpoints: parity that could not be made durable at one is not believed later"
back start
calls --test-checkpoint-every 6 sync
mapfile -t flushes < <(grep -nE 'sync .*/parity ' "$W/trace" | cut -d: -f1)
[ ${#flushes[@]} -gt 4 ] || fail "only ${#flushes[@]} fsyncs of the parity"
for at in "${flushes[@]}"; do
	back start
	harmed EIO "$at" --test-checkpoint-every 6 sync
	what="a sync with EIO at call $at ($(victim))"
	told
	[ "$rc" = 1 ] || fail "$what: it says that all went well"
	survives
done
back start
calls --test-force-autosave-at 10 sync
autosaves

step "... and all after it, as when a disk is full or gone"
for ((at = 2; at <= calls; at += 8 * STEP)); do
	back start
	error=${errors[at % 2]}
	FAULT_STICKY=1 harmed "$error" "$at" --test-force-autosave-at 10 sync
	what="a sync with $error from call $at ($(victim)) on"
	# All was done by then, and a log of the past cannot be taken for one of the present.
	[[ $(victim) != *"unlink "*content.log* ]] || continue
	told
	[ "$rc" = 1 ] || fail "$what: it says that all went well"
	survives
done

step "fix"
back start
run sync
keep start
remember_all
lose "$W/d1"
rm "$W/p1/parity"
keep start
calls fix
echo "   $calls calls"
for ((at = 1; at <= calls; at += STEP)); do
	back start
	error=${errors[at % 3]}
	harmed "$error" "$at" fix
	what="a fix with $error at call $at ($(victim))"
	told
	nothing_false "$W/d1"
	[ "$rc" = 1 ] || { same_all; verified; }
	run fix
	[ "$rc" = 0 ] || fail "$what: fix again exits $rc"
	same_all
	[ $((at % 8)) != 0 ] || verified
done

step "scrub"
back start
run fix
keep start
calls -p full scrub
for ((at = 1; at <= calls; at += STEP)); do
	back start
	harmed "${errors[at % 3]}" "$at" -p full scrub
	what="a scrub with ${errors[at % 3]} at call $at ($(victim))"
	told
	goes_on
done
