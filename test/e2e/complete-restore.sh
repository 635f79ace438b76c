#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "a restored file is complete: mode, owner, extended attributes, ACLs, holes, and the times of its directories"

ours || skip "the peer keeps data and times of files only"
[ "$(id -u)" = 0 ] || skip "not root"
for tool in losetup mkfs.ext4 mkfs.xfs mkfs.btrfs; do command -v $tool > /dev/null || skip "no $tool"; done
PYTHON3=${PYTHON3:-python3}
command -v "$PYTHON3" > /dev/null || skip "no python3"
OPTIONS=(--test-skip-self)

mounted=()
undo() { local m; for m in "${mounted[@]}"; do umount -l "$m" 2> /dev/null; done; }

# disk NAME KIND MIB: a fresh file system, mounted
disk()
{
	local image=$W/$1.img
	umount "$W/$1" 2> /dev/null
	rm -f "$image"
	truncate -s "$3M" "$image"
	case $2 in
	ext4) mkfs.ext4 -q -F -m 0 "$image" ;;
	xfs) mkfs.xfs -q -f "$image" ;;
	btrfs) mkfs.btrfs -q -f "$image" ;;
	esac > /dev/null 2>&1 || skip "cannot make $2"
	mkdir -p "$W/$1"
	mount -o loop "$image" "$W/$1" 2> /dev/null || skip "cannot mount a loop device"
	mounted+=("$W/$1")
}

# acl PATH default|access: user 1234 may read, the group not
acl()
{
	"$PYTHON3" -c '
import os, struct, sys
entry = [(1, 7, 0xffffffff), (2, 4, 1234), (4, 0, 0xffffffff), (16, 4, 0xffffffff), (32, 0, 0xffffffff)]
value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in entry)
os.setxattr(sys.argv[1], "system.posix_acl_" + sys.argv[2], value)' "$1" "$2"
}

attribute() { "$PYTHON3" -c 'import os, sys; os.setxattr(sys.argv[1], sys.argv[2], os.fsencode(sys.argv[3]))' "$@"; }

# all DIR: what a complete restore brings back, a line for each thing
all()
{
	"$PYTHON3" -c '
import os, stat, sys
top = sys.argv[1]
for base, dirs, files in os.walk(top):
    dirs[:] = sorted(d for d in dirs if d != "lost+found")
    for name in [""] + sorted(files + [d for d in dirs if os.path.islink(os.path.join(base, d))]):
        path = os.path.join(base, name) if name else base
        s = os.lstat(path)
        if name.startswith("content"):
            continue
        link = stat.S_ISLNK(s.st_mode)
        attributes = [] if link else sorted((a, os.getxattr(path, a)) for a in os.listxattr(path))
        when = s.st_mtime_ns if base != top or name else 0
        holes = stat.S_ISREG(s.st_mode) and s.st_blocks * 512 < s.st_size
        print(repr(os.path.relpath(path, top)), oct(s.st_mode), s.st_uid, s.st_gid, when, holes, attributes)' "$1"
}

remember_all_of() { all "$W/$1" > "$W/all.$1"; }
same_all_of() { all "$W/$1" | cmp -s - "$W/all.$1" || { all "$W/$1" | diff "$W/all.$1" -; fail "$1 is not as it was"; }; }

disk d1 ext4 32
disk d2 xfs 320
disk d3 btrfs 128
disk p1 ext4 32
mkdir "$W/c"
cat > "$CONF" <<EOF
blocksize 4
parity $W/p1/parity
content $W/c/content
content $W/p1/content
data d1 $W/d1
data d2 $W/d2
data d3 $W/d3
exclude /lost+found/
EOF
for i in 1 2 3; do
	d=$W/d$i
	put "$d/deep/private/secret" 9000
	put "$d/deep/tool" 5000
	put "$d/plain" 3000
	mkdir "$d/deep/empty"
	: > "$d/deep/nothing"
	ln -s tool "$d/deep/link"
	ln "$d/plain" "$d/deep/hard"
	truncate -s 200000 "$d/deep/holes"
	put "$W/.some" 5000
	dd if="$W/.some" of="$d/deep/holes" bs=4096 seek=20 conv=notrunc 2> /dev/null
	chmod 640 "$d/deep/private/secret"
	chown 1000:1001 "$d/deep/private/secret" "$d/deep/private"
	chown -h 7:8 "$d/deep/link"
	chmod 4755 "$d/deep/tool"
	chmod 400 "$d/deep/nothing"
	chmod 711 "$d/deep/empty"
	attribute "$d/deep/tool" user.comment "one, two"
	attribute "$d/deep/private" user.folder yes
	attribute "$d/deep/tool" trusted.thing kept
	acl "$d/plain" access
	acl "$d/deep/private" default
	chmod 2750 "$d/deep/private"
	chmod 3775 "$d/deep"
	touch -h -d '2001-02-03 04:05:06.123456789' "$d/deep/link"
	touch -d '2002-02-03 04:05:06.7' "$d/deep/private" "$d/deep/empty" "$d/deep/nothing"
	touch -d '2003-02-03 04:05:06.7' "$d/deep"
	remember_all_of d$i
