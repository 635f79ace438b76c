#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The completions have every command and option that the usage text has, and no other, and the shells take them.
set -euo pipefail
dir=$PWD/pkg/completion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() { echo "FAILED: $*"; exit 1; }

"$SNAPRAID" -H > "$work/usage"
{
	sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p' "$work/usage"
	sed -nE 's/^ +(-.), --.*/\1/p' "$work/usage"
	sed -nE 's/^ +(-., )?(--[a-z-]+).*/\2/p' "$work/usage"
} | sort > "$work/public"
[ "$(wc -l < "$work/public")" -gt 60 ] || die "the usage text has too few commands and options to be read right"

# same SHELL: the words on stdin are the public ones
same()
{
	sort > "$work/$1"
	diff "$work/public" "$work/$1" || die "$1: not the commands and options of 'snapraid -H'"
	echo "$1: $(wc -l < "$work/$1") commands and options"
}

# bash: ask it as it asks itself
complete_bash() # complete_bash WORD...: what may stand for the last word, one a line
{
	bash --norc -c '
		set -u
		compopt() { :; }	# there is no command line here
		. "$0"
		complete -p snapraid | grep -q _snapraid
		COMP_WORDS=(snapraid "$@") COMP_CWORD=$#
		_snapraid
		[ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' "$dir/bash/snapraid" "$@"
}

# completes WORD... -- EXPECTED
completes()
{
	local words=() got
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	got=$(complete_bash "${words[@]}" | sort | tr '\n' ' ')
	[ "$got" = "$*${*:+ }" ] || die "bash completes '${words[*]}' to '$got', not '$*'"
}
{ complete_bash ''; complete_bash -; complete_bash --; } | sort -u | same bash
completes sy -- sync
completes --force-full sy -- sync
completes --force-re -- --force-realloc --force-realloc-tail
completes -v --gui-v -- --gui-verbose
completes --plan b -- bad
completes --plan = f -- full
completes -p '' -- bad full new
completes -S '' --
mkdir -p "$work/a dir"
touch "$work/a file"
completes --conf "$work/a" -- "$work/a dir $work/a file"
completes --log = "$work/a f" -- "$work/a file"
completes --import "$work/a" -- "$work/a dir"

# zsh
sed -nE "s/^\t\t'([a-z]+):.*/\1/p; s/^\t\t'(\*|\([^)]*\))?(--?[A-Za-z-]+)[+=]?\[.*/\2/p" "$dir/_snapraid" | same zsh
# fish
sed -nE 's/^complete .*-a ([a-z]+) -d .*/\1/p; s/^complete .* -s (.) .*/-\1/p' "$dir/snapraid.fish" > "$work/list"
sed -nE 's/^complete -c snapraid( -s .)? -l ([a-z-]+) .*/--\2/p' "$dir/snapraid.fish" >> "$work/list"
same fish < "$work/list"

if command -v zsh > /dev/null; then
	zsh -n "$dir/_snapraid" || die "zsh cannot read its completion"
	zsh -f -c "autoload -Uz compinit && compinit -u -D && fpath=($dir \$fpath) && autoload -Uz +X _snapraid" ||
		die "zsh cannot load its completion"
fi
if command -v fish > /dev/null; then
	got=$(HOME=$work fish --no-config -c "source '$dir/snapraid.fish'; complete -C 'snapraid sy'" | cut -f1)
	[ "$got" = sync ] || die "fish completes 'sy' to '$got'"
	got=$(HOME=$work fish --no-config -c "source '$dir/snapraid.fish'; complete -C 'snapraid --plan b'" | cut -f1)
	[ "$got" = bad ] || die "fish completes '--plan b' to '$got'"
	got=$(HOME=$work fish --no-config -c "source '$dir/snapraid.fish'; complete -C 'snapraid --force-f'" | cut -f1)
	[ "$got" = --force-full ] || die "fish completes '--force-f' to '$got'"
fi
