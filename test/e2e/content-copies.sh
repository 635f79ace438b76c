#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "copies of the content file are missing, damaged, stale or foreign"

array 2 2
for n in 1 2 3; do put "$W/d1/a$n" 3000; put "$W/d2/b$n" 2000; done
expect 0 sync
cp -a "$W/c/content" "$W/old"
sleep 0.02
put "$W/d1/a4" 1000
expect 0 sync
cp -a "$W/c/content" "$W/good"
remember_all

restore() { local f; for f in c p1 p2; do cp -a "$W/good" "$W/$f/content"; done; }
whole() { local f; for f in c p1 p2; do cmp "$W/$f/content" "$W/good" || fail "$f/content is not what it was"; done; }

step "the first is missing: another is used, and the next save writes it again"
rm "$W/c/content"
expect 0 diff
warns "c/content"
put "$W/d1/a5" 1000
expect 0 sync
cmp "$W/c/content" "$W/p2/content" || fail "the first copy is not back"
rm "$W/d1/a5"
expect 0 sync
cp -a "$W/c/content" "$W/good"

step "all are missing: a new array is assumed"
rm "$W"/{c,p1,p2}/content
expect 2 diff
counts 7 added
if ours; then	# the peer finds nothing wrong, and its sync replaces the parity
	step "... but not beside a parity that has data: it is of files that may be gone"
	mv "$W/d1/a1" "$W/kept"
	for command in check fix scrub sync; do
		refuse $command
		warns "snapraid -F sync"
	done
	restore
	expect 0 fix
	cmp "$W/kept" "$W/d1/a1" || fail "a1 is not what it was"
	rm "$W"/{c,p1,p2}/content*
	expect 0 -F sync
	synced
	cp -a "$W/c/content" "$W/good"
fi
restore

# damage NAME: what it leaves in $W/bad
damage()
{
	case $1 in
	truncated) head -c 100 "$W/good" > "$W/bad" ;;
	'one byte short') head -c -1 "$W/good" > "$W/bad" ;;
	'cut before its end record') head -c -5 "$W/good" > "$W/bad" ;;
	'of no length') : > "$W/bad" ;;
	'with a flipped bit') cp "$W/good" "$W/bad" && flip "$W/bad" 60 ;;
	'with a flipped bit at its end') cp "$W/good" "$W/bad" && flip "$W/bad" $(($(stat -c %s "$W/good") - 1)) ;;
	'with bytes after its end') { cat "$W/good"; echo more; } > "$W/bad" ;;
	'of zeros') head -c 4096 /dev/zero > "$W/bad" ;;
	'of noise') put "$W/bad" 4096 ;;
	'a text') echo "not a content file" > "$W/bad" ;;
	'of a later version') { printf 'SNAPCNT9\n\3\0\0'; tail -c +13 "$W/good"; } > "$W/bad" ;;
	esac
}

kinds=(truncated 'one byte short' 'cut before its end record' 'of no length' 'with a flipped bit'
	'with a flipped bit at its end' 'with bytes after its end' 'of zeros' 'of noise' 'a text' 'of a later version')

for kind in "${kinds[@]}"; do
	damage "$kind"
	if [ "$kind" = 'of a later version' ]; then	# what a newer program knows must not be undone by an older copy
		step "the first is $kind: refused"
		cp "$W/bad" "$W/c/content"
		refuse diff
		refuse sync
		restore
	elif ours; then	# the peer stops at the first damaged one
		step "the first is $kind: it is named, and the next one is used"
		cp "$W/bad" "$W/c/content"
		expect 0 diff
		tells 'c/content'
		expect 0 check
		expect 0 status
		rm "$W/d1/a1"
		expect 0 fix
		same_all
		expect 0 --test-force-content-write sync
		cmp "$W/c/content" "$W/p1/content" || fail "the damaged copy was not replaced"
		restore
	fi
	step "all are $kind: refused, and left as they are"
	for f in c p1 p2; do cp "$W/bad" "$W/$f/content"; done
	refuse diff
	refuse sync
	refuse fix
	refuse status
	restore
