# SPDX-License-Identifier: GPL-3.0-or-later
# Build raid/, hash/ and their unit tests for another CPU, or another way, and run them.
set -euo pipefail
cd "${srcdir:-.}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
flags=(-O2 -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -static -pthread -Wno-psabi -I. -Icmdline -Itest/cross)
tests=(raid/kernel raid/probe raid/scan hash/kernel)

skip() { echo "skipped: needs $*"; exit 77; }

# need TOOL PACKAGE
need() { command -v "$1" > /dev/null || skip "$2"; }

# compile COMPILER OUTPUT FLAG...: the library, and the digests
compile()
{
	local cc=$1 out=$2 file
	shift 2
	mkdir -p "$out"
	for file in raid/*.c raid/kernel/*.c cmdline/hash/*.c; do
		"$cc" "${flags[@]}" "$@" -c -o "$out/$(tr / - <<< "${file%.c}").o" "$file" &
		[ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
	done
	wait
	ar cr "$out/raid.a" "$out"/*.o
	"$cc" "${flags[@]}" "$@" -o "$out/digest" test/cross/digest.c "$out/raid.a"
}

# build COMPILER OUTPUT FLAG...: those, and the tests that need nothing else
build()
{
	local cc=$1 out=$2 file
	compile "$@"
	shift 2
	for file in "${tests[@]}"; do
		"$cc" "${flags[@]}" "$@" -o "$out/test-${file/\//-}" "test/unit/$file.c" "$out/raid.a"
	done
}

# digest OUTPUT EMULATOR...: it has to be that of this machine
digest()
{
	"${@:2}" "$1/digest" > "$1/digest.txt"
	diff "$dir/host.txt" "$1/digest.txt"
}

# check OUTPUT EMULATOR...: that, and the tests
check()
{
	local file
	for file in "${tests[@]}"; do "${@:2}" "$1/test-${file/\//-}"; done
	digest "$@"
}

# What the build has computed; by hand, a compiler of this machine
host()
{
	local cc=${CC:-gcc}
	[ -n "${DIGEST:-}" ] || { compile "${cc%% *}" "$dir/host" && DIGEST=$dir/host/digest; }
	"$DIGEST" > "$dir/host.txt"
	! grep -E 'WRONG|not solved|differ [^0]' "$dir/host.txt"
}
