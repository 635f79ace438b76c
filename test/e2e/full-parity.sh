#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the parity disk is full: what fits is synced, what does not is named"

OPTIONS+=(--test-force-order-alpha)
for huge in huge next-huge very-huge; do
	rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/keep"
	step "a file named $huge"

	array 2 1
	put "$W/d1/small" 2000
	put "$W/d2/small" 3000
	expect 0 sync
	remember_all
	put "$W/d1/more" 2000
	put "$W/d1/$huge" 90000
	put "$W/d2/tiny" 500
	expect 1 -l "$W/log" --test-parity-limit 8192 sync
	grep -q "^outofparity:d1:$huge\$" "$W/log" || fail "the file that does not fit is not in the log"
	tells "$huge"
	says_not '^Everything OK'
	if ours; then	# the peer syncs nothing at all
		step "the others are protected"
		cp -a "$W/d1/more" "$W/more"
		rm "$W/d1/more"
		expect 0 -m -f more fix
		cmp "$W/more" "$W/d1/more" || fail "more was not recovered"
		cp -a "$W/d2" "$W/keep"
		lose "$W/d2"
		expect 0 -d d2 fix
		remember x "$W/keep"
		same x "$W/d2"
	fi
	step "what was there before is safe"
	rm "$W/d1/small"
	expect 0 -m -f small fix
	step "the file leaves: all is well"
	rm "$W/d1/$huge"
	expect 0 --test-parity-limit 8192 sync
	synced
done

if ours; then	# the peer takes as much memory as the file would need
	step "a file that claims more than any parity could hold: named, and all others are synced"
	rm -rf "$W"/[dpc][0-9]* "$W/c" "$W/keep"
	array 2 1
	put "$W/d1/small" 2000
	put "$W/d2/small" 3000
	expect 0 sync
	truncate -s 7E "$W/d1/hole" 2> /dev/null || truncate -s 15T "$W/d1/hole"
	ln "$W/d1/hole" "$W/d1/link to it"
	put "$W/d1/more" 2000
	put "$W/d2/more" 2000
	expect 1 -l "$W/log" sync
	grep -q '^outofparity:d1:hole$' "$W/log" || fail "it is not in the log"
	warns "d1/hole' claims"
	rm "$W/d1/more"
	expect 0 -m -f more fix
	rm "$W/d1/hole" "$W/d1/link to it"
	expect 0 sync
	synced
fi

if ours && [ "$(id -u)" = 0 ]; then
	step "the parity is a link to another file system, and that one counts"
	rm -rf "$W"/[dpc][0-9]* "$W/c"
	array 2 1
	mkdir "$W/small"
	if mount -t tmpfs -o size=64k none "$W/small" 2> /dev/null; then
		undo() { umount "$W/small"; }
		ln -s "$W/p1/parity" "$W/small/parity"
		sed -i "s|^parity .*|parity $W/small/parity|" "$CONF"
		: > "$W/p1/parity"
		put "$W/d1/large" 300000
		expect 0 sync
		synced
	fi
fi
