#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the larger tests of this folder take: a repair over five threads ten seconds, and the weakening of twenty
instructions thirty. Each has to propose something. Prints TAP.

usage: times.py ROOT PTXLIT"""
import pathlib
import subprocess
import sys
import time

FOLDER, PROGRAM = pathlib.Path(sys.argv[1]) / 'tests/repair', sys.argv[2]
LIMITS = [('repair', 'five-threads', 10), ('weaken', 'twenty-instructions', 30)]

print(f'TAP version 13\n1..{len(LIMITS)}')
for number, (command, name, limit) in enumerate(LIMITS, 1):
    start = time.monotonic()
    out = subprocess.run([PROGRAM, command, str(FOLDER / f'{name}.litmus')], capture_output=True, text=True)
    seconds = time.monotonic() - start
    good = out.returncode == 0 and 'Proposal 1:' in out.stdout and seconds < limit
    print(f'{"ok" if good else "not ok"} {number} - {command} {name}: {seconds:.1f} s')
