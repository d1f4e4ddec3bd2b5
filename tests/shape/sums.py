#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of tests/sums.py: what counts as passed, as failed and as skipped. Prints TAP.

usage: sums.py ROOT"""
import json
import pathlib
import subprocess
import sys
import tempfile

SUMS = pathlib.Path(sys.argv[1]) / 'tests/sums.py'

# Name of the row; result and TAP of each test program; the sums, the status.
ROWS = [
    ('all pass', [('OK', '1..2\nok 1 a\nok 2 b\n'), ('OK', '1..1\nok 1 - c\n')], '3 passed, 0 failed', 0),
    ('one fails', [('FAIL', '1..2\nok 1 a\nnot ok 2 b\n')], '1 passed, 1 failed', 1),
    ('a skipped result', [('OK', '1..2\nok 1 a\nok 2 b # SKIP no tool\n')], '1 passed, 0 failed, 1 skipped', 0),
    ('all results of a program skipped', [('SKIP', '1..2\nok 1 a # SKIP x\nok 2 b # skip\n'), ('OK', 'ok 1 c\n')],
     '1 passed, 0 failed, 2 skipped', 0),
    ('a program that skips itself', [('SKIP', '1..0 # SKIP no folder\n'), ('OK', 'ok 1\n1..1\n')],
     '1 passed, 0 failed, 1 skipped', 0),
    ('a program without results', [('OK', ''), ('SKIP', ''), ('FAIL', '')], '1 passed, 1 failed, 1 skipped', 1),
    ('a program that dies', [('ERROR', '1..3\nok 1 a\nok 2 b\n')], '2 passed, 1 failed', 1),
    ('a program out of time', [('TIMEOUT', '1..3\nok 1 a\nok 2 b # SKIP\n')], '1 passed, 1 failed, 1 skipped', 1),
    ('a name that says skip', [('OK', '1..1\nok 1 # not a skip\nok 2 skipped work\n')], '2 passed, 0 failed', 0),
    ('a failed result marked skipped', [('OK', 'ok 1\nnot ok 2 a # SKIP b\n')], '1 passed, 0 failed, 1 skipped', 0),
    ('output that is no result', [('OK', '# ok 1\nokay\nok 1 a\n    not ok 1 inner\n')], '1 passed, 0 failed', 0),
    ('nothing but skips', [('SKIP', 'ok 1 a # SKIP b\n')], '0 passed, 0 failed, 1 skipped', 0),
    ('no test', [], '0 passed, 1 failed', 1),
]


# What a run of several stages says: status and last line of each, the sums, the status.
STAGES = [
    ('stages add up', ['0 3 passed, 0 failed', '0 4 passed, 0 failed, 2 skipped'], '7 passed, 0 failed, 2 skipped', 0),
    ('a stage without sums', ['0 ', '0 done', '2 no such file'], '2 passed, 1 failed', 1),
    ('a stage that fails after its sums', ['1 3 passed, 0 failed'], '3 passed, 1 failed', 1),
    ('a stage with failures', ['1 3 passed, 2 failed, 1 skipped', '0 1 passed, 0 failed'],
     '4 passed, 2 failed, 1 skipped', 1),
    ('no stage', [], '0 passed, 1 failed', 1),
]


def run(log, *options):
    done = subprocess.run([sys.executable, SUMS, *options, log], capture_output=True, text=True)
    return (done.stdout.splitlines() or [''])[-1], done.returncode


def write(log, tests):
    log.write_text(''.join(json.dumps({'name': f'ptxlit:unit / t{i}', 'stdout': out, 'result': result}) + '\n'
                           for i, (result, out) in enumerate(tests)))


def main():
    print(f'TAP version 13\n1..{len(ROWS) + len(STAGES) + 3}')
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / 'testlog.json'
        gone = run(log)
        for number, (name, tests, sums, status) in enumerate(ROWS, 1):
            write(log, tests)
            said = run(log)
            print(f'{"ok" if said == (sums, status) else "not ok"} {number} {name}')
            if said != (sums, status):
                print(f'# {said}')
        write(log, [test for _, tests, _, _ in ROWS[:4] for test in tests])
        print(f'{"ok" if run(log, "--skipped") == ("t3 t4", 0) else "not ok"} {len(ROWS) + 1} names of what was skipped')
        print(f'{"ok" if gone == ("0 passed, 1 failed", 1) else "not ok"} {len(ROWS) + 2} no log')
        write(log, [('OK', 'ok 1 a\n# of a\n'), ('ERROR', 'ok 1 b\nnot ok 2 c\n# of c\nok 3 d\n# of d\n')])
        said = subprocess.run([sys.executable, SUMS, log], capture_output=True, text=True).stdout.splitlines()
        good = said == ['not ok 2 c', '# of c', 'not ok ptxlit:unit / t1: ERROR', '3 passed, 1 failed']
        print(f'{"ok" if good else "not ok"} {len(ROWS) + 3} what failed is shown')
        for number, (name, lines, sums, status) in enumerate(STAGES, len(ROWS) + 4):
            log.write_text(''.join(f'{line}\n' for line in lines))
            said = run(log, '--add')
            print(f'{"ok" if said == (sums, status) else "not ok"} {number} {name}')


main()
