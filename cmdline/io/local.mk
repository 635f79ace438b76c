noinst_LIBRARIES += cmdline/io/libio.a
cmdline_io_libio_a_SOURCES = \
	cmdline/io/data.c cmdline/io/data.h \
	cmdline/io/parity.c cmdline/io/parity.h \
	cmdline/io/rate.c cmdline/io/rate.h \
	cmdline/io/seen.c cmdline/io/seen.h \
	cmdline/io/stamp.c cmdline/io/stamp.h

check_PROGRAMS += \
	test/unit/io/data \
	test/unit/io/parity \
	test/unit/io/rate \
	test/unit/io/seen \
	test/unit/io/stamp
test_unit_io_stamp_SOURCES = test/unit/io/stamp.c
test_unit_io_data_SOURCES = test/unit/io/data.c
test_unit_io_seen_SOURCES = test/unit/io/seen.c
test_unit_io_rate_SOURCES = test/unit/io/rate.c
test_unit_io_parity_SOURCES = test/unit/io/parity.c

# check and fix
cmdline_io_libio_a_SOURCES += \
	cmdline/io/aside.c cmdline/io/aside.h \
	cmdline/io/donor.c cmdline/io/donor.h \
	cmdline/io/draft.c cmdline/io/draft_end.c cmdline/io/draft.h cmdline/io/draft_inside.h \
	cmdline/io/object.c cmdline/io/object.h \
	cmdline/io/restore.c cmdline/io/restore.h \
	cmdline/io/same.c cmdline/io/same.h \
	cmdline/io/sparse.c cmdline/io/sparse.h
check_PROGRAMS += \
	test/unit/io/aside \
	test/unit/io/donor \
	test/unit/io/object \
	test/unit/io/restore \
	test/unit/io/same \
	test/unit/io/sparse
test_unit_io_aside_SOURCES = test/unit/io/aside.c test/unit/os/scratch.h
test_unit_io_donor_SOURCES = test/unit/io/donor.c test/unit/os/scratch.h
test_unit_io_object_SOURCES = test/unit/io/object.c test/unit/os/scratch.h
test_unit_io_restore_SOURCES = test/unit/io/restore.c test/unit/os/scratch.h
test_unit_io_same_SOURCES = test/unit/io/same.c test/unit/os/scratch.h
test_unit_io_sparse_SOURCES = test/unit/io/sparse.c test/unit/os/scratch.h
