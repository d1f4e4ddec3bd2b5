#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""'ptxlit report' when something goes wrong on the way: a run that is killed goes on with --resume and ends with the
same bytes; a test whose worker crashes, hangs or eats memory is reported so and costs itself only; a terminal, and
nothing else, sees how far it is. Prints TAP.

usage: interrupted.py ROOT PTXLIT"""
import contextlib
import fcntl
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as xml

from tools import CORPUS, PTXLIT, ROOT, children_of, command, differences, load, main, report

FOLDERS = ['litmus/corpus/mp', 'litmus/corpus/sb', 'litmus/corpus/proxy']
TESTS = sum(len(list((ROOT / folder).rglob('*.litmus'))) for folder in FOLDERS)


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.002)
    raise TimeoutError


def worker_of(run):
    return wait_for(lambda: children_of(run.pid))[0]


def kept(out):
    """How many results the journal has by now."""
    journal = out / 'journal.jsonl'
    return journal.read_bytes().count(b'\n') if journal.exists() else 0


def interrupt(out, how, least):
    """Kills a run, its workers with it, once 'least' results are kept; how many were. One worker stands still, so
    that it cannot end before."""
    run = subprocess.Popen(command(out, '-j', '2', *FOLDERS), cwd=ROOT, start_new_session=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    worker = worker_of(run)
    os.kill(worker, signal.SIGSTOP)
    wait_for(lambda: kept(out) >= least)
    os.killpg(run.pid, how)
    run.wait()
    with contextlib.suppress(ProcessLookupError):  # stopped so early that it does not know its parent's end
        os.kill(worker, signal.SIGKILL)
    return kept(out)


def resumed(scratch, how):
    whole, part = scratch / 'whole', scratch / 'part'
    report(whole, *FOLDERS)
    part.mkdir()
    count = interrupt(part, how, 5)
    wrong = [] if 5 <= count < TESTS and not (part / 'report.json').exists() else [f'{count} of {TESTS} were done']
    with open(part / 'journal.jsonl', 'ab') as journal:
        journal.write(b'{"key":"a line that was cut')
    ran = report(part, '--resume', *FOLDERS)
    if f'{count} of {TESTS} tests were done before' not in ran.stderr:
        wrong.append(f'{count} were done, it says {ran.stderr!r}')
    if (part / 'journal.jsonl').exists():
        wrong.append('the journal stays')
    return wrong + differences(whole, part)


def killed_and_resumed(scratch):
    return resumed(scratch, signal.SIGKILL)


def interrupted_and_resumed(scratch):
    return resumed(scratch, signal.SIGINT)


def changed_in_between(scratch):
    """Only what is as it was is taken over: not after a change of the test, the model or an option."""
    tests = scratch / 'tests'
    tests.mkdir()
    for test in (CORPUS / 'mp').glob('*.litmus'):
        (tests / test.name).write_bytes(test.read_bytes())
    count = len(list(tests.iterdir()))
    changed = tests / 'mp+rel+acq.litmus'
    wrong = []

    def go_on(name, expected, *options):
        out = scratch / name
        (out / 'junit.xml/in-the-way').mkdir(parents=True)
        report(out, tests)  # fails at the end, so that the journal stays
        shutil.rmtree(out / 'junit.xml')
        if name == 'test':
            changed.write_text(changed.read_text().replace('"expect ptx: forbidden', '"expect ptx: allowed'))
        said = report(out, tests, '--resume', *options).stderr
        if said != (f'{expected} of {count} tests were done before\n' if expected else ''):
            wrong.append(f'{name}: {said!r}')
    go_on('same', count)
    go_on('model', 0, '-m', 'ptx-6.0')
    go_on('option', 0, '--executor')
    go_on('reading', 0, '--reading', 'pageable-async-copy=1')
    go_on('test', count - 1)
    return wrong + ([] if load(scratch / 'test')['summary']['missed'] == 1 else ['the changed test is as it was'])


# ---- tests that are lost ----------------------------------------------------------------------


def stopped_worker(out, *options):
    """A run whose only worker stands still in the middle of a test."""
    run = subprocess.Popen(command(out, '-j', '1', *options, 'litmus/corpus/mp'), cwd=ROOT, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    worker = worker_of(run)
    os.kill(worker, signal.SIGSTOP)
    time.sleep(0.2)  # it has got its next test by now
    return run, worker


def one_lost(out, run, status, verdict, words):
    """All tests are there, one of them as lost."""
    run.communicate(timeout=60)
    tests = load(out)['tests']
    lost = [test for test in tests if test['verdict'] == verdict]
    said = [test['error'] or test['undecided'] for test in lost]
    right = (run.returncode == status and len(lost) == 1 and words in said[0] and
             len(tests) == len(list((CORPUS / 'mp').glob('*.litmus'))))
    return [] if right else [f'status {run.returncode}, {len(tests)} tests, {said}']


def a_crash_costs_one_test(scratch):
    run, worker = stopped_worker(scratch)
    os.kill(worker, signal.SIGSEGV)
    os.kill(worker, signal.SIGCONT)
    wrong = one_lost(scratch, run, 2, 'error', 'T020: a defect of ptxlit: Segmentation fault')
    errors = xml.parse(scratch / 'junit.xml').getroot().findall('.//testcase/error')
    return wrong + ([] if len(errors) == 1 and 'T020' in errors[0].get('message') else ['junit.xml has no such error'])


def a_kill_costs_one_test(scratch):
    run, worker = stopped_worker(scratch)
    os.kill(worker, signal.SIGKILL)
    return one_lost(scratch, run, 3, 'undecided', 'killed: ')


def workers_that_cannot_be_restarted(scratch):
    """Every test is in the report, those that nobody could work on by name, and --resume makes it whole."""
    whole, part = scratch / 'whole', scratch / 'part'
    report(whole, 'litmus/corpus/mp')
    run, worker = stopped_worker(part)
    resource.prlimit(run.pid, resource.RLIMIT_NOFILE, (8, 8))  # a worker needs two, and the old one gives one back
    os.kill(worker, signal.SIGKILL)
    run.communicate(timeout=60)
    tests = load(part)['tests']
    lost = [test['undecided'] for test in tests if test['undecided']]
    wrong = [] if len(tests) == len(load(whole)['tests']) and run.returncode == 3 else [f'status {run.returncode}, {len(tests)}']
    if not any('not started: no worker process: Too many open files' in text for text in lost):
        wrong.append(f'{lost[:3]}')
    if not (part / 'journal.jsonl').exists():
        return wrong + ['the journal is gone']
    report(part, '--resume', 'litmus/corpus/mp')
    if (part / 'journal.jsonl').exists():
        wrong.append('the journal stays')
    return wrong + differences(whole, part)


def a_second_run_in_the_folder(scratch):
    run, worker = stopped_worker(scratch)
    second = report(scratch, 'litmus/corpus/sb')
    os.kill(worker, signal.SIGCONT)
    status = run.communicate(timeout=60) and run.returncode
    right = (second.returncode, status) == (2, 0) and 'another run writes the report' in second.stderr
    return [] if right and len(load(scratch)['tests']) > 12 else [f'{second.returncode} {second.stderr!r}, {status}']


def merge(out, *parts):
    return subprocess.run([PTXLIT, 'merge', '-o', out, *parts], capture_output=True, text=True, cwd=ROOT)


def a_merge_into_the_folder_of_a_run(scratch):
    """Refused while the run goes on; what an interrupted one kept for --resume stays."""
    out, part = scratch / 'out', scratch / 'part' / 'report.json'
    report(part.parent, '--shard', '1/1', 'litmus/corpus/sb')
    part.write_text(part.read_text().replace('"version": 1,', '"version": 1, "shard": {"number": 1, "count": 1},'))
    run, worker = stopped_worker(out)
    second = merge(out, part)
    os.kill(worker, signal.SIGCONT)
    status = run.communicate(timeout=60) and run.returncode
    wrong = [] if (second.returncode, status) == (2, 0) and 'another run writes the report' in second.stderr else [
        f'{second.returncode} {second.stderr!r}, {status}']
    if len(load(out)['tests']) <= 12:
        wrong.append('the merged report took the place of the other')
    for before in (None, b'{"key":"a result"}\n'):
        journal = out / 'journal.jsonl'
        if before:
            journal.write_bytes(before)
        third = merge(out, part)
        if third.returncode or (journal.read_bytes() if journal.exists() else None) != before:
            wrong.append(f'{before}: status {third.returncode} {third.stderr!r}, {journal.exists()}')
    return wrong


def two_merges_into_a_folder(scratch):
    """One at a time: the lock of the other is held here."""
    with open(scratch / 'journal.jsonl', 'w') as journal:
        fcntl.lockf(journal, fcntl.LOCK_EX)
        refused = merge(scratch, scratch / 'none.json')
    right = refused.returncode == 2 and 'another run writes the report' in refused.stderr
    return [] if right else [f'{refused.returncode} {refused.stderr!r}']


def a_hang_costs_one_test(scratch):
    run, _ = stopped_worker(scratch, '--timeout', '1')
    return one_lost(scratch, run, 3, 'undecided', 'time: more than 1 s')


def too_little(scratch, word, *options):
    """With next to nothing to use, every test that needs it says so, and none is forbidden for it."""
    ran = report(scratch, *options, 'litmus/corpus/mp')
    data = load(scratch)
    said = [test['undecided'] for test in data['tests'] if test['verdict'] == 'undecided']
    everyone = len(list((CORPUS / 'mp').glob('*.litmus')))
    right = (len(data['tests']) == everyone and len(said) > everyone / 2 and ran.returncode == 3 and
             all(text.startswith(word) for text in said) and data['sentence'].startswith('Undecided: '))
    return [] if right else [f'status {ran.returncode}: {len(data["tests"])} tests, {said[:3]}; {data["sentence"]}']


def too_little_time(scratch):
    return too_little(scratch, 'time', '--timeout', '0.00001')


def too_little_memory(scratch):
    return too_little(scratch, 'memory', '--memory-limit', '1')


# ---- progress ---------------------------------------------------------------------------------


def shown_on_terminal(out):
    """What a run with its standard error on a terminal shows there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command(out, '-j', '1', *FOLDERS), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs) as run:
        os.close(theirs)
        shown = b''
        while True:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the other side is gone
                break
        run.wait()
    os.close(ours)
    return shown.decode()


def progress_on_a_terminal(scratch):
    shown = shown_on_terminal(scratch)
    steps = [int(step) for step in re.findall(rf'(\d+) of {TESTS} tests, about \d+ s left', shown)]
    wrong = [] if len(steps) > 2 and steps == sorted(steps) else [f'{len(steps)} steps in {shown[:200]!r}']
    if not shown.endswith('\x1b[K'):
        wrong.append('the line stays')
    piped = report(scratch, *FOLDERS).stderr
    return wrong + ([f'a pipe sees {piped!r}'] if piped else [])


main([killed_and_resumed, interrupted_and_resumed, changed_in_between, a_crash_costs_one_test, a_kill_costs_one_test,
      workers_that_cannot_be_restarted, a_second_run_in_the_folder, a_merge_into_the_folder_of_a_run,
      two_merges_into_a_folder, a_hang_costs_one_test, too_little_time, too_little_memory, progress_on_a_terminal])
