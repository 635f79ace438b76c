#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages are clean: neither man nor mandoc has anything to say about them.
set -euo pipefail
cd "${srcdir:-.}"
tried=
for page in doc/*.[15]; do
	if command -v mandoc > /dev/null; then
		mandoc -T lint -W warning "$page"
		tried=1
	fi
	if command -v man > /dev/null && command -v groff > /dev/null; then
		warnings=$(MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 > /dev/null)
		[ -z "$warnings" ] || { echo "$page: $warnings"; exit 1; }
		tried=1
	fi
	echo "$page"
done
[ -n "$tried" ] || { echo "skipped: neither mandoc nor man with groff"; exit 77; }
