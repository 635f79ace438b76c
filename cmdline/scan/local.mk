noinst_LIBRARIES += cmdline/scan/libscan.a
cmdline_scan_libscan_a_SOURCES = \
	cmdline/scan/ahead.c cmdline/scan/ahead.h \
	cmdline/scan/apply.c \
	cmdline/scan/copy.c \
	cmdline/scan/guard.c \
	cmdline/scan/ignore.c \
	cmdline/scan/inside.h \
	cmdline/scan/keep.c \
	cmdline/scan/limit.c \
	cmdline/scan/match.c \
	cmdline/scan/prove.c \
	cmdline/scan/scan.c cmdline/scan/scan.h \
	cmdline/scan/tree.h \
	cmdline/scan/walk.c

check_PROGRAMS += \
	test/unit/scan/ahead \
	test/unit/scan/apply \
	test/unit/scan/copy \
	test/unit/scan/guard \
	test/unit/scan/keep \
	test/unit/scan/limit \
	test/unit/scan/match \
	test/unit/scan/prove \
	test/unit/scan/scan \
	test/unit/scan/walk
scan_world = test/unit/scan/world.c test/unit/scan/world.h
test_unit_scan_ahead_SOURCES = test/unit/scan/ahead.c
test_unit_scan_apply_SOURCES = test/unit/scan/apply.c $(scan_world)
test_unit_scan_copy_SOURCES = test/unit/scan/copy.c $(scan_world)
test_unit_scan_guard_SOURCES = test/unit/scan/guard.c $(scan_world)
test_unit_scan_keep_SOURCES = test/unit/scan/keep.c $(scan_world)
test_unit_scan_limit_SOURCES = test/unit/scan/limit.c $(scan_world)
test_unit_scan_match_SOURCES = test/unit/scan/match.c $(scan_world)
test_unit_scan_prove_SOURCES = test/unit/scan/prove.c $(scan_world)
test_unit_scan_scan_SOURCES = test/unit/scan/scan.c $(scan_world)
test_unit_scan_walk_SOURCES = test/unit/scan/walk.c $(scan_world)
