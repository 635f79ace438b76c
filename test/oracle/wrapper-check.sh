#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lines, tags and exit codes that the programs around snapraid look for; those of the file "later" may fail.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"${PYTHON3:-python3}" "$here/wrapper-check.py" "${SNAPRAID:-$here/../../build/snapraid}" \
	--make-array "$here/make-array.sh" --older --newest "$@" > "$out" 2>&1
cat "$out"
tail -1 "$out" | grep -Eq '^[0-9]+ passed' || exit 1
later=$(grep -v '^#' "$here/later" | paste -sd '|')
unexpected=$(grep '^FAIL' "$out" | grep -Evc "^FAIL ($later)")
echo "$unexpected of these failures are not known to be for later"
[ "$unexpected" = 0 ]