done
whole

if ours; then
	step "the first is older than the others: the newest is used"
	cp -a "$W/old" "$W/c/content"
	expect 0 diff
	expect 0 check
	same_all
	restore
fi

if ours; then
	expect 0 --test-force-content-write sync
	cp "$W/c/content" "$W/good"
	cp "$W/c/content.side" "$W/good.side"
	for kind in truncated 'of no length' 'of noise' 'one byte short'; do
		damage "$kind"
		for f in c p2; do
			step "the copy in $f is $kind, and the newest file: it is called damaged, not stale"
			cp "$W/bad" "$W/$f/content"
			expect 0 status
			warns "$f/content' is damaged"
			! grep -q 'is stale' "$W/err" || fail "it is called stale"
			restore
		done
	done

	whole_again()
	{
		local f
		whole
		for f in c p1 p2; do cmp "$W/$f/content.side" "$W/good.side" || fail "$f/content.side is not what it was"; done
	}
	# Nothing changed, so what is written is what was there, but for the moment of the save.
	saved() { cp "$W/c/content" "$W/good"; cp "$W/c/content.side" "$W/good.side"; }
	for rot in 'p1:sync' 'p2:scrub -p full' 'p1:scrub -p new'; do
		f=${rot%%:*} command=${rot#*:}
		step "a bit of $f/content rots: $command tells, and writes all copies again"
		flip "$W/$f/content" 300
		expect 0 $command
		warns "$f/content' is damaged: some of its bytes changed"
		[ "$(grep -c 'is damaged' "$W/err")" = 1 ] || fail "another one is named, too"
		saved
		whole_again
		expect 0 sync
		! grep -q 'is damaged' "$W/err" || fail "it still is"
	done
	step "a bit of a side file rots"
	flip "$W/p2/content.side" 60
	expect 0 sync
	warns "p2/content.side' is damaged"
	[ "$(grep -c 'is damaged' "$W/err")" = 1 ] || fail "another one is named, too"
	saved
	whole_again

	step "a bit rots while a change is synced"
	flip "$W/p2/content" 300
	put "$W/d1/a6" 1000
	expect 0 sync
	warns "p2/content' is damaged"
	saved
	whole_again
	rm "$W/d1/a6"
	expect 0 sync
	saved
fi

step "a disk of the content file is not in the configuration"
cp "$CONF" "$W/conf"
sed -i '/^data d2/d' "$CONF"
refuse sync
refuse diff
cp "$W/conf" "$CONF"

step "another block size, another hash size"
sed -i 's/^blocksize 1/blocksize 2/' "$CONF"
refuse sync
cp "$W/conf" "$CONF"
if ours; then	# the peer aborts
	echo 'hashsize 8' >> "$CONF"
	refuse sync
fi
cp "$W/conf" "$CONF"
expect 0 diff

if ours && [ "$(id -u)" = 0 ] && mkdir -p "$W/small" && mount -t tmpfs -o size=128k none "$W/small" 2> /dev/null; then
	undo() { umount "$W/small"; }
	step "a data disk that holds a copy is full: all copies stay as they are, until the copy has moved"
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 1 1 "content $W/small/content" "data d2 $W/small" "exclude fill"
	put "$W/d1/a" 3000
	put "$W/small/a" 3000
	expect 0 sync
	dd if=/dev/zero of="$W/small/fill" bs=4096 2> /dev/null
	put "$W/d1/new" 3000
	expect 1 sync
	warns "$W/small/content' cannot be saved: .*No space left on device.*move this copy to another one"
	cmp "$W/c/content" "$W/small/content" || fail "the copies differ"
	[ -z "$(find "$W" -name '*.tmp')" ] || fail "something temporary stays"
	rm "$W/d1/a"
	expect 0 -f a fix
	sed -i "s|^content $W/small/|content $W/|" "$CONF"
	expect 0 sync
	synced
	umount "$W/small"
	unset -f undo
fi
