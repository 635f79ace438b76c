noinst_LIBRARIES += cmdline/array/libarray.a
cmdline_array_libarray_a_SOURCES = \
	cmdline/array/array.c cmdline/array/array.h \
	cmdline/array/block.c cmdline/array/block.h \
	cmdline/array/disk.c cmdline/array/disk.h \
	cmdline/array/extent.c cmdline/array/extent.h \
	cmdline/array/file.c cmdline/array/file.h \
	cmdline/array/holes.c cmdline/array/holes.h \
	cmdline/array/inodes.c cmdline/array/inodes.h \
	cmdline/array/info.c cmdline/array/info.h \
	cmdline/array/level.h \
	cmdline/array/meta.c cmdline/array/meta.h \
	cmdline/array/moves.c cmdline/array/moves.h cmdline/array/moves_inside.h cmdline/array/moves_plan.c \
	cmdline/array/place.c cmdline/array/place.h \
	cmdline/array/suffixed.c cmdline/array/suffixed.h \
	cmdline/array/sweep.c cmdline/array/sweep.h

check_PROGRAMS += \
	test/unit/array/array \
	test/unit/array/block \
	test/unit/array/disk \
	test/unit/array/extent \
	test/unit/array/holes \
	test/unit/array/info \
	test/unit/array/meta \
	test/unit/array/moves \
	test/unit/array/place \
	test/unit/array/suffixed \
	test/unit/array/sweep
test_unit_array_array_SOURCES = test/unit/array/array.c
test_unit_array_block_SOURCES = test/unit/array/block.c
test_unit_array_disk_SOURCES = test/unit/array/disk.c
test_unit_array_extent_SOURCES = test/unit/array/extent.c
test_unit_array_holes_SOURCES = test/unit/array/holes.c
test_unit_array_info_SOURCES = test/unit/array/info.c
test_unit_array_meta_SOURCES = test/unit/array/meta.c
test_unit_array_moves_SOURCES = test/unit/array/moves.c
test_unit_array_place_SOURCES = test/unit/array/place.c
test_unit_array_suffixed_SOURCES = test/unit/array/suffixed.c
test_unit_array_sweep_SOURCES = test/unit/array/sweep.c

check_PROGRAMS += test/unit/array/inodes
test_unit_array_inodes_SOURCES = test/unit/array/inodes.c
