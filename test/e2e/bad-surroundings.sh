#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
ours || skip "this is asked of our own program"
story "helpers that are missing or hang, disks that tell nothing, a pool with files of others, a log without room: one message, no harm"

array 2 1 "pool $W/pool"
mkdir "$W/pool" "$W/bin"
put "$W/d1/film" 5000
put "$W/d2/music/song" 3000
expect 0 sync
remember all "$W/d1" "$W/d2" "$W/p1"
once() { [ "$(grep -cE -- "$1" "$W/err")" = 1 ] || fail "stderr does not have one line like '$1'"; }
recorded=$(cd "$here/../smart" && pwd)
run devices
[ "$rc" = 0 ] && on_disk=1 || on_disk=
OLD_PATH=$PATH

if [ "$on_disk" ]; then
	step "no smartctl"
	printf 'exit 3\n' > "$W/bin/smartctl"	# it may not be run
	PATH=$W/bin
	/usr/bin/timeout 60 "$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" smart > "$W/out" 2> "$W/err"
	rc=$?
	PATH=$OLD_PATH
	[ "$rc" = 1 ] || fail "smart exits $rc"
	once "d1: no answer of .*: (smartctl cannot be run|there is no program 'smartctl')"
	says '^No disk tells what an estimate of failures needs\.$'

	step "one that hangs is given up after half a minute, whatever signals it ignores"
	printf '#!/bin/bash\ntrap "" TERM INT HUP\nwhile :; do sleep 1000; done\n' > "$W/bin/smartctl"
	chmod +x "$W/bin/smartctl"
	PATH=$W/bin:$OLD_PATH
	begin=$(date +%s)
	expect 1 probe
	took=$(($(date +%s) - begin))
	[ $took -lt 50 ] || fail "probe takes $took s"
	once "d1: no answer of .*: smartctl did not end in time; the disk may hang"

	step "a disk without SMART, and one that root alone may ask"
	for answer in unknown-device:1 no-permission:2; do
		printf '#!/bin/bash\ncat "%s"\nexit %s\n' "$recorded/${answer%:*}.json" "${answer#*:}" > "$W/bin/smartctl"
		expect 1 smart
		once 'd1: no answer of '
		expect 0 -D smart
	done
	PATH=$OLD_PATH
fi

if [ "$(stat -f -c %T /dev/shm 2> /dev/null)" = tmpfs ] && [ -w /dev/shm ]; then
	step "a data disk that is on no device: told by the commands that look for one, and by no other"
	shm=$(mktemp -d /dev/shm/snapraid-test.XXXXXX)
	undo() { rm -rf "$shm"; }
	cp -a "$W/d2/." "$shm/"
	sed -i "s|^data d2 .*|data d2 $shm|" "$CONF"
	for command in devices probe; do
		expect 1 $command
		once "d2: '$shm/' is on no disk that can be found"
	done
	expect 0 -U diff
	expect 0 -U check
	sed -i "s|^data d2 .*|data d2 $W/d2|" "$CONF"
fi

step "a pool with files of others: links of ours come and go around them"
mkdir -p "$W/pool/music/their own" "$W/pool/empty"
echo theirs > "$W/pool/film"		# in the way of a link
echo theirs > "$W/pool/music/their own/file"
ln -s /nowhere "$W/pool/stale"
expect 0 pool
once "'film' in the pool is no link of the pool"
[ "$(cat "$W/pool/film")" = theirs ] || fail "a file of others was overwritten"
exists "$W/pool/music/their own/file"
[ "$(readlink "$W/pool/music/song")" = "$W/d2/music/song" ] || fail "no link to the song"
gone "$W/pool/empty"
[ ! -L "$W/pool/stale" ] || fail "a stale link is still there"
same all "$W/d1" "$W/d2" "$W/p1"

step "a pool inside of a data disk, and one that is gone"
sed -i "s|^pool .*|pool $W/d1/pool|" "$CONF"
mkdir "$W/d1/pool"
refuse pool
rmdir "$W/d1/pool"
refuse pool
sed -i "s|^pool .*|pool $W/pool|" "$CONF"

step "a log that cannot be opened: nothing is begun"
put "$W/d1/new" 2000
for log in "$W/nowhere/log" "$W" "$W/%x"; do
	refuse -l "$log" sync
	[ "$(wc -l < "$W/err")" = 1 ] || fail "more than one line about the log"
done

step "a log without room: said once, and the sync is done without"
expect 0 -l /dev/full sync
once "Cannot write the log '/dev/full': No space left on device"
says '^Everything OK$'
synced
if [ "$(id -u)" = 0 ] && mkdir "$W/small" && mount -t tmpfs -o size=16k none "$W/small" 2> /dev/null; then
	undo() { umount "$W/small"; rm -rf "${shm:-}"; }
	for i in $(seq 800); do echo $i > "$W/d1/some file with a name $i"; done
	expect 0 -l "$W/small/log" sync
	once "Cannot write the log '$W/small/log': No space left on device"
	synced
	expect 0 -l "$W/small/log.gz" -v check
fi
