noinst_LIBRARIES += cmdline/command/libcommand.a
cmdline_command_libcommand_a_SOURCES = \
	cmdline/command/command.c cmdline/command/command.h \
	cmdline/command/session.c cmdline/command/session.h \
	cmdline/command/places.c cmdline/command/places.h \
	cmdline/command/identity.c cmdline/command/identity.h \
	cmdline/command/own.c cmdline/command/own.h \
	cmdline/command/pace.c cmdline/command/pace.h \
	cmdline/command/space.c cmdline/command/space.h \
	cmdline/command/summary.c cmdline/command/summary.h \
	cmdline/command/suspects.c cmdline/command/suspects.h \
	cmdline/command/unchanged.c cmdline/command/unchanged.h \
	cmdline/command/survey.c cmdline/command/survey.h \
	cmdline/command/fit.c cmdline/command/fit.h \
	cmdline/command/threshold.c cmdline/command/threshold.h \
	cmdline/command/intake.c cmdline/command/intake.h \
	cmdline/command/diff.c cmdline/command/scrub.c \
	cmdline/command/sync.c cmdline/command/sync_inside.h cmdline/command/sync_move.c

cmdline_command_libcommand_a_SOURCES += cmdline/command/speed.c cmdline/command/speed.h

# What shows the array
cmdline_command_libcommand_a_SOURCES += \
	cmdline/command/donors.c cmdline/command/donors.h \
	cmdline/command/dup.c \
	cmdline/command/genconf.c \
	cmdline/command/history.c cmdline/command/history.h \
	cmdline/command/list.c \
	cmdline/command/pool.c \
	cmdline/command/rehash.c \
	cmdline/command/status.c \
	cmdline/command/touch.c cmdline/command/touch.h \
	cmdline/command/usage.c cmdline/command/usage.h

check_PROGRAMS += \
	test/unit/command/dup \
	test/unit/command/genconf \
	test/unit/command/history \
	test/unit/command/list \
	test/unit/command/pool \
	test/unit/command/rehash \
	test/unit/command/status \
	test/unit/command/touch \
	test/unit/command/usage
test_unit_command_dup_SOURCES = test/unit/command/dup.c test/unit/command/capture.h
test_unit_command_genconf_SOURCES = test/unit/command/genconf.c test/unit/command/capture.h
test_unit_command_history_SOURCES = test/unit/command/history.c
test_unit_command_list_SOURCES = test/unit/command/list.c test/unit/command/capture.h
test_unit_command_pool_SOURCES = test/unit/command/pool.c test/unit/command/capture.h
test_unit_command_rehash_SOURCES = test/unit/command/rehash.c test/unit/command/capture.h
test_unit_command_status_SOURCES = test/unit/command/status.c test/unit/command/capture.h
test_unit_command_touch_SOURCES = test/unit/command/touch.c test/unit/command/capture.h
test_unit_command_usage_SOURCES = test/unit/command/usage.c

# check and fix
cmdline_command_libcommand_a_SOURCES += \
	cmdline/command/check.c cmdline/command/fix.c \
	cmdline/command/fix_levels.c cmdline/command/fix_levels.h \
	cmdline/command/metadata.c cmdline/command/metadata.h \
	cmdline/command/objects.c cmdline/command/objects.h \
	cmdline/command/repair.c cmdline/command/repair.h \
	cmdline/command/target.c cmdline/command/target.h \
	cmdline/command/select.c cmdline/command/select.h \
	cmdline/command/wish.c cmdline/command/wish.h

# The disks as hardware, and where the files are
cmdline_command_libcommand_a_SOURCES += \
	cmdline/command/devices.c \
	cmdline/command/hidden.c \
	cmdline/command/hardware.c cmdline/command/hardware.h \
	cmdline/command/locate.c \
	cmdline/command/probe.c \
	cmdline/command/smart.c \
	cmdline/command/spin.c

check_PROGRAMS += test/unit/command/fit test/unit/command/locate test/unit/command/metadata test/unit/command/pace test/unit/command/target
test_unit_command_fit_SOURCES = test/unit/command/fit.c test/unit/command/capture.h
test_unit_command_target_SOURCES = test/unit/command/target.c test/unit/command/capture.h
test_unit_command_metadata_SOURCES = test/unit/command/metadata.c test/unit/command/capture.h
test_unit_command_pace_SOURCES = test/unit/command/pace.c
test_unit_command_locate_SOURCES = test/unit/command/locate.c test/unit/command/capture.h
