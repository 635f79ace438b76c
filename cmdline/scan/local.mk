noinst_LIBRARIES += cmdline/scan/libscan.a
cmdline_scan_libscan_a_SOURCES = \
	cmdline/scan/apply.c \
	cmdline/scan/copy.c \
	cmdline/scan/guard.c \
	cmdline/scan/ignore.c \
	cmdline/scan/inside.h \
	cmdline/scan/match.c \
	cmdline/scan/realloc.c \
	cmdline/scan/scan.c cmdline/scan/scan.h \
	cmdline/scan/tree.h \
	cmdline/scan/walk.c

check_PROGRAMS += \
	test/unit/scan/match
scan_world = test/unit/scan/world.c test/unit/scan/world.h
test_unit_scan_match_SOURCES = test/unit/scan/match.c $(scan_world)
