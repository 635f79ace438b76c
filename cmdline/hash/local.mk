noinst_LIBRARIES += cmdline/hash/libhash.a
cmdline_hash_libhash_a_SOURCES = \
	cmdline/hash/hash.c cmdline/hash/hash.h \
	cmdline/hash/kernel.h \
	cmdline/hash/lanes.h \
	cmdline/hash/murmur3.c cmdline/hash/murmur3.h \
	cmdline/hash/murmur3_avx2.c \
	cmdline/hash/spooky2.c cmdline/hash/spooky2.h \
	cmdline/hash/spooky2_lanes.h \
	cmdline/hash/spooky2_avx2.c \
	cmdline/hash/spooky2_avx512.c \
	cmdline/hash/spooky2_avx512vl.c

check_PROGRAMS += test/unit/hash/hash test/unit/hash/kernel
test_unit_hash_hash_SOURCES = test/unit/hash/hash.c
test_unit_hash_kernel_SOURCES = test/unit/hash/kernel.c
