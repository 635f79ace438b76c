#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# program.sh arm64|musl DIRECTORY: build all of the program in DIRECTORY for another CPU, or with another C library, and
# run unit tests and stories with it.
#
# The libraries that it needs are those of Debian, for arm64 the packages as they are, for musl their sources. They are
# fetched by apt into DIRECTORY; nothing is installed. Exits 77 where that cannot be done.
set -euo pipefail
unset MAKEFLAGS MFLAGS MAKELEVEL
source=$(cd "$(dirname "$0")/../.." && pwd)
kind=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
root=$dir/root
jobs=$(nproc)
stories=(first-sync lost-disk bit-rot undelete complete-restore split-parity)

skip() { echo "skipped: $*"; exit 77; }
die() { echo "FAILED: $*"; exit 1; }
need() { command -v "$1" > /dev/null || skip "needs $2"; }

# quiet NAME COMMAND...: its output only if it fails
quiet()
{
	local name=$1
	shift
	echo "$name"
	"$@" > "$dir/log" 2>&1 || { tail -30 "$dir/log"; die "$name"; }
}

# fetch COMMAND...: apt-get with lists of its own
fetch()
{
	local codename
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	mkdir -p "$dir/lists/partial" "$dir/debs" "$root"
	cat > "$dir/apt.conf" <<END
Dir::State::Lists "$dir/lists";
Dir::Etc::SourceList "$dir/sources.list";
Dir::Etc::SourceParts "-";
APT::Architectures { "$(dpkg --print-architecture)"; "arm64"; };
APT::Sandbox::User "root";
END
	for type in deb deb-src; do
		echo "$type [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $codename main"
	done > "$dir/sources.list"
	export APT_CONFIG=$dir/apt.conf
	apt-get -qq update > /dev/null 2>&1 && (cd "$dir/debs" && apt-get -qq "$@" > /dev/null 2>&1) ||
		skip "apt cannot fetch: apt-get $*"
	unset APT_CONFIG
}

arm64_libraries()
{
	local deb
	need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
	need qemu-aarch64 qemu-user
	fetch download {libblkid-dev,uuid-dev,zlib1g-dev,libjson-c-dev,libcmocka-dev,libcmocka0}:arm64
	for deb in "$dir"/debs/*.deb; do dpkg-deb -x "$deb" "$root"; done
	export PKG_CONFIG_SYSROOT_DIR=$root
	export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
	configure=(--host=aarch64-linux-gnu "LDFLAGS=-L$root/usr/lib/aarch64-linux-gnu")
	emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$root/usr/lib/aarch64-linux-gnu"
}

# library NAME CONFIGURE-ARGUMENT...: a static one, of its Debian source, for musl
library()
{
	local name=$1
	shift
	rm -rf "$dir/$name"
	quiet "unpacking $name" dpkg-source -x "$dir"/debs/"$name"_*.dsc "$dir/$name"
	cd "$dir/$name"
	if [ -e CMakeLists.txt ] && [ ! -e configure ]; then
		quiet "configuring $name" cmake -DCMAKE_C_COMPILER="$musl" -DCMAKE_INSTALL_PREFIX="$root" -DCMAKE_INSTALL_LIBDIR=lib "$@" .
	else
		quiet "configuring $name" env CC="$musl" ./configure --prefix="$root" "$@"
	fi
	quiet "building $name" make -j"$jobs"
	quiet "installing $name" make install
	cd "$dir"
}

musl_libraries()
{
	local multiarch
	need musl-gcc musl-tools
	need cmake cmake
	need dpkg-source dpkg-dev
	musl=$dir/musl-gcc
	fetch source --download-only util-linux zlib json-c
	# musl has no headers of the kernel.
	multiarch=$(gcc -print-multiarch)
	mkdir -p "$root/include"
	ln -sfn /usr/include/linux /usr/include/asm-generic "$root/include/"
	ln -sfn "/usr/include/$multiarch/asm" "$root/include/"
	printf '#!/bin/sh\nexec musl-gcc -isystem %s "$@"\n' "$root/include" > "$musl"
	chmod +x "$musl"
	library zlib --static
	library util-linux --disable-all-programs --enable-libblkid --enable-libuuid --disable-shared --enable-static \
		--disable-nls --disable-bash-completion
	library json-c -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_APPS=OFF
	export PKG_CONFIG_LIBDIR=$root/lib/pkgconfig
	# pkg-config leaves out what gcc finds itself; nothing of glibc's may be found.
	configure=(CC="$musl" CC_FOR_BUILD=gcc)
	emulator=
}

"${kind}_libraries"
[ -e "$source/configure" ] || (cd "$source" && autoreconf -i)
mkdir -p "$dir/build"
cd "$dir/build"
quiet "configuring snapraid" "$source/configure" --enable-static-build CFLAGS=-O1 "${configure[@]}"
quiet "building snapraid" make -j"$jobs" snapraid
! ldd snapraid > "$dir/ldd" 2>&1 || die "it needs shared libraries: $(cat "$dir/ldd")"

if [ "$kind" = arm64 ]; then
	quiet "building the unit tests" make -j"$jobs" $(make -s --no-print-directory print-unit-tests)
	failed=
	for test in $(make -s --no-print-directory print-unit-tests | xargs -n 1); do
		(cd "$source" && srcdir=. $emulator "$dir/build/$test" > "$dir/log" 2>&1) || [ $? = 77 ] ||
			{ tail -20 "$dir/log"; failed+=" $test"; }
	done
	[ -z "$failed" ] || die "$failed"
	echo "unit tests"
fi
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$dir/build/snapraid" > "$dir/snapraid"
chmod +x "$dir/snapraid"
for story in "${stories[@]}"; do
	quiet "$story" env SNAPRAID="$dir/snapraid" TIME_LIMIT=300 bash "$source/test/e2e/$story.sh"
done
echo "$kind: done"
