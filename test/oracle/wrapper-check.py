#!/usr/bin/env python3
"""Check that a snapraid-like binary satisfies the wrappers people run around snapraid.

    wrapper-check.py BINARY [--older] [--newest] [--make-array SCRIPT] [--scratch DIR] [-v]

Builds the small array of make-array.sh in a temporary
directory, runs the binary the way the wrappers run it, and tests every literal
or pattern they look for, and every exit code they look at.

The default checks hold for SnapRAID 12.2 and for the newest one. --older adds
what only 12.x has, --newest what only the newest has. Both may be given: the
checks of the two sets that no output can satisfy together are told apart by
their comments.

Prints one line a check, then "N passed, N failed". Exit status 1 on a failure.
"""

import argparse
import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """The outcome of one run."""

    def __init__(self, rc, out, err):
        self.rc = rc
        self.out = out
        self.err = err
        # what a wrapper that reads lines gets: a carriage return is not a line end
        self.lines = out.split('\n')

    def count(self, pattern):
        """How many lines match, as grep -c counts."""
        return sum(1 for line in self.lines if re.search(pattern, line))

    def value(self, pattern):
        """The first number matched by the only group of pattern, or None."""
        for line in self.lines:
            m = re.search(pattern, line)
            if m:
                return int(m.group(1))
        return None


