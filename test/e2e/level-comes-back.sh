#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a level that was out of the configuration for a while is not taken for one of the present array"

ours || exit 0		# the peer takes it so, and says that there is nothing to do
away()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/keep"
	array 3 2
	for n in 1 2 3 4; do
		put "$W/d1/a$n" 3000
		put "$W/d2/b$n" 4000
		put "$W/d3/c$n" 2500
	done
	expect 0 sync
	cp "$CONF" "$W/conf"
	sed -i '/^2-parity/d; /p2.content/d' "$CONF"
	put "$W/d1/a1" 3000 again
	expect 0 sync
	cp "$W/conf" "$CONF"
	remember_all
}

two_disks_come_back()
{
	lose "$W/d1"
	lose "$W/d2"
	expect 0 fix
	same_all
}

step "away while the array changed: sync does not trust what is there"
away
refuse sync
warns '2-parity.*force-full'
warns 'snapraid fix'

step "... nor after something else saved the content"
expect 0 --test-force-content-write touch
refuse sync

step "... nor if it was copied to a new disk, and is newer than all"
cp "$W/p2/parity" "$W/new"
cat "$W/new" > "$W/p2/parity"
refuse sync

step "sync -F takes it in"
expect 0 -F sync
expect 0 sync
two_disks_come_back

step "so does fix"
away
expect 1 check
expect 0 fix
expect 0 sync
expect 0 -p full scrub
two_disks_come_back
synced

step "a fix that was killed, or did a part only, does not make it one of this array"
away
touch -r "$W/c/content" "$W/.time"
expect 0 -S 0 -B 4 -d 2-parity fix
refuse sync
warns '2-parity.*force-full'
if [ -w /dev/shm ] && [ -z "$RUN_UNDER" ]; then
	for after in 0.005 0.01 0.015 0.02 0.03; do
		timeout -s KILL "$after" "$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" fix > /dev/null 2>&1
		run sync
		[ "$rc" = 1 ] || verified
	done
fi
run fix
expect 0 sync
two_disks_come_back

step "a fix that was asked for the level alone, and met rows with more damage than it can tell, does not either"
away
rm "$W/p2/parity"
mkdir "$W/keep"
cp -a "$W/d1" "$W/d2" "$W/keep"
lose "$W/d1"
lose "$W/d2"
expect 1 -d 2-parity fix
warns 'Stripes of which the parity is not repaired: [1-9]'
cp -a "$W/keep/." "$W"
refuse sync
expect 0 -d 2-parity fix
expect 0 sync
two_disks_come_back

step "what fix has made is right also for the content file that a scrub or a touch saves"
away
expect 0 -d 2-parity fix
expect 0 -p full scrub
expect 0 --test-force-content-write touch
expect 0 --test-force-content-write touch
expect 0 sync
two_disks_come_back

step "... but not if the power is cut in another fix of it: the file has its size, and not its data"
away
expect 0 -d 2-parity fix
size=$(stat -c %s "$W/p2/parity")
rm "$W/p2/parity"
"$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" --bw-limit 1K -d 2-parity fix > /dev/null 2>&1 &
until [ -s "$W/p2/parity" ]; do sleep 0.01; done
kill -KILL $!
wait $! 2> /dev/null
truncate -s "$size" "$W/p2/parity"
refuse sync
warns '2-parity.*force-full'
expect 0 -d 2-parity fix
expect 0 sync
two_disks_come_back

step "... and after sync -F nothing of that stays"
away
expect 0 -S 0 -B 4 -d 2-parity fix
expect 0 -F sync
expect 0 sync
[ -z "$(find "$W/p2" -name '*.made')" ] || fail "a mark stays beside the parity"
two_disks_come_back

step "away while nothing changed: it is as good as before"
expect 0 sync
cp "$CONF" "$W/conf"
sed -i '/^2-parity/d; /p2.content/d' "$CONF"
expect 0 sync
cp "$W/conf" "$CONF"
expect 0 sync
two_disks_come_back
