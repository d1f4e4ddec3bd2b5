#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults at random moments: every test of the input is in the result with the verdict of a run without a fault, or
undecided (in error, when its file could not be read) with the fault named and a status that is not 0; what was killed
ends by that signal, and after --resume the report is whole and the same bytes. Prints TAP and, as comments, the seed
and what came of the faults; with --only, fault N of a seed alone.

usage: inject.py ROOT PTXLIT [--count N] [--seed N] [--only N]"""
import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import time

from kinds import KINDS, LONGEST, Fault, FullDisk, ReadOnly, WorkerCrashed, Wrong, need

FOLDERS = {'mp': 3, 'sb': 2, 'host': 3, 'undefined': 2, 'barriers': 2}
FILES = ('index.html', 'report.json', 'junit.xml')


# ---- what runs --------------------------------------------------------------------------------


def files_in(out):
    """The bytes of a report's files that are there, and of its sections."""
    paths = [*(out / name for name in FILES), *(out / 'sections').glob('*')]
    return {str(path.relative_to(out)): path.read_bytes() for path in paths if path.exists()}


class Program:
    """The commands under test and what they say without a fault."""

    def __init__(self, root, ptxlit, scratch):
        self.ptxlit, self.scratch = ptxlit, scratch
        corpus = pathlib.Path(root) / 'litmus/corpus'
        self.tests = [str(test) for folder, count in FOLDERS.items()
                      for test in sorted((corpus / folder).glob('*.litmus'))[:count]]
        self.streams, self.seconds = {}, {}
        self.parts = [scratch / f'part{k}' for k in (1, 2)]
        for k, part in enumerate(self.parts, 1):
            self.plain(['report', '--no-time', '--shard', f'{k}/2', '-o', part, *self.tests])
        for name in ('check', 'run', 'compare'):
            self.streams[name] = group(self.plain(self.command(name, None, 2), name).stdout)
            need(set(self.streams[name]) == set(self.tests), f'{name} does not name every test')
        for name in ('report', 'merge'):
            self.plain(self.command(name, scratch / name, 2), name)
        self.whole = files_in(scratch / 'report')
        self.rows = {test['file']: test for test in json.loads(self.whole['report.json'])['tests']}

    def plain(self, command, name=None):
        start = time.monotonic()
        ran = subprocess.run([self.ptxlit, *command], capture_output=True, timeout=LONGEST)
        need(ran.returncode == 0 or (name, ran.returncode) == ('run', 1), f'without a fault: status {ran.returncode}: {ran.stderr[-500:]!r}')
        self.seconds[name] = time.monotonic() - start
        return ran

    def command(self, name, out, jobs):
        if name == 'merge':
            return ['merge', '-o', out, *(part / 'report.json' for part in self.parts)]
        options = {'check': ['--json', '--expect'], 'run': ['--json', '--runs', '20'], 'compare': ['--json'],
                   'report': ['-o', out]}[name]
        return [name, '--no-time', '-j', str(jobs), *options, *self.tests]


def group(output):
    """The lines of each file; those before the one that names the file belong to it too ('run')."""
    groups, waiting = {}, []
    for line in output.splitlines():
        waiting.append(line)
        file = json.loads(line).get('file')
        if file:
            groups[file] = waiting
            waiting = []
    return groups


# ---- the invariant ----------------------------------------------------------------------------


def lost(fault, row):
    """Is this the result of a test that the fault cost? It must say so."""
    text = row.get('undecided') or row.get('error')
    need(row['verdict'] in ('undecided', 'error') and text, 'another verdict:', json.dumps(row)[:300])
    need(re.search(fault.words, text), f'a test says {text!r}')
    return True


def complete_lines(fault):
    """What standard output holds, up to the last whole line."""
    if not fault.stdout.is_file():
        return b''
    output = fault.stdout.read_bytes()
    return output[:output.rfind(b'\n') + 1]


def judge_stream(fault, status):
    wanted = fault.program.streams[fault.name]
    found = group(complete_lines(fault))
    named = [file for file, lines in found.items() if lines != wanted[file] and lost(fault, json.loads(lines[-1]))]
    missing = 0 if fault.deaf else len(wanted) - len(found)
    need(not (named or missing) or status != 0, f'{len(named)} lost, {missing} missing, status 0')
    said = status > 3 or status < 0 or 'standard output cannot be written' in fault.said()
    need(not missing or said or fault.silent, f'{missing} tests are missing, status {status}: {fault.said()[-300:]}')
    return 'lost by name' if named else 'cut short' if missing else 'whole'


