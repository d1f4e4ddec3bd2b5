#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which of the bundled tests 'ptxlit emit' writes: of those that are defined and end, at least 95 of 100. A test in C++ is written as the default mapping
compiles it. Prints TAP, with what is left out and why.

usage: coverage.py ROOT PTXLIT"""
import collections
import json
import re
import subprocess
import sys

ROOT, PROGRAM = sys.argv[1:]
LEAST = 95  # per cent


def answers(*words):
    out = subprocess.run([PROGRAM, 'check', '--json', '--timeout', '20', *words, 'litmus'], cwd=ROOT, capture_output=True, text=True).stdout
    return {line['file']: line for line in map(json.loads, out.splitlines())}


def left_out():
    """Why each file is not written."""
    out = subprocess.run([PROGRAM, 'emit', '--mapping', 'library', 'litmus'], cwd=ROOT, capture_output=True, text=True)
    found = re.findall(r"^// (\S+?\.litmus)\S*: T026: 'emit' (?:does not write )?(.*?)(?: as a CUDA program)?$", out.stdout, re.M)
    return dict(found)


def main():
    checked, ending, why = answers(), answers('--property', 'termination'), left_out()
    good = [file for file, line in checked.items() if not line['undefined'] and not line['error'] and ending[file]['verdict'] == 'holds']
    missing = [file for file in good if file in why]
    share = 100 * (1 - len(missing) / len(good))
    print('TAP version 13\n1..2')
    print(f'{"ok" if len(good) > 1000 else "not ok"} 1 - {len(good)} of {len(checked)} tests are defined and end')
    print(f'{"ok" if share >= LEAST else "not ok"} 2 - {len(good) - len(missing)} of them are written: {share:.1f} %')
    for reason, count in collections.Counter(why[file] for file in missing).most_common():
        print(f'# {count} with {reason}')


main()
