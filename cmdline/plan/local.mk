noinst_LIBRARIES += cmdline/plan/libplan.a
cmdline_plan_libplan_a_SOURCES = \
	cmdline/plan/plan.h cmdline/plan/sync.c cmdline/plan/scrub.c

check_PROGRAMS += test/unit/plan/scrub
test_unit_plan_scrub_SOURCES = test/unit/plan/scrub.c

# check and fix
cmdline_plan_libplan_a_SOURCES += \
	cmdline/plan/fix.c cmdline/plan/fix.h \
	cmdline/plan/recover.c cmdline/plan/recover.h
check_PROGRAMS += test/unit/plan/fix test/unit/plan/recover
test_unit_plan_fix_SOURCES = test/unit/plan/fix.c
test_unit_plan_recover_SOURCES = test/unit/plan/recover.c
