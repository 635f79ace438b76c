#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lines, tags and exit codes that the programs around snapraid look for.
set -u
here=$(cd "$(dirname "$0")" && pwd)
exec "${PYTHON3:-python3}" "$here/wrapper-check.py" "${SNAPRAID:-$here/../../build/snapraid}" \
	--make-array "$here/make-array.sh" "$@"
