#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "names are bytes: every name that a disk can hold is kept"

array 2 1
long=$(printf 'L%.0s' $(seq 255))
deep=$(printf 'directory-%03d/' $(seq 100))
names=(
	'with space' ' leading' 'trailing ' $'new\nline' $'tab\tname' $'cr\rname' $'escape\e[31mred' $'\x01control'
	$'invalid-\xff\xfe-utf8' $'trunc-\xc3' $'\xe2\x82\xac' 'quote"'"'"'s' 'back\slash' 'co:lon' '*star?' '[set]'
	'-rf' '--help' '#hash' '$HOME' '`id`' '%s%n' '~' '...' '.hidden' 'a,b' 'a;b|c&d' "$long"
	"${deep}bottom" 'case' 'CASE'
)
i=0
for name in "${names[@]}"; do
	i=$((i + 1))
	put "$W/d1/$name" $((i * 37)) "$i"
	ln -s -- "$name" "$W/d1/link-$i"
done
mkdir "$W/d1/"$'empty\ndir'
ln "$W/d1/with space" "$W/d1/"$'hard\nlink'
put "$W/d2/x" 5000

expect 2 -l "$W/log" diff
counts $((${#names[@]} * 2 + 2)) added
says '^add with\\ space$'
says '^add \\\*star\\\?$'
grep -qx 'scan:add:d1:co\\dlon' "$W/log" || fail "the colon is not escaped in the log"
grep -qx 'scan:add:d1:new\\nline' "$W/log" || fail "the line feed is not escaped in the log"
expect 0 sync
synced
remember_all

step "list"
expect 0 list
says ' with\\ space$'

step "the disk is lost"
lose "$W/d1"
expect 0 fix
same_all
expect 0 check

step "one odd name at a time, by a filter"
rm "$W/d1/"$'invalid-\xff\xfe-utf8'
expect 0 -f $'/invalid-\xff\xfe-utf8' fix
rm "$W/d1/co:lon"
expect 0 -f 'co:lon' fix
rm -r "$W/d1/directory-001"
expect 0 -f "/${deep}bottom" fix
if ours; then	# an escape makes a bracket a bracket
	rm "$W/d1/[set]"
	expect 0 -f '\[set\]' fix
fi
same_all
