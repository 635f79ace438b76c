#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels as clang compiles them.
. "$(dirname "$0")/lib.sh"
need clang clang
host
build clang "$dir/clang"
check "$dir/clang"
