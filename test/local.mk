# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests are listed by the folder they test. Here: what tests the whole.

# In which much is wrong: also with the address sanitizer.
hostile_stories = \
	test/e2e/bad-surroundings.sh \
	test/e2e/damage-or-change.sh \
	test/e2e/links-and-empty.sh \
	test/e2e/never-lose-fix.sh \
	test/e2e/never-lose-sync.sh \
	test/e2e/odd-names.sh \
	test/e2e/reports.sh \
	test/e2e/special-files.sh \
	test/e2e/undelete.sh \
	test/e2e/unreadable-files.sh

# In which threads meet: also with the thread sanitizer.
threaded_stories = \
	test/e2e/bit-rot.sh \
	test/e2e/changed-while-fixed.sh \
	test/e2e/changing-files.sh \
	test/e2e/checkpoints.sh \
	test/e2e/content-copies.sh \
	test/e2e/first-sync.sh \
	test/e2e/full-parity.sh \
	test/e2e/interrupted-runs.sh \
	test/e2e/interrupted-sync.sh \
	test/e2e/lost-disk.sh \
	test/e2e/move-copy-rename.sh \
	test/e2e/restore-elsewhere.sh \
	test/e2e/split-parity.sh \
	test/e2e/streams.sh \
	test/e2e/watched-and-slowed.sh

other_stories = \
	test/e2e/as-aio-does.sh \
	test/e2e/as-runner-does.sh \
	test/e2e/complete-restore.sh \
	test/e2e/config-errors.sh \
	test/e2e/content-on-failing-disk.sh \
	test/e2e/deep-and-long.sh \
	test/e2e/devices-and-smart.sh \
	test/e2e/empty-mount-point.sh \
	test/e2e/example-config.sh \
	test/e2e/exchanged-disks.sh \
	test/e2e/exchanged-levels.sh \
	test/e2e/filters.sh \
	test/e2e/for-programs.sh \
	test/e2e/half-made-parity.sh \
	test/e2e/level-comes-back.sh \
	test/e2e/many-stripes.sh \
	test/e2e/missing-parity.sh \
	test/e2e/moved-damaged.sh \
	test/e2e/never-lose-content.sh \
	test/e2e/never-lose-kills.sh \
	test/e2e/never-lose-parity.sh \
	test/e2e/old-time-new-data.sh \
	test/e2e/ordinary-user.sh \
	test/e2e/parity-space.sh \
	test/e2e/read-only-disks.sh \
	test/e2e/read-only-parity.sh \
	test/e2e/real-filesystems.sh \
	test/e2e/refused-options.sh \
	test/e2e/renamed-third-level.sh \
	test/e2e/renamed-without-uuid.sh \
	test/e2e/rounded-times.sh \
	test/e2e/safety-stops.sh \
	test/e2e/second-instance.sh \
	test/e2e/selections.sh \
	test/e2e/slips.sh \
	test/e2e/swapped-disks.sh \
	test/e2e/thresholds.sh

story_tests = $(hostile_stories) $(threaded_stories) $(other_stories)

interop_tests = \
	test/interop/by-turns.sh \
	test/interop/handover.sh \
	test/interop/holes.sh \
	test/interop/moved-tail.sh \
	test/interop/side-file.sh \
	test/interop/split.sh

# What is installed beside the program.
package_tests = \
	test/package/completion.sh \
	test/package/install.sh \
	test/package/pages.sh \
	test/package/stories.sh \
	test/package/units.sh

# The long ones first, so that no core waits for the last.
test_scripts = \
	test/random/random.sh \
	$(cross_tests) \
	$(interop_tests) \
	$(story_tests) \
	test/field-cases.sh \
	test/oracle/wrapper-check.sh \
	$(package_tests) \
	test/layers.sh

# A script gets the program under test in $SNAPRAID and the one to exchange arrays with in $PEER.
TESTS = $(test_scripts) $(check_PROGRAMS)
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(BASH_SHELL)
AM_TESTS_ENVIRONMENT = \
	SNAPRAID=$${SNAPRAID:-$(abs_top_builddir)/snapraid}; export SNAPRAID; \
	PEER=$${PEER:-/usr/bin/snapraid}; export PEER; \
	AID=$${AID:-$(abs_top_builddir)/test/e2e/aid}; export AID; \
	RAIDREF=$${RAIDREF:-$(abs_top_builddir)/test/oracle/raidref.pyc}; export RAIDREF; \
	DIGEST=$${DIGEST:-$(abs_top_builddir)/test/cross/digest}; export DIGEST; \
	PYTHON3=$(PYTHON3); export PYTHON3; PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	LC_ALL=C; export LC_ALL; TZ=UTC; export TZ; \
	UBSAN_OPTIONS=print_stacktrace=1; export UBSAN_OPTIONS;

