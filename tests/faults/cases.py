#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Surroundings in which results used to be lost: closed descriptors, too few of them, a disk that is full, names that
are no UTF-8, too little memory. Prints TAP.

usage: cases.py ROOT PTXLIT"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT, PTXLIT = pathlib.Path(sys.argv[1]), sys.argv[2]
TESTS = sorted(str(path) for path in (ROOT / 'litmus/corpus/sb').glob('*.litmus'))
CHECK = ['check', '--json', '--no-time', '--expect', '-j', '2', *TESTS]
SANITIZED = 'ASAN_OPTIONS' in os.environ


def run(arguments, prepare=None, **options):
    return subprocess.run([PTXLIT, *arguments], preexec_fn=prepare, capture_output='stdout' not in options, timeout=100,
                          **options)


def limit(kind, most):
    return lambda: resource.setrlimit(kind, (most, most))


def says(ran, *expected):
    """What is wrong unless it ended with this status and its messages hold these words."""
    status, words = expected
    right = ran.returncode == status and words in (ran.stderr or b'').decode()
    return [] if right else [f'status {ran.returncode}: {ran.stderr!r}']


def closed_standard_output(_):
    return says(run(CHECK, lambda: os.close(1)), 2, 'standard output cannot be written')


def full_standard_output(_):
    with open('/dev/full', 'wb') as full:
        return says(run(CHECK, stdout=full, stderr=subprocess.PIPE), 2, 'standard output cannot be written')


def closed_standard_error(_):
    """With a test in error, of which a message goes there."""
    command = [*CHECK[:6], 'missing.litmus', *TESTS]
    whole = run(command)
    wrong = []
    for closed in ((2,), (0, 2)):
        ran = run(command, lambda: [os.close(fd) for fd in closed])
        if (ran.returncode, ran.stdout) != (2, whole.stdout):
            wrong.append(f'{closed}: status {ran.returncode}, {len(ran.stdout)} of {len(whole.stdout)} bytes')
    return wrong


def closed_standard_input(_):
    return says(run(['check', '-'], lambda: os.close(0)), 2, 'cannot read standard input: Bad file descriptor')


def a_report_with_all_of_them_closed(scratch):
    command = ['report', '--no-time', '-o', scratch / 'closed', *TESTS]
    ran = run(command, lambda: [os.close(fd) for fd in (0, 1, 2)])
    run([*command[:3], scratch / 'open', *TESTS])
    same = (scratch / 'closed/report.json').read_bytes() == (scratch / 'open/report.json').read_bytes()
    return [] if same and ran.returncode == 2 else [f'status {ran.returncode}, {same}']


def more_workers_than_descriptors(_):
    whole, ran = run(CHECK), run([*CHECK, '-j', '8'], limit(resource.RLIMIT_NOFILE, 7))
    return [] if (ran.returncode, ran.stdout) == (0, whole.stdout) else [f'{ran.returncode}: {ran.stdout[-200:]!r}']


def no_worker_at_all(_):
    ran = run(CHECK, limit(resource.RLIMIT_NOFILE, 4))
    texts = [json.loads(line)['undecided'] for line in ran.stdout.splitlines()]
    right = ran.returncode == 3 and len(texts) == len(TESTS) and all('Too many open files' in text for text in texts)
    return [] if right else [f'status {ran.returncode}: {texts[:2]} {ran.stderr!r}']


def too_little_memory_is_no_defect(_):
    """Whatever the system grants: no verdict is lost, and none is called a defect."""
    if SANITIZED:
        return []
    wrong = []
    for mebibytes in range(80, 400, 20):
        ran = run(CHECK, limit(resource.RLIMIT_AS, mebibytes << 20))
        texts = [line for line in ran.stdout.splitlines() if b'"holds":null' in line]
        if ran.returncode == 127 or ran.returncode < 0:
            continue  # the program could not be started
        if b'defect' in ran.stdout + ran.stderr or ran.stdout.count(b'\n') != len(TESTS):
            wrong.append(f'{mebibytes} MiB: {ran.stdout[-300:]!r} {ran.stderr[-300:]!r}')
        if not all(b'memory' in text for text in texts) or bool(texts) != bool(ran.returncode):
            wrong.append(f'{mebibytes} MiB: status {ran.returncode}: {texts[:1]}')
    return wrong


