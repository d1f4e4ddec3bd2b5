#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generated tests: how many a second are made, how many a second one core decides, and how many programs there would be
without symmetry. Prints the table of docs/scale.md.

usage: generate.py PTXLIT UNIT"""
import re
import resource
import subprocess
import sys

PROGRAM, UNIT = sys.argv[1:]
MADE = (('programs, 5 instructions', ['--instructions', '5..5']),
        ('programs, 6 instructions, weak and relaxed', ['--instructions', '6..6', '--strengths', 'weak,relaxed']),
        ('with every outcome', ['--instructions', '4..4', '--interesting']),
        ('cycles of 9 edges', ['--size', '9', '--relax-list',
                               'PodWW.release.gpu PodRR.acquire.gpu PodRW.release.gpu Fence.sc.gpudWR Rfe Fre Coe']))
DECIDED = (('check, programs of 4 instructions', ['check', '--no-time', '--jobs', '1', '-'], ['--strengths', 'weak,relaxed']),
           ('compare, the same', ['compare', '--no-time', '--jobs', '1', '-'], ['--strengths', 'weak,relaxed']))


def seconds(command, data=None):
    """Of the processor, which other work on the machine does not change; and the output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, input=data, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert out.returncode in (0, 1), out.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def row(name, tests, time):
    print(f'| {name} | {tests:,} | {tests / time:,.0f} |')


def main():
    print('| what | tests | a second and core |\n|---|---|---|')
    for name, options in MADE:
        time, out = seconds([PROGRAM, 'generate', *options])
        row(f'generate: {name}', out.stdout.count(b'PTX '), time)
    for name, command, options in DECIDED:
        stream = subprocess.run([PROGRAM, 'generate', *options], capture_output=True, check=True).stdout
        time, _ = seconds([PROGRAM, *command], stream)
        row(name, stream.count(b'PTX '), time)
    time, out = seconds([PROGRAM, 'generate', '--minimal', '--strengths', 'weak,relaxed', '--jobs', '1'])
    row('questions of generate --minimal', int(re.search(rb'(\d+) questions', out.stderr)[1]), time)
    for made, naive in re.findall(rb'# (\d+) programs, (\d+) without symmetry', seconds([UNIT])[1].stdout):
        print(f'{int(made):,} programs; {int(naive):,} without symmetry')


main()
