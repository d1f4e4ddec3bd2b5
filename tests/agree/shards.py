#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shards.py PTXLIT FOLDER: more shards than an enumeration has prefixes, and than there are tests. Together they have what one run has, each
test once, and a shard without tests ends as the others do. Prints TAP."""
import collections
import re
import subprocess
import sys

PTXLIT, FOLDER = sys.argv[1:]
MANY = 20


def run(*words, given=None):
    done = subprocess.run([PTXLIT, *words], input=given, capture_output=True, text=True)
    if done.returncode not in (0, 1) or 'rror:' in done.stderr:
        raise RuntimeError(f'{" ".join(words)}: status {done.returncode}: {done.stderr}')
    return done


def tests(text):
    return [test.strip() for test in re.findall(r'^PTX .*(?:\n(?!PTX ).*)*', text, re.M)]


def lines(text):
    """Of each test that was asked about, by name."""
    return re.findall(r'"test":"[^"]*"', text)


def programs(text):
    return [tuple(map(int, re.search(r'\((\d+) programs of (\d+) shapes', text).groups()))]


def check_generated(*words):
    return run('check', '--json', '--no-time', '-', given=run('generate', *words, '--instructions', '2..2').stdout)


WAYS = {
    'generate': (lambda *shard: run('generate', '--instructions', '3..3', '--strengths', 'weak', *shard), lambda done: tests(done.stdout)),
    'generate --relax-list': (lambda *shard: run('generate', '--relax-list', 'PodWW PodRR Rfe Fre', '--size', '5', *shard), lambda done: tests(done.stdout)),
    'generate --minimal': (lambda *shard: run('generate', '--minimal', '--instructions', '4', '--strengths', 'weak,release,acquire', *shard),
                           lambda done: tests(done.stdout)),
    'generate --random': (lambda *shard: run('generate', '--random', '--count', '9', *shard), lambda done: tests(done.stdout)),
    'generate | check -': (check_generated, lambda done: lines(done.stdout)),
    'check': (lambda *shard: run('check', '--json', '--no-time', FOLDER, *shard), lambda done: lines(done.stdout)),
    'map --bound': (lambda *shard: run('map', '--mapping', 'paper', '--bound', '3', '--model', 'cpp', '--no-time', *shard), lambda done: programs(done.stdout)),
    'compare-models --generate': (
        lambda *shard: run('compare-models', 'ptx', 'alloy75-literal', '--generate', '--instructions', '2..2', *shard),
        lambda done: [int(number) for number in re.findall(r'of (\d+) tests tell', done.stderr)]),
}


def wrong_with(ask, parts_of):
    whole, shards = parts_of(ask()), [parts_of(ask('--shard', f'{k}/{MANY}')) for k in range(1, MANY + 1)]
    if not whole:
        return 'nothing to share out'
    if not any(not shard or shard in ([0], [(0, 0)]) for shard in shards):
        return 'no shard is empty'
    together = [part for shard in shards for part in shard]
    if isinstance(whole[0], str):
        if collections.Counter(together) != collections.Counter(whole) or max(collections.Counter(together).values()) > 1:
            return f'{len(together)} in all, {len(whole)} in one run'
        return None
    total = tuple(map(sum, zip(*together))) if isinstance(whole[0], tuple) else sum(together)
    return None if [total] == whole else f'{total} in all, {whole[0]} in one run'


def main():
    print(f'TAP version 13\n1..{len(WAYS)}')
    failed = False
    for number, (name, (ask, parts_of)) in enumerate(WAYS.items(), 1):
        try:
            wrong = wrong_with(ask, parts_of)
        except RuntimeError as error:
            wrong = str(error)
        failed |= bool(wrong)
        print(f'{"not ok" if wrong else "ok"} {number} - {name}, {MANY} shards' + (f'\n# {wrong}' if wrong else ''))
    return failed


sys.exit(main())
