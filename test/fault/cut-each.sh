#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
thin=97
. "$(dirname "$0")/lib.sh"
story "the power is cut at each call of a sync that changes a file: what was not synced is lost, in whole or in part"

# cut_each KINDS LOST ARG...: at each call one of the kinds, then so many disks at once are lost
cut_each()
{
	local kinds lost=$2
	read -ra kinds <<< "$1"
	shift 2
	back start
	calls "$@"
	[[ " $* " != *autosave* ]] || autosaves
	states=0 losses=0
	for ((at = 1; at <= calls + 1; at += STEP)); do
		back start
		kind=${kinds[at % ${#kinds[@]}]}
		harmed "cut:$kind" "$at" "$@"
		killed "$at"
		what="a power cut ($kind) before call $at ($(victim))"
		survives "$lost"
	done
	echo "   $calls calls, $states states left behind, $losses losses"
}

step "a sync of changes, with an autosave"
prepare_sync
cut_each "all names data 1 2" 2 --test-force-autosave-at 10 sync

# One level of a stripe may be neither old nor new then, so that one disk less can be lost.
step "of the last write half is there: additions, with checkpoints"
prepare_additions 2
sure=1
cut_each torn 2 --test-checkpoint-every 3 sync

step "... and of all that was written since the last fsync nothing else"
cut_each torn-alone 2 --test-checkpoint-every 3 sync

kinds=(all names data 1 2)

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

step "the last files move to holes, so that the parity gets shorter"
prepare_tail 2
cut_each "all names data 1 2" 2 sync
sure=1
cut_each torn 2 sync
