#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times two snapraid-like programs where no data of files is read: start, content file, scan.

    arrays.py OURS PEER SYNTHETIC [--rounds 5] [--dir /dev/shm] [--rows small,load,scan,memory,tiny] [--self-test]

Each array is made once by SYNTHETIC (test/bench/synthetic.c) and shared: sparse files, and a content file as a sync would
have left it, of which each program has its own copies, of its own hand. The programs take turns in each round. The figure
to quote is the median of the per-round ratios peer/ours (above 1: ours is faster), of the CPU time (user and system, of
all threads) and of the wall time. rehash, which both refuse with the best hash, loads the content file and does no more; touch is
made to save three copies, and what it takes more is the save. --rows memory tells too how much of the memory lies in no file.
--self-test leaves the peer its self test. Stdlib only.
"""
import argparse, os, resource, shutil, statistics, subprocess, sys, tempfile, threading, time

class Run:
    """One run of a command: times in s, memory in MB (its peak, and that of what lies in no file)."""
    def __init__(self, command, watch):
        begin = time.monotonic()
        p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.anon = 0
        if watch:
            self.watch(p)
        error = p.stderr.read()
        _, status, usage = os.wait4(p.pid, 0)
        self.wall = time.monotonic() - begin
        p.returncode = os.waitstatus_to_exitcode(status)
        p.stderr.close()
        self.cpu, self.rss = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        if p.returncode not in ((1,) if command[-1] == "rehash" else (0, 2)):
            sys.exit(f"{' '.join(command)}: exit {p.returncode}\n{error.decode(errors='replace')[-800:]}")

    def watch(self, p):
        def look():
            try:
                while True:
                    with open(f"/proc/{p.pid}/status") as f:
                        for line in f:
                            if line.startswith("RssAnon"):
                                self.anon = max(self.anon, int(line.split()[1]) / 1024)
                    time.sleep(0.002)
            except (OSError, ValueError):
                pass
        threading.Thread(target=look, daemon=True).start()

class Program:
    def __init__(self, name, binary, base, data, options):
        self.name, self.dir = name, os.path.join(base, name)
        os.makedirs(self.dir)
        self.content = [f"{self.dir}/content{i}" for i in range(3)]
        self.command = [binary, "-c", f"{self.dir}/conf", "--test-skip-device"] + options
        with open(f"{self.dir}/conf", "w") as f:
            f.write(f"blocksize 1\nparity {self.dir}/parity\n")
            f.writelines(f"content {c}\n" for c in self.content)
            f.writelines(f"data {os.path.basename(d)} {d}/\n" for d in data)

    def run(self, *args, watch=False):
        return Run(self.command + list(args), watch)

class Array:
    """Two programs with one array. `files` 0: it is made by the caller, and synced by each."""
    def __init__(self, o, disks, files, blocks):
        self.base = tempfile.mkdtemp(prefix="arrays.", dir=o.dir)
        data = [f"{self.base}/d{i + 1}" for i in range(disks)]
        options = [] if o.self_test else ["--test-skip-self"]
        self.programs = [Program("ours", o.ours, self.base, data, ["--test-skip-self"]),
                         Program("peer", o.peer, self.base, data, options)]
        if files == 0:
            return
        made = f"{self.base}/content"
        subprocess.run([o.synthetic, self.base, str(disks), str(files), str(blocks), made], check=True,
                       stdout=subprocess.DEVNULL)
        for p in self.programs:
            for c in p.content:
                shutil.copy(made, c)
                if p.name == "ours":
                    shutil.copy(made + ".side", c + ".side")
            open(f"{p.dir}/parity", "w").close()
            p.run("--test-force-content-write", "touch")
        os.unlink(made)
        os.unlink(made + ".side")

    def __enter__(self):
        return self

    def __exit__(self, *what):
        shutil.rmtree(self.base, ignore_errors=True)

def turns(o, programs, args, before=lambda p: None, watch=False):
    """Pairs of runs, ours and the peer's."""
    return turns_of_all(o, programs, [args], before, watch)[0]

def turns_of_all(o, programs, commands, before=lambda p: None, watch=False):
    """The same for several commands, that follow each other in each round."""
    pairs = [[] for _ in commands]
    for r in range(o.rounds + 1):
        for i, args in enumerate(commands):
            pair = {}
            for p in programs if r % 2 else programs[::-1]:
                before(p)
                pair[p] = p.run(*args, watch=watch)
            if r > 0:                   # the first is for the caches
                pairs[i].append((pair[programs[0]], pair[programs[1]]))
    return pairs

