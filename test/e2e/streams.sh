#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "outputs that are full, closed or gone, a log that names a file of the array, and signals: no harm to the array"

ours || skip "this is asked of our own program"
array 1 2
put "$W/d1/one" 5000
put "$W/d1/copy" 5000 "$W/d1/one"
expect 0 sync

start() { $RUN_UNDER "$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" "$@"; }
ends() { [ "$rc" = "$1" ] || fail "$2: it exits $rc, not $1"; }

step "an answer that cannot be written is a failure"
[ -w /dev/full ] || skip "no /dev/full"
for command in status list dup locate diff; do
	start $command > /dev/full 2> "$W/err"
	rc=$?
	ends 1 "$command > /dev/full"
	warns 'No space left on device'
	start $command >&- 2> "$W/err"
	rc=$?
	ends 1 "$command >&-"
	warns 'Cannot write the output'
	(sleep 0.2; start $command 2> "$W/err"; echo $? > "$W/rc") | :
	rc=$(cat "$W/rc")
	ends 1 "$command, and nobody reads it"
	! grep -q 'Broken pipe' "$W/err" || fail "$command complains of a reader that went away"
done
start -H > /dev/full 2> "$W/err"
rc=$?
ends 1 "-H > /dev/full"

step "a command that works does its work, whether it can be told or not"
n=0
works() # works ARG...
{
	local how
	for how in '> /dev/full' '>&-' '>&- 2>&- <&-' '2>&-' '> /dev/full 2>&1'; do
		put "$W/d1/new" 3000 $((++n))
		eval 'start "$@" '"$how" 2> /dev/null
		rc=$?
		ends 0 "$* $how"
		[ ! -s "$W/c/content.lock" ] || fail "$* $how: what it says is in the lock"
	done
	put "$W/d1/new" 3000 $((++n))
	(sleep 0.2; start "$@" 2> /dev/null; echo $? > "$W/rc") | :
	rc=$(cat "$W/rc")
	ends 0 "$*, and nobody reads it"
}
works -v sync
verified
works --test-force-content-write -v sync
synced
for command in "-p full scrub" check fix; do
	eval 'start $command >&- 2>&- <&-'
	rc=$?
	ends 0 "$command without streams"
	start $command > /dev/full 2> /dev/null
	rc=$?
	ends 0 "$command > /dev/full"
done
synced

step "a log never takes the place of a file of the array"
ln -s "$W/p1/parity" "$W/link"
ln "$W/c/content" "$W/hard"
for to in c/content p1/content p1/parity p2/parity c/content.side c/content.lock link hard snapraid.conf; do
	for how in '' '>' '>>'; do
		for command in sync status; do
			QUIET=1 refuse -l "$how$W/$to" $command
			warns "$W/$to.*would overwrite"
		done
	done
done
rm "$W/link" "$W/hard"
refuse -l "$W/c" sync
refuse -l "$W/nowhere/log" sync
echo "nonsense" >> "$CONF"
refuse -l "$W/p1/parity" sync
sed -i '$d' "$CONF"
synced

step "... also before there is one"
rm -rf "$W"/p? "$W/c"
mkdir "$W/p1" "$W/p2" "$W/c"
refuse -l "$W/c/content" sync
refuse -l "$W/p2/content" -F sync
gone "$W/c/content"
gone "$W/p2/content"
expect 0 sync

step "... and a log takes that of the last one, holds all from the first line on, or is added"
expect 0 -l "$W/log" sync
head -1 "$W/log" | grep -q '^version:' || fail "the log begins otherwise"
expect 0 -l "$W/log" -v sync
[ "$(grep -c '^version:' "$W/log")" = 1 ] || fail "there are two logs in the file"
expect 0 -l ">>$W/log" sync
[ "$(grep -c '^version:' "$W/log")" = 2 ] || fail "the log was not added"
echo "nonsense" >> "$CONF"
expect 1 -l "$W/log" sync
grep -q nonsense "$W/log" || fail "the log does not say what is wrong with the configuration"
sed -i '$d' "$CONF"

step "SIGTERM, SIGHUP, SIGINT, and SIGINT twice"
for signals in TERM HUP INT "INT INT" "TERM INT TERM"; do
	put "$W/d1/large" 12000000 "$signals"
	remember now "$W/d1"
	: > "$W/out"
	set -m
	"$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" --test-checkpoint-every 200 sync > "$W/out" 2> "$W/err" < /dev/null &
	pid=$!
	set +m
	until grep -q '^Syncing' "$W/out" || ! kill -0 $pid 2> /dev/null; do sleep 0.02; done
	for signal in $signals; do kill -"$signal" $pid 2> /dev/null; done
	wait $pid 2> /dev/null
	rc=$?
	echo "   \$ snapraid --test-checkpoint-every 200 sync    ($signals: exits $rc)"
	case $rc in
	129 | 130 | 143 | 0) ;;		# 0: it was done before the signal came
	*) fail "after $signals it exits $rc" ;;
	esac
	same now "$W/d1"
	rm "$W/d1/one"
	expect 0 fix
	cmp "$W/d1/one" "$W/d1/copy" || fail "after $signals: a file is not restored"
	same now "$W/d1"
	expect 0 sync
	verified
done
