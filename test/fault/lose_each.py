#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run was cut off, and then disks are lost: each set of up to --sets of the data and parity disks, one after the other.

    lose_each.py --sets N --sure N --stopped N --last CONTENT --was DIR... ROOT

ROOT holds d1.., p1.., c and snapraid.conf, as the cut-off run left them; they are so again afterwards. Of each set fix
must bring back what theory allows (see ../random/run.py), make nothing up, and leave an array that sync completes.
Each DIR holds d1.. as they were at some time. A file that was the same at all of them was not touched by any sync: it
must be there again after the loss of up to --sure disks, whatever theory says. A parity disk is lost with its content.

CONTENT is the content file of the last sync that completed, --stopped counts the syncs that did not, since then.
Prints how many sets were lost.
"""
import argparse
import importlib.util
import itertools
import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("run", os.path.join(HERE, "..", "random", "run.py"))
stories = importlib.util.module_from_spec(spec)
spec.loader.exec_module(stories)


class Killed(stories.World):
    def __init__(self, options):
        self.seed, self.verbose = 0, False
        self.root = options.root
        self.conf = self.at("snapraid.conf")
        self.program = os.environ["SNAPRAID"]
        self.options = ["--test-skip-device", "--test-skip-self", "--test-force-order-alpha"]
        self.ours = stories.is_ours(self.program)
        with open(self.conf) as f:
            lines = [line.split() for line in f]
        self.parity = [l[1] for l in lines if l and l[0] in ("parity", "2-parity")]
        self.levels = len(self.parity)
        self.code = stories.raidref.CAUCHY
        self.disks = [l[1] for l in lines if l and l[0] == "data"]
        self.contents = [l[1] for l in lines if l and l[0] == "content"]
        self.stopped = options.stopped
        self.last = stories.Dump(options.last) if options.last else None
        self.versions, self.history = {}, []
        self.output = ""

    def dump(self):
        """Of the copies that are left the newest counts."""
        there = [c for c in self.contents if os.path.exists(c)]
        return stories.Dump(max(there, key=lambda c: os.stat(c).st_mtime_ns)) if there else None

    def lose(self, lost):
        for thing in lost:
            if thing not in self.disks:
                for name in os.listdir(os.path.dirname(thing)):
                    os.unlink(os.path.join(os.path.dirname(thing), name))
        super().lose(lost)

    def stamps(self, root):
        """The files below ROOT, by disk and path; what they hold is a version that may come back."""
        files = {}
        for disk in self.disks:
            for base, _, names in os.walk(os.path.join(root, disk)):
                for name in names:
                    full = os.path.join(base, name)
                    if os.path.islink(full):
                        continue
                    st = os.stat(full)
                    files[disk, os.path.relpath(full, os.path.join(root, disk))] = st.st_size, st.st_mtime_ns
                    if (st.st_size, st.st_mtime_ns) not in self.versions:
                        with open(full, "rb") as f:
                            self.versions[st.st_size, st.st_mtime_ns] = f.read()
        return files

    def demand(self, dump):
        found, owed = super().demand(dump)
        for key in self.untouched - {(l["disk"], l["path"]) for l in dump.links}:
            if key not in dump.files:
                raise stories.Failed("the content does not know %s:%s" % key)
            owed[key] = True
        return found, owed


def copy(names, source, target):
    """The folders of that name, in the place of those that are there."""
    subprocess.run(["rm", "-rf"] + [os.path.join(target, n) for n in names], check=True)
    subprocess.run(["cp", "-a"] + [os.path.join(source, n) for n in names] + [target], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=1)
    parser.add_argument("--sure", type=int, default=1)
    parser.add_argument("--stopped", type=int, default=1)
    parser.add_argument("--last")
    parser.add_argument("--was", action="append", default=[])
    parser.add_argument("root")
    options = parser.parse_args()
    world = Killed(options)
    was = [world.stamps(d) for d in options.was]
    world.stamps(world.root)
    untouched = {key for key in was[0] if all(files.get(key) == was[0][key] for files in was)}
    folders = world.disks + [os.path.basename(os.path.dirname(c)) for c in world.contents]
    kept = world.at("keep.losses")
    os.makedirs(kept, exist_ok=True)
    copy(folders, world.root, kept)
    count = 0
    for size in range(1, options.sets + 1):
        for lost in itertools.combinations(world.disks + world.parity, size):
            if count > 0:
                copy(folders, kept, world.root)
            count += 1
            del world.history[:]
            try:
                world.untouched = untouched if size <= options.sure else set()
                world.lose_and_fix(list(lost))
            except stories.Failed as failure:
                print("%s\n    %s\n%s" % (failure, "\n    ".join(world.history), world.output))
                return 1
    copy(folders, kept, world.root)
    print(count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
