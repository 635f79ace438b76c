# SPDX-License-Identifier: GPL-3.0-or-later
dist_man_MANS += doc/snapraid.1 doc/snapraid.conf.5 doc/snapraid-log.5
EXTRA_DIST += doc/design.md doc/parity.md doc/testing.md
dist_doc_DATA = README.md COPYING doc/compat.md doc/smart.md doc/stories.md snapraid.conf.example

check_PROGRAMS += test/package/manual
test_package_manual_SOURCES = test/package/manual.c
