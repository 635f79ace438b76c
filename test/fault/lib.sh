# SPDX-License-Identifier: GPL-3.0-or-later
# What the fault tests share: the program runs with shim.c before it, which kills it, cuts the power or lets a
# call fail at a chosen one of its file-changing system calls; or with shim-read.c, for those that read.
#
#   FAULT_STEP=N   look at every N-th call only; 1 at all. A test sets `thin`, what is thought enough in `make check`.

[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
STATE=$W/.state
QUIET=1
OPTIONS+=(--test-force-order-alpha)	# or where files lie depends on their inodes
STEP=${FAULT_STEP:-${thin:-1}}

# What has to be loaded first of all, if the program was built with a sanitizer.
sanitizer=$(ldd "$SNAPRAID" 2> /dev/null | grep -oE '/[^ ]*/lib(asan|tsan)\.so[^ ]*' | head -1)

# shim FILE: it stands between the program and the system
shim()
{
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -shared -fPIC -o "$W/$1.so" "$here/../fault/$1" -ldl -lpthread ||
		skip "the shim cannot be built"
	SHIM="$sanitizer $W/$1.so"
	LD_PRELOAD=$SHIM "$SNAPRAID" -V > /dev/null 2>&1 || skip "nothing can be loaded before this program"
}

mkdir "$STATE"
shim shim.c

# harmed WHAT AT ARG...: run with FAULT_DO=WHAT at that call; `cut:KIND` is FAULT_DO=cut FAULT_CUT=KIND. Its
# streams are in out and err, its trace in trace, its exit code in $rc. Calls below $below count, else all in $W.
harmed()
{
	local what=$1 at=$2 how=cut
	shift 2
	[ "$what" = "${what#cut:}" ] || { how=${what#cut:}; what=cut; }
	rm -f "$W/trace"
	{	# the braces hide what the shell says of a killed program
		LD_PRELOAD=$SHIM FAULT_ROOT=${below:-$W} FAULT_STATE=$STATE FAULT_TRACE=$W/trace FAULT_DO=$what FAULT_AT=$at \
			FAULT_CUT=$how timeout -k 5 20 "$SNAPRAID" "${OPTIONS[@]}" -c "$CONF" "$@" \
			> "$W/out" 2> "$W/err" < /dev/null
		rc=$?
	} 2> /dev/null
	rm -f "$STATE"/*
}

# calls ARG...: how many such calls does it make? In $calls.
calls()
{
	harmed none 0 "$@"
	[ "$rc" = 0 ] || [ "$rc" = "${calls_rc:-0}" ] || fail "'$*' exits $rc"
	calls=$(wc -l < "$W/trace")
}

# The call that was harmed, in words.
victim() { grep ' HARM' "$W/trace" | head -1 | sed "s|$W/||g; s| HARM.*||"; }

# killed AT: harmed ended as it should: by the kill or, if there were fewer calls, by itself
killed()
{
	case $rc in
	137 | 0) ;;
	*) fail "killed at call $1, yet it ended with $rc" ;;
	esac
}

# keep NAME, back NAME: disks, parity and content as they are now, and again
keep() { rm -rf "$W/keep.$1"; mkdir "$W/keep.$1"; (cd "$W" && cp -a d[0-9]* p[0-9]* c "keep.$1"); }
back() { (cd "$W" && rm -rf d[0-9]* p[0-9]* c && cp -a "keep.$1/." .); }

# files DIR: a line for each regular file: sum, time, path
files() { "$AID" files "$1" | sort; }

# Sums of all data that any file ever had: what else appears under a name of the user is made up.
known()
{
	local d
	for d in "$@"; do files "$d"; done | awk '{ print $1, $3 }' >> "$W/known"
	sort -u -o "$W/known" "$W/known"
}

# nothing_false DIR: each file has data that it had at some time
nothing_false()
{
	local false
	false=$(files "$1" | grep -v -E '\.unrecoverable$|/\.snapraid-[0-9a-f]*\.tmp$' |
		sed -E 's/\.changed-[0-9]{8}-[0-9]{6}(\.[0-9]+)?//' | awk '{ print $1, $3 }' | sort | comm -23 - "$W/known")
	[ -z "$false" ] || fail "after $what: these files have data that they never had: $false"
}

# has DIR LIST: all lines of the list are there
has()
{
	local lost
	lost=$(files "$1" | comm -13 - "$2")
	[ -z "$lost" ] || fail "after $what: lost: $lost"
}

# ---- a sync

# The scenarios set: $sure, how many disks may be lost whenever the sync ends without any file suffering that it does
# not concern; `was`, states of the past; and keep the one before the sync as `start`.

# Old files lie so that no stripe has more than one block whose data goes away: two levels can bear that and the
# loss of a disk.
prepare_sync()
{
	array 3 2
	put "$W/d1/stay" 5000
	put "$W/d1/zhere" 3000
	put "$W/d2/stay" 4000
	put "$W/d2/rewrite" 2500
	put "$W/d2/across" 1500
	put "$W/d3/stay" 3500
	put "$W/d3/z/remove" 500
	put "$W/d3/stay2" 3700
	ln -s stay "$W/d1/link"
	put "$W/d2/stay2" 900
	ln "$W/d2/stay" "$W/d2/zhard"
	expect 0 sync
	sure=1 was=()
	been synced
	cp -p "$W/c/content" "$W/last"
	put "$W/d1/new" 6000
	mkdir "$W/d1/there"
	mv "$W/d1/zhere" "$W/d1/there/zhere"
	put "$W/d2/rewrite" 2600 again
	mv "$W/d2/across" "$W/d3/across"
	rm -r "$W/d3/z"
	put "$W/d3/new" 4000
	ln -s new "$W/d3/link"
	been start
	back start		# the inodes are others then, now as in each run to come
}

# prepare_additions LEVELS [LINE...]: nothing goes away, so that as many disks may be lost as there are levels
prepare_additions()
{
	local levels=$1
	shift
	rm -rf "$W"/d? "$W"/p? "$W/c"
	array $((levels + 1)) "$levels" "$@"
	put "$W/d1/a" 5000
	put "$W/d1/b" 2000
	put "$W/d2/c" 1500
	[ "$levels" = 1 ] || put "$W/d3/d" 4500
	expect 0 sync
	sure=$levels was=()
	been synced
	cp -p "$W/c/content" "$W/last"
	put "$W/d2/added" 3000		# of all disks but one something old is in its stripes
	cp -p "$W/d1/b" "$W/d2/copy"
	put "$W/d2/new" 4000
	put "$W/d1/new" 3000
	[ "$levels" = 1 ] || put "$W/d3/new" 5500
	been start
	back start		# the inodes are others then, now as in each run to come
}

# All is synced, and a file comes to a hole.
prepare_hole()
{
	rm -rf "$W"/d? "$W"/p? "$W/c"
	array 3 2
	put "$W/d1/a-gone" 3000
	put "$W/d1/b-stay" 6000
	put "$W/d2/stay" 2000
	put "$W/d3/stay" 9000
	expect 0 sync
	rm "$W/d1/a-gone"
	expect 0 --force-full sync
	sure=2 was=()
	been synced
	cp -p "$W/c/content" "$W/last"
	put "$W/d1/new" 3000
	been start
	back start		# the inodes are others then, now as in each run to come
}

# All is synced, and the last files of two disks can go to holes of which other disks use the stripes too. One of them
# has a part that stays where the parity goes on.
prepare_tail() # prepare_tail LEVELS [LINE...]
{
	rm -rf "$W"/d? "$W"/p? "$W/c"
	array 3 "$@"
	put "$W/d1/a-gone" 3000
	put "$W/d1/b-stay" 2000
	put "$W/d1/c-gone" 30000
	put "$W/d1/d-last" 2500
	put "$W/d2/a-stay" 6000
	put "$W/d2/b-gone" 3000
	put "$W/d2/c-stay" 1024
	put "$W/d2/d-gone" 20000
	put "$W/d2/e-last" 1500
	put "$W/d3/a-stay" 9000
	expect 0 --test-force-order-alpha sync
	rm "$W"/d?/*-gone
	expect 0 --force-full sync
	sure=$1 was=()
	cp -p "$W/c/content" "$W/last"
	been start
	back start		# the inodes are others then, now as in each run to come
}

# autosaves: the run of the last `calls` did, between the first save and the last
autosaves()
{
	[ "$(grep -c 'create .*/c/content.tmp ' "$W/trace")" = 3 ] || fail "nothing is saved on the way"
}

# All is synced, and a file that lies in pieces can lie in one.
prepare_pieces() # prepare_pieces LEVELS
{
	rm -rf "$W"/d? "$W"/p? "$W/c"
	array 2 "$1"
	for i in 1 2 3 4 5; do put "$W/d1/f$i" 2048; done
	put "$W/d1/g" 6144
	put "$W/d2/stay" 16000
	expect 0 --test-force-order-alpha sync
	rm "$W/d1/f2" "$W/d1/f4"
	put "$W/d1/pieces" 4000
	expect 0 sync
	rm "$W/d1/g"
	expect 0 --force-full sync
	sure=$1 was=()
	cp -p "$W/c/content" "$W/last"
	been start
}

# The last run was killed. The next one goes on, to an array without a flaw.
goes_on()
{
	run sync
	[ "$rc" = 0 ] || fail "after $what: the next sync exits $rc"
	[ -z "$(find "$W"/[dpc]* -name '*.tmp')" ] || fail "after $what: something temporary stays"
	verified
	run check
	[ "$rc" = 0 ] || fail "after $what and another sync: check exits $rc"
}

# survives [N]: whatever the last run left, any set of up to N disks (1) can be lost now, and the next sync goes on. What
# was seen to be so is not looked at again.
survives()
{
	local seen
	run diff
	[ "$rc" = 0 ] || [ "$rc" = 2 ] || fail "after $what: the content cannot be loaded"
	seen=$(cat "$W"/p?/* "$W"/c/* | sha256sum)
	case " ${survived:-} " in *" $seen "*) return ;; esac
	survived="${survived:-} $seen"
	$PYTHON3 "$here/../fault/lose_each.py" --sets "${1:-1}" --sure "$sure" --stopped "${stopped:-1}" --last "$W/last" \
		"${was[@]}" "$W" > "$W/losses" 2>&1 || { cat "$W/losses"; fail "after $what: not all survives"; }
	states=$((${states:-0} + 1))
	losses=$((${losses:-0} + $(cat "$W/losses")))
	goes_on
}

# been NAME: the disks now are one more state of the past, kept as NAME
been() { keep "$1"; known "$W"/d?; was+=(--was "$W/keep.$1"); }
