#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges what H200 and H100 GPUs showed of the bundled tests, of generated ones and of the mutants of forbidden ones: *.jsonl.xz, in the form that the
programs of 'ptxlit emit' and 'ptxlit campaign' print. A final state that the model does not allow has to be one of a
test that docs/hardware.md explains. Prints TAP.

usage: seen.py ROOT PTXLIT"""
import collections
import json
import lzma
import pathlib
import re
import subprocess
import sys

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
# Files suite/FAMILY/… are minimal tests: what 'generate --minimal' makes with these words.
FAMILIES = {
    'two-threads': '--accesses 1..6 --locations 3 --fences --scopes cta,gpu --placements',
    'two-threads-atomics': '--accesses 1..3 --fences --atomics exch,add',
    'two-threads-exchanges': '--accesses 1..4 --strengths weak,relaxed --atomics exch',
    'two-threads-all-scopes': '--accesses 1..4 --locations 3 --fences --scopes cta,cluster,gpu,sys --placements',
}
# What begins a paragraph, an item of a list or a section of docs/hardware.md that explains what the model forbids and was seen. Elsewhere the page names tests, too.
FINDINGS = ('* **Dependencies in form only**', '* **A wait whose result is not branched on**', '* **Forbidden and seen**', '### An atomic operation does not release',
            '**Loops that never end.**', 'What the model forbids was seen in two programs')


def read():
    """Final states, by file and test; '@library' stands behind a test in C++ that the mapping compiled, '@nvcc' behind what nvcc made of it."""
    states = collections.defaultdict(set)
    for file in sorted((ROOT / 'tests/silicon').glob('*.jsonl.xz')):
        with lzma.open(file, 'rt') as lines:
            for line in map(json.loads, lines):
                if 'state' in line:
                    states[line['file'], line['test']].add(frozenset((name, int(value)) for name, value in line['state'].items()))
    return states


def allowed(files, tests=''):
    """What the model allows of each test that it decides."""
    out = subprocess.run([PROGRAM, 'outcomes', '--json', *files], cwd=ROOT, input=tests, capture_output=True, text=True).stdout
    states, open_tests = collections.defaultdict(set), set()
    for line in map(json.loads, out.splitlines()):
        if line.get('state') is not None:
            states[line['test']].add(frozenset((name, int(value)) for name, value in line['state'].items()))
        if not line.get('complete'):
            open_tests.add(line['test'])
    return {name: states[name] for name in states if name not in open_tests}


def generated(seen):
    """The minimal tests of the families that are in the files."""
    families = sorted({file.split('/')[1] for file, test in seen if file.startswith('suite/')})
    return ''.join(subprocess.run([PROGRAM, 'generate', '--minimal', *FAMILIES[family].split()], capture_output=True, text=True).stdout for family in families)


def texts(seen):
    """The tests in PTX, one behind the other."""
    made = generated(seen)
    weakened = subprocess.run([PROGRAM, 'campaign', 'plan', '--timeout', '20', '-'], input=made, capture_output=True, text=True).stdout
    names = sorted({file for file, test in seen if '~' not in test and '@' not in test})
    mutated = sorted({file for file, test in seen if '~' in test and not file.startswith('suite/')})
    mutants = subprocess.run([PROGRAM, 'campaign', 'plan', '--timeout', '20', *mutated], cwd=ROOT, capture_output=True, text=True).stdout
    bundled = ''.join((ROOT / name).read_text() for name in names if (ROOT / name).exists())
    return re.sub(r'^filter (.*)', r'filter (\1 \\/ ~(\1))', bundled, flags=re.M) + mutants + made + weakened # a GPU shows what a filter leaves out


def sources(seen):
    """The tests in C++, of which the model is asked as the mapping compiles them: so does nvcc."""
    return sorted({file for file, test in seen if '@' in test and (ROOT / file).exists()})


def has_values(state, of):
    """Does a state show all that its test asks for now? The files keep what a test showed when it asked for less."""
    return all({name for name, value in one} <= {name for name, value in state} for one in of)


def explained():
    """The names of tests in what the page says of its findings."""
    page = (ROOT / 'docs/hardware.md').read_text()
    parts = re.split(r'\n\n(?!\|)(?=.)|\n(?=\* )', page)
    names, within = set(), False
    for part in parts:
        within = part.startswith(FINDINGS) or within and not part.startswith('#') and not part.startswith('* ')
        names |= set(re.findall(r'`([^`\s]+)`', part)) if within else set()
        within = within and not part.startswith(FINDINGS[:3] + FINDINGS[4:])
    return names


def is_named(key, names):
    return key[1].split('~')[0].split('@')[0] in names


def judge(seen, states, names):
    """Of the tests that the model decides: their final states; those with one that it forbids; those of them that the page does not explain."""
    judged = {key: {state for state in found if has_values(state, states[key[1]])} for key, found in seen.items() if key[1] in states}
    forbidden = sorted(key for key, found in judged.items() if found - states[key[1]])
    return judged, forbidden, [key for key in forbidden if not is_named(key, names)]


def forge(seen, states, names):
    """What is found when each of some tests gets a final state that its model forbids, and when one that the page explains does: the former, and nothing else."""
    forged = collections.defaultdict(set, {key: set(found) for key, found in seen.items()})
    judged, forbidden, unexplained = judge(seen, states, names)
    alike = {test for test, found in states.items() if all(found) and len({frozenset(name for name, value in one) for one in found}) == 1}
    chosen = sorted(key for key in judged if key[1] in alike and not is_named(key, names))[::97]
    for key in chosen + forbidden[:1]:
        one = min(states[key[1]], key=sorted)
        name, value = min(one)
        forged[key].add(frozenset(one - {(name, value)} | {(name, 77777)}))
    return chosen, [key for key in judge(forged, states, names)[2] if key not in unexplained]


def main():
    seen = read()
    states = allowed(['-'], texts(seen))
    states |= allowed(['--mapping', 'library', *sources(seen)])
    states |= {name.replace('@library', '@nvcc'): found for name, found in states.items() if '@library' in name}
    names = explained()
    judged, forbidden, unexplained = judge(seen, states, names)
    forged, found = forge(seen, states, names)
    shown = sum(len(found & states[key[1]]) for key, found in judged.items())
    print(f'TAP version 13\n1..3\n{"ok" if len(judged) > 1000 else "not ok"} 1 - {len(judged)} tests and mutants are judged')
    print(f'# {shown} of {sum(len(states[test]) for _, test in judged)} allowed states were seen')
    print(f'{"not ok" if unexplained else "ok"} 2 - what is forbidden and was seen is explained')
    for file, test in forbidden:
        print(f'# {file}: {test}{"" if (file, test) in unexplained else " (explained)"}')
    print(f'{"ok" if len(forged) > 10 and found == forged else "not ok"} 3 - {len(found)} of {len(forged)} states are found that are forged, and nobody explains')


main()
