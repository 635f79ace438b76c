#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
story "options that make no sense together, or for a command, are refused before anything is touched"

array 2 1
put "$W/d1/file" 3000
put "$W/d2/file" 3000
expect 0 sync

# no OPTION...: refused, with a word about it
no() { QUIET=1 refuse "$@"; echo "   refused: $*"; }
yes() { run "$@"; [ "$rc" = 0 ] || fail "'$*' exits $rc"; echo "   accepted: $*"; }

all="sync diff status scrub check fix list"
except() { local c; for c in $all; do case " $* " in *" $c "*) ;; *) echo "$c" ;; esac; done; }

for c in $(except check); do no -a $c; done
for c in $(except check fix); do no -D $c; done
for c in $(except sync check fix); do no -N $c; done
for c in $(except sync); do for o in -h -F -R; do no $o $c; done; done
no -F -N sync
no -R -N sync
no -R -F sync
no -h -N sync
for c in $(except check fix); do no -d d1 $c; no -f x $c; no -m $c; no -e $c; no -i "$W/d1" $c; done
no -e -d d1 fix
no -b -d d1 fix
for p in bad new full; do no -p $p -o 1 scrub; done
no -p 101 scrub
no -p most scrub
no -p 5x scrub
no -o 1001 scrub
no -o x scrub
no -S 1000000 check
no -S x check
no -B x check
no -L x check
no -d nodisk check
no -d 'd/1' check
no -f '' check
no -f ../x check
no -f a//b check
no -l "$W/log" -l "$W/log" check
no -i "$W/d1" -i "$W/d2" check
no -l "$W/log%x" check
no -l /nowhere/at/all/log check
no --unknown-option check
no --conf
no -Q check
no chekc
no CHECK
QUIET=1 expect 1 sync check	# with the usage, on stdout

step "usage"
OPTIONS=()
expect 1
says .
expect 0 -H
says sync
expect 0 -V
says '^snapraid v'
OPTIONS=(--test-skip-device --test-skip-self)

step "what must be accepted"
yes check -a
yes -qq check
yes check --audit-only --quiet
yes --force-nocopy check
yes -p0 scrub
yes --plan=full scrub
yes scrub --plan full
yes -p 8 -o 0 scrub
yes -Z -E -U status
yes -L 5 status
yes -d 'd*' check
yes -d parity check
yes -S 0x0 -B 02 check
yes -l '>&1' check
yes -v -v check --no-warnings
yes --gui check
yes -- check
if ours; then
	yes -p 0.5 scrub
	yes -A check
	for t in inode alpha dir physical; do yes --test-force-order-$t sync; done
	for o in skip-sign skip-content-check skip-fallocate skip-space-holder skip-multi-scan io-stats io-advise-direct \
		cond-signal-outside force-scan-winfind match-first-uuid force-progress; do yes --test-$o check; done
	yes --test-io-cache 3 check
	yes --test-fmt path check
fi
step "test options that turn exit codes around"
rm "$W/d1/file"
expect 0 --test-expect-recoverable check
expect 0 --test-expect-need-sync diff
expect 0 fix
expect 1 --test-expect-failure check
expect 1 --test-expect-need-sync diff
