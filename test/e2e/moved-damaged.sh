#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a file goes to another disk, and is damaged on its way: the parity of its old place is not given up"

# film is of 5 blocks, and every one of them shares its stripe with one of d3
fresh()
{
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 3 1 "$@"
	put "$W/d1/film" 5000 film
	put "$W/d1/other" 3000
	put "$W/d2/log" 2000
	put "$W/d3/more" 6000
	touch -d '2022-02-02 02:02:02.123456789' "$W"/d?/*
	expect 0 sync
}

is_film() { cmp -s "$1" <(put /dev/stdout 5000 film) || fail "${1#"$W"/} is not what was synced"; }

fresh
step "one bit of it flips"
mv "$W/d1/film" "$W/d2/film"
flip "$W/d2/film" 3000
refuse sync
warns "$W/d2/film"
warns 'force-nocopy'
warns 'fix'
step "... again, as nothing was done"
refuse sync
step "... its old place still has it"
expect 0 -m fix
is_film "$W/d1/film"
step "... and then the damaged one is a file like any other"
expect 0 sync
synced
remember_all
lose "$W/d2"
expect 0 fix
same_all

step "the damage is what the user wants"
fresh
mv "$W/d1/film" "$W/d2/film"
flip "$W/d2/film" 3000
expect 0 --force-nocopy sync
synced
remember_all
lose "$W/d2"
expect 0 fix
same_all

step "a new file is at the old place"
fresh
mv "$W/d1/film" "$W/d2/film"
flip "$W/d2/film" 10
put "$W/d1/film" 4000 sequel
refuse sync
warns "$W/d2/film"
cp -p "$W/d1/film" "$W/sequel"
expect 0 -f /film -d d1 fix
is_film "$W/d1/film"
cmp "$W/sequel" "$(aside "$W/d1/film")" || fail "the new file is lost"

step "it cannot be read"
fresh
mv "$W/d1/film" "$W/d2/film"
if [ "$(id -u)" = 0 ]; then
	echo "   (root reads all)"
else
	chmod 000 "$W/d2/film"
	refuse sync
	warns "Cannot verify $W/d2/film"
	chmod 644 "$W/d2/film"
fi

step "a good one costs nothing but a look; the only file of a disk may go too"
mv "$W/d2/log" "$W/d3/log"
expect 0 sync
synced
is_film "$W/d2/film"

step "the sync is stopped by force after that, and another disk is lost: what moved tells what was at the old place"
fresh
mv "$W/d1/film" "$W/d2/film"
run --test-kill-before-sync sync
lose "$W/d3"
expect 0 -d d3 fix
expect 0 sync
synced

step "a file is to get another place in the parity, and is damaged: it keeps the one that can repair it"
for option in "" "-W 1M" "-R"; do
	fresh "keep_metadata off"	# with it the change of the ctime would be seen before
	put "$W/d1/large" 20000
	expect 0 sync
	put "$W/d1/last" 5000 film
	expect 0 sync
	rm "$W/d1/large"
	expect 0 -F sync
	flip "$W/d1/last" 3000
	expect 1 $option sync
	warns "$W/d1/last"
	expect 0 -e fix
	is_film "$W/d1/last"
	expect 0 -p bad scrub
	expect 0 $option sync
	says "Moving"
	synced
done
step "... or it is an edit behind an old time, and that is told"
sed -i '/keep_metadata/d' "$CONF"
expect 0 sync
flip "$W/d1/last" 3000
expect 0 -R --accept-changed sync
synced
