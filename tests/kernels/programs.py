#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CUDA programs in programs/ and what 'ptxlit run' must say of them: a line of TAP for each run.

A .cu file there says in comments what is run, in this order:
    //! for sm_80 sm_90             architectures: NAME.sm_80.ptx … are kept beside it; sm_90 unless it says so
    //! run KERNEL OPTIONS          options of 'ptxlit run'; what follows is about this run
    //! gives BUFFER = EXPRESSION   in Python: the elements of the buffer afterwards, computed by plain means
    //! prints TEXT                 a line of what printf prints
    //! finds NAME TEXT…            a report, and what it says behind its FILE.cu:LINE; a run without may report nothing but warnings
    //! warns NAME TEXT…            the same of a warning
Each run must print the same with one job and with four. With --races there is but one thread: only every eighth of those is run twice, or all.

usage: programs.py PTXLIT [twice]        run all
       programs.py PTXLIT recompile      does nvcc still make these .ptx files? Skipped where there is none
       programs.py PTXLIT compile        write them anew"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent / 'programs'
BAD = ('undefined', 'error', 'hang', 'unknown')


class Run:
    """One 'run' line and those behind it."""
    def __init__(self, words):
        self.kernel, *self.options = shlex.split(words)
        self.gives, self.prints, self.finds, self.warns = [], [], [], []


def read(file):
    targets, runs = ['sm_90'], []
    for line in file.read_text().splitlines():
        word, _, rest = line[4:].partition(' ') if line.startswith('//! ') else ('', '', '')
        if word == 'for':
            targets = rest.split()
        elif word == 'run':
            runs.append(Run(rest))
        elif word:
            getattr(runs[-1], word).append(rest)
    return targets, runs


def told(report):
    code = report.get('code')
    return f"{code['file']}:{code['line']}: {report['text']}" if code else report['text']


def missing(wanted, reports):
    """The first of the wanted reports that is not there."""
    for line in wanted:
        name, *texts = shlex.split(line)
        if not any(r['name'] == name and all(text in told(r) for text in texts) for r in reports):
            return f'no report: {line}'
    return ''


def judge(run, done, result):
    wrong = [f"{r['name']}: {r['text']}" for r in result['reports']
             if r['severity'] in BAD and r['name'] not in [line.split()[0] for line in run.finds]]
    wrong += [r['text'] for r in result['reports'] if r['name'] == 'possible-race' and not run.warns]
    wrong += [missing(run.finds + run.warns, result['reports'])]
    if done.returncode != (1 if run.finds else 0):
        wrong += [f'status {done.returncode}']
    for line in run.gives:
        buffer, _, expression = line.partition(' = ')
        found, wanted = result['buffers'][buffer], eval(expression)  # our own files
        found = [int(x) if isinstance(x, str) and x.isdigit() else x for x in found]  # too large for JSON
        if found[:len(wanted)] != wanted:
            wrong += [f'{buffer}: found {found}, wanted {wanted}']
    if run.prints and result['printed'].splitlines() != run.prints:
        wrong += [f"printed {result['printed']}"]
    return '\n'.join(filter(None, wrong))


def check(program, module, run, twice):
    command = [program, 'run', module, '--json', '--no-time', '--timeout', '120', '--entry', run.kernel, *run.options]
    done, *again = (subprocess.run([*command, '--jobs', jobs], capture_output=True, text=True, check=False) for jobs in ('41' if twice else '4'))
    if not done.stdout:
        return done.stderr
    if again and done.stdout != again[0].stdout:
        return f'four jobs: {done.stdout}one: {again[0].stdout}'
    return judge(run, done, json.loads(done.stdout.splitlines()[-1]))


def compiled(nvcc, file, target, to):
    subprocess.run([nvcc, '-std=c++17', f'-arch={target}', '-lineinfo', '-diag-suppress', '20054', '-ptx', file.name, '-o', to],
                   cwd=HERE, check=True)


def slim(text):
    """Without the tables of debug sections, and the folder in which it was compiled."""
    text = text.split('\t.section\t.debug')[0]
    return text.replace(f'{HERE.resolve()}/', '')


def modules():
    return [(file, target, file.with_suffix(f'.{target}.ptx')) for file in sorted(HERE.glob('*.cu')) for target in read(file)[0]]


def recompile(nvcc):
    print('TAP version 13')
    if not nvcc:
        print('1..0 # SKIP nvcc is missing')
        return
    with tempfile.NamedTemporaryFile(suffix='.ptx') as fresh:
        for number, (file, target, kept) in enumerate(modules(), 1):
            compiled(nvcc, file, target, fresh.name)
            same = slim(pathlib.Path(fresh.name).read_text()) == kept.read_text()
            print(f"{'ok' if same else 'not ok'} {number} - {kept.name}")
    print(f'1..{len(modules())}')


def main():
    nvcc = shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
    if sys.argv[2:] == ['compile']:
        for file, target, kept in modules():
            compiled(nvcc, file, target, kept)
            kept.write_text(slim(kept.read_text()))
        return
    if sys.argv[2:] == ['recompile']:
        recompile(nvcc)
        return
    every = 1 if sys.argv[2:] == ['twice'] else 8
    runs = [(file, target, module, run) for file, target, module in modules() for run in read(file)[1]]
    print('TAP version 13')
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        judged = pool.map(lambda i: check(sys.argv[1], *runs[i][2:], i % every == 0 or '--races' not in runs[i][3].options), range(len(runs)))
        for number, ((file, target, _, run), wrong) in enumerate(zip(runs, judged), 1):
            print(f"{'not ok' if wrong else 'ok'} {number} - {file.stem} {target} {run.kernel}")
            for line in wrong.splitlines()[:12]:
                print('#', line[:400])
    print(f'1..{len(runs)}')


main()
