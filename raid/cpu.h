/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU can do, as far as code here makes use of it.
 *
 * A feature counts only if the operating system keeps its registers as well. The environment variable
 * SNAPRAID_CPU takes features away, for tests: "-avx2,-ssse3". */
#ifndef RAID_CPU_H
#define RAID_CPU_H

#define CPU_SSSE3	(1u << 0)
#define CPU_SSE42	(1u << 1)
#define CPU_AVX2	(1u << 2)
#define CPU_AVX512BW	(1u << 3) /* with F and VL */
#define CPU_GFNI	(1u << 4)

/* The features of this CPU, less those taken away. The same in every call, from any thread. */
unsigned cpu_features(void);

/* `all` less those named in `spec`, a list of "-name" separated by commas; NULL takes nothing. Unknown
 * names, and names without "-", are ignored. */
unsigned cpu_features_without(unsigned all, const char *spec);

#endif
