#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Slow in full: FAULT_STEP=1 looks at each call, the default at some of each command. With a program that was built
# with the address sanitizer it finds leaks, too.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
. "$(dirname "$0")/lib.sh"
story "each call that reads fails once, in each command: it is told, nothing is lost, and the next run heals"

STEP=${FAULT_STEP:-197}
shim shim-read.c
tried=0

# What it says, but for numbers (times and speeds), the order of the disks and which content file is read.
answer() { sed -E '/^Loading state/d; s/[0-9]+/N/g; s/[[:space:]]+/ /g' "$1" | sort; }

everything() { tree "$W"/d? "$W"/pool; state; }

# named: the run says which file, directory, disk or level it was about
named()
{
	local path word
	path=$(grep ' HARM ' "$W/trace" | head -1 | cut -d' ' -f3)
	path=${below:-${path%.tmp}}
	path=${path%/.}
	case $path in
	*/.snapraid-*) path=$(dirname "$path") ;;
	"$W"/d[0-9]) word="'${path##*/}'" ;;
	"$W"/d2/stay) word=stay && grep -q "d2/zhard'" "$W/err" && word=zhard ;;	# its hard link
	"$W"/d[0-9]/*) word=${path#"$W"/d?/} ;;
	"$W"/p1 | "$W"/p1/parity) word="the parity" ;;
	"$W"/p2 | "$W"/p2/parity) word="the 2-parity" ;;
	esac
	cat "$W/out" "$W/err" | grep -F -e "$path" -e "${word:-$path}" > /dev/null || fail "$what: no word of $path"
}

# told: it ends as an ordinary run does; what is only asked again goes unnoticed; a failure is told
told()
{
	case $rc in
	0 | 1 | "$clean_rc") ;;
	124 | 137) fail "$what: it hangs" ;;
	*) fail "$what: it ends with $rc" ;;
	esac
	case $error in
	EINTR | short)
		[ "$rc" = "$clean_rc" ] || fail "$what: it exits $rc, not $clean_rc"
		answer "$W/err" | diff "$W/clean.err" - || fail "$what: it says something else"
		;;
	esac
	if [ "$rc" = 1 ] && [ "$clean_rc" != 1 ]; then
		[ -s "$W/err" ] || fail "$what: no word on stderr"
		named
	fi
}

# each AFTER ARG...: the command meets each error at each call; AFTER looks at what it leaves. Calls whose line in the
# trace matches $always are never left out.
each()
{
	local after=$1 before now
	shift
	back start
	harmed 99 0 "$@"
	clean_rc=$rc
	[ "$rc" = 0 ] || [ "$rc" = "${calls_rc:-0}" ] || fail "'$*' exits $rc"
	calls=$(wc -l < "$W/trace")
	grep -nE "${always:-^$}" "$W/trace" | cut -d: -f1 > "$W/at"
	seq 1 "$STEP" "$calls" >> "$W/at"
	answer "$W/out" > "$W/clean.out"
	answer "$W/err" > "$W/clean.err"
	everything > "$W/clean.all"
	before=$tried
	back start
	for at in $(sort -nu "$W/at"); do
		for turn in ${turns:-0 1 2 3}; do
			harmed "$turn" "$at" "$@"
			error=$(sed -n 's/.* HARM //p' "$W/trace" | head -1)
			# The disks are read at once, so a call may have another number this time, and meet less.
			[ -n "$error" ] || { back start; continue; }
			tried=$((tried + 1))
			last=${error#* }
			error=${error% last}
			what="'$*' with $error at call $at ($(victim))"
			told
			$after "$@"
			[ "$last" != last ] || break
		done
	done
	echo "   $* : $calls calls, $((tried - before)) faults"
}

# dies DISK AFTER ARG...: from some call on nothing can be read from the disk any more
dies()
{
	local below=$W/$1 turns=0
	shift
	export FAULT_STICKY=1
	each "$@"
	unset FAULT_STICKY
}

# It only looks: the answer is whole, or the exit code says that it is not; nothing is changed.
looks()
{
	[ "$rc" = 1 ] || answer "$W/out" | diff "$W/clean.out" - || fail "$what: another answer, and it exits $rc"
	everything | cmp -s "$W/clean.all" - || fail "$what: something changed"
}

# after_sync: all is done, or what was safe is safe and the next sync goes on
after_sync()
{
	if [ "$rc" = 0 ]; then
		run diff
		[ "$rc" = 0 ] || fail "$what: it exits 0, but not all was done"
		everything | grep -F /parity | grep -Fqxv -f "$W/clean.all" && verified
	else
		survives
	fi
	back start
}

# after_fix: nothing made up; what a run did not do, the next one does
after_fix()
{
	for i in 1 2 3; do nothing_false "$W/d$i"; done
	if [ "$rc" != 0 ]; then
		run fix
		[ "$rc" = 0 ] || fail "$what: fix again exits $rc"
	fi
	same_all
	back start
}

# The time that touch gives is any.
trees() { tree "$W"/d? "$W"/pool | sed -E 's/(^file [0-9]+ [0-9]+)\.[0-9]*[1-9][0-9]* /\1.any /'; }

# after_change: the command again comes to the same end as if nothing had been
after_change()
{
	if [ "$rc" != 0 ]; then
		run "$@"
		[ "$rc" = 0 ] || grep -q 'already in progress' "$W/err" || fail "$what: and again exits $rc"
		run sync	# of a time that was set and not recorded
		[ "$rc" = 0 ] || fail "$what: the next sync exits $rc"
	fi
	run status
	answer "$W/out" | cmp -s "$W/clean.status" - || fail "$what: the status is another one"
	trees | cmp -s "$W/clean.trees" - || fail "$what: another end"
	back start
}

# changes ARG...
changes()
{
	back start
	run "$@"
	[ "$rc" = 0 ] || fail "'$*' exits $rc"
	trees > "$W/clean.trees"
	run status
	answer "$W/out" > "$W/clean.status"
	each after_change "$@"
}

step "a sync, and a look before it"
prepare_sync
mkdir "$W/pool"
calls_rc=2 always='list|openat2' each looks diff
always=' list |read .*/d2/' each after_sync sync
each after_sync --test-checkpoint-every 6 sync

