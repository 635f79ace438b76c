#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "exclude and include rules, nohidden, and .snapraidignore"

array 1 1
cp "$CONF" "$W/base.conf"
for f in file.txt F.TMP f.tmp .hid .hdir/f.txt tmp/f.txt tmp/sub/g.txt tmp2/f.txt x1/f.txt x1/tmp/f.txt x1/tmp/y/f.txt \
	z/tmp src/main.js src/ui/main.js src/ui/c/main.js lib/src/main.js 'sp ace/f x.txt' 'a*b' aXb 'b1' 'b]' bx; do
	mkdir -p "$(dirname -- "$W/d1/$f")"
	echo "$f" > "$W/d1/$f"
done
(cd "$W/d1" && find . -type f -printf '%P\n' | sort) > "$W/all"

# rules RULE ; RULE... -- PATH...: just these paths are left out
rules()
{
	local rule=()
	cp "$W/base.conf" "$CONF"
	while [ "$1" != -- ]; do rule+=("$1"); shift; done
	shift
	printf '%s\n' "${rule[@]}" >> "$CONF"
	run diff
	[ "$rc" != 1 ] || fail "'${rule[*]}': diff exits 1"
	sed -n 's/^add //p' "$W/out" | sed 's/\\\(.\)/\1/g' | sort > "$W/in"
	comm -23 "$W/all" "$W/in" > "$W/excluded"
	printf '%s\n' "$@" | sort | sed '/^$/d' > "$W/wanted"
	cmp -s "$W/excluded" "$W/wanted" || { diff "$W/wanted" "$W/excluded"; fail "'${rule[*]}' leaves out other files"; }
	echo "   ${rule[*]}"
}

step "rules"
rules 'exclude *.tmp' -- f.tmp
rules 'exclude tmp' -- z/tmp
rules 'exclude tmp/' -- tmp/f.txt tmp/sub/g.txt x1/tmp/f.txt x1/tmp/y/f.txt
rules 'exclude /tmp/' -- tmp/f.txt tmp/sub/g.txt
rules 'exclude /tmp' --
rules 'exclude /tmp/f.txt' -- tmp/f.txt
rules 'exclude /x1/tmp/' -- x1/tmp/f.txt x1/tmp/y/f.txt
rules 'exclude /tmp/*' -- tmp/f.txt
rules 'exclude /*/f.txt' -- tmp/f.txt tmp2/f.txt x1/f.txt .hdir/f.txt
rules 'exclude .*' -- .hid
rules 'exclude .*/' -- .hdir/f.txt
rules 'nohidden' -- .hid .hdir/f.txt
rules 'exclude sp ace/' -- 'sp ace/f x.txt'
rules 'exclude f x.txt' -- 'sp ace/f x.txt'
rules 'exclude b[0-9]' -- b1
rules 'exclude b[!0-9]' -- 'b]' bx
rules 'exclude a\*b' -- 'a*b'
rules 'exclude b[[:digit:]]' -- b1
rules 'exclude */' -- .hdir/f.txt tmp/f.txt tmp/sub/g.txt tmp2/f.txt x1/f.txt x1/tmp/f.txt x1/tmp/y/f.txt z/tmp \
	src/main.js src/ui/main.js src/ui/c/main.js lib/src/main.js 'sp ace/f x.txt'
mapfile -t all < "$W/all"
rules 'exclude *.txt' 'include /tmp/' -- "${all[@]}"
rules 'include /tmp/' 'exclude *.txt' -- .hdir/f.txt file.txt tmp2/f.txt x1/f.txt x1/tmp/f.txt x1/tmp/y/f.txt 'sp ace/f x.txt'
if ours; then
	rules 'exclude */f.txt' -- .hdir/f.txt tmp/f.txt tmp2/f.txt x1/f.txt x1/tmp/f.txt x1/tmp/y/f.txt
	rules 'exclude src/**/main.js' -- src/main.js src/ui/main.js src/ui/c/main.js lib/src/main.js
	rules 'exclude /src/**/main.js' -- src/main.js src/ui/main.js src/ui/c/main.js
	rules 'exclude /src/**' -- src/main.js src/ui/main.js src/ui/c/main.js
	rules 'exclude src/ui/' -- src/ui/main.js src/ui/c/main.js
	mapfile -t others < <(grep -Ev '^(src|sp ace)/|^lib/src/|/sub/' "$W/all")
	rules 'include s*/' -- "${others[@]}"
fi

step "a file that becomes excluded leaves the array, and stays on disk"
cp "$W/base.conf" "$CONF"
run sync
echo 'exclude *.js' >> "$CONF"
expect 2 diff
says '^remove src/main\.js$'
expect 0 sync
expect 0 diff
exists "$W/d1/src/main.js"

step "content files on a data disk are not data"
cp "$W/base.conf" "$CONF"
sed -i "s|^content $W/c/content|content $W/d1/content|" "$CONF"
expect 0 sync
touch "$W/d1/content.tmp"
expect 0 diff

if ours; then
	step ".snapraidignore"
	cp "$W/base.conf" "$CONF"
	run sync
	mkdir -p "$W/d1/p/s/build" "$W/d1/p/build"
	for f in p/out.bin p/s/out.bin p/build/x p/s/build/x p/a.tmp p/s/a.tmp p/keep; do echo "$f" > "$W/d1/$f"; done
	ignored() # ignored LINES -- what diff adds
	{
		printf "$1" > "$W/d1/p/.snapraidignore"
		shift
		run diff
		sed -n 's/^add //p' "$W/out" | sort > "$W/in"
		printf '%s\n' p/.snapraidignore "$@" | sort > "$W/wanted"
		cmp -s "$W/in" "$W/wanted" || { diff "$W/wanted" "$W/in"; fail "the ignore file has another effect"; }
	}
	ignored '*.tmp\n/out.bin\nbuild/\n' p/keep p/s/out.bin
	ignored '*.tmp\r\n# comment\n\n   out.bin' p/build/x p/keep p/s/build/x
	ignored '../out.bin\n*.tmp\n' p/build/x p/keep p/out.bin p/s/build/x p/s/out.bin
	tells 'snapraidignore'
fi
