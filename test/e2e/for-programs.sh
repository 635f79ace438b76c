#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
ours || skip "the peer of Debian has not all of these"
story "what programs that run this one ask for: --gui-*, and the commands for tests"

array 2 2 "extra spare $W" "pool $W/pool/" "share /far/away"
mkdir "$W/pool"
put "$W/d1/film" 30000
put "$W/d2/music" 12000
touch -d '2024-03-05 10:20:30' "$W/d1/film" "$W/d2/music"

step "--gui: no progress on the screen, tags in the log"
expect 0 --gui -l "$W/log" sync
says_not 'completed'
for tag in "pool:$W/pool" 'share:/far/away' 'run:begin:0:30:30' 'run:pos:[0-9]+:[0-9]+:[0-9]+:[0-9]+:[0-9]*:[0-9]*:[0-9]*:[0-9]+::' 'run:end' 'summary:exit:ok'; do
	grep -Eqx "$tag" "$W/log" || fail "the log has no '$tag'"
done

step "with temp_limit the temperature of the hottest disk is there too"
cp "$CONF" "$W/plain.conf"
echo "temp_limit 60" >> "$CONF"
expect 0 --test-fake-device --gui -l "$W/log" -p full scrub
grep -Eqx 'run:pos(:[0-9]*){8}:[0-9]{2}:' "$W/log" || fail "run:pos has no temperature"
cp "$W/plain.conf" "$CONF"

step "diff, sync and scrub log what room there is now, and on what file system"
for command in diff sync "-p full scrub"; do
	expect 0 -l "$W/log" $command
	for name in data:d1 data:d2 parity:parity parity:2-parity; do
		grep -Eqx "fsinfo_${name/:/_split:}:[0-9]+:[0-9]+:[a-z0-9.]*:.*" "$W/log" || fail "$command: no fsinfo split of $name"
		grep -Eqx "fsinfo_extra:spare:[0-9]+:[0-9]+" "$W/log" || fail "$command: no fsinfo of the extra disk"
		grep -Eqx "fsinfo_$name:[0-9]+:[0-9]+" "$W/log" || fail "$command: no fsinfo of $name"
	done
done

step "--gui-touch-before: as touch, then sync"
expect 0 --gui-touch-before -l "$W/log" sync
says '^touch film$'
grep -Eqx 'touch:d1:film: 1709634030\.[0-9]{9}' "$W/log" || fail "no tag touch"
expect 0 status
says '^No file has a zero sub-second timestamp\.$'
synced
refuse --gui-touch-before --nonsense sync

step "--gui-rescan-after: what still differs after a fix is in the log"
rm "$W/d1/film"
put "$W/d2/new" 1000
expect 0 --gui-rescan-after -l "$W/log" fix
grep -qx 'summary:exit:recovered' "$W/log" || fail "no verdict of fix"
grep -qx 'scan:add:d2:new' "$W/log" || fail "the new file is not told"
grep -qx 'summary:removed:0' "$W/log" || fail "the restored file counts as removed"
expect 0 sync
synced

step "read, test-read: the content is loaded, and nothing else"
remember parity "$W/p1" "$W/p2" "$W/c"
for command in read test-read; do
	expect 0 $command
	says '^Loading state from '
done
same parity "$W/p1" "$W/p2" "$W/c"

step "test-dry: what is selected is read, and its data is not looked at"
flip "$W/d1/film" 5000
expect 0 -l "$W/log" test-dry
says '^100% completed'
says '^Everything OK$'
expect 0 -f film test-dry
expect 0 -d 'd*' test-dry
mv "$W/d1/film" "$W/away"
expect 1 test-dry
warns "Missing file '$W/d1/film'"
mv "$W/away" "$W/d1/film"
flip "$W/d1/film" 5000
same parity "$W/p1" "$W/p2" "$W/c"

step "test-rewrite: the content is loaded and saved"
before=$(stat -c %i "$W/c/content")
expect 0 test-rewrite
[ "$before" != "$(stat -c %i "$W/c/content")" ] || fail "the content file was not written"
synced

step "test-downifup: as down, which wakes no disk to put it to sleep"
expect 0 --test-fake-device test-downifup
says '^Spundown /dev/fake1 d1'

step "--json: on stdout is what the log has, for machines, and nothing else"
printf 'x' > "$W/d1/"$'odd \\ name: "\n\t\xff\xc3\xa4\xed\xa0\x80'
cat > "$W/same.py" << 'END'
import json, sys
def field(value):
    return str(value).replace("\\", "\\\\").replace(":", "\\d").replace("\n", "\\n").replace("\r", "\\r")
