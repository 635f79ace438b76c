#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh DIRECTORY SECONDS [TARGET...]: let the targets of a build with --enable-fuzz search, one on each core.
#
# Each begins with its corpus, and keeps what it finds in DIRECTORY/corpus/TARGET, for the next run. One line for each;
# a finding lies in DIRECTORY/TARGET-*, and "DIRECTORY/test/fuzz/TARGET FILE" repeats it. Exit status 1: there is one.
set -u
cd "$(dirname "$0")/../.." || exit 1
export build=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- content config ignore journal options side smart

search()
{
	local name=fuzz_$1 seeds=(test/fuzz/corpus/"$1") place
	local new=$build/corpus/$name log=$build/$name.log

	mkdir -p "$new"
	# libFuzzer takes directories only.
	while read -r place; do
		if [ -d "$place" ]; then seeds+=("$place"); else cp "$place" "$new/"; fi
	done < <(cat "test/fuzz/corpus/$1.more" 2> /dev/null)
	# What the program prints is not wanted, and what libFuzzer and the sanitizers print is. A malloc of 256 MiB is
	# more than any of these small inputs may ask for.
	if "$build/test/fuzz/$name" -max_total_time="$seconds" -print_final_stats=1 -close_fd_mask=3 -timeout=20 \
		-rss_limit_mb=2048 -malloc_limit_mb=256 -max_len=8192 -artifact_prefix="$build/$name-" \
		"$new" "${seeds[@]}" > "$log" 2>&1; then
		echo "$name: done, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
	else
		echo "$name: FAILED, see $log"
		grep -a -m 3 -A 12 -E 'ERROR|runtime error' "$log" || tail -n 3 "$log"
		return 1
	fi
}
export -f search

printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'search {}'