def judge_files(fault, status):
    """Each file is there or not, never in part."""
    there = files_in(fault.out)
    same = there == fault.program.whole
    need(same or status != 0, 'status 0, but', sorted(there))
    if fault.name == 'merge':
        need(all(text == fault.program.whole[name] for name, text in there.items()), 'half of a file')
        return 'whole' if same else 'cut short'
    if 'report.json' not in there:
        return 'cut short'
    tests = json.loads(there['report.json'])['tests']
    need([test['file'] for test in tests] == fault.program.tests, f'{len(tests)} tests in report.json')
    named = [test for test in tests if test != fault.program.rows[test['file']] and lost(fault, test)]
    return 'lost by name' if named else 'whole'


def resume(fault):
    fault.program.plain(['report', '--no-time', '--resume', '-o', fault.out, *fault.program.tests])
    now = files_in(fault.out)
    need(now == fault.program.whole, 'after --resume the report differs')
    need(not (fault.out / 'journal.jsonl').exists(), 'after --resume the journal stays')


def judge(fault, status):
    said = fault.said()
    need(0 <= status <= 3 or status in fault.ends, f'status {status}: {said[-300:]}')
    need(status != 127 or said, 'status 127 and no word')
    need('defect of ptxlit' not in said or isinstance(fault, WorkerCrashed), said[:300])
    if fault.unwritable:
        need(status == 2 and 'cannot' in said or '-o FOLDER' in said, f'status {status}: {said!r}')
        return 'refused'
    if fault.name in fault.program.streams:
        return judge_stream(fault, status)
    came = judge_files(fault, status)
    if fault.name == 'report':
        if fault.mount:
            subprocess.run(['mount', '-o', 'remount,size=64m', fault.out], check=True)
        resume(fault)
    return came


# ---- all of it --------------------------------------------------------------------------------


def can_mount(scratch):
    place = scratch / 'mount'
    place.mkdir()
    mounted = shutil.which('mount') and os.geteuid() == 0 and subprocess.run(
        ['mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', place], capture_output=True).returncode == 0
    return mounted and subprocess.run(['umount', place], capture_output=True).returncode == 0


def inject(fault):
    if fault.mount:
        fault.out.mkdir()
        subprocess.run(['mount', '-t', 'tmpfs', '-o', fault.mount, 'none', fault.out], check=True)
    try:
        return judge(fault, fault.run())
    finally:
        if fault.mount:
            subprocess.run(['umount', fault.out], check=True)


def one(number):
    """Fault 'number': its command, its kind, what came of it, what is wrong."""
    dice = random.Random(f'{SEED}/{number}')
    kind = WHICH[number % len(WHICH)]
    name = dice.choice(kind.runs)
    with tempfile.TemporaryDirectory(dir=PROGRAM.scratch) as folder:
        fault = kind(PROGRAM, name, dice, pathlib.Path(folder))
        try:
            return name, kind.__name__, inject(fault), None
        except Wrong as wrong:
            return name, kind.__name__, 'wrong', f'fault {number} ({name}, {kind.__name__}{fault.detail}): {wrong}'


def main():
    global SEED, WHICH, PROGRAM
    parser = argparse.ArgumentParser()
    parser.add_argument('root')
    parser.add_argument('ptxlit')
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--seed', type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument('--only', type=int)
    given = parser.parse_args()
    SEED = given.seed
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        mounts = can_mount(scratch)
        left_out = () if mounts else (FullDisk, ReadOnly)
        WHICH = [kind for kind in KINDS if kind not in left_out]
        PROGRAM = Program(given.root, given.ptxlit, scratch)
        numbers = range(given.count) if given.only is None else [given.only]
        with multiprocessing.Pool(os.cpu_count()) as pool:
            results = list(pool.imap_unordered(one, numbers))
    print('TAP version 13\n1..5')
    print(f'# seed {SEED}: {len(results)} faults' + ('' if mounts else '; none of a full disk: nothing can be mounted'))
    for title, place in (('command', 0), ('fault', 1), ('outcome', 2)):
        sums = collections.Counter(result[place] for result in results)
        print(f'# by {title}: ' + ', '.join(f'{name} {count}' for name, count in sorted(sums.items())))
    failed = False
    for number, name in enumerate(Fault.runs, 1):
        wrong = [result[3] for result in results if result[0] == name and result[3]]
        failed |= bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {number} {name}')
        for line in wrong[:20]:
            print('# ' + line.replace('\n', '\n#   '))
    raise SystemExit(failed)


SEED, WHICH, PROGRAM = 0, [], None
main()
