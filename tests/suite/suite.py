#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the suite of minimal tests: a folder for each family, a file for each test, which says what it expects. Z3 decides
every test again with 'check --expect', brute force with the judge. Prints the table of docs/generation.md.

usage: suite.py PTXLIT BRUTE FOLDER"""
import pathlib
import re
import shutil
import subprocess
import sys

PROGRAM, BRUTE, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
FAMILIES = {
    'two-threads': ['--instructions', '4'],
    'two-threads-scopes': ['--instructions', '3', '--scopes', 'cta,gpu', '--placements'],
    'two-threads-atomics': ['--instructions', '3', '--strengths', 'weak,relaxed', '--atomics', 'exch'],
    'two-threads-fences': ['--threads', '2', '--size', '4', '--relax-list',
                           'Pod** Fence.sc.gpud** Fence.release.gpud*W Fence.acquire.gpudR* Fence.acq_rel.gpudRW Rfe Rfe.relaxed.gpu Fre Coe'],
    'three-threads': ['--threads', '3', '--size', '6', '--relax-list',
                      'PodWW PodWW.release.gpu PodRR PodRR.acquire.gpu PodRW PodRW.release.gpu PodRW.acquire.gpu PodRW.acquire.gpu.release.gpu '
                      'Rfe Rfe.relaxed.gpu Fre Coe'],
}


def make(family, options):
    folder = FOLDER / family
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    out = subprocess.run([PROGRAM, 'generate', '--minimal', *options], capture_output=True, text=True, check=True)
    tests = re.split(r'^(?=PTX )', out.stdout, flags=re.M)[1:]
    for number, test in enumerate(tests):
        (folder / f'{number:05}.litmus').write_text(test)
    return len(tests)


def confirmed(family):
    """How many of its tests brute force decides as they expect; Z3 must decide all so."""
    folder = str(FOLDER / family)
    subprocess.run([PROGRAM, 'check', '--expect', '--no-time', folder], capture_output=True, check=True)
    out = subprocess.run([BRUTE, '1000000', folder], capture_output=True, text=True, check=True)
    return out.stdout.strip().splitlines()[-1].lstrip('# ')


def main():
    print('| family | tests | brute force |\n|---|---|---|')
    for family, options in FAMILIES.items():
        made = make(family, options)
        print(f'| `{family}` | {made} | {confirmed(family)} |', flush=True)


main()
