#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "what computes is told, can be asked for, and makes no difference to the parity"

array 3 2
for d in 1 2 3; do put "$W/d$d/file" 700000; done

step "told in the log"
expect 0 -l "$W/log" sync
for operation in xor encode verify update solve spooky2; do
	grep -q "^kernel:$operation:[a-z0-9]*:[0-9]*:." "$W/log" || fail "no tag of the kernel for $operation"
done

step "asked for"
for options in "--raid-kernel scalar" "--hash-kernel scalar" "--raid-kernel scalar --hash-kernel scalar"; do
	# shellcheck disable=SC2086
	expect 0 $options -l "$W/log" -p full scrub
done
grep -q "^kernel:verify:scalar:0:asked for" "$W/log" || fail "the kernel asked for is not used"
grep -q "^kernel:spooky2:scalar:0:asked for" "$W/log" || fail "the kernel asked for is not used"

step "one that is not there is refused"
refuse --raid-kernel none sync
refuse --hash-kernel none sync

step "features can be taken away"
SNAPRAID_CPU=-sse2,-ssse3,-avx2,-avx512vl,-avx512bw,-gfni,-neon,-sve expect 0 -l "$W/log" -p full scrub
grep -q "^kernel:encode:scalar:" "$W/log" || fail "without features another kernel is used than the scalar one"

step "a lost disk comes back by the scalar kernel"
cp "$W/d2/file" "$W/kept"
rm "$W/d2/file"
expect 0 --raid-kernel scalar fix
cmp "$W/kept" "$W/d2/file" || fail "the file is not what it was"

step "the speed test, as a table and as JSON"
run -T --speed-test-period 1
[ "$rc" = 0 ] || fail "-T exits $rc"
for row in memset crc murmur3 spooky2 xor1 xor4 gen1 gen6 genz ver2 first middle last rec1 rec1q rec6; do
	grep -qE "^ *$row " "$W/out" || fail "-T has no line '$row'"
done
grep -q '\*' "$W/out" || fail "-T does not tell what is chosen"
for disks in 1 2 30; do
	run -T --speed-test-period 1 --speed-test-disks-number $disks --speed-test-blocks-size 4
	[ "$rc" = 0 ] || fail "-T with $disks disks exits $rc"
done
run -T --speed-test-period 1 --speed-test-disks-number 2 --speed-test-blocks-size 4 --json
"$PYTHON3" -c 'import json, sys; rows = json.load(open(sys.argv[1])); assert all(row["mb_per_s"] > 0 for row in rows)' \
	"$W/out" || fail "-T --json is no JSON"
