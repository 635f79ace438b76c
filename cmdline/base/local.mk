noinst_LIBRARIES += cmdline/base/libbase.a
cmdline_base_libbase_a_SOURCES = \
	cmdline/base/bitmap.c cmdline/base/bitmap.h \
	cmdline/base/buf.c cmdline/base/buf.h \
	cmdline/base/crc32c.c cmdline/base/crc32c.h \
	cmdline/base/le.h \
	cmdline/base/mem.c cmdline/base/mem.h \
	cmdline/base/path.c cmdline/base/path.h \
	cmdline/base/sieve.c cmdline/base/sieve.h \
	cmdline/base/types.h \
	cmdline/base/units.c cmdline/base/units.h \
	cmdline/base/xattrs.c cmdline/base/xattrs.h

check_PROGRAMS += \
	test/unit/base/bitmap \
	test/unit/base/buf \
	test/unit/base/crc32c \
	test/unit/base/le \
	test/unit/base/mem \
	test/unit/base/path \
	test/unit/base/sieve \
	test/unit/base/units \
	test/unit/base/xattrs
test_unit_base_bitmap_SOURCES = test/unit/base/bitmap.c
test_unit_base_buf_SOURCES = test/unit/base/buf.c
test_unit_base_crc32c_SOURCES = test/unit/base/crc32c.c
test_unit_base_le_SOURCES = test/unit/base/le.c
test_unit_base_mem_SOURCES = test/unit/base/mem.c
test_unit_base_path_SOURCES = test/unit/base/path.c
test_unit_base_sieve_SOURCES = test/unit/base/sieve.c
test_unit_base_units_SOURCES = test/unit/base/units.c
test_unit_base_xattrs_SOURCES = test/unit/base/xattrs.c
