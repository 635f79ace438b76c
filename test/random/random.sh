#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Some hundreds of random stories; thousands by hand, with run.py --seeds A-B.
exec "${PYTHON3:-python3}" "$(dirname "$0")/run.py" --seeds "${SEEDS:-1-200}"
