#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the peer rewrites the content file beside a side file of ours: one note, no harm, and the next sync knows again"

array 2 1
put "$W/d1/dir/f" 3000
chmod 750 "$W/d1/dir/f"
put "$W/d1/other" 3000
put "$W/d2/g" 3000
by "$SNAPRAID"
expect 0 sync
[ -s "$W/c/content.side" ] || fail "there is no side file"

step "the peer syncs a change"
by "$PEER"
put "$W/d1/new" 2000
expect 0 sync
expect 0 diff

step "ours ignores the side file that does not fit, and says so once"
by "$SNAPRAID"
expect 0 diff
[ "$(grep -c 'is not of this content file' "$W/err")" = 1 ] || fail "not one note"
remember_all
rm "$W/d1/dir/f"
expect 0 -m fix
same_all
expect 1 --meta-only fix

step "a sync knows all again"
chmod 750 "$W/d1/dir/f"
expect 0 sync
expect 0 diff
! grep -q 'is not of this content file' "$W/err" || fail "the note is still there"
rm "$W/d1/dir/f"
expect 0 -m fix
[ "$(stat -c %a "$W/d1/dir/f")" = 750 ] || fail "the mode is not back"

step "and the peer still reads what ours wrote"
by "$PEER"
expect 0 diff
expect 0 check
