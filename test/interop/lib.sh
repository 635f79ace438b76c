# SPDX-License-Identifier: GPL-3.0-or-later
# Two programs on one array. Sourced after test/e2e/lib.sh by the scripts of this folder.
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

command -v -- "$PEER" > /dev/null || skip "no other snapraid to exchange arrays with"
# The peer takes it for a change when another name of a file is met first; by name the order is always the same.
OPTIONS+=(--test-force-order-alpha)
name_of() { [ "$1" = "$PEER" ] && [ "$SNAPRAID" != "$PEER" ] && echo peer || echo ours; }

# populate DISKS UNIT: a bit of everything that an array can hold; UNIT is the size of a block
populate()
{
	local i n d
	for i in $(seq 1 "$1"); do
		d=$W/d$i
		for n in 1 2 3 4; do put "$d/dir $n/file-$n" $(($2 * n * (i + 1) / 3 + n * 7)); done
		put "$d/exact" "$2"
		put "$d/one" 1
		: > "$d/empty"
		mkdir -p "$d/nothing/here" "$d/"$'odd\nname'
		put "$d/"$'odd\nname/\xff\xfe' $((300 + i))
		ln -s "dir 1/file-1" "$d/soft"
		ln -s nowhere "$d/dangling"
		ln "$d/dir 2/file-2" "$d/hard"
	done
	touch -d '2003-04-05 06:07:08.000000000' "$W/d1/exact"
}

# change DISKS UNIT ROUND: files come, go, grow, shrink, move and are copied
change()
{
	local i=$(($3 % $1 + 1)) j=$((($3 + 1) % $1 + 1)) round=$3
	put "$W/d$i/new-$round" $(($2 * 2 + round * 31))
	put "$W/d$j/dir 1/file-1" $(($2 * (round % 3 + 1) + round))
	rm -f "$W/d$i/dir 3/file-3" "$W/d$j/soft"
	ln -s "round $round" "$W/d$j/soft"
	[ ! -e "$W/d$j/exact" ] || mv "$W/d$j/exact" "$W/d$j/exact-$round"
	cp -p "$W/d$i/new-$round" "$W/d$j/copy-$round"
	mkdir -p "$W/d$i/empty-$round"
	ln -f "$W/d$i/new-$round" "$W/d$i/link-$round"
}

# accepted BY: it finds nothing to do and nothing wrong
accepted()
{
	by "$1"
	expect 0 diff
	expect 0 check
	expect 0 -p full scrub
	verified
}
