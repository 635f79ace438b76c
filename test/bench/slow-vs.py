#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times two programs on slow disks (slow-disks.sh), in turn, step by step.

    slow-vs.py OURS PEER [--rounds 5] [--sizes "64 1024" "200 128" "4 65536"] [--short]

A round runs all steps with one program, then with the other. For each step: medians of both in seconds, and the
median, least and greatest of the rounds' ratios peer/ours (above 1: ours is faster). --short: without check and fix. Needs
root, as slow-disks.sh.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

STEP = re.compile(r"^(.+?)\s+([0-9.]+) s  exit 0$")


def run(binary, size, short):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow-disks.sh")
    environment = dict(os.environ, SHORT="1" if short else "")
    out = subprocess.run(["bash", script, binary, *size.split()], env=environment, stdout=subprocess.PIPE, text=True)
    steps = {m[1]: float(m[2]) for m in map(STEP.match, out.stdout.splitlines()) if m}
    if out.returncode != 0 or len(steps) != (3 if short else 6):
        sys.exit(f"slow-disks.sh {binary} {size} failed:\n{out.stdout}")
    return steps


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("ours")
    options.add_argument("peer")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--short", action="store_true")
    options.add_argument("--sizes", nargs="+", default=["64 1024", "200 128", "4 65536"])
    given = options.parse_args()
    for size in given.sizes:
        rounds = [(run(given.ours, size, given.short), run(given.peer, size, given.short)) for _ in range(given.rounds)]
        files, kib = size.split()
        print(f"{files} files of {kib} KiB on each disk      ours s   peer s   peer/ours: median (least - greatest)")
        for step in rounds[0][0]:
            ratios = [peer[step] / ours[step] for ours, peer in rounds]
            print(f"    {step:34} {statistics.median(o[step] for o, _ in rounds):7.3f}  "
                  f"{statistics.median(p[step] for _, p in rounds):7.3f}   "
                  f"{statistics.median(ratios):5.2f} ({min(ratios):.2f} - {max(ratios):.2f})", flush=True)


if __name__ == "__main__":
    main()
