noinst_LIBRARIES += cmdline/io/libio.a
cmdline_io_libio_a_SOURCES = \
	cmdline/io/data.c cmdline/io/data.h \
	cmdline/io/parity.c cmdline/io/parity.h
