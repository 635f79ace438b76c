#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "what costs time is counted: a command touches what it needs, and no more"

writer=$SHIM
shim shim-read.c
reader=$SHIM

# changing ARG..., reading ARG...: run it; $W/trace has its calls of that kind, without those on the lock file
changing() { SHIM=$writer; harmed none 0 "$@"; sed -i "/content\.lock/d" "$W/trace"; }
reading() { SHIM=$reader; harmed none 0 "$@"; }

# Data files that were opened, and how often; directories of the disks are no data.
opened()
{
	local path
	awk '$2 == "open" { print $3 }' "$W/trace" | grep "^$W/d[0-9]/" | while read -r path; do
		[ -d "$path" ] || echo "${path#"$W/"}"
	done | sort | uniq -c | awk '{ print $2 "*" $1 }' | tr '\n' ' '
}

# What was asked of files, links and directories of the disks, the roots aside, and how often.
asked()
{
	awk '{ print $2, $3 }' "$W/trace" | grep " $W/d[0-9]/[^.]" | sed "s| $W/| |" | sort | uniq -c |
		awk '{ print $2 "*" $1 ":" $3 }' | tr '\n' ' '
}

ends() { [ "$rc" = "$1" ] || fail "$2 exits $rc"; }

step "an array; the disks have different lengths"
array 3 1
put "$W/d1/a" 9000
put "$W/d1/dir/b" 3000
put "$W/d2/a" 5000
put "$W/d2/b" 100
put "$W/d3/a" 700
ln -s a "$W/d3/link"
reading sync
ends 0 "the first sync"
[ "$(opened)" = "d1/a*2 d1/dir/b*2 d2/a*2 d2/b*2 d3/a*2 " ] || fail "the first sync opened $(opened)"

step "a sync without a change writes nothing and opens no data file"
changing sync
ends 0 sync
[ ! -s "$W/trace" ] || fail "it changed: $(cat "$W/trace")"
reading sync
[ -z "$(opened)" ] || fail "it opened $(opened)"

step "it asks once for each entry, and opens a directory once"
entries="stat*1:d1/a stat*1:d1/dir stat*1:d1/dir/b stat*1:d2/a stat*1:d2/b stat*1:d3/a stat*1:d3/link "
[ "$(asked)" = "list*2:d1/dir open*1:d1/dir readlink*1:d3/link ${entries}xattr*1:d1/dir " ] || fail "sync asked $(asked)"
reading diff
[ "$(asked)" = "list*2:d1/dir open*1:d1/dir readlink*1:d3/link $entries" ] || fail "diff asked $(asked)"

step "the commands that only tell neither write nor open a data file"
for command in status list diff dup; do
	changing "$command"
	ends 0 "$command"
	[ ! -s "$W/trace" ] || fail "$command changed: $(cat "$W/trace")"
	reading "$command"
	[ -z "$(opened)" ] || fail "$command opened $(opened)"
done

step "a file added where no other disk has a block: nothing else is read"
put "$W/d1/new" 4000
reading sync
ends 0 "sync with a new file"
[ "$(opened)" = "d1/new*2 " ] || fail "it opened $(opened)"

step "a file added beside others: of these, only those in its stripes"
put "$W/d3/new" 1500
reading sync
ends 0 "sync with a file beside others"
[ "$(opened)" = "d1/a*1 d2/a*1 d3/new*2 " ] || fail "it opened $(opened)"

step "a file moved: it alone is looked at"
mv "$W/d1/dir/b" "$W/d1/c"
reading sync
ends 0 "sync with a moved file"
[ -z "$(opened | sed 's|d1/c\*[12] ||')" ] || fail "it opened $(opened)"

# Writes of parity in the trace, how many.
parity_writes() { awk '$2 == "write" && $3 ~ /\/parity$/' "$W/trace" | wc -l; }

step "a time that changed: the data is read, no parity is written; other data: the parity of its stripes is"
touch "$W/d2/a"
changing sync
ends 0 "sync with a touched file"
[ "$(parity_writes)" = 0 ] || fail "parity was written"
put "$W/d2/b" 100 other
changing sync
ends 0 "sync with a changed file"
[ "$(parity_writes)" = 1 ] || fail "parity was written $(parity_writes) times for one stripe"
