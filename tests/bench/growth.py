#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Families that grow (growth.c): the time of 'ptxlit check' at n = 32, which issue 2 limits to a second and
500 MiB, and the largest n that ends within ten seconds. Fails past the limits.

usage: growth.py PTXLIT GROWTH"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM, GROWTH = sys.argv[1:3]
SIZES = [8, 16, 32, 48, 64, 96, 128, 192, 256]
LIMIT, LONGEST, MEMORY = 1.0, 10.0, 500


def check(folder, family, size):
    """Seconds, or None when it took too long or did not decide."""
    path = pathlib.Path(folder) / f'{family}-{size}.litmus'
    path.write_text(subprocess.run([GROWTH, family, str(size)], capture_output=True, text=True, check=True).stdout)
    start = time.perf_counter()
    try:
        done = subprocess.run([PROGRAM, 'check', '--jobs', '1', path], capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return None
    return time.perf_counter() - start if done.returncode in (0, 1) else None


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for family in ('ring', 'chain', 'iriw'):
            largest = 0
            for size in SIZES:
                seconds = check(folder, family, size)
                if seconds is None:
                    failed |= size <= 32
                    print(f'{family:6} n = {size:4}   not within {LONGEST:.0f} s')
                    break
                largest = size
                late = size == 32 and seconds > LIMIT
                failed |= late
                print(f'{family:6} n = {size:4}  {seconds:7.3f} s{"  TOO SLOW" if late else ""}')
            print(f'{family:6} largest of {SIZES} within {LONGEST:.0f} s: {largest}')
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f'peak memory {peak} MiB')
    sys.exit(failed or peak > MEMORY)


main()
