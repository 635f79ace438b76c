# SPDX-License-Identifier: GPL-3.0-or-later
# What the stories share. A story sources this file, says what it does, and ends with 0 (it holds), 1 (it does
# not) or 77 (it cannot be told on this machine).
#
#   SNAPRAID   the program under test      PEER   the one it exchanges arrays with
#   RUN_UNDER  a command put before it, as "valgrind -q --error-exitcode=99"
#   KEEP=1     leave the work directory behind

set -u
export LC_ALL=C TZ=UTC
unset CDPATH
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ORACLE=$here/../oracle
SNAPRAID=${SNAPRAID:-$here/../../build/snapraid}
PEER=${PEER:-/usr/bin/snapraid}
PYTHON3=${PYTHON3:-python3}
RAIDREF=${RAIDREF:-$ORACLE/raidref.py}
RUN_UNDER=${RUN_UNDER:-}
# To look for leaks takes longer than most commands: unit tests and fail-each-read.sh do, and by hand the stories.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
# Folders act as disks here, and nobody writes to them behind our back while we wait.
OPTIONS=(--test-skip-device --test-skip-self)

command -v -- "$SNAPRAID" > /dev/null || { echo "no program to test: $SNAPRAID"; exit 1; }
W=$(mktemp -d "${TMPDIR:-/tmp}/snapraid-test.XXXXXX")
CONF=$W/snapraid.conf
rc=0

finish() # whatever a story needs undone, it puts into undo()
{
	status=$?
	trap - EXIT INT TERM
	declare -F undo > /dev/null && undo
	cd /
	if [ "${KEEP:-0}" = 1 ]; then
		echo "kept: $W"
	else
		chmod -R u+rwX "$W" 2> /dev/null
		rm -rf -- "$W"
	fi
	exit "$status"
}
trap finish EXIT
trap 'exit 1' INT TERM

# For what a shell does too slowly: see there.
AID=${AID:-}
[ -x "$AID" ] || { AID=$W/.aid && ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -o "$AID" "$here/aid.c" || exit 1; }

grep() { command grep -a "$@"; }		# names may be any bytes

# ---- telling

story() { echo "== $*"; }
step() { echo "-- $*"; }
skip() { echo "skipped: $*"; exit 77; }

fail()
{
	echo "FAILED: $*"
	[ ! -s "$W/out" ] || { echo "---- stdout of the last run"; cat -v "$W/out"; }
	[ ! -s "$W/err" ] || { echo "---- stderr of the last run"; cat -v "$W/err"; }
	exit 1
}

# True for our own program. The stories also run with the peer as the program under test, which shows that they
# ask for behaviour, not for our implementation; where we ask for more than the peer does, they ask this first.
# (Our versions start at 20.)
ours()
{
	[ -n "${is_ours:-}" ] || { "$SNAPRAID" -V 2>&1 | grep -Eq '^snapraid v(2[0-9]|[3-9][0-9])\.' && is_ours=0 || is_ours=1; }
	return "$is_ours"
}

# ---- arrays

# array DISKS LEVELS [LINE...]: folders d1.. p1.. c, and a configuration with blocks of 1 KiB
array()
{
	local disks=$1 levels=$2 i
	shift 2
	mkdir -p "$W/c"
	{
		echo "blocksize ${BLOCK:-1}"
		for i in $(seq 1 "$levels"); do
			mkdir -p "$W/p$i"
			echo "$(level_name "$i") $W/p$i/parity"
		done
		echo "content $W/c/content"
		for i in $(seq 1 "$levels"); do echo "content $W/p$i/content"; done
		for i in $(seq 1 "$disks"); do
			mkdir -p "$W/d$i"
			echo "data d$i $W/d$i"
		done
		[ $# = 0 ] || printf '%s\n' "$@"
	} > "$CONF"
}

level_name() # 1 -> parity, 3 -> 3-parity, or z-parity if Z is set
{
	case $1:${Z:-} in
	1:*) echo parity ;;
	3:?*) echo z-parity ;;
	*) echo "$1-parity" ;;
	esac
}

# put FILE BYTES [SEED]: a file of so many bytes which depend on the seed (default: its path) alone
put() { "$AID" put "$1" "$2" "${3:-$1}"; }

# flip FILE OFFSET: one byte changes, size, inode and time stay, as when a disk rots
flip() { "$AID" flip "$1" "$2"; }

# tree DIR...: everything that an array keeps of the folders, one record a line; equal text is an equal folder
tree() { "$AID" tree "$@"; }

