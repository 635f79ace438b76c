#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "fix does all it can: what stands in its way costs one file, and nothing is thrown away"

fresh() { rm -rf "$W"/[dpc][0-9]* "$W/c"; array "$@"; }

# W8: obstacles. `aa` comes before all others in every order, `zz` after them.
populate()
{
	fresh 2 1
	put "$W/d1/aa" 2000
	put "$W/d1/b/file" 3000
	put "$W/d1/zz" 2500
	ln -s aa "$W/d1/link"
	: > "$W/d1/zz-empty"
	mkdir "$W/d1/zz-dir"
	put "$W/d2/a" 4000
	expect 0 --test-force-order-alpha sync
	remember_all
}

# held_up WHAT OPTION...: what is in the way stays, and is told; all others come back
held_up()
{
	local what=$1
	shift
	expect 1 "$@" fix
	tells "$what"
	exists "$W/d1/aa"
	exists "$W/d1/zz"
	exists "$W/d1/zz-empty"
	exists "$W/d1/zz-dir"
	cmp <(put /dev/stdout 2500 "$W/d1/zz") "$W/d1/zz" || fail "a file after the obstacle is wrong"
}

# moved NAME: after a fix it is beside what was restored, and that is all that is different
moved()
{
	local kept
	kept=$(aside "$W/d1/$1") || fail "not kept: $1"
	tells "'$1' is not what was synced. It is kept as '${kept#"$W/d1/"}'"
	mv "$kept" "$W/kept"
	same_all
}

step "a directory has the name of a file"
populate
lose "$W/d1"
mkdir -p "$W/d1/b/file"
put "$W/d1/b/file/mine" 100
expect 0 fix
moved b/file
[ "$(stat -c %s "$W/kept/mine")" = 100 ] || fail "what was in the directory is lost"
rm -r "$W/kept"

step "a file has the name of a directory above it; under -m it stays"
populate
lose "$W/d1"
put "$W/d1/b" 77
held_up b/file -m
[ "$(stat -c %s "$W/d1/b")" = 77 ] || fail "the obstacle was touched"
held_up b/file -f b/file -f aa -f zz*
[ "$(stat -c %s "$W/d1/b")" = 77 ] || fail "the obstacle was touched"
expect 0 fix
moved b
[ "$(stat -c %s "$W/kept")" = 77 ] || fail "the obstacle is lost"
rm "$W/kept"

step "a symbolic link has the name of a directory above it, or of a file: it is not followed"
populate
lose "$W/d1"
mkdir "$W/outside"
put "$W/outside/file" 100
ln -s "$W/outside" "$W/d1/b"
expect 0 -e fix
[ -L "$W/d1/b" ] || fail "-e has moved the link"
expect 0 fix
moved b
[ "$(readlink "$W/kept")" = "$W/outside" ] || fail "the link is lost"
rm "$W/kept" "$W/d1/b/file"
ln -s "$W/outside/file" "$W/d1/b/file"
expect 0 -f b/file fix
moved b/file
rm "$W/kept"
[ "$(stat -c %s "$W/outside/file")" = 100 ] || fail "written through a link"

