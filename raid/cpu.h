/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU can do, as far as code here makes use of it.
 *
 * A feature counts only if the operating system keeps its registers as well. The environment variable
 * SNAPRAID_CPU takes features away, for tests: "-avx2,-ssse3". */
#ifndef RAID_CPU_H
#define RAID_CPU_H

#define CPU_SSE2	(1u << 0)
#define CPU_SSSE3	(1u << 1)
#define CPU_SSE42	(1u << 2)
#define CPU_AVX2	(1u << 3)
#define CPU_AVX512VL	(1u << 4) /* with F; vectors of 256 bits and less */
#define CPU_AVX512BW	(1u << 5) /* with F and VL; vectors of 512 bits */
#define CPU_GFNI	(1u << 6)
#define CPU_NEON	(1u << 7)
#define CPU_SVE		(1u << 8)

/* The features of this CPU, less those taken away. The same in every call, from any thread. */
unsigned cpu_features(void);

/* `all` less those named in `spec`, a list of "-name" separated by commas; NULL takes nothing. Unknown
 * names, and names without "-", are ignored. */
unsigned cpu_features_without(unsigned all, const char *spec);

/* Who made the CPU, and which one it is; and the width of its scalable vectors. 0: unknown, or none. */
struct cpu_model {
	enum { CPU_VENDOR_OTHER, CPU_VENDOR_INTEL, CPU_VENDOR_AMD } vendor;
	unsigned family;
	unsigned model;
	unsigned sve_bits;
};

struct cpu_model cpu_model(void);

/* What a CPU has and is better not used. */
struct cpu_quirk {
	unsigned avoid; /* CPU_* */
	const char *reason;
};

/* The quirk of a model about one of `features`, NULL: none. */
const struct cpu_quirk *cpu_quirk(const struct cpu_model *model, unsigned features);

/* The features of this CPU that are worth using: cpu_features() less what its quirks say. */
unsigned cpu_features_advised(void);

#endif
