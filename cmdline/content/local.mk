noinst_LIBRARIES += cmdline/content/libcontent.a
cmdline_content_libcontent_a_SOURCES = \
	cmdline/content/age.c \
	cmdline/content/journal.c cmdline/content/journal.h \
	cmdline/content/content.c cmdline/content/content.h \
	cmdline/content/copies.c cmdline/content/copies.h \
	cmdline/content/disk.c \
	cmdline/content/head.c \
	cmdline/content/info.c \
	cmdline/content/level.c \
	cmdline/content/meta.c \
	cmdline/content/parities.c \
	cmdline/content/proving.c \
	cmdline/content/synced.c \
	cmdline/content/pack.c cmdline/content/pack.h \
	cmdline/content/pathset.c cmdline/content/pathset.h \
	cmdline/content/record.c cmdline/content/record.h \
	cmdline/content/save.c \
	cmdline/content/side.c cmdline/content/side.h \
	cmdline/content/spread.c cmdline/content/spread.h \
	cmdline/content/stream.c cmdline/content/stream.h \
	cmdline/content/summary.c cmdline/content/summary.h

check_PROGRAMS += \
	test/unit/content/content \
	test/unit/content/count \
	test/unit/content/fixture \
	test/unit/content/journal \
	test/unit/content/pack \
	test/unit/content/pathset \
	test/unit/content/record \
	test/unit/content/side \
	test/unit/content/stream \
	test/unit/content/summary
test_unit_content_content_SOURCES = test/unit/content/content.c test/unit/content/image.h
test_unit_content_count_SOURCES = test/unit/content/count.c
test_unit_content_count_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign
test_unit_content_fixture_SOURCES = test/unit/content/fixture.c test/unit/content/image.h
test_unit_content_journal_SOURCES = test/unit/content/journal.c
test_unit_content_pack_SOURCES = test/unit/content/pack.c
test_unit_content_pathset_SOURCES = test/unit/content/pathset.c
test_unit_content_record_SOURCES = test/unit/content/record.c test/unit/content/image.h
test_unit_content_side_SOURCES = test/unit/content/side.c
test_unit_content_stream_SOURCES = test/unit/content/stream.c
test_unit_content_summary_SOURCES = test/unit/content/summary.c
