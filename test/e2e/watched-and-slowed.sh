#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
ours || skip "the peer of Debian has neither --stats nor --bw-limit"
story "the work can be watched, and slowed down"

BLOCK=64 array 2 1
put "$W/d1/film" 3000000
put "$W/d2/music" 1500000

step "--bw-limit: 7.5 MB, read and written, at 3 MB/s"
begin=$(date +%s%N)
expect 0 -w 3M sync
took=$((($(date +%s%N) - begin) / 1000000))
echo "   $took ms"
[ "$took" -ge 2300 ] || fail "7.5 MB at 3 MB/s in $took ms"
verified
expect 0 -w 1T -p full scrub
for bad in 0x10 1.5M M 3X; do refuse -w $bad sync; done

step "a signal does not wait for the limit"
begin=$(date +%s)
interrupt 1 TERM -w 1k check
[ "$rc" = 143 ] || fail "exit $rc after SIGTERM"
[ $(($(date +%s) - begin)) -lt 10 ] || fail "it went on for $(($(date +%s) - begin)) s"

step "--stats: a row for each disk and level at the end, and who was the slowest"
for command in "-p full scrub" check fix "-F sync" "-F -h sync"; do
	expect 0 -w 20M -A $command
	says '^  Name  +MB/s  Busy  Waited for$'
	for name in d1 d2 parity; do says "^  $name +[0-9.]+ +[0-9]+% +[0-9]+%"; done
	says '^The slowest was bw-limit: all else waited for it [0-9]+% of the time\.$'
	says_not '.{80}'
done
expect 0 -l "$W/log" -A -p full scrub
grep -qE '^run:lane:d1:3[0-9]{6}:[0-9]+:[0-9]+$' "$W/log" || fail "the log has no lane of d1"

step "on a terminal of 80 columns everything fits; what moves is erased at the end"
on_terminal() # on_terminal COLUMNS ROWS ARG...: what was drawn, in seen
{
	local columns=$1 rows=$2
	shift 2
	script -qec "stty cols $columns rows $rows; exec $SNAPRAID ${OPTIONS[*]} -c $CONF $*" /dev/null \
		> "$W/seen" 2> "$W/err" < /dev/null || fail "'$*' fails on a terminal"
	tr '\r' '\n' < "$W/seen" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' > "$W/plain"
	if grep -E ".{$((columns + 1))}" "$W/plain"; then fail "a line of '$*' is too long"; fi
}
command -v script > /dev/null || skip "there is no 'script', which makes a terminal"
export TERM=xterm
unset NO_COLOR
on_terminal 80 24 -w 5M -A -p full scrub
grep -q $'\x1b\\[6A' "$W/seen" || fail "the table is not drawn in place"
grep -q $'\x1b\\[32mEverything OK\x1b\\[0m' "$W/seen" || fail "no colour"
on_terminal 80 6 -w 5M -A -p full scrub
! grep -q $'\x1b\\[6A' "$W/seen" || fail "a table that does not fit is drawn"
for command in status diff check list dup locate; do
	on_terminal 80 24 $command
done
NO_COLOR=1 on_terminal 80 24 sync
! grep -q $'\x1b' "$W/seen" || fail "NO_COLOR, and yet a colour"
TERM=dumb on_terminal 80 24 -A -w 5M -p full scrub
! grep -q $'\x1b' "$W/seen" || fail "a dumb terminal gets an escape"
expect 0 sync
! grep -q $'[\x1b\r]' "$W/out" || fail "a pipe gets an escape or a carriage return"
