#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make install DESTDIR= puts each thing in its place and nothing elsewhere; make uninstall takes all of it away.
set -euo pipefail
[ -e Makefile ] || { echo "skipped: not in a build directory"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }
quiet() { "$@" > "$work/log" 2>&1 || { tail -20 "$work/log"; die "$*"; }; }
unset MAKEFLAGS MFLAGS MAKELEVEL

there=$work/there
prefix=$(sed -n 's/^prefix = //p' Makefile)
quiet make install DESTDIR="$there"
cat > "$work/expected" <<END
bin/snapraid
lib/systemd/system/snapraid-scrub.service
lib/systemd/system/snapraid-scrub.timer
lib/systemd/system/snapraid-sync.service
lib/systemd/system/snapraid-sync.timer
share/bash-completion/completions/snapraid
share/doc/snapraid/COPYING
share/doc/snapraid/README.md
share/doc/snapraid/compat.md
share/doc/snapraid/smart.md
share/doc/snapraid/snapraid.conf.example
share/doc/snapraid/stories.md
share/fish/vendor_completions.d/snapraid.fish
share/man/man1/snapraid.1
share/man/man5/snapraid-log.5
share/man/man5/snapraid.conf.5
share/zsh/site-functions/_snapraid
END
(cd "$there$prefix" && find . -type f -printf '%P\n' | sort) > "$work/got"
diff "$work/expected" "$work/got" || die "not the files that are meant to be there"
[ "$(find "$there" -type f | wc -l)" = "$(wc -l < "$work/expected")" ] || die "something lies outside of $prefix"
[ -x "$there$prefix/bin/snapraid" ] || die "the program cannot be run"
[ -z "$(find "$there$prefix/lib" "$there$prefix/share" -type f -perm /111)" ] || die "something that is no program can be run"
grep -q "^ExecStart=$prefix/bin/snapraid " "$there$prefix/lib/systemd/system/snapraid-sync.service" ||
	die "the unit does not run the program that was installed"
quiet make uninstall DESTDIR="$there"
[ -z "$(find "$there" -type f)" ] || die "left by uninstall: $(find "$there" -type f)"

# Directories of a distribution.
quiet make install DESTDIR="$there" prefix=/usr sysconfdir=/etc systemdsystemunitdir=/usr/lib/systemd/system
[ -e "$there/usr/lib/systemd/system/snapraid-sync.timer" ] || die "no timer in the directory that was named"
echo "$(wc -l < "$work/expected") files, each in its place"