def number(text):
    return text
def lines(path):
    for line in open(path, encoding="utf-8", errors="strict", newline="\n"):
        it = json.loads(line, parse_int=number, parse_float=number)
        assert set(it) <= {"tag", "text"} and type(it["tag"]) is list, line
        tag = it["tag"]
        if tag[0] == "time":
            yield ":".join(tag)
        else:
            # The name of a tag is as it is; a number of the log cannot be told from a text here.
            yield ":".join(field(part) for part in tag) + (": " + it["text"] if "text" in it else "")
got = list(lines(sys.argv[1]))
log = open(sys.argv[2], encoding="utf-8", errors="surrogateescape", newline="\n").read().split("\n")[:-1]
for a, b in zip(got, log):
    # The text at the end of some tags is free of escapes in neither.
    if a != b and not b.startswith("msg:"):
        sys.exit("JSON %r\nlog  %r" % (a, b))
if len(got) != len(log):
    sys.exit("%d lines of JSON, %d of the log" % (len(got), len(log)))
END
for command in status diff list dup locate "--test-fake-device smart" "--test-fake-device probe" sync "-p full scrub" check fix; do
	run --json -l "$W/log" $command
	[ "$rc" = 0 ] || [ "$rc" = 2 ] || fail "--json $command exits $rc"
	$PYTHON3 "$W/same.py" "$W/out" "$W/log" || fail "--json $command and its log differ"
done
expect 0 --json list
$PYTHON3 - "$W/out" << 'END' || fail "an odd name does not come through"
import json, os, sys
names = [os.fsencode(it["tag"][2]) for it in map(json.loads, open(sys.argv[1])) if it["tag"][0] == "file"]
sys.exit(0 if b'odd \\ name: "\n\t\xff\xc3\xa4\xed\xa0\x80' in names else 1)
END
refuse --json --nonsense list

step "'snapshot' is told to be not supported, once, where it would matter"
echo snapshot >> "$CONF"
for command in diff sync scrub check; do
	expect 0 $command
	[ "$(grep -c "'snapshot' is not supported" "$W/err")" = 1 ] || fail "$command does not tell it once"
done
expect 0 status
[ ! -s "$W/err" ] || fail "status tells it too"

step "the log says which files of the parity grow and shrink, what a scrub takes, and how much memory a run took"
rm -rf "$W"/c "$W"/p* "$W"/d?/*
array 2 1
logged() { grep -Eqx -- "$1" "$W/log" || fail "the log has no '$1'"; }
put "$W/d1/film" 4096
put "$W/d2/music" 4096
expect 0 -l "$W/log" sync
logged "split:grow:$W/p1/parity:4096: ok"
logged 'memory:used:[1-9][0-9]{5,}'
rm "$W"/d?/*
put "$W/d1/small" 1024
expect 0 -l "$W/log" --force-empty sync
logged "split:shrink:$W/p1/parity:1024: ok"
expect 0 -l "$W/log" -p 100 -o 0 scrub
for line in 'count_limit:[1-9][0-9]*' 'time_limit:[0-9]{10}' 'last_limit:[1-9][0-9]*'; do logged "$line"; done
expect 0 -l "$W/log" scrub
for line in count_limit:0 time_limit:0 last_limit:0; do logged "$line"; done

step "the log says why a block is lost, and which was found elsewhere"
put "$W/d1/one" 1024
put "$W/d2/two" 2048
expect 0 sync
mkdir "$W/elsewhere"
cp "$W/d1/one" "$W/elsewhere/copy"
rm "$W/d1/one" "$W/d2/two"
expect 1 -l "$W/log" check
logged 'repair_entry:0:block:known:bad:d1:one:0:'
logged 'repair_entry:1:block:known:bad:d2:two:1:'
logged 'recover_strategy_error:[0-9]+: Blocks lost: 2, levels read: 1'
expect 1 -l "$W/log" -i "$W/elsewhere" check
logged 'repair_hash_import:0: Fixed by import'
! grep -q '^recover_' "$W/log" || fail "the log has lost blocks, and none is"
dd if=/dev/urandom of="$W/p1/parity" bs=1024 count=9 conv=notrunc status=none
rm -r "$W/elsewhere"
put "$W/d2/two" 2048
expect 1 -l "$W/log" fix
logged 'recover_hash_error:[0-9]+: .*, attempts: [1-9]'
