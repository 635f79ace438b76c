#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "parity that is gone or cut is noticed before anything is done, and a sync that fails leaves no file behind"

fresh() { rm -rf "$W"/[dpc][0-9]* "$W/c"; array "$@"; }

# W7
fresh 2 2
put "$W/d1/a" 9000
put "$W/d2/a" 5000
expect 0 sync
cp -a "$W/p1/parity" "$W/parity1"
cp -a "$W/p2/parity" "$W/parity2"
for level in 1 2; do
	for case in missing empty 'a byte short' 'a block short'; do
		for new in 0 1; do
			step "level $level is $case, new files: $new"
			case $case in
			missing) rm "$W/p$level/parity" ;;
			empty) : > "$W/p$level/parity" ;;
			'a byte short') truncate -s -1 "$W/p$level/parity" ;;
			'a block short') truncate -s -1024 "$W/p$level/parity" ;;
			esac
			[ "$new" = 0 ] || put "$W/d2/b" 3000
			refuse sync
			warns "$W/p$level/parity"
			if [ "$case" = missing ]; then gone "$W/p$level/parity"; fi
			rm -f "$W/d2/b"
			cp -a "$W/parity$level" "$W/p$level/parity"
		done
	done
done
step "fix makes it again"
rm "$W/p1/parity"
expect 0 fix
cmp "$W/p1/parity" "$W/parity1" || fail "parity is another one now"
synced

# W27
for levels in 2 3; do
	step "the first sync of $levels levels fails, as the last one cannot be made: no parity of the others is left"
	fresh 2 $levels
	put "$W/d1/a" 3000
	sed -i "s|$W/p$levels/parity|$W/nowhere/parity|" "$CONF"
	expect 1 sync
	[ -z "$(find "$W"/p? -name 'parity*')" ] || fail "left behind: $(find "$W"/p? -name 'parity*')"
	[ -z "$(find "$W/c" -name 'content')" ] || fail "a content file is left behind"
done

step "... or a folder has its name"
fresh 2 2
put "$W/d1/a" 3000
mkdir "$W/p2/parity"
expect 1 sync
gone "$W/p1/parity"

step "... or there is no room"
fresh 2 2
put "$W/d1/a" 3000
sed -i "s|$W/p2/parity|/dev/full|" "$CONF"
expect 1 sync
gone "$W/p1/parity"

# W33
step "a level is added, and the sync -F that makes it is killed: half of it is not taken for the whole"
fresh 2 2
put "$W/d1/a" 40000
put "$W/d2/a" 50000
cp "$CONF" "$W/two"
sed -i '/^2-parity/d' "$CONF"
expect 0 sync
cp "$W/two" "$CONF"
expect 0 --test-kill-after-sync -F sync
dd if=/dev/zero of="$W/p2/parity" bs=1024 seek=20 count=29 conv=notrunc 2> /dev/null	# it did not come so far
expect 2 diff
expect 0 sync
synced
