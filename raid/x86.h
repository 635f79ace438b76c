/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intrinsics of x86. A test build has them from SIMDe, which computes them on any CPU. */
#ifndef RAID_X86_H
#define RAID_X86_H

#include "raid/cpu.h"

#if defined(RAID_SIMDE)
#include <raid_simde.h>
#define X86_TARGET(features)
#define X86_NEEDS(features) 0
#else
#include <immintrin.h>
#define X86_TARGET(features) __attribute__((target(features)))
#define X86_NEEDS(features)  (features)
#endif

#endif
