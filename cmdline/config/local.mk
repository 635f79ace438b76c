noinst_LIBRARIES += cmdline/config/libconfig.a
cmdline_config_libconfig_a_SOURCES = \
	cmdline/config/check.c \
	cmdline/config/config.c \
	cmdline/config/config.h \
	cmdline/config/filter.c \
	cmdline/config/filter.h \
	cmdline/config/glob.c \
	cmdline/config/glob.h \
	cmdline/config/ignore.c \
	cmdline/config/keyword.c \
	cmdline/config/near.c \
	cmdline/config/near.h \
	cmdline/config/option_table.c \
	cmdline/config/option_table.h \
	cmdline/config/options.c \
	cmdline/config/options.h \
	cmdline/config/parser.h \
	cmdline/config/usage.c

check_PROGRAMS += \
	test/unit/config/config \
	test/unit/config/filter \
	test/unit/config/ignore \
	test/unit/config/near \
	test/unit/config/options
test_unit_config_config_SOURCES = test/unit/config/config.c test/unit/report/capture.h
test_unit_config_filter_SOURCES = test/unit/config/filter.c
test_unit_config_ignore_SOURCES = test/unit/config/ignore.c
test_unit_config_near_SOURCES = test/unit/config/near.c
test_unit_config_options_SOURCES = test/unit/config/options.c test/unit/report/capture.h
