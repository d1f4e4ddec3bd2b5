#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes synchronization out of the bundled tests and has it put back. Of each test whose outcome is forbidden, every fence,
barrier, order and scope is left out or made weaker, one at a time, and of host programs every call that waits or records an
event. Where the outcome becomes possible by it, 'ptxlit repair' has to propose something; in PTX the original, or what costs
no more. Prints TAP.

usage: mutants.py ROOT PTXLIT [--every N]    only each N-th of these programs"""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
EVERY = int(sys.argv[4]) if sys.argv[3:4] == ['--every'] else 1
GOAL, MEDIAN = 0.99, 1000  # of the programs; milliseconds
INSTRUCTION = re.compile(r'(?<![\w.])(?:ld|st|atom|red|fence|membar|bar|barrier|mbarrier)\.[\w.:]+')
REMOVED = re.compile(r'(?:fence|membar)\.|(?:bar|barrier)\.(?:cta\.)?(?:warp\.)?sync')
WEAKER = [(r'\.acq_rel\b', '.acquire'), (r'\.acq_rel\b', '.release'), (r'\.(?:acquire|release|acq_rel)\b', '.relaxed'),
          (r'\.sc\b', '.acq_rel'), (r'\.(?:sys|gpu|cluster)\b', '.cta'), (r'\.sys\b', '.gpu')]
HOST_CALL = re.compile(r'^[ \t]*cuda(?:StreamSynchronize|DeviceSynchronize|EventSynchronize|StreamWaitEvent|EventRecord)\([^;]*;[ \t]*\n',
                       re.M)
CPP_WEAKER = {'acquire': ['relaxed'], 'release': ['relaxed'], 'acq_rel': ['acquire', 'release'], 'seq_cst': ['acq_rel']}
CPP_CALL = re.compile(r'(?:__syncthreads\(\)|__threadfence\w*\(\)|__syncwarp\(\w*\)|(?:cuda::)?(?:std::)?atomic_thread_fence\([^;]*\)) *;')
SCOPES, ORDERS = 'cta cluster gpu sys'.split(), 'weak relaxed acquire release acq_rel sc'.split()


def read_costs():
    lines = (ROOT / 'cli/repair/repair.costs').read_text().splitlines()
    return dict((words, int(cost)) for words, cost in (line.split() for line in lines if line and not line.startswith('#')))


COSTS = read_costs()


def cost(words):
    """Of the words of an instruction, as docs/repair.md says; 0 of none."""
    if not words:
        return 0
    words = re.sub(r'^bar\.(cta\.)?sync', 'barrier.sync', words)
    words = re.sub(r'^membar\.(gl|gpu)$', 'fence.sc.gpu', re.sub(r'^membar\.(cta|sys)$', r'fence.sc.\1', words))
    parts = words.split('.')
    if not words.startswith(('fence.', 'barrier.', 'bar.')):
        name = parts[:2] if parts[0] == 'mbarrier' else parts[:1]
        order = [part for part in parts if part in ORDERS] or (['weak'] if parts[0] in ('ld', 'st') else ['relaxed'])
        scope = [part for part in parts if part in SCOPES] if order != ['weak'] else []
        parts = name + order + scope
    while parts and '.'.join(parts) not in COSTS:
        parts = parts[:-1]
    return COSTS['.'.join(parts)] if parts else 1


def code_of(text):
    """Where the code lies: behind the initial state, before the question."""
    start = re.search(r'^(?: *P0\b|kernel\b|\.visible|\.entry)', text, re.M)
    end = re.search(r'^(?:exists|~exists|forall|locations|filter)\b', text, re.M)
    return (start.start(), end.start()) if start and end else (0, 0)


def mutants(text):
    """Pairs: the text without one synchronization, and what it costs to put that back."""
    start, end = code_of(text)
    for match in INSTRUCTION.finditer(text, start, end):
        words = match[0]
        if REMOVED.match(words):
            stop = re.compile(r'[|;]').search(text, match.start()).start()
            yield text[:match.start()] + ' ' * (stop - match.start()) + text[stop:], cost(words)
        for pattern, weaker in WEAKER:
            less = re.sub(pattern, weaker, words, count=1)
            fits = not (words.startswith('ld') and '.release' in less or words.startswith('st') and '.acquire' in less)
            if less != words and fits and not (words.startswith('fence') and '.relaxed' in less):
                yield text[:match.start()] + less + text[match.end():], max(1, cost(words) - cost(less))


def host_mutants(text):
    for match in HOST_CALL.finditer(text):
        yield text[:match.start()] + text[match.end():], None


def cpp_mutants(text):
    """An operation keeps an order that it may have: a load no release, a store no acquire."""
    for match in re.finditer(r'memory_order(?:_|::)(acquire|release|acq_rel|seq_cst)', text):
        call = re.search(r'(load|store|fence)\([^()]*(?:\([^()]*\))?[^()]*$', text[:match.start()])
        orders = CPP_WEAKER[match[1]]
        if match[1] == 'seq_cst' and call:
            orders = {'load': ['acquire'], 'store': ['release'], 'fence': ['acq_rel']}[call[1]]
        for order in orders:
            if not (call and call[1] == 'fence' and order == 'relaxed'):
                yield text[:match.start(1)] + order + text[match.end(1):], None
    for match in re.finditer(r'thread_scope_(device|system)', text):
        yield text[:match.start(1)] + 'block' + text[match.end(1):], None
    for match in CPP_CALL.finditer(text):
        yield text[:match.start()] + text[match.end():], None


def mutants_of(text):
    if not text.startswith('PTX'):
        return list(cpp_mutants(text))
    return list(mutants(text)) + list(host_mutants(text))


def programs():
    """Name, text and cost of every mutant; no cost: of any it is enough that it is mended."""
    for path in sorted((ROOT / 'litmus/corpus').rglob('*.litmus')):
        text = path.read_text()
        asks = re.search(r'"expect (?:ptx|cpp): forbidden', text) and not re.search(r'^exists \(true\)', text, re.M)
        if not asks:
            continue
        seen = set()
        for number, (mutant, price) in enumerate(mutants_of(text)):
            if mutant not in seen:
                seen.add(mutant)
                yield f'{path.parent.name}+{path.stem}+{number}.litmus', mutant, price


def main():
    chosen = [one for number, one in enumerate(programs()) if number % EVERY == 0]
    with tempfile.TemporaryDirectory() as folder:
        for name, text, _ in chosen:
            (pathlib.Path(folder) / name).write_text(text)
        out = subprocess.run([PROGRAM, 'repair', '--json', '--most', '1', folder], capture_output=True, text=True)
    found = {pathlib.Path(one['file']).name: one for one in map(json.loads, out.stdout.splitlines()) if one.get('edits') is not None}
    refused = {pathlib.Path(one).name for one in re.findall(r'^(\S+\.litmus):\d+:\d+: [A-Z]\d+:', out.stderr, re.M)} - set(found)
    broken = [one for one in chosen if one[0] not in refused and (one[0] not in found or found[one[0]]['edits'])]
    none = [name for name, _, _ in broken if name not in found]
    dear = [f'{name}: {found[name]["cost"]}, not {price}' for name, _, price in broken if name in found and price is not None and found[name]['cost'] > price]
    missed = len(none) + len(dear)
    share = 1 - missed / max(1, len(broken))
    enough = missed <= max(1, len(broken) * (1 - GOAL))  # of a small sample one says nothing of the share of all
    times = [found[name]['milliseconds'] for name, _, _ in broken if name in found]
    median = statistics.median(times) if times else 0
    print('TAP version 13\n1..2')
    print(f'{"ok" if enough and broken else "not ok"} 1 - {share:.2%} of {len(broken)} programs are mended')
    for line in none + dear:
        print(f'# {line}')
    print(f'{"ok" if median < MEDIAN else "not ok"} 2 - the median is below a second')
    print(f'# of {len(chosen)} programs {len(refused)} are not read; median {median:.0f} ms, the longest {max(times, default=0):.0f} ms')


main()
