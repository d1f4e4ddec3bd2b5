#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a report costs: over the whole corpus, with the executor, at most twice 'check' plus 'compare', in processor time;
and 2,000 random programs on two cores within a minute, in processor time too, so that other work on the machine does
not count. Fails past these limits of issue 5.

usage: report.py ROOT PTXLIT RANDOM"""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT, PTXLIT, RANDOM = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
CORPUS = ROOT / 'litmus/corpus'
PROGRAMS = 2000


def cost(*arguments):
    """Processor seconds and seconds of a run, its workers with it; and what it says."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before, start = used(), time.perf_counter()
    ran = subprocess.run([PTXLIT, *arguments], capture_output=True, text=True, check=False)
    return used() - before, time.perf_counter() - start, (ran.stdout.splitlines() or [''])[-1]


def show(what, seconds, wall, limit=None):
    bad = limit is not None and seconds > limit
    print(f'{what:36} {seconds:8.2f} s of processor {wall:8.2f} s{"" if limit is None else f"  limit {limit:.1f}"}'
          f'{"  TOO SLOW" if bad else ""}', flush=True)
    return bad


def corpus(scratch):
    check, compare = cost('check', CORPUS), cost('compare', CORPUS)
    show('check', *check[:2])
    show('compare', *compare[:2])
    report = cost('report', '--executor', '-o', scratch / 'corpus', CORPUS)
    return show('report --executor', *report[:2], 2 * (check[0] + compare[0]))


def generated(scratch):
    """Random programs of up to three threads, in files."""
    printed = subprocess.run([RANDOM, '--print', '--count', str(PROGRAMS), '--budget', '1'], capture_output=True, text=True,
                             check=False).stdout
    folder = scratch / 'tests'
    folder.mkdir()
    programs = re.findall(r'^PTX .*?^exists \(true\)$', printed, flags=re.S | re.M)
    for number, text in enumerate(programs):
        (folder / f'{number:04}.litmus').write_text(text + '\n')
    seconds, wall, sentence = cost('report', '--executor', '-j', '2', '-o', scratch / 'generated', folder)
    size = (scratch / 'generated/index.html').stat().st_size
    print(f'{sentence}\nthe page of {len(programs)} has {size / 1e6:.1f} MB')
    return show(f'report --executor of {len(programs)} programs', seconds, wall, 2 * 60) or len(programs) != PROGRAMS


with tempfile.TemporaryDirectory() as name:
    sys.exit(any([corpus(pathlib.Path(name)), generated(pathlib.Path(name))]))