done
expect 0 sync
verified
[ -s "$W/c/content.side" ] && [ -s "$W/p1/content.side" ] || fail "a copy has no side file"

step "without a change nothing is written"
before=$(stat -c '%i %Y %n' "$W"/c/* "$W"/p1/content*)
expect 0 sync
[ "$before" = "$(stat -c '%i %Y %n' "$W"/c/* "$W"/p1/content*)" ] || fail "a sync of nothing wrote the content"

for lost in "1 ext4 32" "2 xfs 320" "3 btrfs 128"; do
	set -- $lost
	step "d$1 ($2) is replaced by a new, empty disk"
	disk "d$1" "$2" "$3"
	expect 0 -d "d$1" --force-uuid fix
	same_all_of "d$1"
	expect 0 --force-uuid sync
	verified
	same_all_of "d$1"
done

step "a part is deleted and comes back, also under another umask"
for lost in "2 deep/private" "1 deep/tool" "3 deep/holes"; do
	set -- $lost
	rm -r "$W/d$1/$2"
	(umask 077; expect 0 -m fix) || exit 1
	all "$W/d$1" | grep "'$2['/]" > "$W/now"
	grep "'$2['/]" "$W/all.d$1" | diff - "$W/now" || fail "$2 of d$1 is not as it was"
done
expect 0 sync

step "a change of modes and attributes alone: no update, no parity, but recorded"
before=$(sha256sum < "$W/p1/parity")
chmod 600 "$W/d1/plain"
attribute "$W/d2/plain" user.new 1
chown 5 "$W/d3/plain"
expect 0 diff
counts 0 updated
expect 0 sync
grep -q 'Nothing to do' "$W/out" || fail "the sync had something to do"
[ "$before" = "$(sha256sum < "$W/p1/parity")" ] || fail "parity was written"
for i in 1 2 3; do remember_all_of d$i; done
for i in 1 2 3; do
	rm "$W/d$i/plain" "$W/d$i/deep/hard"
	expect 0 -f plain -f hard fix
	all "$W/d$i" | grep "^'plain'" | diff - <(grep "^'plain'" "$W/all.d$i") || fail "d$i: plain is not as it was last"
done
expect 0 sync

step "--meta-only puts all back on what is there"
for i in 1 2 3; do remember_all_of d$i; done
expect 0 sync
for i in 1 2 3; do
	chown -R 99:99 "$W/d$i/deep"
	chmod -R 777 "$W/d$i/deep"
	acl "$W/d$i/deep/tool" access
	touch "$W/d$i/deep/private" "$W/d$i/deep"
done
expect 0 --meta-only fix
for i in 1 2 3; do same_all_of d$i; done
expect 0 diff

step "a filtered one leaves the others"
chmod 777 "$W/d1/deep/tool" "$W/d2/deep/tool"
expect 0 --meta-only -d d1 fix
same_all_of d1
[ "$(stat -c %a "$W/d2/deep/tool")" = 777 ] || fail "it was not asked to touch d2"
expect 0 --meta-only fix
same_all_of d2

step "another program wrote the content file: a note, and all goes on"
expect 0 sync
for f in "$W/c/content" "$W/p1/content"; do
	"$PYTHON3" -c 'import os, sys; os.truncate(sys.argv[1], os.path.getsize(sys.argv[1]) - 1)' "$f.side"
done
expect 0 status
grep -q 'content.side.*damaged' "$W/err" || fail "nothing is said of a damaged side file"
expect 1 --meta-only fix
expect 0 sync
expect 0 --meta-only fix
for i in 1 2 3; do same_all_of d$i; done
rm "$W/p1/content.side"
expect 0 sync
[ -s "$W/p1/content.side" ] || fail "the missing side file is not there again"

step "keep_metadata off: as the peer"
echo "keep_metadata off" >> "$CONF"
expect 0 --test-force-content-write sync
[ ! -e "$W/c/content.side" ] && [ ! -e "$W/p1/content.side" ] || fail "a side file is left"
rm "$W/d1/plain"
expect 0 -m fix
[ "$(stat -c '%a %u' "$W/d1/plain")" = "600 0" ] || fail "mode and owner are not those of a new file"
