#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "who writes to a file while fix restores it loses nothing, and fix does not call it recovered"
ours || skip "12.2 does not look again"

BYTES=600000

fresh()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/new"
	array 2 1
	put "$W/d1/doc" $BYTES
	put "$W/d2/other" $BYTES
	touch -d '2020-02-02 02:02:02.2' "$W/d1/doc"
	expect 0 sync
	cp -p "$W/d1/doc" "$W/synced"
}

# write OFFSET TEXT: by its owner
write() { printf %s "$2" | dd of="$W/d1/doc" bs=1 seek="$1" conv=notrunc 2> /dev/null; }

# meanwhile COMMAND...: done while fix is at it; fix says so and fails
meanwhile()
{
	local pid
	expect 1 --bw-limit 500K fix &
	pid=$!
	sleep 1.5
	"$@"
	kill -0 $pid 2> /dev/null || fail "fix was faster"
	wait $pid || exit 1
	tells "doc': it changed while fix ran, and is left as it is; .* run fix again"
	says_not '^recovered'
	[ ! -e "$W/new" ] || cmp "$W/new" "$W/d1/doc" || fail "not what its owner has made of it"
	[ -z "$(find "$W/d1" -name '*.unrecoverable' -o -name '.snapraid*' -o -name '*.changed*')" ] ||
		fail "something is left: $(ls -A "$W/d1")"
}

# And the next one does what it always did.
again()
{
	expect 0 fix
	cmp "$W/synced" "$W/d1/doc" || fail "not what was synced"
	[ "$(stat -c %y "$W/d1/doc")" = "$(stat -c %y "$W/synced")" ] || fail "not the time that was recorded"
}

step "it is deleted"
fresh
flip "$W/d1/doc" $((BYTES - 10))
meanwhile rm "$W/d1/doc"
gone "$W/d1/doc"
again

step "it is replaced, as when a program saves"
fresh
flip "$W/d1/doc" $((BYTES - 10))
put "$W/next" $BYTES
cp -p "$W/next" "$W/new"
meanwhile mv "$W/next" "$W/d1/doc"
again
cmp "$W/new" "$(aside "$W/d1/doc")" || fail "what was saved is lost"

step "its owner has written to it before, and does so again"
fresh
write $((BYTES - 10)) Y
meanwhile write 10 Z
again

step "... and puts its time back: what was copied is not what was read"
fresh
write $((BYTES - 10)) Y
unseen() { local time; time=$(stat -c %y "$W/d1/doc"); write 10 Z; touch -d "$time" "$W/d1/doc"; }
meanwhile unseen
again

step "it is damaged in two places, one of which is mended by then"
fresh
flip "$W/d1/doc" 10
flip "$W/d1/doc" $((BYTES - 10))
meanwhile write 5000 'NEW DATA'
[ "$(dd if="$W/d1/doc" bs=1 skip=5000 count=8 2> /dev/null)" = 'NEW DATA' ] || fail "it is lost"
expect 2 diff
again
[ "$(dd if="$(aside "$W/d1/doc")" bs=1 skip=5000 count=8 2> /dev/null)" = 'NEW DATA' ] || fail "it is not kept"

step "its time is all that is wrong"
fresh
touch "$W/d1/doc"
meanwhile write 5000 'NEW DATA'
[ "$(dd if="$W/d1/doc" bs=1 skip=5000 count=8 2> /dev/null)" = 'NEW DATA' ] || fail "it is lost"
expect 2 diff
again

step "one that was missing is back by itself"
fresh
mv "$W/d1/doc" "$W/next"
write_back() { printf x >> "$W/next"; cp "$W/next" "$W/new"; mv "$W/next" "$W/d1/doc"; }
expect 1 --bw-limit 500K fix &
pid=$!
sleep 1.5
write_back
kill -0 $pid 2> /dev/null || fail "fix was faster"
wait $pid || exit 1
cmp "$W/new" "$W/d1/doc" || fail "it is replaced"
