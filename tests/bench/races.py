#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many times longer 'ptxlit run' takes with --races, for kernels of one to four million threads: processor time, the least of several
runs. Fails above four times, and where a race is reported. Also how much of it two jobs take in place of one: no more than a fifth, so
that they are not slower by the clock.

usage: races.py PTXLIT"""
import pathlib
import resource
import subprocess
import sys

MODULE = pathlib.Path(__file__).with_suffix('.ptx')
RUNS = 5
SMALL, LARGE = 1 << 20, 1 << 22
KERNELS = {
    'block_sum': ['--grid', '4096', '--arg', f'in:f32[{SMALL}]=1', '--arg', 'out:f32[4096]', '--arg', f'n={SMALL}'],
    'fill': ['--grid', '16384', '--arg', f'out:f32[{LARGE}]', '--arg', f'n={LARGE}'],
    'scale': ['--grid', '16384', '--arg', f'a:f32[{LARGE}]=1', '--arg', 'by=2', '--arg', f'n={LARGE}'],
    'histogram': ['--grid', '256', '--arg', f'in:u32[{SMALL}]=iota', '--arg', 'bins:u32[256]', '--arg', f'n={SMALL}'],
    'last_block': ['--grid', '256', '--arg', f'in:f32[{SMALL}]=1', '--arg', 'parts:f32[256]', '--arg', 'count:u32[1]', '--arg',
                   'out:f32[1]', '--arg', f'n={SMALL}'],
}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(program, kernel, *options):
    before = processor_seconds()
    done = subprocess.run([program, 'run', MODULE, '--entry', kernel, '--block', '256', *KERNELS[kernel], *options],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{kernel}: {done.stdout}{done.stderr}')
    return processor_seconds() - before


def main():
    failed = False
    for kernel in KERNELS:
        one, two, races = (min(seconds(sys.argv[1], kernel, *options) for _ in range(RUNS))
                           for options in (['--jobs', '1'], ['--jobs', '2'], ['--jobs', '1', '--races']))
        print(f'{kernel}: {one:.2f} s, two jobs {two:.2f} s, {two / one:.2f} times (limit 1.2), '
              f'with --races {races:.2f} s, {races / one:.1f} times (limit 4)')
        failed |= races > 4 * one or two > 1.2 * one
    return failed


if __name__ == '__main__':
    sys.exit(main())
