noinst_LIBRARIES += raid/libraid.a
raid_libraid_a_SOURCES = \
	raid/choose.h \
	raid/code.c raid/code.h \
	raid/cpu.c raid/cpu.h \
	raid/gf.c raid/gf.h \
	raid/kernel.c raid/kernel.h \
	raid/kernel/avx2.c \
	raid/kernel/avx512.c \
	raid/kernel/gfni.c \
	raid/kernel/gfni512.c \
	raid/kernel/loop.h \
	raid/kernel/neon.c \
	raid/kernel/scalar.c \
	raid/kernel/sse2.c \
	raid/kernel/ssse3.c \
	raid/kernel/sve.c \
	raid/matrix.c raid/matrix.h \
	raid/raid.c raid/raid.h \
	raid/scan.c \
	raid/select.c raid/select.h \
	raid/x86.h

check_PROGRAMS += \
	test/unit/raid/code \
	test/unit/raid/cpu \
	test/unit/raid/gf \
	test/unit/raid/kernel \
	test/unit/raid/matrix \
	test/unit/raid/probe \
	test/unit/raid/raid \
	test/unit/raid/scan \
	test/unit/raid/select
test_unit_raid_code_SOURCES = test/unit/raid/code.c test/unit/raid/vectors.h
test_unit_raid_cpu_SOURCES = test/unit/raid/cpu.c
test_unit_raid_gf_SOURCES = test/unit/raid/gf.c test/unit/raid/vectors.h
test_unit_raid_kernel_SOURCES = test/unit/raid/kernel.c test/unit/raid/flip.h test/unit/raid/guard.h
test_unit_raid_matrix_SOURCES = test/unit/raid/matrix.c test/unit/raid/vectors.h
test_unit_raid_probe_SOURCES = test/unit/raid/probe.c test/unit/raid/flip.h
test_unit_raid_raid_SOURCES = test/unit/raid/raid.c test/unit/raid/guard.h test/unit/raid/vectors.h
test_unit_raid_scan_SOURCES = test/unit/raid/scan.c test/unit/raid/guard.h
test_unit_raid_select_SOURCES = test/unit/raid/select.c

# The parity library stands alone.
raid_test_libraries = raid/libraid.a $(CMOCKA_LIBS) $(JSONC_LIBS)
test_unit_raid_code_LDADD = $(raid_test_libraries)
test_unit_raid_cpu_LDADD = $(raid_test_libraries)
test_unit_raid_gf_LDADD = $(raid_test_libraries)
test_unit_raid_kernel_LDADD = $(raid_test_libraries)
test_unit_raid_matrix_LDADD = $(raid_test_libraries)
test_unit_raid_probe_LDADD = $(raid_test_libraries)
test_unit_raid_raid_LDADD = $(raid_test_libraries)
test_unit_raid_scan_LDADD = $(raid_test_libraries)
test_unit_raid_select_LDADD = $(raid_test_libraries)

# On other CPUs, in emulators, and with another C library, skipped where there are none; and by the program.
cross_tests = \
	test/cross/arm64.sh \
	test/cross/clang.sh \
	test/cross/musl.sh \
	test/cross/portable.sh \
	test/cross/simde.sh \
	test/e2e/kernels.sh
# What this build computes, to compare with.
EXTRA_PROGRAMS += test/cross/digest
check_DATA += test/cross/digest
CLEANFILES += test/cross/digest
test_cross_digest_SOURCES = test/cross/digest.c
test_cross_digest_LDADD = raid/libraid.a cmdline/hash/libhash.a
EXTRA_DIST += $(cross_tests) test/cross/lib.sh test/cross/cmocka.h test/cross/raid_simde.h

# "make test/bench/raid-vs" needs libisal-dev.
EXTRA_PROGRAMS += test/bench/raid-vs
test_bench_raid_vs_SOURCES = test/bench/raid-vs.c
test_bench_raid_vs_LDADD = raid/libraid.a -lisal
