#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every algorithm and every broken form of it gives what it expects; a line of TAP a test.

usage: algorithms.py PTXLIT ROOT [NAME]...: only these tests, or, by an algorithm's name, those of it for two blocks"""
import json
import pathlib
import re
import subprocess
import sys

PROGRAM, FOLDER, ONLY = sys.argv[1], pathlib.Path(sys.argv[2]) / 'litmus/algorithms', sys.argv[3:]


def is_wanted(name):
    return name in ONLY or (name.split('-')[0] in ONLY and not re.search('-[0-9]x[0-9]$', name))


def main():
    files = sorted(path for path in FOLDER.glob('*.litmus') if not ONLY or is_wanted(path.stem))
    done = subprocess.run([PROGRAM, 'check', '--expect', '--json', *files], capture_output=True, text=True, check=False)
    results = {one['file']: one for one in map(json.loads, done.stdout.splitlines())}
    print(f'TAP version 13\n1..{len(files)}')
    for number, path in enumerate(files, 1):
        one = results.get(str(path), {})
        good = (one.get('expected') or {}).get('agrees')
        print(f'{"ok" if good else "not ok"} {number} {path.stem}')
        if not good:
            print(f'# {one.get("verdict")}: {one.get("undecided") or one.get("error")}')


main()
