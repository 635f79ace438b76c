#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# systemd takes the units, finds them well closed, and sync and scrub do their work with the rights that are left.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }

for unit in sync.service sync.timer scrub.service scrub.timer; do
	file=pkg/systemd/snapraid-$unit
	[ -e "$file" ] || file=${srcdir:-.}/$file
	sed "s#^ExecStart=[^ ]*#ExecStart=$SNAPRAID#" "$file" > "$work/snapraid-$unit"
	! grep -q '@' "$work/snapraid-$unit" || grep -q '^SystemCallFilter=@' "$work/snapraid-$unit" || die "$file has an @"
done

if command -v systemd-analyze > /dev/null; then
	systemd-analyze verify --man=no "$work"/*.service "$work"/*.timer 2> "$work/verify" || die "verify: $(cat "$work/verify")"
	! grep snapraid "$work/verify" || die "verify warns"
	# 96 is a unit without any limit.
	for unit in sync scrub; do
		systemd-analyze security --offline=true --threshold=50 "$work/snapraid-$unit.service" > "$work/security" ||
			die "$(tail -1 "$work/security")"
		tail -1 "$work/security"
	done
	systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' "$work/snapraid-sync.timer")" > /dev/null
else
	echo "systemd-analyze is missing: the units are not verified"
fi

if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
	rights=$(sed -n 's/^CapabilityBoundingSet=//p' "$work/snapraid-sync.service" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
	mkdir "$work/d1" "$work/p1" "$work/c"
	printf '%s\n' "parity $work/p1/parity" "content $work/c/content" "content $work/d1/content" "data d1 $work/d1" > "$work/conf"
	echo secret > "$work/d1/file"
	chmod 000 "$work/d1/file"
	chown 12345:12345 "$work/d1/file" "$work/d1"
	for unit in sync scrub; do
		args=$(sed -n 's/^ExecStart=[^ ]* //p' "$work/snapraid-$unit.service")
		args=${args//'"'/}
		[ "${args##* }" = "$unit" ] || die "the unit does not end in $unit"
		setpriv --bounding-set="-all,$rights" --inh-caps=-all --no-new-privs "$SNAPRAID" --test-skip-device --test-skip-self \
			-c "$work/conf" ${args//\/var\/log/$work} > "$work/out" 2>&1 || die "$unit: $(cat "$work/out")"
	done
	grep -q '^summary:exit:ok' "$work/snapraid.log" || die "the log does not say that it ended well"
	echo "sync and scrub work with: $rights"
else
	echo "the rights were not tried: not root, or no setpriv"
fi
