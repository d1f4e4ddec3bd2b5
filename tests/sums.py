#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up what 'meson test' has logged: "N passed, N failed[, N skipped]", every line of TAP counted by itself, after
what failed with the first lines that say why. The status is 0 when there were tests and none failed. With --skipped
instead: the names of the tests in which something was skipped. With --add: the sums of several runs, each a line "STATUS LAST-LINE" of a file or of standard
input ("-"); a run that does not end with sums counts as one test, and one that failed for another reason as a failure.

usage: sums.py [--skipped] TESTLOG.json, or sums.py --add FILE"""
import json
import pathlib
import re
import sys

RESULT = re.compile(r'^(not )?ok\b[^#\n]*(?:#\s*(SKIP|TODO)\b)?', re.M | re.I)
SUMS = re.compile(r'(\d+) passed, (\d+) failed(?:, (\d+) skipped)?')
GOOD = {'OK', 'EXPECTEDFAIL'}


def count(test):
    """Passed, failed and skipped of one test program. One that dies, or prints fewer results than it announced, has
    failed even when each result that it printed is good; one without results counts as a single one."""
    passed = failed = skipped = 0
    for bad, mark in RESULT.findall(test.get('stdout', '')):
        if mark.upper() == 'SKIP':
            skipped += 1
        elif bad and not mark:
            failed += 1
        else:
            passed += 1
    if test['result'] == 'SKIP':
        skipped += not passed + failed + skipped
    elif test['result'] not in GOOD:
        failed += not failed
    elif not passed + failed + skipped:
        passed = 1
    return passed, failed, skipped


def add(line):
    status, _, last = line.partition(' ')
    sums = SUMS.fullmatch(last)
    passed, failed, skipped = (int(number or 0) for number in sums.groups()) if sums else (status == '0', 0, 0)
    return passed, failed or status != '0', skipped


def show_failures(test):
    """What is not ok, with at most eight lines of comment each."""
    said, left = test.get('stdout', '').splitlines(), 0
    for line in said:
        left = 9 if re.match(r'not ok\b(?!.*# *TODO)', line, re.I) else left if line.startswith('#') else 0
        if left:
            print(line)
            left -= 1
    if test['result'] not in {*GOOD, 'SKIP'}:
        print(f'not ok {test["name"]}: {test["result"]}')


def say(rows):
    passed, failed, skipped = (sum(column) for column in zip((0, 0, 0), *rows))
    failed += not rows  # nothing could be built, or there is no such test
    print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return 1 if failed else 0


def main():
    if sys.argv[1] == '--add':
        text = sys.stdin.read() if sys.argv[2] == '-' else pathlib.Path(sys.argv[2]).read_text()
        return say([add(line) for line in text.splitlines()])
    log = pathlib.Path(sys.argv[-1])
    tests = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    if sys.argv[1] == '--skipped':
        print(*(test['name'].split(' / ')[-1] for test in tests if count(test)[2]))
        return 0
    for test in tests:
        show_failures(test)
    return say([count(test) for test in tests])


sys.exit(main())
