#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/diagnostics.md from diag.def and the table of base relations in docs/cat-language.md.
tests/shape/shape.py fails while either page is behind. Run by tests/promote.

usage: pages.py ROOT"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
GROUPS = [('L', 'Reading and checking a test'), ('C', 'Reading a memory model'),
          ('U', 'Turning a test into events'), ('X', 'Running a test'), ('H', 'Host programs'),
          ('T', 'The tool itself')]


def write_diagnostics():
    text = (ROOT / 'litmus/base/diag.def').read_text()
    rows = re.findall(r'^DIAG\((\w+),\s*"(\w+)",\s*SEVERITY_(\w+),\s*((?:"(?:\\.|[^"\\])*"\s*)+)\)', text, flags=re.M)
    lines = ['# Diagnostics', '',
             'Every message of ptxlit carries a permanent code. A code never changes its meaning, and a retired',
             'one is not used again. Written by `tests/promote` from `litmus/base/diag.def`.', '']
    for letter, title in GROUPS:
        group = sorted((row for row in rows if row[1][0] == letter), key=lambda row: row[1])
        if group:
            lines += [f'## {title}', '']
        for _, code, severity, words in group:
            said = ''.join(re.findall(r'"((?:\\.|[^"\\])*)"', words)).replace('\\"', '"')
            kind = '' if severity == 'ERROR' else f' ({severity.lower()})'
            lines += [f'- **{code}**{kind}: {said}']
        if group:
            lines.append('')
    (ROOT / 'docs/diagnostics.md').write_text('\n'.join(lines).rstrip() + '\n')


def write_bases():
    rows = re.findall(r'^BASE(SET|REL)\((\w+),(?:\s*(\w+),)?\s*"([^"]*)"\)', (ROOT / 'model/relation/baserel.def').read_text(),
                      flags=re.M)
    lines = ['', '| name | kind | meaning |', '|---|---|---|']
    for what, name, kind, meaning in rows:
        kinds = 'set' if what == 'SET' else 'relation' if kind == 'STATIC' else 'dynamic relation'
        lines.append(f'| `{name}` | {kinds} | ' + meaning.replace('|', '\\|') + ' |')
    path = ROOT / 'docs/cat-language.md'
    table = '\n'.join(lines) + '\n\n'
    path.write_text(re.sub(r'(<!-- bases: [^\n]*-->\n).*?(?=<!-- end -->)', lambda match: match[1] + table,
                           path.read_text(), flags=re.S))


write_diagnostics()
write_bases()
