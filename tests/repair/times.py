#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the larger tests of this folder take: a repair over five threads ten seconds of a core, and the weakening
of twenty instructions thirty. Each has to propose something. Prints TAP.

usage: times.py ROOT PTXLIT"""
import pathlib
import resource
import subprocess
import sys

FOLDER, PROGRAM = pathlib.Path(sys.argv[1]) / 'tests/repair', sys.argv[2]
LIMITS = [('repair', 'five-threads', 10), ('weaken', 'twenty-instructions', 30)]

print(f'TAP version 13\n1..{len(LIMITS)}')
for number, (command, name, limit) in enumerate(LIMITS, 1):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run([PROGRAM, command, str(FOLDER / f'{name}.litmus')], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    good = out.returncode == 0 and 'Proposal 1:' in out.stdout and seconds < limit
    print(f'{"ok" if good else "not ok"} {number} - {command} {name}: {seconds:.1f} s')