class Checker:
    def __init__(self, opt):
        self.opt = opt
        self.binary = os.path.realpath(opt.binary)
        self.scratch = os.path.realpath(tempfile.mkdtemp(prefix='wrapper-check-', dir=opt.scratch))
        self.root = os.path.join(self.scratch, 'array')
        self.conf = os.path.join(self.root, 'snapraid.conf')
        self.hidden = []
        self.passed = self.failed = self.skipped = 0

    # running

    def exec(self, args, hidden=True):
        env = dict(os.environ, TZ='UTC', LC_ALL='C')
        p = subprocess.run([self.binary] + (self.hidden if hidden else []) + args,
                           cwd=self.scratch, env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        r = Run(p.returncode, p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace'))
        if self.opt.verbose:
            print('     # %s -> %d' % (' '.join(args), r.rc))
        return r

    def run(self, *args):
        """Run with the configuration of the array given first, as aio and the UI do."""
        return self.exec(['-c', self.conf] + list(args))

    def log(self, *args):
        """Run with a log, and return the run and the log lines."""
        path = os.path.join(self.scratch, 'run.log')
        r = self.run(*(list(args) + ['-l', path]))
        text = ''
        if os.path.exists(path):
            with open(path, encoding='utf-8', errors='replace') as f:
                text = f.read()
            os.remove(path)
        return r, text.split('\n')

    def has(self, option):
        """Does the binary know the option, one that takes no argument."""
        r = self.exec([option, '-c', os.path.join(self.scratch, 'none.conf'), 'diff'], False)
        return 'option' not in r.err.lower()

    def make(self, step=None):
        subprocess.run([self.opt.make_array, self.root] + ([step] if step else []), check=True)

    def fresh(self, synced=True):
        shutil.rmtree(self.root, ignore_errors=True)
        self.make()
        if synced:
            self.run('-q', 'sync')

    def path(self, rel):
        return os.path.join(self.root, rel)

    # reporting

    def check(self, ok, who, what, detail=''):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
        tail = ' [%s]' % detail if detail and not ok else ''
        print('%-4s %-8s %s%s' % ('ok' if ok else 'FAIL', who, what, tail))
        return ok

    def skip(self, who, what):
        self.skipped += 1
        print('skip %-8s %s' % (who, what))

    def exit(self, r, expected, who, what):
        self.check(r.rc == expected, who, '%s exits %d' % (what, expected),
                   'exit %d, stderr %r' % (r.rc, r.err[-200:]))


# patterns the wrappers use

SUMMARY = ('equal', 'added', 'removed', 'updated', 'moved', 'copied', 'restored')
MARKER = r'^(Everything OK|Nothing to do)'
ZERO = r'You have [1-9][0-9]* files with( a)? zero sub-second timestamp\.'


def one_summary(c, r, word):
    """The summary line of a diff as each wrapper wants it, and its count."""
    c.check(r.count(r'^ +[0-9]* %s$' % word) == 1, 'omv',
            "diff prints one line '^ +[0-9]* %s$'" % word)
    c.check(r.count(r'^\s*[0-9]+\s+%s' % word) == 1, 'collector',
            "diff prints one line '^\\s*[0-9]+\\s+%s'" % word)
    n = r.value(r'^\s*(\d+)\s+%s' % word)
    return -1 if n is None else n


def check_version(c):
    r = c.exec(['-V'], False)
    c.exit(r, 0, 'aio', '-V')
    c.check(re.match(r'(?i)snapraid( cli)? v\S+ by', r.out), 'aio',
            "-V prints a name, ' v', a version, ' by'", r.out[:80])
    if c.opt.older:
        c.check(re.match(r'snapraid v.*by', r.out), 'aio', "older: -V matches 'snapraid v.*by'", r.out[:80])
    r = c.exec(['-H'], False)
    c.exit(r, 0, 'user', '-H')


def check_first_run(c):
    c.fresh(False)
    r = c.run('diff')
    c.exit(r, 2, 'collector', 'diff before the first sync')
    r = c.exec(['sync', '--conf', c.conf, '--pre-hash'])
    c.exit(r, 0, 'omv', 'sync with the options after the command')
    c.check(r.count(MARKER) >= 1, 'aio', "sync prints a line '^Everything OK' or '^Nothing to do'")
    for disk in ('d1', 'd2', 'd3'):
        line = [x.split() for x in r.lines if x.startswith('Scanned ' + disk)]
        c.check(len(line) == 1 and len(line[0]) == 5 and line[0][3].isdigit(), 'collector',
                "sync prints 'Scanned %s in N seconds'" % disk, str(line))
    done = [x for x in r.lines if 'completed' in x]
    pattern = r'([0-9]+)% completed, ([0-9]+) ([A-Za-z]+) accessed in ([0-9:]+)'
    c.check(done and all(re.search(pattern, x) for x in done), 'collector',
            "sync prints 'N% completed, N MB accessed in H:MM'", str(done))


def check_synced(c):
    r = c.run('diff')
    c.exit(r, 0, 'runner', 'diff without changes')
    c.check('No differences' in r.out, 'ui', "diff without changes prints 'No differences'")
    for word in SUMMARY:
        n = one_summary(c, r, word)
        if word != 'equal':
            c.check(n == 0, 'all', 'diff without changes counts 0 %s' % word, str(n))
    r = c.run('-q', 'sync')
    c.exit(r, 0, 'aio', 'sync without changes')
    c.check(r.count(MARKER) >= 1, 'aio',
            "sync without changes prints '^Everything OK' or '^Nothing to do'", r.out[-120:])
    if c.opt.older:
        c.check(r.count(r'^Nothing to do') == 1, 'ui', "older: sync without changes prints 'Nothing to do'")
    if c.opt.newest:
        c.check(r.count(r'^Everything OK') == 1, 'aio', "newest: sync without changes prints 'Everything OK'")


def check_status(c):
    r = c.exec(['status', '-c', c.conf])
    c.exit(r, 0, 'ui', 'status')
    c.check('No sync is in progress' in r.out, 'aio', "status prints 'No sync is in progress'")
    c.check('sync in progress' not in r.out, 'collector', "status does not print 'sync in progress'")
    c.check(r.count(ZERO) == 1, 'aio', "status prints 'You have N files with a zero sub-second timestamp.'")
    c.check('No error detected' in r.out, 'ui', "status prints 'No error detected'")
    c.check(re.search(r'oldest block was scrubbed (\d+) days? ago,?\s+the median (\d+),?\s+the newest (\d+)', r.out),
            'ui', 'status prints the oldest, median and newest days')
    c.check(re.search(r'(\d+)%\s+of\s+the\s+array\s+is\s+not\s+scrubbed', r.out), 'ui',
            "status prints 'N% of the array is not scrubbed'")

    # the table: a header with three words, one more line, the rows, a line of dashes, the total
    head = [i for i, x in enumerate(r.lines) if all(w in x for w in ('Files', 'Fragmented', 'Wasted'))]
    dash = [i for i, x in enumerate(r.lines) if re.match(r'^ *-{10,} *$', x)]
    ok = len(head) == 1 and len(dash) == 1
    c.check(ok, 'ui', 'status prints one table header and one line of dashes')
    rows = [r.lines[i].split() for i in range(head[0] + 2, dash[0])] if ok else []
    c.check([x[7:] for x in rows] == [['d1'], ['d2'], ['d3']], 'ui',
            'status rows have seven columns and the disk name', str(rows))
    c.check([x[0] for x in rows] == ['8', '5', '4'], 'ui', 'status rows start with the count of files', str(rows))
    total = r.lines[dash[0] + 1].split() if ok else []
    c.check(len(total) == 7 and total[0] == '17', 'ui', 'status total has seven columns', str(total))

    chart = [x for x in r.lines if re.match(r'^(\s*\d+%| {4})\|', x)]
    marked = [x for x in chart if re.match(r'^\s*\d+%\|', x)]
    c.check(len(chart) == 15 and len(marked) == 3 and all(len(x) == 75 for x in chart), 'ui',
            'status chart has 15 rows of 70 columns, three of them with a percentage')
    c.check('o' in chart[0][5:] if chart else False, 'ui', "status chart marks synced blocks with 'o'")

    r = c.run('touch')
    c.exit(r, 0, 'runner', 'touch')
    c.check(r.count(r'^touch no-subsecond\.bin$') == 1, 'user', "touch prints 'touch NAME'")
    r = c.run('status')
    c.check(r.count(ZERO) == 0, 'aio', 'status after touch does not print the zero sub-second line')


def check_diff(c, fake_uuid):
    c.make('change')
    r = c.exec(['diff', '--conf', c.conf, '--quiet'])
    c.exit(r, 2, 'runner', 'diff with changes')
    c.check('There are differences!' in r.out, 'user', "diff with changes prints 'There are differences!'")
    counts = dict((w, one_summary(c, r, w)) for w in SUMMARY)
    first = [x.split(' ')[0] for x in r.lines]
    for verb, word in (('add', 'added'), ('remove', 'removed'), ('update', 'updated'), ('move', 'moved'),
                       ('copy', 'copied'), ('restore', 'restored')):
        n = first.count(verb)
        c.check(n == counts[word], 'runner', "diff prints one line starting with '%s ' for each of %s" % (verb, word),
                '%d lines, %d counted' % (n, counts[word]))
        c.check(r.count(r'^%s .+$' % verb) == counts[word], 'aio', "diff lines match '^%s .+$'" % verb)
    c.check(counts['added'] == 1 and counts['updated'] == 2, 'all', 'diff counts 1 added, 2 updated', str(counts))
    c.check(r.count(r'^copy movies/alpha\.bin -> movies/alpha\.bin$') == 1, 'user', "diff prints 'copy OLD -> NEW'")
    if fake_uuid:
        c.check(counts['moved'] == 2 and counts['restored'] == 1, 'all', 'diff counts 2 moved, 1 restored', str(counts))
        c.check(r.count(r'^move movies/beta\.bin -> moved/beta\.bin$') == 1, 'user', "diff prints 'move OLD -> NEW'")
        c.check(r.count(r'^move docs/col:on\.txt -> docs/co:lon\\ 2\.txt$') == 1, 'user',
                'diff escapes a name with a space for the shell')
    else:
        c.skip('all', 'moved and restored (no --test-fake-uuid)')
    relocated = r.value(r'^\s*(\d+)\s+relocated$')
    if c.opt.newest:
        c.check(relocated == 1 and first.count('relocate') == 1 and counts['removed'] == 1, 'user',
                "newest: a file gone to another disk is one 'relocate', one 'relocated'")
    if c.opt.older:
        c.check(relocated is None and counts['copied'] == 2 and counts['removed'] == 2, 'runner',
                "older: a file gone to another disk is one 'copy' and one 'remove'")

    # the counts a threshold looks at
    changed = sum(first.count(v) for v in ('add', 'remove', 'move', 'update'))
    c.check(changed > 0, 'runner', 'diff with changes has at least one add, remove, move or update')


def check_log(c, fake_uuid):
    r, log = c.log('diff')
    c.exit(r, 2, 'ui', 'diff with a log')

    def tag(prefix):
        return [x for x in log if x.startswith(prefix)]

    for prefix in ('version:', 'unixtime:', 'command:diff', 'argv:0:', 'conf:file:', 'blocksize:1024',
                   'data:d1:' + c.path('d1') + '/', 'mode:par2', 'filter:exclude *.tmp', 'content:/'):
        c.check(len(tag(prefix)) == 1, 'daemon', "log has one '%s' tag" % prefix.replace(c.root, 'DIR'),
                str(len(tag(prefix))))
    for word, n in (('added', 1), ('updated', 2)):
        c.check(tag('summary:%s:' % word) == ['summary:%s:%d' % (word, n)], 'daemon', "log has 'summary:%s:%d'" % (word, n))
    for word in SUMMARY:
        c.check(len(tag('summary:%s:' % word)) == 1, 'daemon', "log has one 'summary:%s:'" % word)
    c.check(tag('summary:exit:') == ['summary:exit:diff'], 'daemon', "log has 'summary:exit:diff'", str(tag('summary:exit:')))
    c.check(len(tag('scan:add:d1:new-file.bin')) == 1, 'daemon', "log has 'scan:add:DISK:PATH'")
    c.check(len(tag('scan:remove:d2:music/two.bin')) == 1, 'daemon', "log has 'scan:remove:DISK:PATH'")
    c.check(len(tag('scan:copy:d1:movies/alpha.bin:d2:movies/alpha.bin')) == 1, 'daemon',
            "log has 'scan:copy:DISK:PATH:DISK:PATH', the source first")
    if fake_uuid:
        c.check(len(tag('scan:move:d1:docs/col\\don.txt:docs/co\\dlon 2.txt')) == 1, 'daemon',
                "log has 'scan:move:DISK:OLD:NEW', a colon escaped as \\d")
        c.check(len(tag('scan:restore:d1:docs/readme.txt')) == 1, 'daemon', "log has 'scan:restore:DISK:PATH'")
    if c.opt.older:
        c.check(len(tag('parity:0:' + c.path('p1'))) == 1, 'user', "older: log has 'parity:0:PATH'")
    if c.opt.newest:
        c.check(any(re.match(r'version:(1[4-9]|[2-9]\d)\.\d+', x) for x in log), 'daemon', 'newest: log version is 14 or more')
        c.check(len(tag('parity:' + c.path('p1/snapraid.parity:'))) == 1, 'daemon', "newest: log has 'parity:PATH:UUID'")
        c.check(len(tag('scan:relocate:d3:pics/p1.bin:d2:pics/p1.bin')) == 1, 'daemon', "newest: log has 'scan:relocate:'")
        for t in ('content_info:file:', 'content_info:block:', 'content_info:block_bad:', 'content_info:block_rehash:',
                  'content_info:block_unsynced:', 'content_info:block_unscrubbed:', 'content_data:d1:',
                  'content_data_split:d1:', 'content_parity:parity:', 'content_parity_split:parity:',
                  'content_info:read_unixtime:'):
            c.check(len(tag(t)) == 1, 'daemon', "newest: log has one '%s'" % t)

    r = c.run('diff', '-l', '>&2')
    c.check('summary:exit:diff' in r.err.split('\n') and 'summary:exit:diff' not in r.out, 'daemon', "-l '>&2' logs to stderr")
    r = c.run('diff', '-l', '>&1')
    c.check('summary:exit:diff' in r.out.split('\n'), 'ui', "-l '>&1' logs to stdout")
    name = os.path.join(c.scratch, 'app.log')
    for _ in range(2):
        c.run('diff', '-l', '>>' + name)
    with open(name, encoding='utf-8', errors='replace') as f:
        c.check(f.read().split('\n').count('summary:exit:diff') == 2, 'user', "-l '>>FILE' appends")
    for _ in range(2):
        c.run('diff', '-l', name)
    with open(name, encoding='utf-8', errors='replace') as f:
        c.check(f.read().split('\n').count('summary:exit:diff') == 1, 'user', '-l FILE overwrites')
    os.remove(name)
    c.run('diff', '-l', os.path.join(c.scratch, 'x-%D-%T.log'))
    made = [x for x in os.listdir(c.scratch) if re.match(r'x-\d{8}-\d{6}\.log$', x)]
    c.check(len(made) == 1, 'user', '-l expands %D and %T', str(os.listdir(c.scratch)))


def check_sync(c):
    r = c.exec(['sync', '--verbose', '--gui', '--log', '>&2', '-c', c.conf])
    c.exit(r, 0, 'daemon', 'sync --verbose --gui --log >&2')
    log = r.err.split('\n')
    for t in (r'run:begin:0:\d+:\d+$', r'run:pos:\d+:\d+:\d+:\d+:\d*:\d*:\d*:\d+', r'run:end$',
              r'summary:error_io:0$', r'summary:error_data:0$', r'summary:exit:ok$', r'msg:progress: ', r'msg:status: '):
        c.check(any(re.match(t, x) for x in log), 'daemon', "sync logs '%s'" % t)
    if c.opt.newest:
        c.check('summary:error_soft:0' in log, 'daemon', "newest: sync logs 'summary:error_soft:0'")
        c.check('hash_summary:error_soft:' not in r.err, 'daemon', "newest: no hash_summary without -h")
        pos = [x for x in log if x.startswith('run:pos:')]
        c.check(pos and pos[0].count(':') == 11, 'daemon', 'newest: run:pos has ten fields', str(pos[:1]))
    if c.opt.older:
        c.check('summary:error_file:0' in log, 'user', "older: sync logs 'summary:error_file:0'")

    # only a move to sync
    os.rename(c.path('d1/docs/readme.txt'), c.path('d1/docs/readme-moved.txt'))
    r = c.run('-q', 'sync')
    c.exit(r, 0, 'aio', 'sync of a move')
    c.check(r.count(MARKER) >= 1, 'aio', "sync of a move prints '^Everything OK' or '^Nothing to do'", r.out[-160:])


def check_scrub(c):
    r = c.exec(['scrub', '-c', c.conf, '-p', '5', '-o', '10', '-q'])
    c.exit(r, 0, 'aio', 'scrub -p 5 -o 10, nothing old enough')
    c.check(r.count(MARKER) >= 1, 'aio', "scrub of nothing prints '^Everything OK' or '^Nothing to do'", r.out[-160:])
    r = c.run('-p', 'new', '-q', 'scrub')
    c.exit(r, 0, 'aio', 'scrub -p new')
    c.check(r.count(MARKER) >= 1, 'aio', "scrub -p new prints '^Everything OK' or '^Nothing to do'", r.out[-160:])
    r = c.exec(['scrub', '--conf', c.conf, '--quiet', '--plan', '12', '--older-than', '10'])
    c.exit(r, 0, 'runner', 'scrub --plan 12 --older-than 10')
    r = c.exec(['scrub', '--conf', c.conf, '--quiet', '--plan', 'full'])
    c.exit(r, 0, 'runner', 'scrub --plan full')
    r = c.exec(['scrub', '-p0', '--conf', c.conf])
    c.exit(r, 0, 'omv', 'scrub -p0')
    r = c.run('status')
    c.check('The full array was scrubbed at least one time.' in r.out, 'user', 'status tells when all is scrubbed')
    chart = [x for x in r.lines if re.match(r'^\s*\d+%\|', x)]
    c.check(chart and '*' in chart[0], 'user', "status chart marks scrubbed blocks with '*'")


def same(c, rel, copy):
    with open(c.path(rel), 'rb') as a, open(copy, 'rb') as b:
        return a.read() == b.read()


def check_undelete(c):
    saved = os.path.join(c.scratch, 'saved')
    shutil.copyfile(c.path('d1/movies/alpha.bin'), saved)
    c.make('lose')
    r = c.exec(['check', '-c', c.conf])
    c.exit(r, 1, 'ui', 'check with missing files')
    text = (r.out + '\n' + r.err).split('\n')
    c.check(sum(1 for x in text if re.match(r"^Missing file '(.+)'\.$", x)) == 2, 'ui',
            "check prints one \"Missing file 'PATH'.\" for each")
    c.check(any(x.endswith('recoverable movies/alpha.bin') for x in r.lines), 'ui', "check prints 'recoverable NAME'")
    c.check(any(re.match(r'^\s*0\s+unrecoverable errors$', x) for x in r.lines), 'ui', "check prints '0 unrecoverable errors'")
    if c.opt.older:
        c.check(any(re.match(r'^\s*7\s+errors$', x) for x in r.lines), 'ui', "older: check prints 'N errors'")
    if c.opt.newest:
        c.check(any(re.match(r'^\s*7\s+soft errors$', x) for x in r.lines), 'user', "newest: check prints 'N soft errors'")
    r, log = c.log('-m', 'fix')
    c.exit(r, 0, 'omv', 'fix -m')
    c.check('status:recovered:d1:movies/alpha.bin' in log, 'daemon', "fix logs 'status:recovered:DISK:PATH'")
    c.check('summary:exit:recovered' in log, 'daemon', "fix logs 'summary:exit:recovered'")
    c.check('summary:error_recovered:7' in log, 'daemon', "fix logs 'summary:error_recovered:7'")
    c.check('summary:error_unrecoverable:0' in log, 'daemon', "fix logs 'summary:error_unrecoverable:0'")
    c.check(r.count('recovered docs/name\\\\ with\\\\ space.txt$') == 1, 'user', "fix prints 'recovered NAME', escaped")
    c.check(r.count(r'^\s*7\s+recovered errors$') == 1, 'user', "fix prints '7 recovered errors'")
    c.check(r.count(r'^Everything OK') == 1, 'user', "fix prints 'Everything OK'")
    c.check(os.path.exists(c.path('d1/movies/alpha.bin')) and same(c, 'd1/movies/alpha.bin', saved), 'all', 'the file is back')
    os.remove(c.path('d1/movies/alpha.bin'))
    r = c.exec(['--filter-disk', 'd1', '--filter-missing', 'fix', '-c', c.conf])
    c.exit(r, 0, 'omv', 'fix --filter-disk d1 --filter-missing')
    os.remove(c.path('d1/movies/alpha.bin'))
    r = c.exec(['fix', '-c', c.conf, '-m', '-f', '/movies/'])
    c.exit(r, 0, 'ui', 'fix -m -f /DIR/')
    c.check(os.path.exists(c.path('d1/movies/alpha.bin')), 'ui', 'fix -m -f /DIR/ restores below DIR')
    r = c.exec(['--filter-disk', 'd1', '--audit-only', 'check', '-c', c.conf])
    c.exit(r, 0, 'omv', 'check --filter-disk d1 --audit-only')


def check_corrupt(c):
    saved = os.path.join(c.scratch, 'saved')
    shutil.copyfile(c.path('d2/same-b.bin'), saved)
    c.make('corrupt')
    r, log = c.log('-p', 'full', '-q', 'scrub')
    c.exit(r, 1, 'runner', 'scrub with a silent error')
    c.check(r.count(r'^Everything OK') == 0, 'aio', "scrub with a silent error does not print 'Everything OK'")
    c.check(r.value(r'^\s*(\d+)\s+data errors') == 1, 'collector', "scrub prints '1 data errors'")
    c.check(r.value(r'^\s*(\d+)\s+io errors') == 0, 'collector', "scrub prints '0 io errors'")
    if c.opt.older:
        c.check(r.value(r'^\s*(\d+)\s+file errors') == 0, 'collector', "older: scrub prints '0 file errors'")
    if c.opt.newest:
        c.check(r.value(r'^\s*(\d+)\s+soft errors') == 0, 'user', "newest: scrub prints '0 soft errors'")
    c.check('summary:error_data:1' in log and 'summary:exit:error' in log, 'daemon', "scrub logs 'summary:error_data:1' and 'summary:exit:error'")
    kind = r'error(_data)?:\d+:d2:same-b\.bin: '
    c.check(sum(1 for x in log if re.match(kind, x)) == 1, 'daemon', "scrub logs one '%s'" % kind)
    if c.opt.newest:
        c.check(sum(1 for x in log if x.startswith('error_data:')) == 1, 'daemon', "newest: scrub logs 'error_data:'")
    r = c.run('status')
    c.exit(r, 0, 'ui', 'status with errors')
    c.check('No error detected' not in r.out, 'ui', "status with errors does not print 'No error detected'")
    c.check(r.count(r'^DANGER! In the array there are 1 errors!$') == 1, 'user', "status prints 'DANGER! In the array there are 1 errors!'")
    r = c.exec(['-e', 'fix', '--conf', c.conf])
    c.exit(r, 0, 'omv', 'fix -e')
    c.check(same(c, 'd2/same-b.bin', saved), 'all', 'fix -e repairs the file')
    r = c.run('-p', 'bad', 'scrub')
    c.exit(r, 0, 'daemon', 'scrub -p bad')
    r = c.run('status')
    c.check('No error detected' in r.out, 'ui', "status after the repair prints 'No error detected'")


def check_reports(c):
    r = c.exec(['list', '-c', c.conf])
    c.exit(r, 0, 'ui', 'list')
    pattern = r'^\s*(\d+)\s+(\d{4}/\d{2}/\d{2})\s+(\d{2}:\d{2})\s+(.+)$'
    c.check(r.count(pattern) == 18, 'ui', "list prints 'SIZE YYYY/MM/DD HH:MM NAME' for each file", str(r.count(pattern)))
    c.check(r.value(r'^\s*(\d+)\s+files?,\s+for\s+\d+') == 18, 'ui', "list prints 'N files, for N GB'")
    c.check(r.value(r'^\s*(\d+)\s+links?$') == 2, 'ui', "list prints 'N links'")
    r = c.run('dup')
    c.exit(r, 0, 'user', 'dup')
    c.check(r.count(r'^\s*2048 same-b\.bin = same-a\.bin$') == 1, 'user', "dup prints 'SIZE NAME = NAME'")
    r = c.run('pool')
    c.exit(r, 0, 'btrfs', 'pool')
    c.check(os.path.islink(c.path('pool/music/one.bin')), 'user', 'pool makes symbolic links')
    r = c.exec(['devices', '-c', c.conf])
    if r.rc == 0 and r.out:
        rows = [x.split() for x in r.lines if x.strip()]
        c.check(all(len(x) == 5 for x in rows) and [x[4] for x in rows] == ['d1', 'd2', 'd3', 'parity', '2-parity'], 'ui',
                'devices prints five columns, the disk name last', str(rows))
    else:
        c.skip('ui', 'devices (no device to show here)')
    r, log = c.log('status')

    def tag(prefix):
        return [x for x in log if x.startswith(prefix)]

    c.check(tag('summary:file_count:') == ['summary:file_count:18'], 'omv', "status logs 'summary:file_count:'")
    c.check(tag('summary:file_size:') == ['summary:file_size:39092'], 'omv', "status logs 'summary:file_size:'")
    c.check(tag('summary:parity_size:') == ['summary:parity_size:20480'], 'omv', "status logs 'summary:parity_size:'")
    c.check(len(tag('content:/')) == 1, 'omv', "status logs one 'content:/PATH'")
    for disk in ('d1', 'd2', 'd3'):
        c.check(len(tag('summary:disk_file_count:%s:' % disk)) == 1 and len(tag('summary:disk_file_size:%s:' % disk)) == 1, 'omv',
                "status logs 'summary:disk_file_count:%s:' and 'summary:disk_file_size:%s:'" % (disk, disk))
    if c.opt.newest:
        for t in ('summary:total_wasted:', 'summary:total_used:', 'summary:total_free:', 'summary:disk_space_wasted:d1:',
                  'summary:disk_used:d1:', 'summary:disk_free:d1:', 'summary:disk_use_percent:d1:',
                  'summary:scrub_oldest_days:', 'summary:scrub_median_days:', 'summary:scrub_newest_days:',
                  'scrub_graph_range:70:'):
            c.check(len(tag(t)) == 1, 'ui', "newest: status logs one '%s'" % t)
        c.check('summary:exit:ok' in log, 'daemon', "newest: status logs 'summary:exit:ok'")


def check_smart(c):
    if not c.has('--test-fake-device'):
        c.skip('collector', 'smart (no --test-fake-device)')
        return
    r = c.run('--test-fake-device', 'smart')
    c.check(r.count(r'Probability that at least one disk .* [0-9]+%') == 1, 'collector',
            "smart prints 'Probability that at least one disk ... N%'")
    rows = [x.split() for x in r.lines if re.match(r'^\s+[0-9-]', x) and not re.match(r'^ -+$', x)]
    c.check(rows and all(len(x) >= 8 for x in rows), 'collector', 'smart rows have eight columns or more', str(rows[:2]))
    if c.opt.older:
        names = ('-', 'name', 'd1', 'd2', 'd3', 'parity', '2-parity')
        c.check(rows and all(x[7:8] and x[7] in names for x in rows), 'collector',
                'older: the eighth word of smart rows is the disk', str(rows[:1]))
        c.check(rows and all(re.match(r'(\d+\.\d+|-)$', x[4]) for x in rows), 'collector',
                'older: the fifth word of smart rows is the size', str(rows[:1]))
    if c.opt.newest:
        c.check(rows and all(len(x) == 9 for x in rows), 'user',
                'newest: smart rows have a ninth column, the wear level', str(rows[:1]))
        r = c.run('--test-fake-device', 'probe')
        c.exit(r, 0, 'ui', 'newest: probe')
        c.check(r.count(r'^\s+Active\s+\S+\s+d1$') == 1, 'user', "newest: probe prints 'STATE DEVICE DISK'")


def check_guards(c):
    c.fresh()
    shutil.rmtree(c.path('d3'))
    os.mkdir(c.path('d3'))
    r = c.run('-q', 'sync')
    c.exit(r, 1, 'omv', 'sync of an emptied disk')
    c.check('--force-empty' in r.err, 'omv', 'sync of an emptied disk names --force-empty on stderr')
    c.check(r.count(MARKER) == 0, 'aio', 'sync of an emptied disk prints no marker')
    r = c.exec(['--force-empty', 'sync', '--conf', c.conf])
    c.exit(r, 0, 'omv', 'sync --force-empty')

    c.fresh()
    open(c.path('d2/music/one.bin'), 'wb').close()
    r = c.run('-h', '-q', 'sync')
    c.exit(r, 1, 'aio', 'sync of a file gone to zero size')
    c.check('--force-zero' in r.err, 'aio', 'sync of a file gone to zero size names --force-zero on stderr')
    r = c.run('-h', '--force-zero', '-q', 'sync')
    c.exit(r, 0, 'aio', 'sync -h --force-zero -q')

    c.fresh()
    os.remove(c.path('p1/snapraid.parity'))
    r = c.run('-q', 'sync')
    c.exit(r, 1, 'aio', 'sync without a parity file')
    c.check(r.count(MARKER) == 0, 'aio', 'sync without a parity file prints no marker')

    if c.has('--test-kill-after-sync'):
        c.fresh()
        c.make('change')
        c.run('--test-kill-after-sync', 'sync')
        r = c.run('status')
        c.exit(r, 0, 'aio', 'status after an interrupted sync')
        c.check('WARNING! The array is NOT fully synced.' in r.out, 'aio', "status prints 'WARNING! The array is NOT fully synced.'")
        c.check('No sync is in progress' not in r.out, 'aio', "status does not print 'No sync is in progress'")
        c.check('sync in progress' in r.out, 'collector', "status prints 'sync in progress'")
        r = c.run('diff')
        c.exit(r, 2, 'runner', 'diff after an interrupted sync')
        r = c.run('sync')
        c.exit(r, 0, 'runner', 'sync after an interrupted sync')
        r = c.run('status')
        c.check('No sync is in progress' in r.out, 'aio', 'status after the resumed sync is clean')
    else:
        c.skip('aio', 'an interrupted sync (no --test-kill-after-sync)')

    if c.opt.newest:
        c.fresh()
        os.remove(c.path('d1/same-a.bin'))
        r = c.run('--gui-threshold-removes', '1', 'sync')
        c.exit(r, 2, 'daemon', 'newest: sync --gui-threshold-removes 1')


def check_errors(c):
    c.fresh()
    r = c.exec(['-c', os.path.join(c.scratch, 'none.conf'), 'diff'])
    c.exit(r, 1, 'ui', 'a missing configuration')
    c.check(r.err != '', 'ui', 'a missing configuration is told on stderr')
    c.exit(c.run('nope'), 1, 'user', 'an unknown command')
    c.exit(c.run('--nope', 'diff'), 1, 'user', 'an unknown option')
    c.exit(c.run(), 1, 'user', 'no command')
    with open(c.path('bad.conf'), 'w') as f:
        f.write('parity x\nfoo bar\n')
    c.exit(c.exec(['-c', c.path('bad.conf'), 'status']), 1, 'ui', 'an invalid configuration')
    with open(c.path('c1/snapraid.content.lock'), 'w') as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        r = c.run('diff')
        c.exit(r, 1, 'user', 'diff while the lock of the first content file is held')
        c.check('already in use' in r.err, 'user', "a held lock is told with 'already in use'")

    # the configuration that OMV writes
    with open(c.conf) as f:
        text = f.read()
    with open(c.conf, 'w') as f:
        f.write('autosave 0\n\n# drives\n########\n# OMV-Name: d1  Drive Label: x\n' + text.replace('\npool', '\n\n#pool'))
    c.exit(c.run('diff'), 0, 'omv', "a configuration with 'autosave 0', comments and empty lines")
    # the deprecated name of data, tabs, spaces around, CR LF
    with open(c.conf, 'w') as f:
        f.write(text.replace('\ndata d1 ', '\n \tdisk\td1\t ').replace('\n', ' \r\n'))
    c.exit(c.run('diff'), 0, 'btrfs', "a configuration with 'disk', tabs, spaces and CR LF")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('binary')
    ap.add_argument('--older', action='store_true', help='also what only 12.x has')
    ap.add_argument('--newest', action='store_true', help='also what only the newest has')
    ap.add_argument('--make-array', default=os.path.join(HERE, 'make-array.sh'))
    ap.add_argument('--scratch', help='where to make the temporary directory')
    ap.add_argument('-v', '--verbose', action='store_true', help='show each run')
    opt = ap.parse_args()
    opt.make_array = os.path.realpath(opt.make_array)

    c = Checker(opt)
    try:
        for option in ('--test-skip-device', '--test-skip-self', '--test-fake-uuid'):
            if c.has(option):
                c.hidden.append(option)
        fake_uuid = '--test-fake-uuid' in c.hidden
        for part, args in ((check_version, ()), (check_first_run, ()), (check_synced, ()), (check_status, ()),
                           (check_diff, (fake_uuid,)), (check_log, (fake_uuid,)), (check_sync, ()),
                           (check_scrub, ()), (check_undelete, ()), (check_corrupt, ()), (check_reports, ()),
                           (check_smart, ()), (check_guards, ()), (check_errors, ())):
            try:
                part(c, *args)
            except (OSError, LookupError, subprocess.SubprocessError) as e:
                c.check(False, 'all', '%s ran to its end' % part.__name__, '%s: %s' % (type(e).__name__, e))
    finally:
        shutil.rmtree(c.scratch, ignore_errors=True)
    if c.skipped:
        print('%d skipped' % c.skipped)
    print('%d passed, %d failed' % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == '__main__':
    sys.exit(main())
