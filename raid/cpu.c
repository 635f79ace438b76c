/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raid/cpu.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

static const struct {
	const char *name;
	unsigned feature;
} name_table[] = {
	{ "sse2", CPU_SSE2 },
	{ "ssse3", CPU_SSSE3 },
	{ "sse42", CPU_SSE42 },
	{ "avx2", CPU_AVX2 },
	{ "avx512vl", CPU_AVX512VL },
	{ "avx512bw", CPU_AVX512BW },
	{ "gfni", CPU_GFNI },
	{ "neon", CPU_NEON },
	{ "sve", CPU_SVE },
};

/* The models, and what is better not used there. */
static const struct quirk {
	unsigned vendor, family, model;
	unsigned sve_bits_below;
	struct cpu_quirk quirk;
} quirk_table[] = {
	{ CPU_VENDOR_INTEL, 6, 0x55, 0,
	  { CPU_AVX512BW, "Skylake-SP, Cascade Lake and Cooper Lake lower their clock for vectors of 512 bits" } },
	{ CPU_VENDOR_INTEL, 6, 0x6a, 0, { CPU_AVX512BW, "Ice Lake-SP lowers its clock for vectors of 512 bits" } },
	{ CPU_VENDOR_INTEL, 6, 0x6c, 0, { CPU_AVX512BW, "Ice Lake-D lowers its clock for vectors of 512 bits" } },
	{ CPU_VENDOR_OTHER, 0, 0, 256, { CPU_SVE, "with vectors of 128 bits SVE is slower than NEON" } },
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
	const unsigned vl_bits = bit_AVX512F | bit_AVX512VL;
	unsigned a, b, c, d;
	unsigned saved = 0;
	unsigned found = CPU_SSE2; /* SSE2 is part of x86-64 */

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return found;
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
	if ((saved & avx512_state) == avx512_state && (b & vl_bits) == vl_bits)
		found |= CPU_AVX512VL | (b & bit_AVX512BW ? CPU_AVX512BW : 0);
	return found;
}

struct cpu_model cpu_model(void)
{
	struct cpu_model model = { .vendor = CPU_VENDOR_OTHER };
	unsigned a, b, c, d;

	if (!__get_cpuid(0, &a, &b, &c, &d))
		return model;
	if (c == signature_INTEL_ecx)
		model.vendor = CPU_VENDOR_INTEL;
	else if (c == signature_AMD_ecx)
		model.vendor = CPU_VENDOR_AMD;
	__get_cpuid(1, &a, &b, &c, &d);
	/* The upper digits count only where the lower ones have run out. */
	model.family = (a >> 8) & 15;
	model.model = (a >> 4) & 15;
	if (model.family == 15 || model.family == 6)
		model.model += (a >> 12) & 0xf0;
	if (model.family == 15)
		model.family += (a >> 20) & 0xff;
	return model;
}
#elif defined(__aarch64__)
static unsigned detect(void)
{
	return CPU_NEON | (getauxval(AT_HWCAP) & HWCAP_SVE ? CPU_SVE : 0);
}

struct cpu_model cpu_model(void)
{
	struct cpu_model model = { .vendor = CPU_VENDOR_OTHER };
	int length = detect() & CPU_SVE ? prctl(PR_SVE_GET_VL) : -1;

	if (length > 0)
		model.sve_bits = 8 * ((unsigned)length & PR_SVE_VL_LEN_MASK);
	return model;
}
#else
static unsigned detect(void)
{
	return 0;
}

struct cpu_model cpu_model(void)
{
	return (struct cpu_model){ .vendor = CPU_VENDOR_OTHER };
}
#endif

static int quirk_fits(const struct quirk *row, const struct cpu_model *model)
{
	if (row->sve_bits_below != 0)
		return model->sve_bits < row->sve_bits_below;
	return row->vendor == (unsigned)model->vendor && row->family == model->family && row->model == model->model;
}

const struct cpu_quirk *cpu_quirk(const struct cpu_model *model, unsigned wanted)
{
	for (size_t i = 0; i < sizeof(quirk_table) / sizeof(quirk_table[0]); ++i)
		if ((quirk_table[i].quirk.avoid & wanted) != 0 && quirk_fits(&quirk_table[i], model))
			return &quirk_table[i].quirk;
	return NULL;
}

unsigned cpu_features_advised(void)
{
	const struct cpu_model model = cpu_model();
	unsigned advised = cpu_features();
	const struct cpu_quirk *quirk;

	while ((quirk = cpu_quirk(&model, advised)) != NULL)
		advised &= ~quirk->avoid;
	return advised;
}

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
