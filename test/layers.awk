# SPDX-License-Identifier: GPL-3.0-or-later
# Reads test/layers, then sources: says which of their includes do not point to a layer below.
FILENAME ~ /layers$/ { if (sub(/:/, "")) { from = $1; $1 = ""; may[from] = " " from $0 " " } next }
/^#include "[a-z]+\// {
	n = split(FILENAME, part, "/"); from = part[1] == "cmdline" ? part[2] : part[1]; sub(/\.c$/, "", from)
	split($2, name, "\""); to = name[2]; sub(/\/.*/, "", to)
	if (to != from && may[from] !~ / \* / && !index(may[from], " " to " ") && !index(may[from], " " name[2] " ")) {
		print FILENAME ":" FNR ": " from " may not include " to; bad = 1
	}
}
END { exit bad }
