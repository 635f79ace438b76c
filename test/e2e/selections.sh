#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "-f and -d mean what people mean: a name before a pattern, a whole path, and never nothing"
ours || skip "the peer takes every text as a pattern"

array 3 3	# whatever lies at the same stripes can be lost together
for i in 1 2 3; do for n in a b c; do put "$W/d$i/docs/$n$i" $((1000 * i + 17)); done; done
put "$W/d1/[x]" 100
put "$W/d1/x" 200
put "$W/d2/x" 30
put "$W/d2/st*r" 30
put "$W/d2/star" 3000
put "$W/d3/docs[1]/one" 900
put "$W/d3/docs1/one" 900
ln -s star "$W/d2/[l]"
expect 0 sync
remember_all

# brings ARG... -- FILE...: of all that is lost, fix ARG brings exactly these back
brings()
{
	local options=() file
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	lose "$W/d2"
	rm -r "$W/d1/[x]" "$W/d1/x" "$W/d3/docs[1]" "$W/d3/docs1"
	expect 0 fix "${options[@]}"
	(cd "$W" && find d2 'd1/x' 'd1/[x]' 'd3/docs1' 'd3/docs[1]' ! -type d 2> /dev/null | sort) > "$W/there"
	printf '%s\n' "$@" | sort > "$W/wanted"
	diff "$W/wanted" "$W/there" || fail "fix ${options[*]} brings back something else"
	QUIET=1 expect 0 fix
	same_all
}

step "a name is one, whatever is in it"
brings -f '[x]' -- 'd1/[x]'
brings -f '/[x]' -- 'd1/[x]'
brings -f 'st*r' -- 'd2/st*r'
brings -f 'docs[1]/' -- 'd3/docs[1]/one'
brings -f '[l]' -- 'd2/[l]'
brings -f x -- d1/x d2/x

step "... and where no such name is there, a pattern"
brings -f 's*r' -- 'd2/st*r' d2/star
brings -f 'st?r' -f '[x]' -- 'd2/st*r' d2/star 'd1/[x]'
brings -d d2 -f '[w-x]' -- d2/x

step "a whole path is one of its disk"
brings -f "$W/d2/x" -- d2/x
brings -f "$W/d2/docs/" -- d2/docs/a2 d2/docs/b2 d2/docs/c2
brings -f "$W/d2/docs/[ab]?" -- d2/docs/a2 d2/docs/b2
brings -f "$W/d1/[x]" -- 'd1/[x]'
brings -f "$W/d2" -- d2/docs/a2 d2/docs/b2 d2/docs/c2 d2/star 'd2/st*r' d2/x 'd2/[l]'
brings -f "$W/d2/" -d d2 -- d2/docs/a2 d2/docs/b2 d2/docs/c2 d2/star 'd2/st*r' d2/x 'd2/[l]'

step "what means nothing is refused, and helped"
rm "$W/d2/x"
for command in fix check; do
	for text in nonsuch /a2 'z*' "$W/d1/docs/a2" "$W/d9/docs/a2" DOCS/a2; do
		refuse $command -f "$text"
		warns "No recorded file matches '--filter .*snapraid list"
	done
	refuse $command -f x -f nonsuch
	warns "nonsuch"
	refuse $command -d d1 -f star
	refuse $command -d d9
	warns "'d9'"
	for text in docs "$W/d2/docs" /docs; do
		refuse $command -f "$text"
		warns "use '--filter $text/'"
	done
done
gone "$W/d2/x"
