#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the power is cut at each call of a sync that changes a file: what was not synced is lost, in whole or in part"

kinds=(all names data 1 2)

step "a sync of changes, with an autosave"
prepare_sync
calls --test-force-autosave-at 6 sync
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	kind=${kinds[at % 5]}
	harmed "cut:$kind" "$at" --test-force-autosave-at 6 sync
	killed "$at"
	what="a power cut ($kind) before call $at ($(victim))"
	survives
done

step "the first sync, into split parity"
rm -rf "$W"/d? "$W"/p? "$W/c"
array 2 1
sed -i "s|^parity .*|parity $W/p1/parity.a,$W/p1/parity.b|" "$CONF"
put "$W/d1/first" 9000
keep start
limit=(--test-parity-limit 4000)
calls "${limit[@]}" sync
[ -s "$W/p1/parity.b" ] || fail "the second split is not used"
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	kind=${kinds[at % 3]}
	harmed "cut:$kind" "$at" "${limit[@]}" sync
	killed "$at"
	what="a power cut ($kind) before call $at ($(victim))"
	OPTIONS+=("${limit[@]}")
	goes_on
	OPTIONS=("${OPTIONS[@]::${#OPTIONS[@]}-2}")
done

step "... which grows into a file that was just added to the configuration"
back start
cp "$CONF" "$W/split"
sed -i 's|,[^,]*/parity.b$||' "$CONF"
put "$W/d1/first" 1000
expect 0 "${limit[@]}" sync
cp "$W/split" "$CONF"
put "$W/d1/second" 9000
keep start
calls "${limit[@]}" sync
[ -s "$W/p1/parity.b" ] || fail "the second split is not used"
echo "   $calls calls"
for ((at = 1; at <= calls + 1; at += STEP)); do
	back start
	kind=${kinds[at % 3]}
	harmed "cut:$kind" "$at" "${limit[@]}" sync
	killed "$at"
	what="a power cut ($kind) before call $at ($(victim))"
	OPTIONS+=("${limit[@]}")
	goes_on
	OPTIONS=("${OPTIONS[@]::${#OPTIONS[@]}-2}")
done
