#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the example configuration works as it is, and with all that is commented out"

example=$here/../../snapraid.conf.example

# use SED: the example with its paths inside the work directory, and their folders made
use()
{
	sed "$1" "$example" | sed -E "s#^(\S*parity|content|data|disk|extra|pool|share)( \S+)? (/\S+)#\1\2 $W\3#" |
		sed "s# /# $W/#; s#$W$W#$W#; s#$W/tmp/#/tmp/#; s#$W/lost#/lost#" > "$CONF"
	sed -nE 's#^(data|disk|extra) \S+ ##p; s#^pool ##p; s#^(\S*parity|content) (.*)/.*#\2#p' "$CONF" | xargs mkdir -p
}

step "as it is"
use ''
put "$W/mnt/disk1/file" 1000
expect 2 diff
counts 1 added
expect 0 sync
expect 0 check

step "every directive is there once"
for word in parity 2-parity 3-parity 4-parity 5-parity 6-parity z-parity extra nohidden include blocksize hashsize \
	autosave pool share smartctl smartignore temp_limit temp_sleep snapshot; do
	[ "$(grep -Ec "^#?$word( [^ ]|$)" "$example")" = 1 ] || fail "'$word' is not there once"
done

if ours; then	# 12.2 does not know all of them
	step "with all of it, but z-parity"
	rm -rf "$W/mnt" "$W/var"
	use 's/^#\([^ ]\)/\1/; /^z-parity/d'
	put "$W/mnt/disk1/file" 1000
	expect 2 diff
	step "with z-parity"
	use 's/^#\(2-parity\|z-parity\)/\1/'
	expect 2 diff
fi
