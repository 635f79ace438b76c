#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All of the program compiles with musl, and needs no function that musl lacks.
# The libraries that it needs are packaged for glibc only. Their headers will do for that, and their functions are left
# open; what needs none of them is run. program.sh builds and runs all of it, with their sources.
build_dir=$PWD
. "$(dirname "$0")/lib.sh"
need musl-gcc musl-tools
[ -e "$build_dir/config.h" ] || { echo "skipped: not in a build directory"; exit 77; }

# Headers that musl-gcc does not look for: those of the kernel, and of the libraries.
headers=$dir/include
multiarch=$(gcc -print-multiarch)
mkdir "$headers" "$dir/all"
for header in /usr/include/{linux,asm-generic,blkid,uuid,json-c,zlib.h,zconf.h} "/usr/include/$multiarch"/{asm,zconf.h}; do
	[ ! -e "$header" ] || ln -sf "$header" "$headers/"
done

for file in cmdline/*.c cmdline/*/*.c tommyds/*.c raid/*.c raid/kernel/*.c; do
	musl-gcc "${flags[@]}" -O0 -Werror=implicit-function-declaration -DHAVE_CONFIG_H -I"$build_dir" -isystem "$headers" \
		-isystem "$headers/json-c" -c -o "$dir/all/$(tr / - <<< "${file%.c}").o" "$file" &
	[ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
done
wait
musl-gcc -static -o "$dir/snapraid" "$dir"/all/*.o -Wl,--warn-unresolved-symbols 2> "$dir/link"
sed -n "s/.*undefined reference to \`\(.*\)'.*/\1/p" "$dir/link" | sort -u > "$dir/open"
! grep -Evx '(blkid|uuid|json|lh)_.*|array_list_.*|(in|de)flate.*|crc32|gz.*' "$dir/open" || { echo "musl lacks these"; exit 1; }
"$dir/snapraid" -V
"$dir/snapraid" -T --speed-test-period 1 --speed-test-blocks-size 4 > /dev/null
echo "$(ls "$dir"/all/*.o | wc -l) files compiled; left open: $(wc -l < "$dir/open") functions of libraries"
