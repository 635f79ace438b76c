# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests are listed by the folder they test. Here: what tests the whole.

test_scripts = \
	test/layers.sh

# A script gets the program under test in $SNAPRAID and the one to exchange arrays with in $PEER.
TESTS = $(check_PROGRAMS) $(test_scripts)
TEST_EXTENSIONS = .sh .py
SH_LOG_COMPILER = $(BASH_SHELL)
PY_LOG_COMPILER = $(PYTHON3)
AM_TESTS_ENVIRONMENT = \
	SNAPRAID=$${SNAPRAID:-$(abs_top_builddir)/snapraid}; export SNAPRAID; \
	PEER=$${PEER:-/usr/bin/snapraid}; export PEER; \
	LC_ALL=C; export LC_ALL; TZ=UTC; export TZ; \
	ASAN_OPTIONS=detect_leaks=1:abort_on_error=1; export ASAN_OPTIONS;

EXTRA_DIST += $(test_scripts) test/layers test/layers.awk test/vectors test/fixtures
