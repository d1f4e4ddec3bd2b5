#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the suite of minimal tests: a folder for each family, a file for each test, which says what it expects. Z3 decides
every test again with 'check --expect', brute force with the judge. Prints TAP, with the rows of the table in
docs/generation.md; one that is not there is a failure.

usage: suite.py ROOT PTXLIT BRUTE FOLDER [FAMILY…]"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

ROOT, PROGRAM, BRUTE, FOLDER, *WANTED = sys.argv[1:]
SCOPES = ['--locations', '3', '--fences', '--scopes', 'cta,gpu', '--placements']
CYCLES = ['--size', '6', '--relax-list']
FAMILIES = {
    'two-threads-few': ('two threads, up to 4 accesses, fences, scopes', ['--accesses', '1..4', *SCOPES]),
    'two-threads': ('two threads, up to 6 accesses, fences, scopes', ['--accesses', '1..6', *SCOPES]),
    'three-threads': ('three threads, up to 5 accesses, fences, scopes', ['--threads', '3', '--accesses', '3..5', *SCOPES]),
    'two-threads-atomics': ('two threads, up to 3 accesses, `exch` and `add`, fences', ['--accesses', '1..3', '--fences', '--atomics', 'exch,add']),
    'two-threads-exchanges': ('two threads, up to 4 accesses, weak and relaxed, `exch`', [
        '--accesses', '1..4', '--strengths', 'weak,relaxed', '--atomics', 'exch']),
    'two-threads-one-scope': ('two threads, up to 4 instructions, scope gpu', ['--instructions', '4']),
    'three-threads-cycles': ('three threads, cycles of up to 6 edges with release and acquire', [
        '--threads', '3', *CYCLES, 'PodWW PodWW.release.gpu PodRR PodRR.acquire.gpu PodRW PodRW.release.gpu PodRW.acquire.gpu '
        'PodRW.acquire.gpu.release.gpu Rfe Rfe.relaxed.gpu Fre Coe']),
}
ACCESS = re.compile(r'(?:^|[+-])[WRUD][a-z]')


def make(family, options):
    """How many tests there are of each number of accesses."""
    folder = pathlib.Path(FOLDER, family)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    out = subprocess.run([PROGRAM, 'generate', '--minimal', *options], capture_output=True, text=True, check=True)
    counts = collections.Counter()
    for number, test in enumerate(re.split(r'^(?=PTX )', out.stdout, flags=re.M)[1:]):
        (folder / f'{number:05}.litmus').write_text(test)
        counts[len(ACCESS.findall(test.split(maxsplit=2)[1]))] += 1
    return counts


def confirmed(family):
    """What brute force decides as the tests expect; Z3 must decide all so."""
    folder = str(pathlib.Path(FOLDER, family))
    subprocess.run([PROGRAM, 'check', '--expect', '--no-time', folder], capture_output=True, check=True)
    out = subprocess.run([BRUTE, '1000000', folder], capture_output=True, text=True, check=True)
    return out.stdout.strip().splitlines()[-1].lstrip('# ')


def row(family):
    words, options = FAMILIES[family]
    counts = make(family, options)
    sizes = '' if '--size' in options else ', '.join(f'{accesses}: {counts[accesses]}' for accesses in sorted(counts))
    return f'| `{family}`: {words} | {sum(counts.values())} | {sizes} | {confirmed(family)} |'


def main():
    table = pathlib.Path(ROOT, 'docs/generation.md').read_text().splitlines()
    wanted = WANTED or FAMILIES
    print(f'TAP version 13\n1..{len(wanted)}', flush=True)
    failed = False
    for number, family in enumerate(wanted, 1):
        line = row(family)
        failed |= line not in table
        print(f'{"ok" if line in table else "not ok"} {number} {family}\n# {line}', flush=True)
    sys.exit(failed)


main()
