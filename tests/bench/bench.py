#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times that ptxlit promises, measured on one core in one run and as multiples of starting the program
'true', so that figures of different machines compare. Fails past the limits of issue 2: a batch over
the peer's tests, its median test, a process with one test.

usage: bench.py ROOT PTXLIT"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
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


def idle_share():
    """What part of the time of all cores a batch leaves them idle, from its start to its end; on a machine that does
    other work too, what that takes is counted."""
    cores = len(os.sched_getaffinity(0))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([PROGRAM, 'check', '--jobs', str(cores), TESTS], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    taken, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cores, max(0, 1 - busy / (cores * taken))


def main():
    cores, idle = idle_share()
    print(f'a batch over {TESTS.name} leaves {cores} cores idle for {idle:.0%} of its time')
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
