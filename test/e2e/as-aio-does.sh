#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a wrapper as the all-in-one script: status, touch, diff, sync, scrub, smart, read with its regular expressions"
ours || skip "the peer has made-up devices of another kind"

array 3 2 "exclude *.tmp" "# a comment"
for i in 1 2 3; do put "$W/d1/photos/a $i" $((i * 1500)); put "$W/d2/music/$i" $((i * 900)); done
put "$W/d3/film" 40000
touch -d '2024-03-05 10:20:30' "$W/d3/film"

run_aio() # run_aio ARG...: stdout and stderr as one text, in seen
{
	"$SNAPRAID" "${OPTIONS[@]}" --test-fake-device -c "$CONF" "$@" > "$W/seen" 2>&1 < /dev/null
	rc=$?
	echo "   \$ snapraid -c ... $*    exits $rc"
}
seen() { grep -Eq -- "$1" "$W/seen"; }
number() { grep -wE "^ *[0-9]+ $1" "$W/seen" | sed 's/^ *//g' | cut -d ' ' -f1; }
lines_like() { grep -cE -- "$1" "$W/seen"; }

step "the version, out of what -V says"
version=$("$SNAPRAID" -V | sed -e 's/snapraid v\(.*\)by.*/\1/')
[[ "$version" =~ ^[0-9]+\.[0-9.]+\ *$ ]] || fail "it reads the version '$version'"

step "the configuration, read with grep: every file of it is there after a sync"
expect 0 sync
for file in $(grep -E '^content ' "$CONF" | cut -d ' ' -f2) \
	$(grep -E '^([1-6z]-)*parity' "$CONF" | cut -d ' ' -f2- | tr ',' '\n'); do
	exists "$file"
done

# One run. ran: what it did; a count that cannot be read, or a missing marker, ends it.
maintenance() # maintenance [SYNC ARG...]
{
	ran=
	run_aio status
	if seen 'No sync is in progress'; then
		state=synced
	elif seen 'WARNING! The array is NOT fully synced.'; then
		state=unsynced
	else
		fail "the state is unknown"
	fi
	if seen 'You have [1-9][0-9]* files with( a)? zero sub-second timestamp\.'; then
		run_aio touch
		ran="touch "
	fi
	run_aio diff
	[ "$rc" = 0 ] || [ "$rc" = 2 ] || fail "diff exits $rc"
	equal=$(number equal) copied=$(number copied)
	added=$(lines_like '^add .+$') updated=$(lines_like '^update .+$')
	removed=$(lines_like '^remove .+$') moved=$(lines_like '^move .+$')
	for n in "$equal" "$copied" "$added" "$updated" "$removed" "$moved"; do
		[[ "$n" =~ ^[0-9]+$ ]] || fail "a count of diff cannot be read: '$n'"
	done
	ran="${ran}diff"
	if [ $((added + updated + removed + moved + copied)) != 0 ] || [ $state = unsynced ]; then
		run_aio "$@" -q sync
		seen '^Everything OK' || seen '^Nothing to do' || { ran="$ran sync-without-marker"; return; }
		ran="$ran sync"
	fi
	run_aio -p new -q scrub
	seen '^Everything OK' || seen '^Nothing to do' || { ran="$ran scrub-without-marker"; return; }
	run_aio -p 5 -o 10 -q scrub
	seen '^Everything OK' || seen '^Nothing to do' || { ran="$ran scrub-without-marker"; return; }
	ran="$ran scrub"
	run_aio smart
	run_aio status
}
did() { [ "$ran" = "$1" ] || { cat "$W/seen"; fail "it did '$ran', not '$1'"; }; }
counted() { [ "$equal $added $updated $removed $moved $copied" = "$1" ] || fail "counted '$equal $added $updated $removed $moved $copied', not '$1'"; }

step "a file with a plain second: touch, and nothing else to do"
maintenance
did "touch diff scrub"
counted "7 0 0 0 0 0"

step "one of each, names with blanks too"
put "$W/d1/photos/new one" 2000
rm "$W/d1/photos/a 1"
mv "$W/d1/photos/a 2" "$W/d1/photos/b 2"
put "$W/d2/music/3" 3333
cp -p "$W/d3/film" "$W/d2/film"
maintenance -h
did "diff sync scrub"
counted "4 1 1 1 1 1"
[ "$(number equal)" = "" ] || fail "status has a line that reads as one of diff"

step "the ignore globs: first word, and the rest with its escapes"
put "$W/d1/odd (name)" 100
run_aio diff
grep -qxF 'add odd\ \(name\)' "$W/seen" || fail "the escapes are others"
maintenance
did "diff sync scrub"

step "only moves to sync: there is a marker, so that it is no false alarm"
mv "$W/d1/photos/b 2" "$W/d1/photos/c 2"
maintenance
did "diff sync scrub"

step "an interrupted sync is seen, and done the next time"
put "$W/d2/large" 300000
expect 0 --test-kill-before-sync sync
maintenance
[ $state = unsynced ] || fail "the interrupted sync was not seen"
did "diff sync scrub"
maintenance
did "diff scrub"
[ $state = synced ] || fail "it is still not synced"

step "files that lost their bytes: only --force-zero lets the sync through"
: > "$W/d2/large"
maintenance
did "diff sync-without-marker"
maintenance --force-zero
did "diff sync scrub"

step "a silent error: no marker"
flip "$W/d3/film" 20000
run_aio -p full -q scrub
! seen '^Everything OK' && ! seen '^Nothing to do' || fail "there is a marker"
run_aio status
seen '^DANGER! In the array there are 1 errors!' || fail "status does not tell"

step "the mail: what it drops are lines of their own, and what it sends is there"
run_aio smart
seen '^Probability that at least one disk is going to fail in the next year is [0-9]+%' || fail "no probability"
