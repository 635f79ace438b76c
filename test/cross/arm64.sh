#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# NEON, and SVE with vectors of several lengths, in an emulator.
. "$(dirname "$0")/lib.sh"
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
need qemu-aarch64 qemu-user
host
build aarch64-linux-gnu-gcc "$dir/arm64"
echo "SVE with 256 bits"
check "$dir/arm64" qemu-aarch64 -cpu max,sve256=on,sve-default-vector-length=32
for bits in 128 512; do
	echo "SVE with $bits bits"
	digest "$dir/arm64" qemu-aarch64 -cpu "max,sve$bits=on,sve-default-vector-length=$((bits / 8))"
done
echo "without SVE"
digest "$dir/arm64" qemu-aarch64 -cpu cortex-a53
