#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random changes, syncs that end or are stopped, lost disks: what must come back comes back, and nothing is made up.

    run.py [--seeds A-B] [--jobs N] [--rounds N] [--keep] [-v]

The program under test is $SNAPRAID. A seed gives a tiny array and a story for it: files are made, changed, moved,
copied, linked and deleted; syncs complete, or are stopped by SIGINT or SIGKILL at a random moment; bytes rot; disks
and parities are lost, up to as many as there are levels and at times one more; fix runs.

After every step, for every stripe whose blocks the content file calls synced, each parity level must be exactly that
of the recorded files. After a fix three things are asked:

  * what theory allows to recover is back, byte by byte, with its time, and so are links and empty directories;
  * no file carries, under its own name, bytes that are neither those recorded nor those that it had before the fix;
  * exit code 0 means that all is back.

"What theory allows" is worked out from the disks themselves. In a stripe, let U be the blocks that are not on disk as
recorded. A level is *new* if it is the parity of all files as recorded, *old* if it is that of the last completed
sync; after a stopped sync each level of each stripe may be either, or neither.

  A. the blocks of U that have a hash must come back if there are at least |U| new levels;
  B. the synced ones of U must come back if there are at least as many old levels as blocks whose old bytes are not
     known: those, and all changed, replaced and deleted ones but the changed ones that took an empty place;
  C. if all of U are synced and no other old byte is unknown, they must come back if at least |U| levels are new or old.

B and C are asked only if one sync was stopped since the last completed one: the content file keeps one past state, not two.
"""
import argparse
import importlib.util
import io
import multiprocessing
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import redirect_stdout

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = 1024
LIMIT = 30		# seconds for a run that takes a fraction of one
ZERO_HASH = "ff" * 16


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, "..", "oracle", path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
raidref = load("raidref", "raidref.py")
contentdump = load("contentdump", "content-dump.py")


class Failed(Exception):
    pass


class Dump:
    """A content file: its files, links and directories, and its stripes."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.raw = f.read()
        decoder = contentdump.Content(self.raw)
        decoder.decode()
        d = decoder.dump(True)
        self.wide_hash = d["hashsize"] == 16
        self.column = {x["name"]: x["position"] for x in d["disks"]}
        self.files = {}			# (disk, path) -> (size, mtime in ns)
        self.links = d["links"]
        self.dirs = d["dirs"]
        self.stripes = [{} for _ in range(d["blockmax"])]	# disk -> (state, hash, path, number of block)
        for f in d["files"]:
            stamp = (f["size"], f["mtime_sec"] * 10**9 + (f["mtime_nsec"] or 0))
            self.files[f["disk"], f["path"]] = stamp
            n = 0
            for run in f["runs"]:
                for i in range(run["count"]):
                    self.stripes[run["pos"] + i][f["disk"]] = (run["state"], run["hashes"][i], f["path"], n)
                    n += 1
        for hole in d["holes"]:
            for run in hole["runs"]:
                if run["state"] == "DELETED":
                    for i in range(run["count"]):
                        self.stripes[run["pos"] + i].setdefault(hole["disk"], ("DELETED", run["hashes"][i], None, 0))

    def synced(self, stripe):
        states = [b[0] for b in stripe.values()]
        return "BLK" in states and all(s == "BLK" for s in states)

    def unsynced(self):
        return any(any(b[2] is not None for b in s.values()) and any(b[0] != "BLK" for b in s.values())
                   for s in self.stripes)


