# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzz targets. Without --enable-fuzz they are tests, that run over their corpora; with it "make fuzz-targets" builds
# them for libFuzzer, and run.sh lets them search.

fuzz_targets = \
	test/fuzz/fuzz_config \
	test/fuzz/fuzz_content \
	test/fuzz/fuzz_ignore \
	test/fuzz/fuzz_journal \
	test/fuzz/fuzz_options \
	test/fuzz/fuzz_side \
	test/fuzz/fuzz_smart

# What parses. Of raid/ only the features of the CPU: a compiler takes minutes over kernels with instrumentation.
fuzz_libraries = test/fuzz/libfuzz.a \
	cmdline/content/libcontent.a cmdline/scan/libscan.a cmdline/device/libdevice.a cmdline/config/libconfig.a \
	cmdline/array/libarray.a cmdline/report/libreport.a cmdline/os/libos.a cmdline/hash/libhash.a \
	cmdline/base/libbase.a tommyds/libtommyds.a

check_LIBRARIES += test/fuzz/libfuzz.a
test_fuzz_libfuzz_a_SOURCES = test/fuzz/fuzz.c test/fuzz/fuzz.h test/fuzz/arrays.c test/fuzz/arrays.h raid/cpu.c

if FUZZ
EXTRA_PROGRAMS += $(fuzz_targets)
fuzz_main = $(LIBFUZZER)
else
check_PROGRAMS += $(fuzz_targets)
check_LIBRARIES += test/fuzz/libreplay.a
test_fuzz_libreplay_a_SOURCES = test/fuzz/replay.c
fuzz_main = test/fuzz/libreplay.a
endif

fuzz_ldadd = $(GROUP_BEGIN) $(fuzz_libraries) $(fuzz_main) $(GROUP_END) \
	$(JSONC_LIBS) $(BLKID_LIBS) $(UUID_LIBS) $(ZLIB_LIBS)

test_fuzz_fuzz_config_SOURCES = test/fuzz/fuzz_config.c
test_fuzz_fuzz_config_LDADD = $(fuzz_ldadd)
test_fuzz_fuzz_content_SOURCES = test/fuzz/fuzz_content.c
test_fuzz_fuzz_content_LDADD = $(fuzz_ldadd)
test_fuzz_fuzz_ignore_SOURCES = test/fuzz/fuzz_ignore.c
test_fuzz_fuzz_ignore_LDADD = $(fuzz_ldadd)
test_fuzz_fuzz_journal_SOURCES = test/fuzz/fuzz_journal.c
test_fuzz_fuzz_journal_LDADD = $(fuzz_ldadd)
test_fuzz_fuzz_options_SOURCES = test/fuzz/fuzz_options.c
test_fuzz_fuzz_options_LDADD = $(fuzz_ldadd)
test_fuzz_fuzz_side_SOURCES = test/fuzz/fuzz_side.c
test_fuzz_fuzz_side_LDADD = $(fuzz_ldadd)
test_fuzz_fuzz_smart_SOURCES = test/fuzz/fuzz_smart.c
test_fuzz_fuzz_smart_LDADD = $(fuzz_ldadd)

fuzz-targets: $(fuzz_targets)
.PHONY: fuzz-targets

CLEANFILES += fuzz_*.crash
EXTRA_DIST += test/fuzz/corpus test/fuzz/run.sh