step "a full directory has the name of a link, an empty one that of an empty file, a file that of a directory"
populate
rm "$W/d1/link" "$W/d1/zz-empty" "$W/d1/aa"
rmdir "$W/d1/zz-dir"
put "$W/d1/zz-dir" 50
mkdir -p "$W/d1/link/mine" "$W/d1/zz-empty"
expect 0 -e fix
[ -d "$W/d1/link" ] && [ -d "$W/d1/zz-empty" ] && [ -f "$W/d1/zz-dir" ] || fail "-e has moved what is not damaged"
expect 0 -d d1 fix
[ -d "$(aside "$W/d1/link")/mine" ] || fail "the directory is lost"
[ -d "$(aside "$W/d1/zz-empty")" ] || fail "the empty directory is lost"
[ "$(stat -c %s "$(aside "$W/d1/zz-dir")")" = 50 ] || fail "the file is lost"
rm -r "$W"/d1/*.changed-*
same_all

step "under -d, -e and -m nothing outside the selection is touched; an unfiltered fix keeps the newer edits"
populate
echo "a newer edit" >> "$W/d2/a"
ln -sfn elsewhere "$W/d1/link"
rm "$W/d1/aa"
touch -d '2001-02-03' "$W/d1/zz-empty"
remember edited "$W/d2"
expect 0 -m fix
exists "$W/d1/aa"
expect 0 -e fix
[ "$(readlink "$W/d1/link")" = elsewhere ] || fail "-m or -e has changed a link"
expect 0 -d d1 fix
same edited "$W/d2"
expect 0 fix
[ "$(tail -n 1 "$(aside "$W/d2/a")" | tail -c 13)" = "a newer edit" ] || fail "the edit is lost"
rm "$(aside "$W/d1/link")" "$(aside "$W/d2/a")"
same_all

step "names of 255 bytes are shortened, and what is kept is never overwritten"
long=$(printf 'n%.0s' {1..255})
fresh 2 1
put "$W/d1/$long" 2000
put "$W/d2/a" 4000
expect 0 sync
remember_all
for i in 1 2 3; do
	put "$W/d1/$long" 2000 "edit $i"
	expect 0 fix
done
mkdir "$W/kept"
mv "$W"/d1/nnn*.changed-* "$W/kept"
same_all
[ "$(find "$W/kept" -type f | wc -l)" = 3 ] || fail "of three edits not all are kept"
[ "$(cat "$W"/kept/* | wc -c)" = 6000 ] && [ "$(sha256sum "$W"/kept/* | cut -c -64 | sort -u | wc -l)" = 3 ] ||
	fail "of three edits not all are kept"
rm -r "$W/kept"

if [ "$(id -u)" = 0 ] && mkdir -p "$W/small" && mount -t tmpfs -o size=64k none "$W/small" 2> /dev/null; then
	undo() { umount "$W/small"; }
	step "the new disk is too small: what fits is there, whole"
	fresh 2 1
	put "$W/d1/aa" 3000
	put "$W/d1/large" 200000
	put "$W/d1/larger" 300000
	put "$W/d1/zz" 2500
	put "$W/d2/a" 4000
	expect 0 --test-force-order-alpha sync
	remember_all
	sed -i "s|^data d1 .*|data d1 $W/small|" "$CONF"
	expect 1 -U fix
	[ "$(grep -c 'no space left' "$W/err")" = 1 ] || fail "that the disk is full is not said once"
	says '^ +2 recovered$'
	says '^ +2 skipped: no space left on the disk$'
	says "^ +'d1/larger?'$"
	gone "$W/small/large"
	for f in "aa 3000" "zz 2500"; do
		cmp <(put /dev/stdout "${f#* }" "$W/d1/${f% *}") "$W/small/${f% *}" || fail "${f% *} is not back"
	done
	mount -o remount,size=2m "$W/small"
	expect 0 fix
	says_not 'skipped'
	cmp <(put /dev/stdout 200000 "$W/d1/large") "$W/small/large" || fail "large is not back"
	umount "$W/small"
	unset -f undo
fi

step "what was not restored is summed up by reason: once each, with names, in 80 columns"
populate
deep=$(printf 'deeper/%.0s' {1..20})
put "$W/d1/$deep/file" 100
for i in 1 2 3 4 5; do put "$W/d1/lost$i" 4000; done
for i in 1 2 3 4 5; do put "$W/d2/lost$i" 4000; done
expect 0 --test-force-order-alpha sync
lose "$W/d1"
rm "$W"/d2/lost*
put "$W/d1/b" 77
expect 1 -m fix
says '^ +5 recovered$'
says '^ +1 skipped: a link or a file is in the place of its directory$'
says "^ +'d1/b/file'$"
says '^ +11 unrecoverable: too much else of the same stripes is lost$'
says '^ +and 8 more$'
[ -z "$(lines | sed -n '/^Files, links/,/errors$/p' | grep -E '.{81}')" ] || fail "a line has more than 80 columns"
[ "$(lines | sed -n '/^Files, links/,/errors$/p' | grep -c .)" -le 20 ] || fail "the table is too long"
rm "$W/d1/b"
says_not '^Everything OK$'

step "a file with a hundred bad blocks is one message"
fresh 2 1
put "$W/d1/rotten" 102400
put "$W/d1/gone" 102400
put "$W/d2/a" 1000
expect 0 sync
for ((i = 10; i < 102400; i += 1024)); do flip "$W/d1/rotten" $i; done
mv "$W/d1/gone" "$W/gone"
expect 1 -l "$W/log" check
for f in rotten gone; do [ "$(cat "$W/out" "$W/err" | grep -c "$f")" -le 2 ] || fail "check tells more than one thing of $f"; done
expect 0 fix
for f in rotten gone; do [ "$(cat "$W/out" "$W/err" | grep -c "$f")" -le 2 ] || fail "fix tells more than one thing of $f"; done
cmp "$W/gone" "$W/d1/gone" || fail "not restored"

# W9
step "right data with a wrong time: the time is set back; a file that grew or was cut is as before, time and all"
populate
touch -d '2001-02-03' "$W/d1/zz" "$W/d1/zz-empty"
expect 0 check
expect 0 fix
same_all
echo more >> "$W/d1/aa"
truncate -s 1000 "$W/d1/b/file"
expect 0 fix
[ "$(tail -c 5 "$(aside "$W/d1/aa")")" = more ] || fail "what was added is lost"
rm "$(aside "$W/d1/aa")"
same_all

step "a directory turns into a link and back while fix runs: nothing is ever written through it"
populate
mkdir "$W/elsewhere"
for i in {1..40}; do put "$W/d1/b/$i" 900; done
expect 0 sync
remember_all
ln -s "$W/elsewhere" "$W/d1/b-link"
# The two change places all the time, in one step each, and stay so for a moment.
swap='
import ctypes, sys, time
rename = ctypes.CDLL(None).renameat2
a, b = (name.encode() for name in sys.argv[1:])
while rename(-100, a, -100, b, 2) == 0:
    time.sleep(0.00005)'
$PYTHON3 -c "$swap" "$W/d1/b" "$W/d1/b-link" &
racer=$!
for i in {1..40}; do
	rm -f "$W"/d1/b/{1..40} "$W"/d1/b-link/{1..40}
	QUIET=1 run -f /b/ fix
done
kill "$racer" || fail "the two did not change places"
wait "$racer" 2> /dev/null
[ -z "$(ls -A "$W/elsewhere")" ] || fail "written through a link: $(ls -A "$W/elsewhere")"
[ ! -L "$W/d1/b" ] || { rm "$W/d1/b" && mv "$W/d1/b-link" "$W/d1/b"; }
rm -f "$W/d1/b-link"
expect 0 fix
rm -rf "$W"/d1/*.changed-*
rm -f "$W"/d1/b/.snapraid-*.tmp	# of a file whose directory was gone when it was done
same_all

# W11: no data at all
step "links, empty files and directories alone"
fresh 2 1
: > "$W/d1/empty"
touch -d '2001-02-03 04:05:06.789' "$W/d1/empty"
ln "$W/d1/empty" "$W/d1/hard"
ln -s nowhere "$W/d1/soft"
mkdir -p "$W/d1/a/b/c"
: > "$W/d2/other"
expect 0 sync
remember_all
expect 0 check
lose "$W/d1"
expect 1 check
expect 0 fix
same_all
expect 0 check
rm "$W/d1/soft"
ln -s elsewhere "$W/d1/soft"
expect 1 check
expect 0 fix
[ "$(readlink "$(aside "$W/d1/soft")")" = elsewhere ] || fail "what the link said is lost"
rm "$(aside "$W/d1/soft")"
same_all

# W12: a range of stripes
step "fix of a range: what is in it is back and stays, what is not is not called recovered"
fresh 2 1
put "$W/d1/a" 3072
put "$W/d1/b" 4096
put "$W/d1/c" 3072
put "$W/d2/x" 10240
expect 0 --test-force-order-alpha sync
remember_all
lose "$W/d1"
run -S 0 -B 5 fix
cmp <(put /dev/stdout 3072 "$W/d1/a") "$W/d1/a" || fail "d1/a is not back"
gone "$W/d1/b"
cmp -n 2048 <(put /dev/stdout 4096 "$W/d1/b") "$W/d1/b.unrecoverable" || fail "what was made of b is thrown away"
says '^ +1 skipped: only a part of it is in the range of this run$'
gone "$W/d1/c"
says '^recovered .*a$'
says_not '^recovered .*[bc]$'
run -S 5 -B 100 fix
cmp <(put /dev/stdout 3072 "$W/d1/c") "$W/d1/c" || fail "d1/c is not back"
cmp <(put /dev/stdout 4096 "$W/d1/b") "$W/d1/b" || fail "both halves of d1/b were restored, and it is not back"
gone "$W/d1/b.unrecoverable"
expect 0 fix
same_all
put "$W/d1/b" 4000 other
cp -p "$W/d1/b" "$W/b"
run -S 4 -B 1 fix
find "$W/d1" -type f -exec cmp -s "$W/b" {} \; -print | grep -q . || fail "a part of a file was repaired, and the edited one is gone"

step "a recorded file may be called as fix calls a part of one: it is left alone, and so is what an earlier run has saved"
fresh 2 1
put "$W/d1/a" 3000
put "$W/d1/a.unrecoverable" 2000
put "$W/d2/a" 5000
expect 0 --test-force-order-alpha sync
remember_all
rm "$W/d1/a"
expect 0 fix
same_all
rm "$W/d1/a"
truncate -s 1024 "$W/d2/a"	# of the second block of each nothing is left
expect 1 -d d1 fix
cmp <(put /dev/stdout 2000 "$W/d1/a.unrecoverable") "$W/d1/a.unrecoverable" || fail "a recorded file is overwritten"
cmp -n 1024 <(put /dev/stdout 3000 "$W/d1/a") "$W"/d1/snapraid-*.unrecoverable || fail "what was recovered is thrown away"
put "$W/d2/a" 5000
expect 0 fix
rm -f "$W"/d2/a.changed-*
same_all

# W14: a donor that cannot be read
step "a file that could help cannot be read: it is passed over"
fresh 2 1
put "$W/d1/a" 3000
put "$W/d1/b" 2000
put "$W/d1/c" 2500
put "$W/d2/a" 3000
put "$W/d2/b" 2000
put "$W/d2/c" 900
expect 0 --test-force-order-alpha sync
remember_all
mkdir -p "$W/import/1" "$W/import/2"
cp -p "$W/d1/a" "$W/import/1/a"
cp -p "$W/d1/b" "$W/import/1/b"
cp -p "$W/d1/b" "$W/import/2/b"
cp -p "$W/d1/c" "$W/import/1/c"
chmod 0 "$W/import/1/a" "$W/import/1/b"
lose "$W/d1"
rm "$W/d2/b" "$W/d2/a"
chmod -R a+rX "$W" 2> /dev/null
chmod 0 "$W/import/1/a" "$W/import/1/b"
if [ "$(id -u)" = 0 ]; then
	chown -R 65534:65534 "$W"
	chown 0:0 "$W/import/1/a" "$W/import/1/b"
	RUN_UNDER="setpriv --reuid=65534 --regid=65534 --clear-groups"
fi
expect 1 -i "$W/import" fix
cmp <(put /dev/stdout 2500 "$W/d1/c") "$W/d1/c" || fail "d1/c is not back"
cmp <(put /dev/stdout 2000 "$W/d1/b") "$W/d1/b" || fail "d1/b is not back, though a second file could help"
cmp <(put /dev/stdout 2000 "$W/d2/b") "$W/d2/b" || fail "d2/b is not back"
RUN_UNDER=
chmod 644 "$W/import/1/a"
expect 0 -i "$W/import" fix
same_all
