#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "an array of 2^32 stripes is one like others; one of more is refused by a word; few bytes ask for no more memory"
ours || skip "the peer takes memory for each stripe"

many=$((1 << 32))

# content KIND STRIPES: write a content file by hand. `far`: the file `far` of both disks lies in the last stripes, and
# so the parity; `unhashed`: the oldest version, in which one file claims all stripes, in 80 bytes.
content()
{
	$PYTHON3 - "$ORACLE" "$W" "$@" <<-'PY' || fail "no content file can be made"
	import importlib.util, os, sys
	sys.dont_write_bytecode = True
	oracle, top, kind, stripes = sys.argv[1:4] + [int(sys.argv[4])]
	def load(name):
	    spec = importlib.util.spec_from_file_location(name, os.path.join(oracle, name + ".py"))
	    module = importlib.util.module_from_spec(spec)
	    spec.loader.exec_module(module)
	    return module
	raidref, dump = load("raidref"), load("content-dump")
	def n(value):
	    out = b""
	    while value >= 0x80:
	        out += bytes([value & 0x7f])
	        value >>= 7
	    return out + bytes([value | 0x80])
	def text(value):
	    return n(len(value)) + value.encode()
	head = b"\n\3\0\0z" + n(1024) + b"x" + n(stripes) + b"cu" + bytes(16)
	if kind == "unhashed":
	    out = b"SNAPCNT1" + head + b"m" + text("d1") + n(0) + text("")
	    out += b"f" + n(0) + n(stripes * 1024) + n(5) + n(1) + n(7) + text("a") + b"n" + n(0) + n(stripes)
	    out += b"i" + n(800) + n(stripes) + n(0)
	else:
	    disks, files, parity = b"", b"", bytes(3072)
	    for i, disk in enumerate(("d1", "d2")):
	        path = os.path.join(top, disk, "far")
	        data, st = open(path, "rb").read(), os.stat(path)
	        disks += b"M" + text(disk) + n(i) + n(0) + n(0) + text("")
	        files += b"f" + n(i) + n(len(data)) + n(st.st_mtime_ns // 10**9) + n(st.st_mtime_ns % 10**9 + 1) + n(st.st_ino)
	        files += text("far") + b"b" + n(stripes - 3) + n(3)
	        for at in range(0, len(data), 1024):
	            files += raidref.murmur3(data[at:at + 1024], bytes(16))
	        files += b"h" + n(i) + n(stripes) + b"O"
	        parity = bytes(a ^ b for a, b in zip(parity, data.ljust(3072, b"\0")))
	    out = b"SNAPCNT2" + head + disks + b"P" + n(0) + n(0) + n(0) + text("") + files
	    out += b"i" + n(1000) + n(stripes - 3) + n(0) + n(3) + n(1) + n(0)
	    with open(os.path.join(top, "p1", "parity"), "r+b") as f:
	        f.seek((stripes - 3) * 1024)
	        f.write(parity)
	out += b"N"
	with open(os.path.join(top, "c", "content"), "wb") as f:
	    f.write(out + dump.crc32c(out).to_bytes(4, "little"))
	PY
	rm -f "$W/p1/content"*
}

array 2 1
put "$W/d1/far" 3000
put "$W/d2/far" 3072
remember_all
: > "$W/p1/parity"
truncate -s $((many * 1024)) "$W/p1/parity" 2> /dev/null || skip "no file of 4 TiB can be made here"
ldd "$SNAPRAID" 2> /dev/null | grep -qE "lib(asan|tsan)" || ulimit -v 3000000	# these take all there is

step "blocks in the last of 2^32 stripes"
content far "$many"
expect 0 diff
counts 2 equal
expect 0 list
says '^ +2 files, for 0 GB$'
expect 0 status
says '^No error detected\.$'
expect 0 check
expect 0 -p full scrub
expect 0 diff
flip "$W/d2/far" 2000
expect 1 -p full scrub
expect 0 -e fix
lose "$W/d1"
expect 0 fix
same_all
put "$W/d2/near" 5000
expect 0 sync
cp -p "$W/d2/near" "$W/near"
rm "$W/d2/near" "$W/d2/far"
expect 0 fix
cmp "$W/near" "$W/d2/near" || fail "what was synced before the others is not back"
rm "$W/d2/near"
expect 0 sync
same_all

step "one stripe more: refused by every command, and nothing is touched"
truncate -s $(((many + 1) * 1024)) "$W/p1/parity"
content far $((many + 1))
all() { stat -c '%n %s %y' "$W"/[dpc]*/* | grep -v lock; }
before=$(all)
for command in status list diff dup check fix scrub sync; do
	expect 1 "$command"
	[ "$(grep -c "tells of $((many + 1)) stripes, more than this program handles" "$W/err")" = 1 ] ||
		fail "it is not said why"
done
[ "$before" = "$(all)" ] || fail "something was changed"

step "80 bytes that claim them all"
content unhashed "$many"
[ "$(stat -c %s "$W/c/content")" -lt 100 ] || fail "the file is larger than was thought"
expect 0 status
expect 0 list
expect 2 diff
expect 1 -p full scrub
