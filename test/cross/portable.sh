#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The portable code where words are big-endian, and where registers have 32 bits, in an emulator.
. "$(dirname "$0")/lib.sh"
need s390x-linux-gnu-gcc gcc-s390x-linux-gnu
need i686-linux-gnu-gcc gcc-i686-linux-gnu
need arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf
need qemu-s390x qemu-user
host
for cpu in s390x:s390x-linux-gnu-gcc i386:i686-linux-gnu-gcc; do
	echo "${cpu%%:*}"
	build "${cpu#*:}" "$dir/${cpu%%:*}"
	check "$dir/${cpu%%:*}" "qemu-${cpu%%:*}"
done
echo arm
compile arm-linux-gnueabihf-gcc "$dir/arm"
digest "$dir/arm" qemu-arm
