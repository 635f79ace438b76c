#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh TARBALL: the Debian package builds from it, and lintian has nothing to say; so does the RPM, and what the
# PKGBUILD does, and each has the files that "make install" puts in place. Not a part of "make check": it builds the program
# once more for each.
set -euo pipefail
tarball=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }
has() { command -v "$1" > /dev/null || { echo "$1 is missing: $2"; return 1; }; }

tar -C "$work" -xf "$tarball"
cd "$work"/snapraid-*
version=$(sed -n 's/^AC_INIT(\[snapraid\],\[\(.*\)\])/\1/p' configure.ac)
[ "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" = "$version" ] || die "debian/changelog is not of version $version"
[ "$(sed -n 's/^Version: *//p' pkg/rpm/snapraid-alt.spec)" = "$version" ] || die "the spec is not of version $version"
[ "$(sed -n 's/^pkgver=//p' pkg/arch/PKGBUILD)" = "$version" ] || die "the PKGBUILD is not of version $version"

quiet() { "$@" > "$work/log" 2>&1 || { tail -40 "$work/log"; die "$*"; }; }

# The PKGBUILD, as makepkg runs it, but for the tests.
bash -n pkg/arch/PKGBUILD || die "the PKGBUILD is no shell script"
mkdir -p "$work/arch/src" "$work/arch/pkg"
tar -C "$work/arch/src" -xf "$tarball"
arch_step()
{
	export pkgdir=$work/arch/pkg
	cd "$work/arch/src"
	export MAKEFLAGS=-j$(nproc) CFLAGS=-O0	# makepkg has its own; what is looked at is the list of files
	set -e
	. "$work/arch/src/snapraid-$version/pkg/arch/PKGBUILD"
	"$1"
}
for step in build package; do (quiet arch_step "$step") || exit; done
files() { (cd "$1" && find . -type f -printf '/%P\n' | sed 's/\.gz$//' | sort); }
files "$work/arch/pkg" > "$work/arch/files"
[ "$(wc -l < "$work/arch/files")" -gt 15 ] || die "the PKGBUILD installs too little: $(cat "$work/arch/files")"

if has rpmbuild "no RPM is built"; then
	mkdir -p "$work/rpm/SOURCES"
	cp "$tarball" "$work/rpm/SOURCES/"
	quiet rpmbuild -bb --nodeps --nocheck --define "_topdir $work/rpm" --define 'optflags -O0' pkg/rpm/snapraid-alt.spec
	rpm -qp --nosignature --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$work"/rpm/RPMS/*/snapraid-alt-[0-9]*.rpm > "$work/rpm/list"
	sed -n 's/^-[^ ]* //p' "$work/rpm/list" | sed 's/\.gz$//; s#/licenses/snapraid-alt[^/]*/#/doc/snapraid-alt/#' |
		grep -v '^/usr/lib/\.build-id/' | sort > "$work/rpm/files"
	diff "$work/arch/files" "$work/rpm/files" || die "the RPM (>) and the PKGBUILD (<) install other files"
	! grep '^d' "$work/rpm/list" | grep -Ev '/(snapraid-alt[^/]*|\.build-id(/..)?)$' || die "the RPM owns directories that are not its own"
fi
if has dh "no Debian package is built" && has dpkg-buildpackage "no Debian package is built"; then
	dpkg-buildpackage -us -uc -b > "$work/log" 2>&1 || { tail -40 "$work/log"; die "dpkg-buildpackage"; }
	dpkg-deb -c "$work"/snapraid-alt_*.deb | awk '{ print $1, $6 }' | grep -v '/$'
	if has lintian "the package is not examined"; then
		lintian --allow-root --info --fail-on error,warning,info "$work"/*.changes || die "lintian"
	fi
fi
