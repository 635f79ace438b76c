noinst_LIBRARIES += cmdline/stripe/libstripe.a
cmdline_stripe_libstripe_a_SOURCES = \
	cmdline/stripe/engine.c cmdline/stripe/engine.h cmdline/stripe/engine_inside.h cmdline/stripe/gate.h \
	cmdline/stripe/member.c cmdline/stripe/member.h \
	cmdline/stripe/slot.c cmdline/stripe/slot.h cmdline/stripe/job.h \
	cmdline/stripe/solve.c cmdline/stripe/solve.h \
	cmdline/stripe/stats.c cmdline/stripe/stats.h \
	cmdline/stripe/tune.c cmdline/stripe/tune.h \
	cmdline/stripe/window.c cmdline/stripe/window.h \
	cmdline/stripe/workers.c \
	cmdline/stripe/verify.c cmdline/stripe/verify.h \
	cmdline/stripe/job_sync.c cmdline/stripe/job_sync.h \
	cmdline/stripe/job_scrub.c cmdline/stripe/job_scrub.h \
	cmdline/stripe/job_dry.c cmdline/stripe/job_dry.h \
	cmdline/stripe/job_hash.c cmdline/stripe/job_hash.h \
	cmdline/stripe/job_suspect.c cmdline/stripe/job_suspect.h

check_PROGRAMS += test/unit/stripe/engine test/unit/stripe/window
test_unit_stripe_engine_SOURCES = test/unit/stripe/engine.c
check_PROGRAMS += test/unit/stripe/stats
test_unit_stripe_stats_SOURCES = test/unit/stripe/stats.c
test_unit_stripe_window_SOURCES = test/unit/stripe/window.c

# check and fix
cmdline_stripe_libstripe_a_SOURCES += \
	cmdline/stripe/fix_cell.h \
	cmdline/stripe/fix_file.c cmdline/stripe/fix_file.h \
	cmdline/stripe/fix_retire.c cmdline/stripe/fix_retire.h \
	cmdline/stripe/outcome.c cmdline/stripe/outcome.h \
	cmdline/stripe/rescue.c cmdline/stripe/rescue.h \
	cmdline/stripe/unset.c cmdline/stripe/unset.h \
	cmdline/stripe/job_fix.c cmdline/stripe/job_fix.h
check_PROGRAMS += \
	test/unit/stripe/job_fix \
	test/unit/stripe/job_suspect \
	test/unit/stripe/job_sync \
	test/unit/stripe/outcome
test_unit_stripe_outcome_SOURCES = test/unit/stripe/outcome.c test/unit/report/capture.h
test_unit_stripe_job_fix_SOURCES = test/unit/stripe/job_fix.c test/unit/stripe/one_slot.h
test_unit_stripe_job_suspect_SOURCES = test/unit/stripe/job_suspect.c test/unit/stripe/one_slot.h
test_unit_stripe_job_sync_SOURCES = test/unit/stripe/job_sync.c test/unit/stripe/one_slot.h
