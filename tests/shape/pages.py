#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/diagnostics.md from diag.def and the table of base relations in docs/cat-language.md, and brings docs/map.md up to date: files that are gone
leave it, new ones come in with the first sentence of their header, what people wrote stays.
tests/shape/shape.py fails while either page is behind. Run by tests/promote.

usage: pages.py ROOT"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
WHOLE = ['litmus/corpus', 'litmus/programs', 'tests/golden', 'tests/errors', 'tests/fuzz/seeds', 'tests/unit', 'tests/picture', 'tests/kernels']
GROUPS = [('L', 'Reading and checking a test'), ('C', 'Reading a memory model'),
          ('U', 'Turning a test into events'), ('X', 'Running a test'), ('H', 'Host programs'),
          ('T', 'The tool itself')]


def files():
    out = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                         capture_output=True, check=True).stdout.decode()
    return sorted({name for name in out.split('\0') if name and (ROOT / name).is_file()})


def first_sentence(name):
    """What the file says of itself: its first comment after the licence."""
    text = (ROOT / name).read_text(encoding='utf-8', errors='replace')
    if name.endswith('.py'):
        comments = re.findall(r'"""(.*?)"""', text, flags=re.S)
    elif name.endswith(('.md', '.litmus')):
        comments = re.findall(r'^# (.*)', text)
    elif name.endswith(('.c', '.h', '.def')):
        text = re.sub(r'SPDX-License-Identifier: MIT', '', text)
        comments = re.findall(r'/\*+(.*?)\*/', text, flags=re.S)
    else:
        comments = [' '.join(re.findall(r'^# (?!SPDX)(.*)', text, flags=re.M)[:3])]
    for comment in comments:
        words = ' '.join(re.sub(r'^\s*\*', '', comment, flags=re.M).split()).strip('- ')
        if words:
            sentence = re.split(r'(?<=[a-z)0-9])\.(\s|$)', words)[0].rstrip('.')
            return sentence[0].lower() + sentence[1:] if sentence[:2].istitle() else sentence
    return ''


def merged(names):
    """lex.c and lex.h as one entry."""
    entries = {}
    for name in names:
        stem, dot, suffix = name.rpartition('.')
        key = stem if dot and suffix in ('c', 'h') and stem else name
        entries.setdefault(key, []).append(name)
    return entries


def entry_word(key, names):
    return key + '.{c,h}' if len(names) == 2 else names[0]


def old_descriptions():
    path = ROOT / 'docs/map.md'
    if not path.exists():
        return {}
    return dict(re.findall(r'^- `([^`]+)` — (.*)$', path.read_text(), flags=re.M))


def describe(key, names, old):
    word = entry_word(key, names)
    if old.get(word):
        return old[word]
    header = [name for name in names if name.endswith('.h')] or names
    return first_sentence(header[0]) or first_sentence(names[0])


def write_map():
    names, old = files(), old_descriptions()
    lines = ['# Map', '', 'Every file once; `tests/promote` adds new ones, `tests/shape` checks.', '']
    whole = [folder for folder in WHOLE if any(name.startswith(folder + '/') for name in names)]
    rest = [name for name in names if not any(name.startswith(folder + '/') for folder in whole)]
    for folder in sorted({str(pathlib.PurePath(name).parent) for name in rest}):
        here = [name for name in rest if str(pathlib.PurePath(name).parent) == folder]
        lines += ['## ' + ('The root' if folder == '.' else folder), '']
        for key, group in sorted(merged(here).items()):
            lines.append(f'- `{entry_word(key, group)}` — {describe(key, group, old)}')
        lines.append('')
    lines += ['## Folders of data', '']
    lines += [f'- `{folder}/` — {old.get(folder + "/", "")}' for folder in whole]
    (ROOT / 'docs/map.md').write_text('\n'.join(lines) + '\n')


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
    rows = re.findall(r'^BASE(SET|REL)\((\w+),(?:\s*(\w+),)?\s*"([^"]*)"\)', (ROOT / 'model/baserel.def').read_text(),
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
write_map()
