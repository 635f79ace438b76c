#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The disks as hardware: devices, smart, probe, up, down and -s, with a smartctl of our own that answers what
# smartctl said of other disks.
. "$(dirname "$0")/lib.sh"
ours || skip "the peer calls smartctl in another way"

story "The disks below the array are found, asked and put to sleep, and what is wrong with one is told"
array 2 1
put "$W/d1/file" 5000
put "$W/d1/keep" 1000
recorded=$(cd "$here/../smart" && pwd)

# A smartctl in PATH: it notes its arguments, prints what the variable ANSWER names, and ends with STATUS.
mkdir "$W/bin"
cat > "$W/bin/smartctl" << END
#!/bin/bash
echo "\$*" >> "$W/calls"
[ -z "\${ANSWER:-}" ] || cat "$recorded/\$ANSWER.json"
exit "\${STATUS:-0}"
END
chmod +x "$W/bin/smartctl"
export PATH=$W/bin:$PATH ANSWER STATUS

called() { grep -Eq -- "$1" "$W/calls" || fail "smartctl was not called with '$1', but: $(cat "$W/calls")"; }
rows() { lines | grep -E '^ +[0-9-]' | grep -v -- '---'; }
cell() { rows | awk -v n="$2" -v disk="$1" '$8 == disk { print $n }'; }
cell_is() { [ "$(cell "$1" "$2")" = "$3" ] || fail "cell $2 of $1 is '$(cell "$1" "$2")', not '$3'"; }

step "made-up devices: a row for each disk, data first, then parity"
expect 0 --test-fake-device devices
[ "$(awk '{ print $5 }' "$W/out" | paste -sd ' ')" = "d1 d2 parity" ] || fail "not d1 d2 parity"
expect 0 --test-fake-device smart
[ "$(rows | awk 'NF == 9' | wc -l)" = 3 ] || fail "not three rows of nine cells"
says '^Probability that at least one disk is going to fail in the next year is [0-9]+%\.$'
expect 0 --test-fake-device probe
says '^ +Active +/dev/fake1 +d1$'
expect 0 --test-fake-device up
says '^Spunup /dev/fake1 d1 in [0-9]+ ms$'
expect 0 --test-fake-device -d 'd*' down
says '^Spundown /dev/fake2 d2 in [0-9]+ ms$'
says_not 'parity'
expect 0 --test-fake-device -l "$W/log" smart
grep -qx 'info:/dev/fake1:d1' "$W/log" || fail "no tag info"
grep -qx 'attr:/dev/fake1:d1:5:0:0:100:100:10:Reallocated_Sector_Ct:Old_age:Offline:' "$W/log" || fail "no tag attr"
grep -q '^summary:array_failure:0\.' "$W/log" || fail "no tag summary:array_failure"

step "-d that matches nothing is refused; an extra disk is never put to sleep"
refuse --test-fake-device -d d9 up
cp "$CONF" "$W/plain.conf"
echo "extra x1 $W/c" >> "$CONF"
expect 0 --test-fake-device -d x1 down
says 'never put to sleep'
expect 0 --test-fake-device -d x1 up
says '^Spunup .* x1 in'
cp "$W/plain.conf" "$CONF"

step "up and down wait for nobody: another run holds the lock"
( flock 9; sleep 3 ) 9> "$W/c/content.lock" &
sleep 0.5
expect 1 --test-fake-device down
tells 'already in use'
expect 0 --test-fake-device probe
wait

step "a disk that is not there is told, and forgiven with -D"
mv "$W/d2" "$W/away"
expect 1 devices
tells "d2: .* cannot be reached"
expect 0 -D devices
mv "$W/away" "$W/d2"
mv "$W/p1" "$W/away"	# with a copy of the content
expect 1 devices
tells "parity: .* cannot be reached"
expect 0 --test-fake-device smart
mv "$W/away" "$W/p1"

run devices
[ "$rc" = 0 ] || skip "the folder of this test is on no disk"
node=$(awk 'NR == 1 { print $2 }' "$W/out")
[ "$(awk -F'\t' 'NF == 5' "$W/out" | wc -l)" = "$(wc -l < "$W/out")" ] || fail "not five columns"

step "how often a disk was accessed is in the log, for those who want to know if it is idle"
expect 0 -l "$W/log" devices
grep -Eqx 'stat:d1:[1-9][0-9]*' "$W/log" || [ ! -e "/sys/class/block/${node##*/}/stat" ] || fail "no tag stat"

step "a good disk"
ANSWER=ata-8tb
expect 0 smart
called '^--json -a -n standby,3 '"$node"'$'
cell_is d1 1 36
cell_is d1 2 1800
cell_is d1 3 0
cell_is d1 4 1%
cell_is d1 5 8.0
cell_is d1 6 INV_0001
cell_is d1 7 "$node"
cell_is d1 9 -
says_not 'DANGER'

