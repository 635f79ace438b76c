noinst_LIBRARIES += cmdline/config/libconfig.a
cmdline_config_libconfig_a_SOURCES = \
	cmdline/config/filter.c \
	cmdline/config/filter.h \
	cmdline/config/glob.c \
	cmdline/config/glob.h \
	cmdline/config/ignore.c

check_PROGRAMS += \
	test/unit/config/filter \
	test/unit/config/ignore
test_unit_config_filter_SOURCES = test/unit/config/filter.c
test_unit_config_ignore_SOURCES = test/unit/config/ignore.c
