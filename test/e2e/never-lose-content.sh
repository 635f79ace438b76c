#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "of the copies of the content file the newest whole one counts, wherever it stands in the configuration"

# W17
copies=("$W/c/content" "$W/p1/content" "$W/p2/content")
array 2 2
put "$W/d1/a" 3000
put "$W/d2/a" 3000
expect 0 sync
cp -p "${copies[0]}" "$W/old"
sleep 0.05
put "$W/d1/b" 3000
expect 0 sync
cp -p "${copies[0]}" "$W/new"
remember_all

restore() { local c; for c in "${copies[@]}"; do cp -p "$W/new" "$c"; done; }

for i in 0 1 2; do
	step "copy $((i + 1)) of 3 is old"
	restore
	cp -p "$W/old" "${copies[i]}"
	expect 0 diff
	[ "$i" != 0 ] || warns "${copies[i]}"
	rm "$W/d1/b"
	expect 0 fix
	same_all
	expect 0 --test-force-content-write sync
	for c in "${copies[@]}"; do cmp "$c" "${copies[0]}" || fail "the copies differ after a sync"; done
	expect 0 diff

	step "copy $((i + 1)) of 3 has a flipped bit and its old size"
	restore
	flip "${copies[i]}" 200
	expect 0 check
	expect 0 status
	rm "$W/d1/b"
	expect 0 fix
	same_all
	expect 0 --test-force-content-write sync
	for c in "${copies[@]}"; do cmp "$c" "${copies[0]}" || fail "the copies differ after a sync"; done

	step "copy $((i + 1)) of 3 alone is new"
	restore
	for j in 0 1 2; do [ "$j" = "$i" ] || cp -p "$W/old" "${copies[j]}"; done
	expect 0 diff
	expect 0 check

	step "... and it is damaged: what an older one knows is still safe"
	flip "${copies[i]}" 200
	rm "$W/d2/a"
	run -d d2 fix
	cmp <(put /dev/stdout 3000 "$W/d2/a") "$W/d2/a" || fail "d2/a was lost"
	restore
	touch -r "$W/d2/a" "$W/.time"
	expect 0 check
done

if ours; then
	for i in 0 1 2; do
		step "copy $((i + 1)) of 3 is old, and was put back today, alone"
		restore
		expect 0 --test-force-content-write sync
		cp "$W/old" "${copies[i]}"
		expect 0 diff
		warns "${copies[i]}' is stale"
		rm "$W/d1/b"
		expect 0 fix
		same_all
	done

	step "... with its side file"
	restore
	expect 0 --test-force-content-write sync
	for what in '' .side; do cp -p "${copies[1]}$what" "$W/old$what"; done
	put "$W/d1/c" 3000
	expect 0 sync
	for what in '' .side; do cp "$W/old$what" "${copies[1]}$what"; done
	expect 0 diff
	warns "${copies[1]}' is stale"

	step "one copy is of another program, that worked with the array later and knew of no other copy"
	expect 0 --test-force-content-write sync
	if [ -x "$PEER" ]; then
		sleep 9		# it records times in steps of 8 seconds
		command grep -v "^content $W/p" "$CONF" > "$W/one.conf"
		put "$W/d1/d" 3000
		"$PEER" --test-skip-device -c "$W/one.conf" sync > /dev/null 2>&1 || fail "the peer cannot sync"
		expect 0 diff
		warns "${copies[1]}' is stale"
		expect 0 check
	fi
fi

# put_back FILE...: the peer has synced; then an old copy came back from a backup of that day, and a disk is lost
put_back()
{
	local file
	for file; do cp "$W/old$file" "${copies[0]}$file"; done
	remember_all
	rm -r "$W/d1"
	mkdir "$W/d1"
	expect 2 diff
	warns "${copies[0]}' is stale"
	cp -p "$W/p1/parity" "$W/parity"
	expect 0 fix
	same_all
	cmp "$W/p1/parity" "$W/parity" || fail "the parity was written"
	expect 0 --test-force-content-write sync
	for c in "${copies[@]}"; do cmp "$c" "${copies[0]}" || fail "the copies differ after a sync"; done
}

peer_sync() { "$PEER" "${OPTIONS[@]}" -c "$CONF" sync > "$W/peer" 2>&1 || fail "the peer cannot sync: $(cat "$W/peer")"; }

if ours && [ -x "$PEER" ]; then
	rm -f "$W"/old*
	sleep 9
	put "$W/d1/of peer" 3000
	peer_sync
	cp "${copies[0]}" "$W/old"
	sleep 9
	step "all copies are of another program, and an old one was put back"
	put "$W/d1/of peer too" 3000
	peer_sync
	put_back ''

	step "... and the old one is ours, with its side file"
	for what in '' .side; do cp "${copies[0]}$what" "$W/old$what"; done
	sleep 9
	put "$W/d1/last" 3000
	peer_sync
	put_back '' .side

	step "... or without it, and what came last was removed by ours since: the newest file of all is no newer"
	cp "${copies[0]}" "$W/old"
	mv "$W/d1/last" "$W/last"
	sleep 9
	expect 0 sync
	cp "$W/old" "${copies[0]}"
	expect 0 diff
	warns "${copies[0]}' is stale"
	expect 0 --test-force-content-write sync
fi

if ours; then
	step "the content file is cut while a sync works with it: the run ends with a word, and nothing is lost"
	for i in $(seq 40); do put "$W/d1/many$i" 3000; done
	expect 0 sync
	put "$W/d1/one more" 3000
	remember_all
	expect 1 --test-run "truncate -s 0 $W/c/content" sync
	warns 'The content file cannot be read any more'
	expect 0 sync
	warns "c/content"
	expect 0 check
	rm "$W/d1/many7" "$W/d1/one more"
	expect 0 fix
	same_all
fi
