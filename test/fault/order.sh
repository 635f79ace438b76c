#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "the order that keeps data: content that marks, parity, parity durable, content that says so, each durable"

# In the trace: what is written and not yet durable when a name or a parity byte is.
cat > "$W/order.awk" <<'AWK'
function dir_of(path) { sub(/\/[^\/]*$/, "", path); return path }
function bad(what) { print "call " $1 ": " what; failed = 1 }
/ HARM$/ { exit }
$2 == "create" && $4 == "new" { name[dir_of($3)] = 1 }
$2 == "write" || $2 == "copy" || $2 == "truncate" || $2 == "allocate" { data[$3] = 1 }
$2 == "sync" { delete data[$3]; delete name[$3] }
$2 == "rename" && $4 ~ /\/content$/ {
	if ($3 in data) bad("content renamed before its data is durable")
	for (path in data) if (path ~ /\/parity/ && written[path]) bad("content renamed while " path " is not durable")
	name[dir_of($4)] = 1
	renamed[$4] = 1
}
$2 == "write" && $3 ~ /\/parity/ {
	written[$3] = 1
	for (i = 1; i <= copies; ++i) {
		if (!((copy[i]) in renamed)) bad("parity written before " copy[i])
		if (dir_of(copy[i]) in name) bad("parity written before the name of " copy[i] " is durable")
	}
}
END {
	for (path in data) if (path ~ /parity|content/) bad("never made durable: " path)
	for (path in name) bad("names never made durable: " path)
	exit failed || length(written) == 0
}
BEGIN { copies = split(list, copy, " ") }
AWK

ordered() # the last trace
{
	awk -v list="$W/c/content $W/p1/content $W/p2/content" -f "$W/order.awk" "$W/trace" || fail "$what: wrong order"
}

# marked AT: the content files as they are at this call mark all stripes that are written from there on until the
# content is renamed the next time
marked()
{
	local at=$1 stripes
	stripes=$(awk -v at="$at" '$1 < at { next } $2 == "rename" { exit }
		$2 == "write" && $3 ~ /\/parity/ { print int($4 / 1024) }' "$W/trace" | sort -nu)
	back start
	harmed kill-before "$at" "${command[@]}"
	killed "$at"
	$PYTHON3 "$ORACLE/content-dump.py" "$W/c/content" > "$W/dump" || fail "$what: the content at call $at is no content"
	$PYTHON3 - "$W/dump" $stripes <<-'PY' || fail "$what: the content at call $at does not mark what is written next"
	import json, sys
	dump = json.load(open(sys.argv[1]))
	marked = set()
	runs = [run for file in dump["files"] for run in file["runs"] if run["state"] != "BLK"]
	for holes in dump["holes"]:
	    runs += [run for run in holes["runs"] if run.get("hashes") or run.get("state") == "DELETED"]
	for run in runs:
	    marked.update(range(run["pos"], run["pos"] + run["count"]))
	unmarked = {int(s) for s in sys.argv[2:]} - marked
	if unmarked:
	    sys.exit(f"stripes {sorted(unmarked)}")
	PY
}

prepare_sync
command=(--test-force-autosave-at 10 sync)
what="a sync with an autosave"
calls "${command[@]}"
autosaves
cp "$W/trace" "$W/whole"
echo "   $calls calls"
ordered

step "what is written is marked: after each save of the content"
for at in $(awk '$2 == "rename" { open = 1 } open && $2 == "write" && $3 ~ /\/parity/ { print $1; open = 0 }' "$W/whole"); do
	cp "$W/whole" "$W/trace"
	echo "   parity is written from call $at on"
	marked "$at"
done

step "a sync that was killed is resumed: what it left on disk may not be durable"
back start
run sync
put "$W/d1/large" 12000
at=$(($(stat -c %s "$W/p1/parity") / 1024 + 4))		# in the midst of it, so that its places are kept
keep start
calls --test-force-autosave-at "$at" sync
first=$(awk '$2 == "rename" { ++saves } saves > 3 && $2 == "write" && $3 ~ /\/parity/ { print $1; exit }' "$W/trace")
back start
harmed kill-before "$first" --test-force-autosave-at "$at" sync
killed "$first"
what="a resumed sync"
calls sync
ordered

step "fix: a name is given to data that is durable, and is durable at the end"
lose "$W/d1"
what="a fix"
calls fix
awk '
function dir_of(path) { sub(/\/[^\/]*$/, "", path); return path }
function bad(what) { print "call " $1 ": " what; failed = 1 }
$2 == "write" || $2 == "copy" || $2 == "times" || $2 == "truncate" { data[$3] = 1; wrote = 1 }
$2 == "write" && $3 !~ /\.snapraid-[0-9a-f]*\.tmp$/ { bad("written under its own name: " $3) }
$2 == "sync" { delete data[$3]; delete name[$3] }
$2 == "syncfs" { for (path in data) delete data[path]; for (path in name) delete name[path] }
$2 == "rename" { if ($3 in data) bad("renamed before it is durable: " $3); name[dir_of($4)] = 1 }
END { for (path in name) bad("names never made durable: " path); exit failed || !wrote }' "$W/trace" || fail "$what: wrong order"
