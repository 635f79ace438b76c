/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/cpu.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const struct {
	const char *name;
	unsigned feature;
} name_table[] = {
	{ "ssse3", CPU_SSSE3 },
	{ "sse42", CPU_SSE42 },
	{ "avx2", CPU_AVX2 },
	{ "avx512bw", CPU_AVX512BW },
	{ "gfni", CPU_GFNI },
};

static unsigned features;

#if defined(__x86_64__)
/* The sets of registers which the operating system saves (XCR0). Only to be asked if it uses XSAVE. */
static unsigned saved_registers(void)
{
	unsigned low;
	unsigned high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static unsigned detect(void)
{
	const unsigned avx_state = 0x06;    /* XMM, YMM */
	const unsigned avx512_state = 0xe6; /* and masks, and both parts of ZMM */
	const unsigned avx512_bits = bit_AVX512F | bit_AVX512BW | bit_AVX512VL;
	unsigned a, b, c, d;
	unsigned saved = 0;
	unsigned found = 0;

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return 0;
	if (c & bit_SSSE3)
		found |= CPU_SSSE3;
	if (c & bit_SSE4_2)
		found |= CPU_SSE42;
	if ((c & bit_OSXSAVE) && (c & bit_AVX))
		saved = saved_registers();
	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
		return found;
	if (c & bit_GFNI)
		found |= CPU_GFNI;
	if ((saved & avx_state) == avx_state && (b & bit_AVX2))
		found |= CPU_AVX2;
	if ((saved & avx512_state) == avx512_state && (b & avx512_bits) == avx512_bits)
		found |= CPU_AVX512BW;
	return found;
}
#else
static unsigned detect(void)
{
	return 0;
}
#endif

static void features_init(void)
{
	features = cpu_features_without(detect(), getenv("SNAPRAID_CPU"));
}

unsigned cpu_features(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, features_init);
	return features;
}

unsigned cpu_features_without(unsigned all, const char *spec)
{
	while (spec != NULL && *spec != '\0') {
		size_t size = strcspn(spec, ",");

		for (size_t i = 0; i < sizeof(name_table) / sizeof(name_table[0]); ++i)
			if (spec[0] == '-' && strlen(name_table[i].name) == size - 1 &&
			    memcmp(name_table[i].name, spec + 1, size - 1) == 0)
				all &= ~name_table[i].feature;
		spec += size;
		spec += *spec == ',';
	}
	return all;
}
