#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every bundled test gives what it expects, under each bundled model; a line of TAP a test that expects something of
the model. That 'check' itself fails, or leaves a test out of its result, is a failure too.

usage: run.py PTXLIT ROOT OWN PART EXPECTING: the default model judges each OWNth test; the others judge each PARTth, and
each EXPECTINGth of those that expect something of the model"""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
OWN, PART, EXPECTING = map(int, sys.argv[3:6])
CORPUS = 'litmus/corpus'
# Older models refuse host programs by name, and models of one language tests in the other.
REFUSED = 'H009: this model', 'T030: this test is in'
# What looks misspelt: a location that is not read or not written, a conjunct that nothing gives.
SLIPS = ('L047', 'L048', 'U010')


def corpus():
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(CORPUS) for name in names
                  if name.endswith('.litmus'))


def is_refused(one):
    return one['verdict'] == 'error' and any(text in (one['error'] or '') for text in REFUSED)


def share(files, model):
    """The files that another model than the default judges: at least one of those that expect something of it."""
    expecting = [name for name in files if re.search(rf'\bexpect {re.escape(model)}:', pathlib.Path(name).read_text())]
    return sorted({*files[::PART], *expecting[::EXPECTING]})


def judge(files, results, status):
    """Rows (name, what is wrong or ''), and what is wrong with the run as a whole."""
    rows = [(one['file'], '' if one['expected']['agrees'] else f'expects {one["expected"]["verdict"]}')
            for one in results if one.get('expected')]
    wrong = [f'{one["file"]}: {one["error"]}' for one in results if one['verdict'] == 'error' and not is_refused(one)]
    said = [one['file'] for one in results]
    wrong += [f'{name} is in the result {said.count(name)} times' for name in files if said.count(name) != 1]
    wrong += [f'{name} is in the result and not in the corpus' for name in said if name not in files]
    missed = any(text for _, text in rows)
    due = 2 if any(one['verdict'] == 'error' for one in results) else 1 if missed else 0
    wrong += [f'check ended with status {status} and not {due}'] if status != due else []
    return rows, wrong + ([] if rows else ['no test expects anything'])


def is_bad(files, results, status):
    rows, wrong = judge(files, results, status)
    return bool(wrong) or any(text for _, text in rows)


def check(model, files):
    done = subprocess.run([PROGRAM, 'check', '--expect', '--json', '--no-time', '--model', model, *files],
                          capture_output=True, text=True)
    slips = [line for line in done.stderr.splitlines() if any(f': {code}: ' in line for code in SLIPS)]
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, slips


def unnoticed(files, results, status):
    """Results that are wrong in one way each, and that 'judge' takes for good."""
    missed, error = copy.deepcopy(results), copy.deepcopy(results)
    at = next(i for i, one in enumerate(results) if one.get('expected'))
    missed[at]['expected']['agrees'] = False
    error[at].update(verdict='error', error='T020: a defect', expected=None)
    spoiled = {'a test vanishes': (results[1:], status), 'a test comes twice': (results + results[:1], status),
               'nothing is printed': ([], status), 'check fails': (results, 1), 'check is killed': (results, -9),
               'a test misses': (missed, 1), 'a test is in error': (error, 2)}
    return [name for name, (wrong, ended) in spoiled.items() if not is_bad(files, wrong, ended)]


def main():
    os.chdir(ROOT)
    files, lines = corpus(), []
    models = subprocess.run([PROGRAM, 'models'], capture_output=True, text=True, check=True).stdout.splitlines()
    for model in (line.split()[0] for line in models):
        judged = files[::OWN] if model == 'ptx' else share(files, model)
        results, status, slips = check(model, [CORPUS] if judged == files else judged)
        rows, wrong = judge(judged, results, status)
        wrong += slips  # a bundled test means what it says
        lines += [f'{"not ok" if text else "ok"} - {model} {name} {text}'.rstrip() for name, text in rows]
        lines += [f'not ok - {model}: {text}' for text in wrong]
        if model == 'ptx':
            lines += [f'not ok - not noticed: {name}' for name in unnoticed(files, results, status)] or [
                'ok - what is wrong with a result is noticed']
    print('TAP version 13', *lines, f'1..{len(lines)}', sep='\n')


main()
