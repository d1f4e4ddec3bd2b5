#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up what 'meson test' has logged: "N passed, N failed[, N skipped]", every line of TAP counted by itself. The
status is 0 when there were tests and none failed. With --skipped instead: the names of the tests in which
something was skipped.

usage: sums.py [--skipped] TESTLOG.json"""
import json
import pathlib
import re
import sys

RESULT = re.compile(r'^(not )?ok\b[^#\n]*(?:#\s*(SKIP|TODO)\b)?', re.M | re.I)
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


def main():
    log = pathlib.Path(sys.argv[-1])
    tests = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    if sys.argv[1] == '--skipped':
        print(*(test['name'].split(' / ')[-1] for test in tests if count(test)[2]))
        return 0
    passed, failed, skipped = (sum(column) for column in zip((0, 0, 0), *map(count, tests)))
    failed += not tests  # nothing could be built, or there is no such test
    print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return 1 if failed else 0


sys.exit(main())
