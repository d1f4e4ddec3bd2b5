#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has the cases of litmus/cases mended. Each test there has the verdict that it expects; 'ptxlit repair' proposes a fix of each
that has a bug, the cheapest of which costs no more than the merged patch that the case names. Prints TAP.

usage: cases.py ROOT PTXLIT"""
import json
import pathlib
import subprocess
import sys

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
FOLDER = ROOT / 'litmus/cases'


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def main():
    cases = sorted(path for path in FOLDER.glob('*.litmus') if not path.stem.endswith('+patched'))
    out = run('repair', '--json', '--no-time', *map(str, cases))
    found = {}
    for one in map(json.loads, out.stdout.splitlines()):
        found.setdefault(pathlib.Path(one['file']).stem, []).append(one)
    print(f'TAP version 13\n1..{len(cases) + 1}')
    met = run('check', '--expect', str(FOLDER)).returncode == 0
    print(f'{"ok" if met else "not ok"} 1 - every case has the verdict that it expects')
    for number, case in enumerate(cases, 2):
        proposals = found.get(case.stem, [])
        said = f'cost {proposals[0]["cost"]}' if proposals else 'no proposal'
        good = bool(proposals)
        if 'merged patch: ' in case.read_text():
            patch = proposals[0]['merged_patch'] if proposals else {}
            good = good and patch['suffices'] and proposals[0]['cost'] <= patch['cost']
            said += f', the merged patch {patch.get("cost")}'
        print(f'{"ok" if good else "not ok"} {number} - {case.stem}: {said}')


main()
