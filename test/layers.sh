#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every include points to a folder below; see doc/design.md.
set -eu
cd "${srcdir:-.}"
find raid tommyds cmdline -name '*.[ch]' -print0 | sort -z | xargs -0 awk -f test/layers.awk test/layers
echo "every include points down"
