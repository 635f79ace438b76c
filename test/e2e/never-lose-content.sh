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