step "one with bad sectors is more likely to fail, but not failing"
ANSWER=ata-aging STATUS=192
expect 0 smart
cell_is d1 3 logerr
[ "$(cell d1 4 | tr -d %)" -gt 50 ] || fail "the chance of a failure is $(cell d1 4) only"
expect 0 -v smart
says 'attribute 197 Current_Pending_Sector: raw 16,'

step "smartignore leaves counters out"
{ cat "$W/plain.conf"; echo "smartignore d1 5 187 197 198"; } > "$CONF"
expect 0 smart
cell_is d1 4 1%
cp "$W/plain.conf" "$CONF"

step "one that says that it fails: exit 1, and loud"
ANSWER=ata-failing STATUS=24
expect 1 smart
cell_is d1 3 FAIL
says '^DANGER!'

step "SSD, NVMe and SAS"
ANSWER=ata-ssd STATUS=0
expect 0 smart
cell_is d1 4 SSD
cell_is d1 9 12%
ANSWER=nvme-worn STATUS=8
expect 1 smart
cell_is d1 3 FAIL
cell_is d1 9 103%
ANSWER=scsi-sas STATUS=0
expect 0 smart
cell_is d1 1 34
cell_is d1 3 3
cell_is d1 4 -

step "where no disk tells what an estimate needs there is none, and not a chance of 0%"
says '^No disk tells what an estimate of failures needs\.$'
says_not '^Probability'

step "one that sleeps is not woken: no number, no alarm"
ANSWER=ata-standby STATUS=3
expect 0 smart
cell_is d1 1 -
says 'asleep and were not woken'
expect 0 probe
called '^--json -i -n standby,3 '"$node"'$'
says "^ +StandBy +$node +d1$"
ANSWER=ata-info STATUS=0
expect 0 -l "$W/log" probe
says "^ +Active +$node +d1$"
grep -qx "probe:$node:d1:1" "$W/log" || fail "no tag probe"
grep -qx "attr:$node:d1:power:active" "$W/log" || fail "no tag power"

step "one that smartctl cannot ask: why, and what to do"
ANSWER=usb-bridge-unknown STATUS=1
expect 1 smart
warns 'd1: no answer of .*Unknown USB bridge'
warns "Add 'smartctl d1 -d sat'"
cell_is d1 4 n/a
expect 1 probe
says "^ +Unknown +$node +d1$"
expect 0 -D smart

step "options of the configuration reach smartctl"
{ cat "$W/plain.conf"; echo "smartctl d1 -d sat [info: -d sat,12]"; } > "$CONF"
ANSWER=ata-8tb STATUS=0
expect 0 smart
called '^--json -a -n standby,3 -d sat '"$node"'$'
ANSWER=ata-info
expect 0 probe
called '^--json -i -n standby,3 -d sat,12 '"$node"'$'
cp "$W/plain.conf" "$CONF"

step "a smartctl that is too old, or that dies"
ANSWER= STATUS=1
expect 1 smart
warns 'smartmontools'
ANSWER=hostile STATUS=0
run smart
[ "$rc" = 0 ] || [ "$rc" = 1 ] || fail "hostile JSON: exit $rc"

step "nothing of all this needs content or writes it"
[ -z "$(find "$W/c" "$W/p1" -type f ! -name "*.lock")" ] || fail "something was written"

step "-s: the disks are put to sleep after a failure, and only then"
ANSWER=ata-8tb STATUS=0
expect 0 --test-fake-device -s sync
says_not 'Spundown'
rm "$W/d1/file"
expect 2 --test-fake-device -s diff
says '^Spundown /dev/fake1 d1'
expect 2 --test-fake-device diff
says_not 'Spundown'

step "temp_limit: a sync that meets a hot disk saves and lets all disks rest; a signal ends that at once"
{ cat "$W/plain.conf"; echo "temp_limit 50"; } > "$CONF"
put "$W/d1/other" 5000
ANSWER=ata-failing STATUS=24	# it has 51 degrees
rm -f "$W/calls"
interrupt 4 TERM sync
[ "$rc" = 143 ] || fail "exit $rc after SIGTERM"
says "^Disk 'd1' has 51 degrees, and the limit is 50"
called '^--json -A -n standby,3 '"$node"'$'
grep -q 1 "/sys/class/block/${node##*/}/queue/rotational" && called '^--json -s standby,now -n standby,3 '"$node"'$'
ANSWER=ata-8tb STATUS=0	# 36 degrees
expect 0 sync
says_not 'rest for'
synced
