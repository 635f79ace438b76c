#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a wrapper as snapraid-runner: touch, diff, sync if something changed, scrub, day after day"

array 3 1
for i in 1 2 3 4 5; do put "$W/d1/photos/$i" $((i * 1500)); put "$W/d2/music/$i" $((i * 900)); done
put "$W/d3/film" 40000
find "$W"/d? -type f -exec touch -d '2024-03-05 10:20:30' {} +

# Each command with the same words in the same order, and exit codes and lines read as it reads them.
command_of_runner() # command_of_runner COMMAND [ARG...]
{
	local command=$1
	shift
	"$SNAPRAID" "${OPTIONS[@]}" "$command" --conf "$CONF" --quiet "$@" > "$W/out" 2> "$W/err" < /dev/null
	rc=$?
	echo "   \$ snapraid $command --conf ... --quiet $*    exits $rc"
}

first_words() # first_words WORD: how many lines of stdout begin with it
{
	awk -v word="$1" '$1 == word { n++ } END { print n + 0 }' "$W/out"
}

# A run of the wrapper. ran: what it did, "touch diff sync scrub" or less; added, removed, ...: what it counted.
night() # night THRESHOLD [SCRUB ARG...]
{
	local threshold=$1
	shift
	ran=
	command_of_runner touch
	[ "$rc" = 0 ] || { ran="touch failed"; return; }
	ran="touch"
	command_of_runner diff
	[ "$rc" = 0 ] || [ "$rc" = 2 ] || { ran="diff failed"; return; }
	ran="touch diff"
	added=$(first_words add) removed=$(first_words remove) moved=$(first_words move) updated=$(first_words update)
	echo "   add $added, remove $removed, move $moved, update $updated"
	[ "$removed" -le "$threshold" ] || { ran="$ran stopped"; return; }
	if [ $((added + removed + moved + updated)) != 0 ]; then
		command_of_runner sync
		[ "$rc" = 0 ] || { ran="$ran failed"; return; }
		ran="$ran sync"
	fi
	command_of_runner scrub "$@"
	[ "$rc" = 0 ] || { ran="$ran failed"; return; }
	ran="$ran scrub"
}
did() { [ "$ran" = "$1" ] || fail "it did '$ran', not '$1'"; }
counted() { [ "$added $removed $moved $updated" = "$1" ] || fail "it counted '$added $removed $moved $updated', not '$1'"; }

step "the first night"
night 40 --plan 12 --older-than 10
did "touch diff sync scrub"
counted "11 0 0 0"
verified

step "nothing has changed: no sync"
night 40 --plan 12 --older-than 10
did "touch diff scrub"
counted "0 0 0 0"

step "one of each"
put "$W/d1/photos/new" 2000
rm "$W/d1/photos/1"
mv "$W/d2/music/2" "$W/d2/music/moved"
put "$W/d2/music/3" 3333
night 40 --plan new
did "touch diff sync scrub"
counted "1 1 1 1"
synced

step "too many are gone: it stops before the sync, and all can be brought back"
remember_all
rm "$W"/d2/music/*
night 2 --plan new
did "touch diff stopped"
counted "0 5 0 0"
expect 0 fix
same_all

step "a plain second in the time of a file: touch gives it a fraction, and the sync takes that in"
put "$W/d3/whole" 500
touch -d '2024-03-05 10:20:30' "$W/d3/whole"
night 40 --plan full
did "touch diff sync scrub"
night 40 --plan full
expect 0 status
says '^No file has a zero sub-second timestamp\.$'

step "a silent error: scrub fails, and so does the night"
flip "$W/d3/film" 20000
night 40 --plan full
did "touch diff failed"
night 40 --plan bad
did "touch diff failed"
expect 0 -e fix
night 40 --plan bad
did "touch diff scrub"

step "only copies: this wrapper counts no such word and does not sync; exit code 2 of diff would tell"
cp -p "$W/d3/film" "$W/d2/film"
night 40 --plan 12 --older-than 10
did "touch diff scrub"
expect 2 diff
