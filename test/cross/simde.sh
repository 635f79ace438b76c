#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels of x86 computed by SIMDe: those run which this CPU has not.
. "$(dirname "$0")/lib.sh"
echo '#include <simde/x86/avx512.h>' | ${CC:-gcc} -fsyntax-only -x c - 2> /dev/null || skip libsimde-dev
host
# Inlined, the emulation takes the compiler many minutes.
build "${CC:-gcc}" "$dir/simde" -DRAID_SIMDE -DSIMDE_NO_INLINE -O1
SNAPRAID_CPU= check "$dir/simde"
