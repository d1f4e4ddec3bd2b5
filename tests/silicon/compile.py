#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does nvcc compile what 'ptxlit emit' writes of the bundled tests, a program a folder, for old and new GPUs, without a warning? Prints TAP; skipped where there is no nvcc.

usage: compile.py ROOT PTXLIT"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT, PROGRAM = sys.argv[1:]
TARGETS = 'sm_75', 'sm_80', 'sm_90a'


def errors(nvcc, work, folder, target):
    """What nvcc says of the folder's program, or nothing."""
    program = work / (folder.name + '.cu')
    done = subprocess.run([nvcc, '-std=c++17', f'-arch={target}', '-cubin', '-o', work / f'{folder.name}.{target}', program], capture_output=True, text=True)
    return done.stdout + done.stderr or (f'status {done.returncode}' if done.returncode else '')


def main():
    nvcc = os.environ.get('NVCC') or shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
    if not nvcc:
        print('1..0 # SKIP nvcc is missing')
        return
    folders = [f for f in sorted(pathlib.Path(ROOT, 'litmus', 'corpus').iterdir()) if f.is_dir()]
    print(f'TAP version 13\n1..{len(folders) * len(TARGETS)}')
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = pathlib.Path(name)
        for folder in folders:
            with open(work / (folder.name + '.cu'), 'w', encoding='utf-8') as to:
                subprocess.run([PROGRAM, 'emit', folder.relative_to(ROOT)], cwd=ROOT, stdout=to, stderr=subprocess.DEVNULL, check=False)
        asked = [(folder, target) for folder in folders for target in TARGETS]
        for (folder, target), said in zip(asked, pool.map(lambda one: errors(nvcc, work, *one), asked)):
            print('not ok' if said else 'ok', '-', folder.name, 'for', target)
            for line in said.splitlines()[:5]:
                print('#', line, flush=True)


main()
