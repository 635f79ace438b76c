#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a parity file is missing, short, long or rotten"

array 3 2
for i in 1 2 3; do put "$W/d$i/f" $((9000 * i)); done
expect 0 sync
remember_all
cp -a "$W/p1/parity" "$W/parity"

step "missing: sync does not fake it"
rm "$W/p1/parity"
put "$W/d1/new" 100
expect 1 sync
warns 'force-full'
if ours; then gone "$W/p1/parity"; fi
rm -f "$W/d1/new" "$W/p1/parity"
expect 1 -p full scrub
if ours; then expect 1 check; fi
step "... a lost disk comes back from the other level"
lose "$W/d2"
expect 0 fix
same_all
exists "$W/p1/parity"
expect 0 check
verified

step "short"
truncate -s 5120 "$W/p1/parity"
put "$W/d1/new" 100
expect 1 sync
warns 'force-full'
rm "$W/d1/new"
expect 0 fix
expect 0 sync
cmp "$W/parity" "$W/p1/parity" || fail "the parity is another one"

# A file that was only touched need not be computed again, but what is cut off has to be.
if ours; then
	for cut in rm 'truncate -s 1024'; do
		step "gone from the first stripes on ($cut), and all files there were touched"
		touch "$W"/d?/f
		$cut "$W/p1/parity"
		expect 0 -E sync
		synced
	done
	remember_all
fi

step "missing, and made again by sync -F"
rm "$W/p2/parity"
expect 0 -F sync
synced

step "longer than needed is no harm"
head -c 3072 /dev/zero >> "$W/p1/parity"
expect 0 check
put "$W/d1/new" 100
expect 0 sync
synced
rm "$W/d1/new"
expect 0 sync

step "rotten: check and scrub find it, fix writes it again"
flip "$W/p1/parity" 3000
expect 1 check
expect 1 -p full scrub
expect 0 fix
cmp "$W/parity" "$W/p1/parity" || fail "the parity was not mended"
expect 0 check
expect 0 -p bad scrub

step "a rotten byte in one level, and a lost disk: the other level gives the right data"
flip "$W/p1/parity" 3000
lose "$W/d3"
expect 0 fix
same_all
expect 0 check

ours || exit 0		# the peer writes the rows of the run, and takes the hole before them for parity
fresh() # two levels; the last file of d1 is rotten, and that is known
{
	rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/keep"
	array 2 2
	for i in 1 2; do for n in 1 2 3 4 5 6; do put "$W/d$i/f$n" 3000; done; done
	expect 0 --test-force-order-alpha sync
	remember_all
	flip "$W/d1/f6" 2000
	expect 1 -p full scrub
}
protects() # two disks are lost
{
	expect 0 sync
	synced
	lose "$W/d1"
	lose "$W/d2"
	expect 0 fix
	same_all
}
for options in -e -b '-S 10' '-S 4 -B 2'; do
	for lost in rm 'truncate -s 2048'; do
		step "a level is lost ($lost), and 'fix $options' goes over some stripes: it stays lost, and that is told"
		fresh
		$lost "$W/p1/parity"
		expect 1 $options fix
		warns 'The parity is lost or short.*fix.*force-full'
		says_not 'Everything OK'
		[ "$(stat -c %s "$W/p1/parity" 2> /dev/null || echo 0)" -le 2048 ] || fail "there is a hole before what was written"
		expect 1 sync
		warns "p1/parity' is smaller than expected"
		expect 0 fix
		says 'Everything OK'
		expect 0 -p bad scrub
		protects
	done
done

step "it is made in parts, one after the other: the last word has a fix over all"
fresh
rm "$W/p1/parity"
expect 1 -S 0 -B 5 fix
expect 1 -S 5 -B 5 fix
[ "$(stat -c %s "$W/p1/parity")" = 10240 ] || fail "the parts do not follow each other"
expect 1 -S 10 fix
refuse sync
expect 0 fix
expect 0 -p bad scrub
protects

step "a fix over all could not tell what the parity of some rows is: what can be is made, and a sync refuses the level"
for selection in '' '-d parity'; do
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1
	for i in 1 2; do for n in 1 2 3 4 5 6; do put "$W/d$i/f$n" 3000; done; done
	expect 0 --test-force-order-alpha sync
	remember_all
	rm "$W/p1/parity"
	mv "$W/d1/f2" "$W/f2"
	for turn in 1 2; do	# by then there is a hole
		expect 1 $selection fix
		warns 'The parity is lost or short.*fix.*force-full'
	done
	rm -f "$W"/d1/*.unrecoverable
	mv "$W/f2" "$W/d1/f2"
	refuse sync
	warns 'smaller than expected'
	lose "$W/d2"
	expect 1 fix
	n=$(find "$W/d2" -name 'f?' | wc -l)	# f2, and f6 as the end is not written before all is
	[ "$n" = 4 ] || fail "of 6 files $n are back"
done

step "what a sync has to compute anyhow is not missed: neither in the middle nor at the end"
rm -rf "$W"/[dpc][0-9]* "$W/c"
array 2 1
put "$W/d1/f" 5000
put "$W/d2/a" 1000
expect 0 sync
put "$W/d2/new" 4000
expect 0 --test-kill-before-sync sync
rm "$W/p1/parity"
expect 0 fix
expect 0 sync
synced
