#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readings.py PTXLIT FOLDER…: what 'check' relies on when it does not ask for the other reading of a point: every state that a
test has when accesses are whole, or dependencies syntactic, it has too when they may tear, or are semantic. Prints TAP."""
import collections
import json
import subprocess
import sys

POINTS = {'tearing': ('whole', 'bytes'), 'dependencies': ('syntactic', 'semantic')}


def states(reading):
    """Of each test that was decided."""
    told = subprocess.run([sys.argv[1], 'outcomes', '--json', '--no-time', '--reading', reading, *sys.argv[2:]], capture_output=True, text=True)
    found, cut = collections.defaultdict(set), set()
    for row in map(json.loads, told.stdout.splitlines()):
        if row.get('state') is not None:
            found[row['test']].add(json.dumps(row['state'], sort_keys=True))
        if not row.get('complete'):
            cut.add(row.get('test'))
    return {test: shown for test, shown in found.items() if test not in cut}


def main():
    print(f'TAP version 13\n1..{len(POINTS)}')
    failed = False
    for number, (point, (strict, loose)) in enumerate(POINTS.items(), 1):
        few, many = states(f'{point}={strict}'), states(f'{point}={loose}')
        both = [test for test in few if test in many]
        wrong = [test for test in both if not few[test] <= many[test]]
        more = sum(many[test] != few[test] for test in both)
        good = not wrong and more  # tests that show no difference would show nothing
        failed |= not good
        print(f'{"ok" if good else "not ok"} {number} - {point}={loose} allows what {strict} allows, in {more} of {len(both)} tests more')
        for test in wrong:
            print(f'# {test}')
    return failed


sys.exit(main())
