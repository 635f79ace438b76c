#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "every kind of mistake in the configuration is refused, with the line and a reason"

array 2 2 'exclude *.tmp'
put "$W/d1/file" 100
mkdir "$W/pool"
cp "$CONF" "$W/good.conf"
expect 2 diff

# wrong WHAT SED [LINE]: the configuration changed by SED is refused; LINE is named, if there is one
wrong()
{
	sed -E "$2" "$W/good.conf" > "$CONF"
	! cmp -s "$CONF" "$W/good.conf" || fail "'$2' changes nothing"
	run diff
	[ "$rc" = 1 ] || fail "$1: exits $rc, not 1"
	[ -s "$W/err" ] || fail "$1: nothing on stderr"
	if [ -n "${3:-}" ] && ours; then
		grep -Eq "(line |:)$3\b" "$W/err" || fail "$1: line $3 is not named"
	fi
	echo "   $1"
}

# added WHAT LINE: the same, for a line put at the end
last=$(($(wc -l < "$W/good.conf") + 1))
added() { wrong "$1" "\$a\\
$2" "$last"; }

# stricter COMMAND...: where the peer looks away
stricter() { ours && "$@" || true; }

step "words and values"
added "an unknown directive" 'paritty /somewhere'
added "a directive in capitals" 'DATA d3 /tmp'
added "a directive without a value" 'content'
added "data without a folder" 'data d3'
added "a block size that is no number" 'blocksize many'
added "a block size that is no power of two" 'blocksize 3'
added "a block size of zero" 'blocksize 0'
added "a block size out of range" 'blocksize 32768'
added "a hash size that there is not" 'hashsize 7'
added "autosave that is no number" 'autosave often'
added "a comment after a number" 'autosave 10 # GB'
added "a word after a flag" 'nohidden yes'
added "a pattern with an empty part" 'exclude /a//b'
added "a pattern with dots" 'exclude ../a'
stricter added "an empty split" "3-parity $W/p1/x,,$W/p1/y"
added "nine splits" "3-parity $(printf "$W/p1/s%s," 1 2 3 4 5 6 7 8)$W/p1/s9"

step "twice"
added "a level twice" "2-parity $W/p1/other"
added "a content file twice" "content $W/c/content"
added "a disk name twice" "data d2 $W/pool"
wrong "the pool twice" "\$a\\
pool $W/pool\\
pool $W/pool" $((last + 1))

step "missing"
wrong "no parity" '/parity .*p1\/parity/d'
wrong "a gap in the levels" 's/^2-parity/4-parity/'
wrong "no content file" '/^content/d'
wrong "z-parity with a fourth level" "\$a\\
z-parity $W/p1/z\\
4-parity $W/p1/4"

step "paths"
wrong "a content file in a folder that is not there" "s|^content $W/c/|content $W/nowhere/|"
wrong "a data disk that is not there" "s|^data d2 .*|data d2 $W/nowhere|"
wrong "a pool that is not there" "\$a\\
pool $W/nowhere"
wrong "a content file that is a parity file" "s|^content $W/c/content|content $W/p1/parity|"
wrong "a content file in /dev/null" "s|^content $W/c/content|content /dev/null|"

step "devices"
cp "$W/good.conf" "$CONF"
OPTIONS=(--test-skip-self)
refuse diff
OPTIONS=(--test-skip-device --test-skip-self)

step "no configuration at all"
rm "$CONF"
expect 1 diff
[ -s "$W/err" ] || fail "nothing on stderr"
expect 1 -c "$W" diff

step "what looks odd and is right"
{
	echo
	echo "   # a comment"
	sed 's/^data/  disk/; s/$/  \r/' "$W/good.conf"
	printf '\tautosave 0\n\n'
	printf 'nohidden'
} > "$CONF"
expect 2 diff
counts 1 added