class World:
    def __init__(self, seed, options):
        self.rng = random.Random(seed)
        self.seed = seed
        self.verbose = options.verbose
        self.root = tempfile.mkdtemp(prefix="snapraid-random-%d." % seed, dir=options.dir)
        self.program = os.environ.get("SNAPRAID", os.path.join(HERE, "..", "..", "build", "snapraid"))
        self.ours = options.ours
        self.versions = {}		# (size, mtime) -> bytes: every content that a file ever had
        self.clock = 1_600_000_000 * 10**9 + 123
        self.stopped = 0		# syncs that were stopped since the last that completed
        self.last = None		# Dump at the last completed sync
        self.took = 0.02
        self.history = []
        self.layout()

    # ---- the array

    def layout(self):
        r = self.rng
        self.levels = r.choice([1, 1, 1, 2, 2, 2, 3, 4, 6])
        self.z = self.levels == 3 and r.random() < 0.5
        self.code = raidref.ZPARITY if self.z else raidref.CAUCHY
        self.disks = ["d%d" % i for i in range(1, r.randint(2, 5) + 1)]
        self.options = ["--test-skip-device", "--test-skip-self"]
        if len(self.disks) == 2 and r.random() < 0.7:
            self.options.append("--test-fake-uuid")
        names = ["parity", "2-parity", "z-parity" if self.z else "3-parity", "4-parity", "5-parity", "6-parity"]
        self.parity = [self.at("p%d" % i, "parity") for i in range(self.levels)]
        lines = ["blocksize 1"]
        if r.random() < 0.15:
            lines.append("hashsize 8")
        lines += ["%s %s" % pair for pair in zip(names, self.parity)]
        self.content = self.at("c", "content")
        lines.append("content " + self.content)
        lines += ["content " + self.at("p%d" % i, "content") for i in range(self.levels)]
        lines += ["data %s %s" % (d, self.at(d)) for d in self.disks]
        lines.append("exclude *.unrecoverable")
        for d in self.disks + ["c"] + ["p%d" % i for i in range(self.levels)]:
            os.mkdir(self.at(d))
        self.conf = self.at("conf")
        with open(self.conf, "w") as f:
            f.write("\n".join(lines) + "\n")

    def at(self, *parts):
        return os.path.join(self.root, *parts)

    def say(self, text):
        self.history.append(text)
        if self.verbose:
            print("seed %d: %s" % (self.seed, text), flush=True)

    # ---- changes

    def tick(self):
        self.clock += self.rng.randint(1, 3 * 10**9)
        if self.rng.random() < 0.05:	# a time without fraction: copies are told in another way then
            self.clock += 10**9 - self.clock % 10**9
        return self.clock

    def stamp(self, path, mtime=None):
        mtime = mtime or self.tick()
        os.utime(path, ns=(mtime, mtime))
        with open(path, "rb") as f:
            data = f.read()
        self.versions[len(data), mtime] = data

    def free(self, path):
        """Nothing is in the way of a new `path`."""
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)

    def name(self):
        r = self.rng
        folder = r.choice(["", "", "a", "b", "a/deep", "c c"])
        return os.path.join(folder, r.choice("fghi") + str(r.randint(0, 4)))

    def bytes(self):
        r = self.rng
        size = r.choice([0, 1, BLOCK, 2 * BLOCK, r.randint(1, 900), r.randint(1, 9000), r.randint(1, 4000)])
        return r.randbytes(size) if r.random() < 0.9 else bytes(size)

    def all_files(self, disk):
        found = []
        for base, dirs, names in os.walk(self.at(disk)):
            dirs.sort()
            found += [p for p in (os.path.join(base, n) for n in sorted(names))
                      if stat.S_ISREG(os.lstat(p).st_mode) and not p.endswith(".unrecoverable")]
        return found

    def change(self):
        r = self.rng
        disk = r.choice(self.disks)
        files = self.all_files(disk)
        path = self.at(disk, self.name())
        kind = r.choice(["new", "new", "new", "write", "write", "append", "cut", "delete", "delete", "rename", "move",
                         "copy", "symlink", "hardlink", "folder", "touch", "swap"])
        if kind == "new":
            self.free(path)
            with open(path, "wb") as f:
                f.write(self.bytes())
            self.stamp(path)
        elif kind == "symlink":
            self.free(path)
            os.symlink(r.choice(["f0", "/nowhere", "../x y"]), path)
        elif kind == "folder":
            self.free(path)
            os.mkdir(path)
        elif files:
            old = r.choice(files)
            if kind in ("write", "append", "cut"):
                with open(old, "ab" if kind == "append" else "r+b") as f:
                    if kind == "cut":
                        f.truncate(r.randint(0, os.path.getsize(old)))
                    else:
                        f.write(self.bytes())
                self.stamp(old)
            elif kind == "delete":
                os.unlink(old)
            elif kind == "touch":
                self.stamp(old)
            elif kind == "rename" and path != old and not old.startswith(path + "/"):
                self.free(path)
                os.rename(old, path)
            elif kind == "hardlink" and path != old and not old.startswith(path + "/"):
                self.free(path)
                os.link(old, path)
            elif kind == "swap":
                other = r.choice(files)
                if other != old:
                    os.rename(old, old + ".swap")
                    os.rename(other, old)
                    os.rename(old + ".swap", other)
            elif kind in ("copy", "move"):
                to = self.at(r.choice(self.disks), r.choice([self.name(), os.path.relpath(old, self.at(disk))]))
                if to != old and not old.startswith(to + "/"):
                    self.free(to)
                    shutil.copy2(old, to)
                    if kind == "move":
                        os.unlink(old)

    # ---- running

    def command(self, args):
        return [self.program] + self.options + ["-c", self.conf] + args

    def run(self, *args, want=None):
        begin = time.monotonic()
        try:
            p = subprocess.run(self.command(list(args)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            raise Failed("'%s' does not end" % " ".join(args)) from None
        self.took_last = time.monotonic() - begin
        self.output = p.stdout.decode("utf-8", "replace")
        self.say("%s -> %d" % (" ".join(args), p.returncode))
        if p.returncode < 0 or p.returncode in (99, 134, 139) or (want is not None and p.returncode not in want):
            raise Failed("'%s' exits %d" % (" ".join(args), p.returncode))
        return p.returncode

    def stop(self, sig, delay, *args):
        p = subprocess.Popen(self.command(list(args)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        try:
            p.wait(delay)
        except subprocess.TimeoutExpired:
            p.send_signal(sig)
        try:
            output, _ = p.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            raise Failed("'%s' does not end after %s" % (" ".join(args), sig.name)) from None
        self.output = output.decode("utf-8", "replace")
        self.say("%s, %s after %.4f s -> %d" % (" ".join(args), sig.name, delay, p.returncode))
        if p.returncode in (-signal.SIGABRT, -signal.SIGSEGV, 99, 134, 139):
            raise Failed("stopped, it ends with %d" % p.returncode)
        return p.returncode

    def dump(self):
        return Dump(self.content) if os.path.exists(self.content) else None

    def note(self):
        """Remember what files hold that something else than a change of ours has written."""
        for disk in self.disks:
            for path in self.all_files(disk):
                st = os.stat(path)
                if (st.st_size, st.st_mtime_ns) not in self.versions:
                    with open(path, "rb") as f:
                        self.versions[st.st_size, st.st_mtime_ns] = f.read()

    def sync(self):
        r = self.rng
        self.note()
        before = self.dump()
        kind = r.choice(["whole"] * 6 + ["-h", "int", "int", "kill", "kill", "kill", "unsaved", "unwritten"])
        args = ["-E", "-Z", "sync"]
        if self.ours and r.random() < 0.5:	# leave something in the checkpoint log, too
            args = ["--test-checkpoint-every", str(r.randint(1, 40))] + args
        if kind == "unwritten" and not self.ours:
            kind = "unsaved"
        if kind in ("whole", "-h"):
            self.run(*(["-h"] if kind == "-h" else []) + args, want=[0])
            self.took = 0.7 * self.took + 0.3 * self.took_last
        elif kind == "unsaved":
            self.run("--test-kill-after-sync", *args)
        elif kind == "unwritten":
            self.run("--test-kill-before-sync", *args)
        else:
            sig = signal.SIGINT if kind == "int" else signal.SIGKILL
            rc = self.stop(sig, r.uniform(0, 1.3 * self.took), *args)
            if self.ours and sig == signal.SIGINT and rc != 0 and "Everything OK" in self.output.split("\n"):
                raise Failed("exit %d, yet 'Everything OK'" % rc)
        after = self.dump()
        if after is None:
            return
        if kind in ("whole", "-h") or self.is_current(after):
            self.stopped, self.last = 0, after
        elif before is None or after.raw != before.raw or kind in ("unsaved", "unwritten"):
            self.stopped += 1
        self.verify()

    def is_current(self, dump):
        """The content file describes the files as they are now, and all of them are synced."""
        known = dict(dump.files)
        for link in dump.links:
            if link["type"] == "hardlink":
                known[link["disk"], link["path"]] = known.get((link["disk"], link["target"]))
        now = {}
        for disk in self.disks:
            for path in self.all_files(disk):
                st = os.stat(path)
                now[disk, os.path.relpath(path, self.at(disk))] = (st.st_size, st.st_mtime_ns)
        return known == now and not dump.unsynced()

    # ---- what lies on the disks

    def recorded(self, dump, disk, block):
        data = self.versions[dump.files[disk, block[2]]]
        return data[block[3] * BLOCK:(block[3] + 1) * BLOCK]

    def encode(self, dump, stripe):
        """All levels of the recorded files of a stripe."""
        columns = [None] * (max(dump.column.values()) + 1)
        for disk, block in stripe.items():
            if block[2] is not None:
                columns[dump.column[disk]] = self.recorded(dump, disk, block).ljust(BLOCK, b"\0")
        if not any(columns):
            return [bytes(BLOCK)] * self.levels
        return self.code.generate(columns, self.levels)

    def stored(self):
        levels = []
        for path in self.parity:
            try:
                with open(path, "rb") as f:
                    levels.append(f.read())
            except FileNotFoundError:
                levels.append(b"")
        return levels

    def verify(self):
        """Stripes that are said to be synced are."""
        dump = self.dump()
        stored = self.stored()
        for at, stripe in enumerate(dump.stripes):
            if dump.synced(stripe):
                want = self.encode(dump, stripe)
                for level in range(self.levels):
                    have = stored[level][at * BLOCK:(at + 1) * BLOCK]
                    if not self.ours and not have and not any(self.read(disk, block[2]) == self.versions[dump.files[disk, block[2]]]
                                            for disk, block in stripe.items()):
                        continue	# the peer cuts before it saves; its owner has deleted or changed all of it
                    if have != want[level]:
                        raise Failed("stripe %d is recorded as synced, its level %d is not" % (at, level + 1))

    def rot(self):
        """A byte changes without a trace; scrub tells, fix -e mends."""
        dump = self.dump()
        known = [(k, v) for k, v in dump.files.items() if v[0] > 0]
        if self.stopped or not known or not self.is_current(dump):
            return
        (disk, path), (size, mtime) = self.rng.choice(sorted(known))
        full = self.at(disk, path)
        if not os.path.isfile(full) or os.stat(full).st_mtime_ns != mtime or os.path.getsize(full) != size:
            return
        at = self.rng.randrange(size)
        with open(full, "r+b") as f:
            f.seek(at)
            old = f.read(1)
            f.seek(at)
            f.write(bytes([old[0] ^ self.rng.randint(1, 255)]))
        os.utime(full, ns=(mtime, mtime))
        self.say("byte %d of %s:%s rots" % (at, disk, path))
        self.run("-p", "full", "scrub", want=[1])
        self.run("-e", "fix", want=[0])
        with open(full, "rb") as f:
            if f.read() != self.versions[size, mtime]:
                raise Failed("fix -e did not mend %s:%s" % (disk, path))
        self.run("-p", "bad", "scrub", want=[0])

    # ---- loss

    def some_to_lose(self):
        r = self.rng
        count = r.randint(1, self.levels) if r.random() < 0.5 else self.levels
        if r.random() < 0.15:
            count += 1
        things = self.disks + self.parity
        r.shuffle(things)
        return sorted(things[:count])

    def lose(self, lost):
        for thing in lost:
            if thing in self.disks:
                for name in os.listdir(self.at(thing)):
                    self.free(self.at(thing, name))
            elif os.path.exists(thing):
                os.unlink(thing)
        self.say("lost: " + ", ".join(os.path.relpath(t, self.root) if t[0] == "/" else t for t in lost))

    def read(self, disk, path):
        full = self.at(disk, path)
        try:
            if not stat.S_ISREG(os.lstat(full).st_mode):
                return None
            with open(full, "rb") as f:
                return f.read()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def demand(self, dump):
        """The files that must come back whole, and whether every one must."""
        stored = self.stored()
        found = {key: self.read(*key) for key in dump.files}
        owed = {key: found[key] is not None or self.is_free(*key) for key in dump.files}
        for at, stripe in enumerate(dump.stripes):
            missing, doubtful = [], False
            for disk, block in stripe.items():
                if block[2] is None:
                    continue
                data = found[disk, block[2]]
                want = self.recorded(dump, disk, block)
                if data is None or data[block[3] * BLOCK:(block[3] + 1) * BLOCK][:len(want)] != want:
                    missing.append(disk)
                    # A changed block that is on disk, but as it was not: it passes for what it is not.
                    doubtful = doubtful or (block[0] == "CHG" and data is not None)
            if not missing:
                continue
            have = [s[at * BLOCK:(at + 1) * BLOCK] for s in stored]
            new = sum(h == w for h, w in zip(have, self.encode(dump, stripe)))
            a = not doubtful and len(missing) <= new
            b = False
            if not a and not doubtful and self.stopped == 1 and self.last and at < len(self.last.stripes):
                want_old = self.encode(self.last, self.last.stripes[at])
                old = sum(h == w for h, w in zip(have, want_old))
                either = sum(h in w for h, w in zip(have, zip(self.encode(dump, stripe), want_old)))
                unknown = sum(1 for disk, (state, past, _, _) in stripe.items()
                              if (state == "BLK" and disk in missing) or state in ("REP", "DELETED")
                              or (state == "CHG" and not (dump.wide_hash and past == ZERO_HASH)))
                b = unknown <= old or (unknown == len(missing) <= either and
                                       all(stripe[disk][0] == "BLK" for disk in missing))
            for disk in missing:
                state, _, path, _ = stripe[disk]
                if not ((a and state in ("BLK", "REP")) or (b and state == "BLK")):
                    owed[disk, path] = False
        return found, owed

    def lose_and_fix(self, lost):
        dump = self.dump()
        if dump is None:
            return
        if not dump.stripes and not self.ours:
            return			# the peer restores nothing in an array without a block
        self.lose(lost)
        found, owed = self.demand(dump)
        unsynced = {(disk, block[2]) for stripe in dump.stripes for disk, block in stripe.items() if block[0] == "CHG"}
        rc = self.run("fix", want=[0, 1])
        right = True
        for (disk, path), stamp in sorted(dump.files.items()):
            name = "%s:%s" % (disk, path)
            want, now = self.versions[stamp], self.read(disk, path)
            if now == want:
                # The peer leaves the time of a file whose new inode is that of a twin, lest it takes one for the other.
                twins = sum(1 for (d, _), s in dump.files.items() if d == disk and s == stamp)
                if disk in lost and (self.ours or twins == 1) and os.stat(self.at(disk, path)).st_mtime_ns != stamp[1]:
                    raise Failed("%s has another time than it had" % name)
                continue
            if now is not None and now == found[disk, path] and (disk, path) in unsynced:
                continue		# its owner changed it again before it was ever protected
            right = False
            if owed[disk, path]:
                raise Failed("%s could be recovered, and is not" % name)
            if now is not None and now != found[disk, path]:
                raise Failed("%s holds bytes that it never had" % name)
        for link in dump.links:
            full, target = self.at(link["disk"], link["path"]), link["target"]
            if link["type"] == "symlink":
                good = os.path.islink(full) and os.readlink(full) == target
            elif self.read(link["disk"], target) is None:
                continue
            else:
                good = os.path.lexists(full) and os.path.samestat(os.lstat(full), os.lstat(self.at(link["disk"], target)))
            if not good and (self.is_free(link["disk"], link["path"]) or os.path.islink(full) or os.path.isfile(full)):
                raise Failed("the link %s:%s is not back" % (link["disk"], link["path"]))
            right = right and good
        for folder in dump.dirs:
            if self.ours and self.is_free(folder["disk"], folder["path"]):
                raise Failed("the empty directory %s:%s is not back" % (folder["disk"], folder["path"]))
            full = self.at(folder["disk"], folder["path"])
            right = right and os.path.isdir(full) and not os.path.islink(full)
        if rc == 0 and not right:
            raise Failed("fix exits 0, and not all is back")
        if rc == 1 and right and all(owed.values()):
            raise Failed("all is back, and fix exits 1")
        parity_lost = not set(lost) <= set(self.disks)
        if rc == 0 and not (parity_lost and dump.unsynced()):	# the parity of an unsynced stripe is not made up
            self.run("check", want=[0])
        for disk in self.disks:
            for base, _, names in os.walk(self.at(disk)):
                for n in names:
                    if n.endswith(".unrecoverable"):
                            os.unlink(os.path.join(base, n))
        # What is not back counts as deleted by its owner now. A parity that could not be made again asks for -F.
        self.note()
        self.run("-E", "-Z", *(["-F"] if parity_lost else []), "sync", want=[0])
        self.stopped, self.last = 0, self.dump()
        self.verify()

    def is_free(self, disk, path):
        """Nothing that is no file is in the way of `path`."""
        full = self.at(disk, path)
        while not os.path.lexists(full):
            full = os.path.dirname(full)
            if os.path.isdir(full) and not os.path.islink(full):
                return True
        return False

    # ---- a story

    def story(self, rounds):
        r = self.rng
        for _ in range(r.randint(5, 25)):
            self.change()
        for _ in range(rounds):
            self.sync()
            if self.dump() is None:
                continue
            if r.random() < 0.2:
                self.rot()
            if r.random() < 0.4:
                if r.random() < 0.3:
                    for _ in range(r.randint(1, 4)):
                        self.change()
                    self.say("changed since the sync")
                self.lose_and_fix(self.some_to_lose())
            for _ in range(r.randint(0, 8)):
                self.change()
        self.run("-E", "-Z", "sync", want=[0])
        self.run("diff", want=[0])
        self.run("check", want=[0])
        if self.dump() is None:
            return			# nothing was ever there to protect
        with redirect_stdout(io.StringIO()) as words:
            if raidref.verify_array(raidref.conf_arguments(self.conf)):
                raise Failed("the oracle disagrees: " + words.getvalue()[-300:])


def play(job):
    seed, options = job
    world = None
    try:
        world = World(seed, options)
        world.story(options.rounds)
        return seed, None
    except (Exception, SystemExit) as error:	# whatever it is, the seed must be told
        text = str(error) if isinstance(error, Failed) else traceback.format_exc()
        steps = "\n".join("    " + s for s in world.history[-12:]) if world else ""
        return seed, "%s\n%s\n%s" % (text, steps, getattr(world, "output", "")[-1500:])
    finally:
        if world and not options.keep:
            shutil.rmtree(world.root, ignore_errors=True)


def is_ours(program):
    version = subprocess.run([program, "-V"], stdout=subprocess.PIPE).stdout.decode()
    return version.startswith("snapraid v2")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1-200", help="first and last, or one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--dir", help="where to make the arrays")
    parser.add_argument("--keep", action="store_true", help="leave the arrays behind")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.ours = is_ours(os.environ.get("SNAPRAID", os.path.join(HERE, "..", "..", "build", "snapraid")))
    first, _, last = options.seeds.partition("-")
    jobs = [(seed, options) for seed in range(int(first), int(last or first) + 1)]
    bad = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, failure in pool.imap_unordered(play, jobs):
            if failure:
                bad += 1
                print("seed %d: %s\n    again: %s --seeds %d -v --keep" % (seed, failure, sys.argv[0], seed), flush=True)
    print("%d of %d seeds hold" % (len(jobs) - bad, len(jobs)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
