#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# systemd takes the units, finds them well closed, and sync and scrub do their work with the rights that are left, smartctl
# included.
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

if [ "$(id -u)" != 0 ] || ! command -v setpriv > /dev/null; then
	echo "the rights were not tried: not root, or no setpriv"
	exit 0
fi
rights=$(sed -n 's/^CapabilityBoundingSet=//p' "$work/snapraid-sync.service" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')

# closed COMMAND...: with the rights of the unit, and as far as may be in what ProtectSystem=full, ProtectKernelTunables
# and PrivateNetwork leave of the system
cat > "$work/closed" << 'END'
mount --make-rprivate / || exit
for dir in /usr /boot /efi /etc /sys /proc/sys; do
	[ ! -e "$dir" ] || { mount --rbind "$dir" "$dir" && mount -o remount,bind,ro "$dir"; } || exit
done
! touch /etc/.snapraid-test 2> /dev/null || exit
exec "$@"
END
closed() { "${walls[@]}" setpriv --bounding-set="-all,$rights" --inh-caps=-all --no-new-privs "$@"; }
walls=(unshare --mount --net sh "$work/closed")
"${walls[@]}" true 2> "$work/walls" || { echo "only the rights are tried: $(cat "$work/walls")"; walls=(); }

mkdir "$work/d1" "$work/p1" "$work/c" "$work/bin"
printf '%s\n' "parity $work/p1/parity" "content $work/c/content" "content $work/d1/content" "data d1 $work/d1" "temp_limit 50" > "$work/conf"
cat > "$work/bin/smartctl" << END
#!/bin/sh
echo "\$*" >> "$work/asked"
cat "$(realpath "${srcdir:-.}/test/smart/ata-temperature.json")"
END
chmod +x "$work/bin/smartctl"
export PATH=$work/bin:$PATH
echo secret > "$work/d1/file"
chmod 000 "$work/d1/file"
chown 12345:12345 "$work/d1/file" "$work/d1"
for unit in sync scrub; do
	args=$(sed -n 's/^ExecStart=[^ ]* //p' "$work/snapraid-$unit.service")
	args=${args//'"'/}
	[ "${args##* }" = "$unit" ] || die "the unit does not end in $unit"
	closed "$SNAPRAID" --test-skip-device --test-skip-self -c "$work/conf" ${args//\/var\/log/$work} > "$work/out" 2>&1 ||
		die "$unit: $(cat "$work/out")"
done
grep -q '^summary:exit:ok' "$work/snapraid.log" || die "the log does not say that it ended well"
closed "$SNAPRAID" --test-skip-device -c "$work/conf" smart > "$work/out" 2>&1 || true
[ -s "$work/asked" ] || die "smart did not ask smartctl: $(cat "$work/out")"
echo "sync, scrub and smart work with: $rights"
