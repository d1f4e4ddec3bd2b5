#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times that ptxlit promises, measured on one core in one run and as multiples of starting the program
'true', so that figures of different machines compare. Fails past the limits of issue 2: a batch over
the peer's tests, its median test, a process with one test.

usage: bench.py ROOT PTXLIT"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
PEER = ROOT.parent / 'shared/conformance/dartagnan'
TESTS = PEER if PEER.exists() else ROOT / 'litmus/corpus'
RUNS = 7


def seconds(command, runs=RUNS):
    """The median time of a command from start to exit."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def median_test():
    """The median milliseconds of a test inside a batch, as the program reports them."""
    out = subprocess.run([PROGRAM, 'check', '--json', '--jobs', '1', TESTS], capture_output=True, text=True, check=False)
    return statistics.median(json.loads(line)['milliseconds'] for line in out.stdout.splitlines())


def idle_share(cores, tests, times):
    """What part of its time a batch leaves a core without a test, from its start to its end. A test that other work on the
    machine keeps waiting counts as work, so that the share says something of the batch. 'times': of an earlier run, or
    None; and then those of this run."""
    start = time.perf_counter()
    out = subprocess.run([PROGRAM, 'check', '--json', '--jobs', str(cores), *(['--times', times] if times else []), tests],
                         capture_output=True, check=False)
    taken = time.perf_counter() - start
    busy = float(re.search(rb'([0-9.]+) seconds\n$', out.stderr)[1])
    return max(0, 1 - busy / (cores * taken)), out.stdout


def print_idle_shares():
    cores = len(os.sched_getaffinity(0))
    for tests in dict.fromkeys((TESTS, ROOT / 'litmus/corpus')):
        share, out = idle_share(cores, tests, None)
        with tempfile.NamedTemporaryFile() as times:
            times.write(out)
            times.flush()
            known, _ = idle_share(cores, tests, times.name)
        print(f'a batch over {tests.name} leaves {cores} cores without a test for {share:.0%} of its time, '
              f'and for {known:.0%} with --times of an earlier run')


def main():
    print_idle_shares()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    start = seconds(['true'])
    one = sorted(TESTS.rglob('*.litmus'))[0]
    rows = [('start of true', start * 1e3, None),
            ('start of ptxlit', seconds([PROGRAM, '--version']) * 1e3, None),
            ('one test, start to exit', seconds([PROGRAM, 'check', one]) * 1e3, 30),
            ('median test in a batch', median_test(), 5),
            (f'batch over {TESTS.name}', seconds([PROGRAM, 'check', '--jobs', '1', TESTS], 3) * 1e3, 2000)]
    failed = False
    for name, milliseconds, limit in rows:
        bad = limit is not None and milliseconds > limit
        failed |= bad
        print(f'{name:28} {milliseconds:9.2f} ms  {milliseconds / start / 1e3:9.1f} x true'
              f'{"" if limit is None else f"  limit {limit} ms"}{"  TOO SLOW" if bad else ""}')
    sys.exit(failed)


main()