step "... and a disk dies on the way"
for disk in d2 d3 p1 c; do dies $disk after_sync sync; done

step "commands that only look"
back start
put "$W/d3/twin" 5000 "$W/d1/stay"
echo "pool $W/pool" >> "$CONF"
run sync
[ "$rc" = 0 ] || fail "sync exits $rc"
known "$W"/d?
keep start
for command in status list dup locate check "check -a" diff; do always='/(zhard|link) ' each looks $command; done
for disk in d1 p2; do dies $disk looks check; done

step "commands that change what is known of the array, or make links"
changes -p full scrub
touch -d '2020-01-02 03:04:05' "$W/d1/stay" "$W/d3/stay2"
run sync
keep start
always='openat2|stat .*/d[0-9]/[a-z]' changes touch
always=' (list|stat|open) .*/pool/there' changes pool
back start
rm "$W"/c/* "$W"/p?/*
run --test-force-murmur3 sync
keep murmur
mv "$W/keep.start" "$W/keep.other"
mv "$W/keep.murmur" "$W/keep.start"
changes rehash
mv "$W/keep.start" "$W/keep.murmur"
mv "$W/keep.other" "$W/keep.start"

step "fix"
back start
run sync
remember_all
rm "$W/d1/stay" "$W/d2/zhard" "$W/d3/link"
flip "$W/d3/new" 1500
known "$W/d3"
keep start
always='readlink|/(zhard|link) |/d[13]/\. ' each after_fix fix

step "the only side file cannot be read"
back start
rm "$W"/c/* "$W"/p?/*
sed -i '/^content .*\/p/d' "$CONF"
run sync
keep start
below=$W/c/content.side
for what in open map; do
	harmed 99 0 list
	at=$(grep -m1 " $what " "$W/trace" | cut -d' ' -f1)
	FAULT_STICKY=1 harmed 0 "$at" list
	tried=$((tried + 1))
	grep -qF "$below" "$W/err" || fail "list, which cannot $what the side file: no word of it"
done

echo "   $tried faults in all"