EXTRA_PROGRAMS += test/e2e/aid
check_DATA += test/e2e/aid
CLEANFILES += test/e2e/aid
test_e2e_aid_SOURCES = test/e2e/aid.c
test_e2e_aid_LDADD =

# Compiled once: python would do it again each time.
check_DATA += test/oracle/raidref.pyc
CLEANFILES += test/oracle/raidref.pyc
test/oracle/raidref.pyc: test/oracle/raidref.py
	$(AM_V_GEN)$(MKDIR_P) test/oracle && \
		$(PYTHON3) -c 'import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)' $(srcdir)/test/oracle/raidref.py $@

EXTRA_DIST += \
	$(test_scripts) \
	test/package/packages.sh test/cross/program.sh \
	test/layers test/layers.awk test/vectors test/fixtures test/smart \
	test/e2e/lib.sh test/interop/lib.sh test/random/run.py test/cases \
	test/oracle/raidref.py test/oracle/content-dump.py test/oracle/wrapper-check.py test/oracle/later test/oracle/make-array.sh \
	test/bench/bench.sh test/bench/compare.py test/bench/slow-disks.sh test/bench/slow-vs.py test/bench/slowfs.c

# For bootstrap, which runs each story once: what needs no sanitizer; what it builds with clang, and runs under one.
print-plain:
	@for test in $(TESTS); do \
		case " $(hostile_stories) $(threaded_stories) " in *" $$test "*) ;; *) echo $$test ;; esac; \
	done
print-unit-tests:
	@echo $(check_PROGRAMS)
# The corpus of the fuzzers has its own build with sanitizers; the matrices are arithmetic, and much of it.
print-sanitized:
	@echo $(leak_tests) $(hostile_stories)
	@for test in $(check_PROGRAMS); do \
		case $$test in test/fuzz/* | test/unit/raid/matrix) ;; *) echo $$test ;; esac; \
	done
# ... of those that start threads.
print-threaded:
	@echo $(threaded_stories)
	@for test in $(check_PROGRAMS); do \
		case $$test in \
		test/unit/command/pace | test/unit/content/c* | test/unit/content/journal | test/unit/content/stream | \
		test/unit/device/* | test/unit/io/restore | test/unit/os/thread | test/unit/scan/* | test/unit/stripe/engine) \
			echo $$test ;; \
		esac; \
	done

# One table: this program against $PEER, on an array in memory.
bench: snapraid
	PEER=$${PEER:-/usr/bin/snapraid} $(BASH_SHELL) $(srcdir)/test/bench/bench.sh $(abs_top_builddir)/snapraid

.PHONY: print-plain print-unit-tests print-sanitized print-threaded bench

# Harm at each system call that changes or reads a file: kills, power cuts, errors.
fault_tests = \
	test/fault/counts.sh \
	test/fault/cut-each.sh \
	test/fault/fail-each.sh \
	test/fault/kill-each.sh \
	test/fault/kill-fix.sh \
	test/fault/kill-parity.sh \
	test/fault/order.sh
TESTS += $(fault_tests)
# With the address sanitizer only, as it looks for what leaks.
leak_tests = test/fault/fail-each-read.sh
EXTRA_DIST += $(fault_tests) $(leak_tests) test/fault/lib.sh test/fault/lose_each.py test/fault/shim.c test/fault/shim.h test/fault/shim-read.c

# Start, content file, scan: "make bench-arrays".
EXTRA_PROGRAMS += test/bench/synthetic
test_bench_synthetic_SOURCES = test/bench/synthetic.c
EXTRA_DIST += test/bench/arrays.py

bench-arrays: snapraid test/bench/synthetic
	$(PYTHON3) $(srcdir)/test/bench/arrays.py $(abs_top_builddir)/snapraid $${PEER:-/usr/bin/snapraid} \
		$(abs_top_builddir)/test/bench/synthetic

.PHONY: bench-arrays
