#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh TARBALL: the Debian package builds from it, and lintian has nothing to say; the RPM spec and the PKGBUILD can
# be read. Not a part of "make check": it builds the program once more.
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

bash -n pkg/arch/PKGBUILD || die "the PKGBUILD is no shell script"
if has rpmspec "the RPM spec is not read"; then
	rpmspec -P pkg/rpm/snapraid-alt.spec > /dev/null || die "the RPM spec"
fi
if has dh "no Debian package is built" && has dpkg-buildpackage "no Debian package is built"; then
	dpkg-buildpackage -us -uc -b > "$work/log" 2>&1 || { tail -40 "$work/log"; die "dpkg-buildpackage"; }
	dpkg-deb -c "$work"/snapraid-alt_*.deb | awk '{ print $1, $6 }' | grep -v '/$'
	if has lintian "the package is not examined"; then
		lintian --allow-root --info --fail-on error,warning,info "$work"/*.changes || die "lintian"
	fi
fi
