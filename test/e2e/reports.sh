#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "what an array holds can be asked for: status, list, dup, touch, pool, rehash and -C"

array 2 1 "pool $W/pool"
mkdir "$W/pool"
put "$W/d1/films/one film" 5000 film
put "$W/d2/copy of it" 5000 film
put "$W/d2/whole second" 700
put "$W/d1/zebra" 900
touch -d '2024-03-05 10:20:30.5' "$W/d1/films/one film" "$W/d1/zebra" "$W/d2/copy of it"
touch -d '2024-03-05 10:20:31' "$W/d2/whole second"
ln -s zebra "$W/d1/link"

step "before the first sync"
expect 0 status
tells '^The array is empty\.$'
expect 0 list
says '^ +0 files, for 0 GB$'

expect 0 --test-force-murmur3 sync

step "list: by disk and path, and nothing is read from the disks"
expect 0 list
lines | grep -E '^ +[0-9]+ |link' > "$W/listed"
diff - "$W/listed" << 'END' || fail "the list is another one"
        5000 2024/03/05 10:20 films/one\ film
         900 2024/03/05 10:20 zebra
     symlink                  link -> zebra
        5000 2024/03/05 10:20 copy\ of\ it
         700 2024/03/05 10:20 whole\ second
       4 files, for 0 GB
       1 links
END

step "dup"
expect 0 dup
says '^ +5000 copy\\ of\\ it = films/one\\ film$'
says '^There are duplicates!$'

step "status tells all that is sound"
expect 0 status
says '^No sync is in progress\.$'
says '100% of the array is not scrubbed\.$'
says '^You have 1 files with (a )?zero sub-second timestamp\.$'
says '^No error detected\.$'
says_not 'sync in progress'

step "touch changes the time and nothing else; a sync then has nothing to do"
before=$(sha256sum < "$W/d2/whole second")
expect 0 touch
says '^touch whole\\ second$'
[ "$(stat -c %Y "$W/d2/whole second")" = "$(date -d '2024-03-05 10:20:31' +%s)" ] || fail "the second has changed"
[ "$(stat -c %y "$W/d2/whole second" | cut -d. -f2 | cut -c1-9)" != 000000000 ] || fail "still no sub-second time"
[ "$before" = "$(sha256sum < "$W/d2/whole second")" ] || fail "the data has changed"
expect 0 diff
expect 0 status
says '^No file has a zero sub-second timestamp\.$'

step "pool: a link for each file; what is gone goes, what is not ours stays"
echo mine > "$W/pool/mine"
expect 0 pool
says '^5 links$'
[ "$(readlink -f "$W/pool/films/one film")" = "$(readlink -f "$W/d1/films/one film")" ] || fail "a wrong link"
cmp -s "$W/pool/films/one film" "$W/d2/copy of it" || fail "the pool shows other bytes"
rm -r "$W/d1/films"
expect 0 sync
expect 0 pool
says '^4 links$'
gone "$W/pool/films"
exists "$W/pool/mine"

step "-C: a form to rebuild the configuration from"
"$SNAPRAID" -C "$W/c/content" > "$W/form" 2> "$W/err" || fail "-C fails"
for line in 'blocksize 1' 'hashsize 16' "content $W/c/content"; do
	grep -qxF "$line" "$W/form" || fail "the form has no '$line'"
done
for word in parity 'data d1' 'data d2'; do grep -q "^$word [A-Z_]*\$" "$W/form" || fail "the form has no '$word'"; done
if ours; then
	sed -e "s|PATH_OF_THE_PARITY_FILE|$W/p1/parity|; s|^data \(d[12]\) .*|data \1 $W/\1|" "$W/form" > "$W/filled"
	CONF=$W/filled expect 0 diff
fi

step "rehash: scheduled once, done by scrub"
expect 0 rehash
expect 0 status
says '^You have a rehash in progress at 0%\.$'
refuse rehash
verified
put "$W/d1/new" 3000
expect 0 sync
verified
expect 0 -p full scrub
expect 0 status
says '^No rehash is in progress or needed\.$'
refuse rehash
synced

step "a bad block is told until it is mended"
flip "$W/d1/zebra" 100
expect 1 -p full scrub
expect 0 status
says '^DANGER! In the array there are 1 errors!$'
says_not '^No error detected'
expect 0 -e fix
expect 0 -p bad scrub
expect 0 status
says '^No error detected\.$'

step "names on screen with their disk, or whole"
expect 0 --test-fmt disk list
says ' d2:copy\\ of\\ it$'
mv "$W/d2/copy of it" "$W/away"
expect 2 --test-fmt path diff
says "^remove $W/d2/copy\\\\ of\\\\ it\$"
expect 0 --test-fmt disk -l "$W/log" fix
says '^recovered d2:copy\\ of\\ it$'
grep -qx 'status:recovered:d2:copy of it' "$W/log" || fail "the log names the file in another way"
rm "$W/away"

step "and all this works with no data disk there"
mv "$W/d2" "$W/away"
expect 0 status
expect 0 list
says 'copy\\ of\\ it$'
expect 0 dup
mv "$W/away" "$W/d2"