# remember NAME DIR..., same NAME DIR...: the folders are now as they were then
remember()
{
	local name=$1
	shift
	tree "$@" > "$W/.tree.$name" || fail "cannot be read: $*"
}

same()
{
	local name=$1
	shift
	tree "$@" > "$W/.tree.now" || fail "cannot be read: $*"
	cmp -s "$W/.tree.$name" "$W/.tree.now" && return
	diff "$W/.tree.$name" "$W/.tree.now" | head -20
	fail "not as it was: $*"
}

disks() { sed -n 's/^data [^ ]* //p' "$CONF"; }
remember_all() { local all; mapfile -t all < <(disks); remember all "${all[@]}"; }
same_all() { local all; mapfile -t all < <(disks); same all "${all[@]}"; }

# lose DIR: a new, empty disk is in its place
lose() { find "$1" -mindepth 1 -delete; }

# ---- running

program=$SNAPRAID
by() { program=$1; }		# by "$PEER"; run ...; by "$SNAPRAID"

# run ARG...: once; its streams in out and err, its exit code in $rc
run()
{
	timeout -k 5 "${TIME_LIMIT:-60}" $RUN_UNDER "$program" "${OPTIONS[@]}" -c "$CONF" "$@" \
		> "$W/out" 2> "$W/err" < /dev/null
	rc=$?
	case $rc in
	99 | 124 | 134 | 136 | 137 | 139) fail "'$*' ended with $rc" ;;
	esac
}

# expect CODE ARG...: it exits so
expect()
{
	local want=$1
	shift
	[ -n "${QUIET:-}" ] || echo "   \$ snapraid $*"
	run "$@"
	[ "$rc" = "$want" ] || fail "'$*' exits $rc, not $want"
}

# refuse ARG...: it exits 1 and says why on stderr; neither content nor parity changes, and none appears
refuse()
{
	local before
	before=$(state)
	expect 1 "$@"
	[ -s "$W/err" ] || fail "'$*' is refused without a word on stderr"
	[ "$before" = "$(state)" ] || fail "'$*' was refused, yet something changed"
}

state()
{
	find "$W"/c "$W"/p[0-9]* -type f ! -name '*.lock' -print0 2> /dev/null | sort -z | xargs -0r sha256sum
}

# The peer begins lines with a carriage return where it has shown progress before them.
lines() { tr '\r' '\n' < "$W/out"; }
says() { lines | grep -E -- "$1" > /dev/null || fail "stdout has no line like '$1'"; }
says_not() { ! lines | grep -E -- "$1" > /dev/null || fail "stdout has a line like '$1'"; }
warns() { grep -Eq -- "$1" "$W/err" || fail "stderr has no line like '$1'"; }
tells() { cat "$W/out" "$W/err" | grep -E -- "$1" > /dev/null || fail "no line like '$1'"; }
count() { awk -v k="$1" 'NF == 2 && $2 == k && $1 ~ /^[0-9]+$/ { n = $1 } END { print n + 0 }' "$W/out"; }
counts() { [ "$(count "$2")" = "$1" ] || fail "'$(count "$2") $2', not $1"; }
exists() { [ -e "$1" ] || fail "missing: $1"; }
gone() { [ ! -e "$1" ] || fail "still there: $1"; }

# aside FILE: where fix has moved what had that name: FILE.changed-DATE-TIME, the only one
aside()
{
	local there=("$1".changed-????????-??????*)
	[ ${#there[@]} = 1 ] && { [ -e "${there[0]}" ] || [ -L "${there[0]}" ]; } && echo "${there[0]}"
}

# verified: what lies on the disks agrees with an independent reading of content, data and parity
verified()
{
	$PYTHON3 "$RAIDREF" verify-conf "$CONF" > "$W/verify" 2>&1 && return
	tail -20 "$W/verify"
	fail "the oracle finds data, content and parity to disagree"
}

# synced: nothing is left to do and nothing is wrong
synced()
{
	expect 0 diff
	expect 0 check
	verified
}

interrupt() # interrupt SECONDS SIGNAL ARG...: run it and send the signal after a while; its code in $rc
{
	local wait=$1 signal=$2 pid
	shift 2
	echo "   \$ snapraid $*    (SIG$signal after $wait s)"
	set -m
	"$program" "${OPTIONS[@]}" -c "$CONF" "$@" > "$W/out" 2> "$W/err" < /dev/null &
	pid=$!
	set +m
	sleep "$wait"
	kill -"$signal" "$pid" 2> /dev/null
	wait "$pid" 2> /dev/null
	rc=$?
}
