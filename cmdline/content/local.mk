noinst_LIBRARIES += cmdline/content/libcontent.a
cmdline_content_libcontent_a_SOURCES = \
	cmdline/content/content.c cmdline/content/content.h \
	cmdline/content/copies.c cmdline/content/copies.h \
	cmdline/content/disk.c \
	cmdline/content/head.c \
	cmdline/content/info.c \
	cmdline/content/pathset.c cmdline/content/pathset.h \
	cmdline/content/record.c cmdline/content/record.h \
	cmdline/content/save.c \
	cmdline/content/stream.c cmdline/content/stream.h \
	cmdline/content/summary.c cmdline/content/summary.h
