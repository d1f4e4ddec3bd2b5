#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures: the text for Graphviz is what it was, the SVG is well-formed, and what people look at holds:
no two events and no two labels lie on each other, threads stand side by side, and the edges of the cycle
are bold. Prints TAP.

usage: pictures.py TOP PTXLIT [promote]"""
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

TOP, PTXLIT = pathlib.Path(sys.argv[1]), sys.argv[2]
HERE = TOP / 'tests/picture'
CORPUS = TOP / 'litmus/corpus'
TESTS = [CORPUS / 'mp/mp+rel+acq.litmus', CORPUS / 'iriw/iriw+fence.sc.litmus',
         CORPUS / 'kernels/lock-in-kernel+cta-release.litmus', HERE / 'eight.litmus']


def explain(test, *options):
    return subprocess.run([PTXLIT, 'explain', *options, test], capture_output=True, text=True, cwd=TOP)


def statements(dot):
    """Its statements as (what, {attribute: value})."""
    for match in re.finditer(r'^\s*([\w> -]+?)\s*\[(.*?)\];$', dot, flags=re.S | re.M):
        pairs = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,\]\s]+)', match[2])
        yield match[1], {key: value.strip('"') for key, value in pairs}


def rectangle(centre, width, height):
    x, y = (float(part) for part in centre.rstrip('!').split(','))
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def layout(dot):
    events, labels = {}, {}
    for what, of in statements(dot):
        if re.fullmatch(r'[et]\d+', what):
            events[what] = rectangle(of['pos'], 72 * float(of['width']), 72 * float(of['height']))
        elif '->' in what:
            labels[what + of['key'] if 'key' in of else what] = rectangle(of['lp'], 6 * len(of['label']), 12)
    return events, labels


def collisions(dot):
    events, labels = layout(dot)
    everything = [*events.items(), *labels.items()]
    return [f'{a} lies on {b}' for (a, at), (b, bt) in itertools.combinations(everything, 2) if overlap(at, bt)]


def check(test, scratch):
    dot, svg = scratch / 'a.dot', scratch / 'a.svg'
    wrong = []
    ran = explain(test, '--dot', dot, '--svg', svg)
    if ran.returncode or ran.stderr:
        return [f'status {ran.returncode}: {ran.stderr}']
    text = dot.read_text()
    xml.fromstring(svg.read_text())
    expected = HERE / (test.stem + '.dot')
    if sys.argv[3:] == ['promote']:
        expected.write_text(text)
    if expected.read_text() != text:
        wrong.append(f'{expected.name} differs')
    forbidden = 'is forbidden' in ran.stdout
    bold = [of for what, of in statements(text) if '->' in what and of.get('penwidth') == '2.6']
    if forbidden != bool(bold):
        wrong.append(f'{len(bold)} bold edges in a picture of what is {"forbidden" if forbidden else "allowed"}')
    return wrong + collisions(text)


def folder_of_pictures(scratch):
    ran = subprocess.run([PTXLIT, 'explain', '--svg', scratch / 'many', CORPUS / 'sb'], capture_output=True)
    tests, pictures = len(list((CORPUS / 'sb').glob('*.litmus'))), len(list((scratch / 'many').glob('*.svg')))
    return [] if ran.returncode == 0 and tests == pictures else [f'{pictures} pictures of {tests} tests']


def unwritable(scratch):
    ran = explain(TESTS[0], '--svg', scratch / 'no' / 'such' / 'folder.svg')
    return [] if ran.returncode == 2 and 'T024' in ran.stderr else [f'status {ran.returncode}: {ran.stderr}']


def main():
    print(f'TAP version 13\n1..{len(TESTS) + 2}')
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        checks = [(test.stem, lambda test=test: check(test, scratch)) for test in TESTS]
        checks += [('a folder of pictures', lambda: folder_of_pictures(scratch)),
                   ('a file that cannot be written', lambda: unwritable(scratch))]
        for number, (what, run) in enumerate(checks, 1):
            wrong = run()
            print(f'{"not ok" if wrong else "ok"} {number} {what}')
            for line in wrong:
                print(f'# {line}')


main()