def too_little_memory_for_pictures_is_no_defect(scratch):
    """The libraries that draw end a process by signals of their own when a thread cannot start."""
    if SANITIZED:
        return []
    wrong, kept = [], 0
    for mebibytes in range(85, 121, 5):
        out = scratch / str(mebibytes)
        ran = run(['report', '--no-time', '-j', '2', '-o', out, *TESTS[:4]], limit(resource.RLIMIT_AS, mebibytes << 20))
        if b'defect' in ran.stderr:
            wrong.append(f'{mebibytes} MiB: {ran.stderr[-300:]!r}')
        if not (out / 'report.json').exists():
            wrong += [f'{mebibytes} MiB: status {ran.returncode}, no report'] if 0 <= ran.returncode <= 1 else []
            continue
        kept += 1
        tests = json.loads((out / 'report.json').read_text())['tests']
        lost = [test['undecided'] for test in tests if test['verdict'] == 'undecided']
        if len(tests) != 4 or not all('memory' in text for text in lost) or ran.returncode not in ((3,) if lost else (0,)):
            wrong.append(f'{mebibytes} MiB: status {ran.returncode}: {len(tests)} tests, {lost[:1]}')
    return wrong if kept else [*wrong, 'no report at all']


def names_that_are_no_utf_8(scratch):
    """Models, tests and folders: every file of a report, and every line of JSON, is what it should be."""
    strange = os.fsencode(scratch) + b'/\xff\xfe'
    os.mkdir(strange)
    model, test, out = strange + b'/m\xff.cat', strange + b'/t\xff.litmus', strange + b'/out'
    with open(model, 'wb') as file:
        file.write(run(['models', 'ptx']).stdout)
    with open(test, 'wb') as file:
        file.write(pathlib.Path(TESTS[0]).read_bytes())
    ran = run(['report', '-m', model, '-o', out, test])
    wrong = [] if ran.returncode == 0 else [f'report: status {ran.returncode}: {ran.stderr!r}']
    with open(out + b'/report.json', 'rb') as file:
        data = json.loads(file.read().decode())
    xml.parse(os.fsdecode(out + b'/junit.xml'))
    if len(data['tests']) != 1 or not data['model'].endswith('m\ufffd.cat') or data['model'] not in data['sentence']:
        wrong.append(f'{data["model"]!r} {data["sentence"]!r}')
    for command in ('check', 'outcomes', 'explain', 'compare'):
        for line in run([command, '--json', '-m', model, test]).stdout.splitlines():
            json.loads(line.decode())
    for line in run(['compare-models', '--json', 'ptx-6.0', model, strange]).stdout.splitlines():
        json.loads(line.decode())
    return wrong


def interrupted(scratch):
    """Ctrl-C: what is done is printed, also behind a test that is not, and summed up."""
    endless = scratch / 'endless.litmus'
    os.mkfifo(endless)  # reading it never ends
    with subprocess.Popen([PTXLIT, 'check', '-j2', '--timeout', '0', endless, TESTS[0], TESTS[1]], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        time.sleep(3)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    wrong = [] if child.returncode == 130 else [f'status {child.returncode}']
    if out.count(b'Test ') != 2 or b'interrupted: 1 of 3 tests were not done' not in err:
        wrong.append(f'{out!r} {err!r}')
    return wrong


def main(checks):
    print(f'TAP version 13\n1..{len(checks)}')
    failed = False
    for number, check in enumerate(checks, 1):
        with tempfile.TemporaryDirectory() as scratch:
            wrong = check(pathlib.Path(scratch))
        failed |= bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {number} {check.__name__.replace("_", " ")}', flush=True)
        for line in wrong[:10]:
            print(f'# {line}')
    sys.exit(failed)


main([closed_standard_output, full_standard_output, closed_standard_error, closed_standard_input,
      a_report_with_all_of_them_closed, more_workers_than_descriptors, no_worker_at_all, too_little_memory_is_no_defect,
      too_little_memory_for_pictures_is_no_defect, names_that_are_no_utf_8, interrupted])
