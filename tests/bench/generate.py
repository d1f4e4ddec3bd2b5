#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generated tests and programs in C++: how many a second are made, how many a second one core decides, and how many
there would be without symmetry. Prints the table of docs/scale.md.

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
APART = ['compare-models', 'ptx', 'ptx-6.0', '--generate', '--jobs', '1', '--size', '8', '--relax-list', 'Pod** Fence.sc.gpud** Rfe Fre Coe']
MINIMAL = ['--minimal', '--accesses', '5..5', '--locations', '3', '--fences', '--scopes', 'cta,gpu', '--placements', '--jobs', '1']
MAPPED = ['map', '--mapping', 'paper', '--bound', '5', '--smallest', '--model', 'cpp+split', '--jobs', '1']
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
    time, out = seconds([PROGRAM, 'generate', *MINIMAL])
    row('generate --minimal: 5 accesses, fences, scopes', out.stdout.count(b'PTX '), time)
    time, out = seconds([PROGRAM, *APART])
    row('compare-models: cycles of up to 8 edges', int(re.search(rb'of (\d+) tests', out.stderr)[1]), time)
    time, out = seconds([PROGRAM, *MAPPED])
    row('map: programs in C++ of up to 5 events', int(re.search(rb'\((\d+) programs', out.stdout)[1]), time)
    for made, naive in re.findall(rb'# (\d+) programs, (\d+) without symmetry', seconds([UNIT])[1].stdout):
        print(f'{int(made):,} programs; {int(naive):,} without symmetry')


main()