def ratio(pairs, of):
    return statistics.median(of(b) / max(of(a), 1e-4) for a, b in pairs)

def row(name, pairs, cpu=lambda r: r.cpu, wall=lambda r: r.wall):
    def middle(i, of):
        return statistics.median(of(p[i]) for p in pairs)
    print(f"{name:26} {middle(0, cpu):7.3f} {middle(1, cpu):7.3f} {ratio(pairs, cpu):6.2f}   "
          f"{middle(0, wall):7.3f} {middle(1, wall):7.3f} {ratio(pairs, wall):6.2f}   "
          f"{max(a.rss for a, _ in pairs):6.0f} {max(b.rss for _, b in pairs):6.0f}", flush=True)

class Difference:
    def __init__(self, more, less):
        self.cpu, self.wall, self.rss = more.cpu - less.cpu, more.wall - less.wall, more.rss

def small(o):
    with Array(o, 3, 0, 0) as a:
        for d in range(3):
            os.makedirs(f"{a.base}/d{d + 1}")
            for i in range(5):
                with open(f"{a.base}/d{d + 1}/{i}", "w") as f:
                    f.write("some bytes\n" * 1000)
        for p in a.programs:
            p.run("sync")
        for command in ("status", "diff", "list", "sync", "check"):
            row(f"small array: {command}", turns(o, a.programs, [command]))

def load(o):
    with Array(o, 6, 300000, 17) as a:
        for command in ("status", "list", "diff"):
            row(f"300k files, 5M blk: {command}", turns(o, a.programs, [command]))
        only, touch = turns_of_all(o, a.programs, [["rehash"], ["--test-force-content-write", "touch"]])
        row("  load", only)
        row("  load, 3 copies saved", touch)
        row("  3 copies saved", [(Difference(t[0], s[0]), Difference(t[1], s[1])) for t, s in zip(touch, only)])

def scan(o):
    with Array(o, 4, 1000000, 0) as a:
        row("1M files: diff", turns(o, a.programs, ["diff"]))
        row("1M files: status", turns(o, a.programs, ["status"]))

def memory(o):
    for files, blocks in ((100000, 100), (100000, 20)):
        with Array(o, 4, files, blocks) as a:
            for command in ("status", "diff"):
                pairs = turns(o, a.programs, [command], watch=True)
                row(f"100k f, {files * blocks // 1000000}M blk: {command}", pairs)
                print(f"{'':26} in no file: {max(p[0].anon for p in pairs):.0f} MB, "
                      f"peer {max(p[1].anon for p in pairs):.0f} MB")

def tiny(o):
    with Array(o, 2, 0, 0) as a:
        for d in range(2):
            for k in range(50000):
                if k % 1000 == 0:
                    sub = f"{a.base}/d{d + 1}/dir{k // 1000}"
                    os.makedirs(sub)
                with open(f"{sub}/file number {k}.txt", "wb") as f:
                    f.write(b"1234567"[:k % 7 + 1])
        def forget(p):
            for f in os.listdir(p.dir):
                if f != "conf":
                    os.unlink(f"{p.dir}/{f}")
        row("100k tiny: first sync", turns(o, a.programs, ["sync"], forget))
        row("100k tiny: sync, no change", turns(o, a.programs, ["sync"]))

def main():
    rows = {f.__name__: f for f in (small, load, scan, memory, tiny)}
    a = argparse.ArgumentParser()
    a.add_argument("ours"); a.add_argument("peer"); a.add_argument("synthetic")
    a.add_argument("--rounds", type=int, default=5)
    a.add_argument("--dir", default="/dev/shm")
    a.add_argument("--rows", default=",".join(rows))
    a.add_argument("--self-test", action="store_true")
    o = a.parse_args()
    print(f"{o.rounds} rounds, {os.cpu_count()} cores{', the peer with its self test' if o.self_test else ''}")
    print(f"{'':26} {'CPU s':>7} {'peer':>7} {'ratio':>6}   {'wall s':>7} {'peer':>7} {'ratio':>6}   {'MB':>6} {'peer':>6}")
    for name in o.rows.split(","):
        rows[name](o)

if __name__ == "__main__":
    main()
