#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the pages that are made from tables: docs/diagnostics.md from diag.def, docs/instructions.md from the tables
of litmus/isa, docs/editors/ptxlit.tmLanguage.json from the same, the table of base relations in docs/cat-language.md, and that of other calls in docs/host-programs.md. Run by tests/promote; with 'check' it writes
nothing and names the pages that are behind, for tests/shape/shape.py.

usage: pages.py ROOT [check]"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
GROUPS = [('L', 'Reading and checking a test'), ('C', 'Reading a memory model'),
          ('U', 'Turning a test into events'), ('X', 'Running a test'), ('H', 'Host programs'),
          ('S', 'Code in C++'), ('M', 'Mappings from C++ to PTX'),
          ('T', 'The tool itself')]
CLASSES = dict(re.findall(r"^CLASS\('(.)', \"([^\"]+)\"\)$", (ROOT / 'litmus/isa/class.def').read_text(), flags=re.M))
CLASS_ROWS = {'TYPE': 'T', 'SEM': 'S', 'SCOPE': 'C', 'SPACE': 'M', 'ATOMIC': 'O', 'CMP': 'K', 'BOOL_OP': 'B', 'ROUNDING': 'R',
              'PROXY': 'P', 'GEOMETRY': 'Q', 'BOUNDARY': 'Z'}
OPERANDS = {'d': 'd', 'D': 'd', 'a': 'a', 'A': 'a', 'p': 'p', 'm': '[m]', 'l': 'label', 'f': 'function', 'r': '(list)'}


def diagnostics():
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
    return 'docs/diagnostics.md', '\n'.join(lines).rstrip() + '\n'


def bases():
    rows = re.findall(r'^BASE(SET|EDGES|REL)\((\w+), (?:(\w+), )?.*?"([^"]*)"\)$', (ROOT / 'model/graph/base.def').read_text(),
                      flags=re.M)
    lines = ['', '| name | kind | meaning |', '|---|---|---|']
    for what, name, kind, meaning in rows:
        kinds = 'set' if what == 'SET' else 'relation' if what == 'EDGES' or kind == 'PLACED' else 'dynamic relation'
        lines.append(f'| `{name}` | {kinds} | ' + meaning.replace('|', '\\|') + ' |')
    table = '\n'.join(lines) + '\n\n'
    page = 'docs/cat-language.md'
    return page, re.sub(r'(<!-- bases: [^\n]*-->\n).*?(?=<!-- end -->)', lambda match: match[1] + table,
                        (ROOT / page).read_text(), flags=re.S)


def rows_of(name, *macros):
    """The rows of a table in litmus/isa: the macro, then its arguments as they are written."""
    text = re.sub(r'/\*.*?\*/', '', (ROOT / 'litmus/isa' / name).read_text(), flags=re.S)
    for macro, row in re.findall(rf'^({"|".join(macros)})\(((?:"[^"]*"|[^"])*?)\)$', text, flags=re.M):
        arguments = re.findall(r'((?:"[^"]*"|\([^)]*\)|[^,"(])+)(?:,|$)', row.replace('\n', ' '))
        yield macro, [argument.strip().strip('"') for argument in arguments]


def type_sets():
    """The names of sets of types in litmus/isa/isa.c, by name."""
    text = (ROOT / 'litmus/isa/isa.c').read_text()
    return dict(re.findall(r'^#define (\w+)\s+\((T\(.*|\w+ \|.*)\)$', text, flags=re.M))


def types_of(expression, sets, order):
    for _ in sets:
        expression = re.sub(r'\b[A-Z]\w*_64\b|\bFLOATS\b', lambda match: sets[match[0]], expression)
    return ' '.join(f'`.{name}`' for name in order if f'T({name.upper()})' in expression)


def operands_of(signature):
    text, optional = '', 0
    for letter in signature:
        if letter == 'q':
            text += '{|p}'
        elif letter == '?':
            optional += 1
            text += '{'
        else:
            text += (', ' if text.strip('{') else '') + OPERANDS[letter]
    return (text + '}' * optional).replace('|', '\\|')


def words_by_class():
    words = {}
    for macro, row in rows_of('words.def', *CLASS_ROWS):
        words.setdefault(CLASS_ROWS[macro], []).append(row[1])
    for _, row in rows_of('words.def', 'WORD'):
        words.setdefault(row[1].strip("'"), []).append(row[0])
    return words


def instruction(row, words, sets, flags):
    _, mnemonic, signature, modifiers, types, _, engines, version, section = row[:9]
    said = [CLASSES[letter] for letter in modifiers] + ['.' + flag for flag, of in flags if mnemonic in of]
    understood = ', '.join(name for letter, name in (('x', 'axioms'), ('r', 'executor')) if letter in engines)
    operands = operands_of(signature)
    return (f'| `{mnemonic}` | {f"`{operands}`" if operands else ""} | {" ".join(f"`{word}`" for word in said)} '
            f'| {types_of(types, sets, words["T"])} | {f"{int(version) / 10:.1f}" if section else ""} | {section} | {understood} |')


def instructions():
    words, sets = words_by_class(), type_sets()
    flags = [(row[1], row[3].split()) for _, row in rows_of('words.def', 'FLAG')]
    rows = [row for _, row in rows_of('isa.def', 'OP')]
    lines = ['# Instructions', '',
             'Every instruction that a test may hold, with what may follow its mnemonic. Braces hold what may be left out.',
             'A test that uses one which only the executor understands can be run and not checked. The version of PTX is what',
             'ptxlit takes a test to need, 6.0 at least. Sections are those of the PTX manual in its numbering up to 9.1.',
             'Written by `tests/promote` from `litmus/isa`.', '', '## Modifiers', '']
    lines += [f'- `{name}`: ' + ' '.join(f'`{word}`' for word in words[letter]) for letter, name in CLASSES.items()]
    for group, title in (row for _, row in rows_of('isa.def', 'GROUP') if row[0] != 'HOST'):
        lines += ['', f'## {title}', '', '| instruction | operands | modifiers | types | PTX | manual | understood by |',
                  '|---|---|---|---|---|---|---|']
        lines += [instruction(row, words, sets, flags) for row in rows if row[5] == f'GROUP_{group}']
    lines += ['', '## Atomic operations', '', '| `.op` | types | types of `barrier.red` | of |', '|---|---|---|---|']
    for _, (_, word, _, _, types, barrier, of) in rows_of('words.def', 'ATOMIC'):
        lines.append(f'| `.{word}` | {types_of(types, sets, words["T"]) or ("the untyped form only" if "atom" in of else "")} '
                     f'| {types_of(barrier, sets, words["T"])} | {" ".join(f"`{one}`" for one in of.split())} |')
    lines += ['', '## Special registers', '', '| register | type |', '|---|---|']
    lines += [f'| `{name}` | `.{kind[len("TYPE_"):].lower()}` |' for _, (_, name, kind) in rows_of('special.def', 'SPECIAL')]
    lines += ['', '## Refused by name', '']
    refused = {}
    for _, (word, why) in rows_of('unsupported.def', 'UNSUPPORTED'):
        refused.setdefault(why, []).append(f'`{word}`')
    lines += [f'- {" ".join(names)}: {why}' for why, names in refused.items()]
    return 'docs/instructions.md', '\n'.join(lines) + '\n'


def other_calls():
    """The calls of the runtime that no row of host_call.def models, by what they do."""
    modelled = re.findall(r'^CALL\("(\w+)"', (ROOT / 'litmus/test/host_call.def').read_text(), flags=re.M)
    text = (ROOT / 'litmus/test/host_other.def').read_text()
    rows = [(name, 'READ', what) for name, what in re.findall(r'^READ\("(\w+)", "([^"]*)"\)$', text, flags=re.M)]
    rows += re.findall(r'^OTHER\("(\w+)", (\w+), "([^"]*)"\)$', text, flags=re.M)
    words = {'READ': 'read', 'WORK': 'refused', 'NOTHING': 'irrelevant'}
    lines = ['', '| what it does | | calls |', '|---|---|---|']
    groups = {}
    for name, kind, what in rows:
        if name not in modelled:
            groups.setdefault((kind, what), []).append(f'`{name}`')
    for (kind, what), names in groups.items():
        lines.append(f'| {what} | {words[kind]} | {", ".join(names)} |')
    page, table = 'docs/host-programs.md', '\n'.join(lines) + '\n\n'
    return page, re.sub(r'(<!-- other calls: [^\n]*-->\n).*?(?=<!-- end -->)', lambda match: match[1] + table,
                        (ROOT / page).read_text(), flags=re.S)


def one_of(words):
    """A pattern of these words, the longest first."""
    return '|'.join(re.escape(word).replace('/', '\\/') for word in sorted(set(words), key=lambda word: (-len(word), word)))


def grammar():
    """A TextMate grammar of tests: what editors colour them by."""
    words = words_by_class()
    flags = [row[1] for _, row in rows_of('words.def', 'FLAG')]
    heads = [row[1] for _, row in rows_of('isa.def', 'OP') if ' ' not in row[1] and '<' not in row[1]]
    spellings = re.findall(r'^SPELLING\("(\w+)"', (ROOT / 'litmus/isa/spelling.def').read_text(), flags=re.M)
    places = [row[1] for _, row in rows_of('words.def', 'PLACE')]
    specials = [row[1] for _, row in rows_of('special.def', 'SPECIAL')]
    colours = [('storage.modifier.sem', words['S']), ('storage.modifier.scope', words['C']), ('storage.type', words['T']),
               ('support.type.space', words['M']), ('keyword.operator.word', words['O'] + words['K'] + words['B']),
               ('storage.modifier.proxy', words['P']), ('keyword.other.modifier', flags + words['R'] + words['V'] + words['H'] + words['G'])]

    def rule(name, match, **more):
        return {'name': f'{name}.ptxlit', 'match': match, **more}

    def block(name, begin, end, *inside):
        return {'name': f'{name}.ptxlit', 'begin': begin, 'end': end, 'patterns': list(inside)}
    comment = block('comment.block', r'\(\*', r'\*\)', {'include': '#nested'})
    expected = {'match': r'(?<=")(expect)\s+([\w.+-]+):\s*([\w-]+)', 'captures': {
        '1': {'name': 'keyword.control.ptxlit'}, '2': {'name': 'entity.name.type.ptxlit'}, '3': {'name': 'constant.language.ptxlit'}}}
    modifiers = [rule(name, rf'\.(?:{one_of(some)})(?![\w:])') for name, some in colours]
    instruction = {'match': rf'(?<![\w.%$:])({one_of(heads + spellings)})((?:\.[\w:]+)*)(?![\w:])',
                   'captures': {'1': {'name': 'keyword.mnemonic.ptxlit'}, '2': {'patterns': modifiers}}}
    patterns = [
        comment, block('comment.block', r'/\*', r'\*/'), rule('comment.line', r'//.*$'), block('string.quoted.double', '"', '"', expected),
        {'match': r'^\s*(PTX|C|C\+\+)\s+(\S+)\s*$', 'captures': {'1': {'name': 'keyword.other.language.ptxlit'}, '2': {'name': 'entity.name.section.ptxlit'}}},
        rule('keyword.control', r'~?\bexists\b|\b(?:forall|locations|filter)\b'),
        {'match': rf'(?<=[@,])\s*({one_of(places + ["warp", "lane"])})\s+(\d+)',
         'captures': {'1': {'name': 'storage.modifier.place.ptxlit'}, '2': {'name': 'constant.numeric.ptxlit'}}},
        rule('entity.name.function', r'\b(?:P|H)\d+\b'), rule('constant.language', rf'(?:{one_of(specials)})(?![\w.])'),
        rule('variable.parameter', r'%\w+'), instruction, rule('storage.type', rf'(?<!\w)\.?(?:{one_of(words["T"])})(?!\w)'),
        rule('constant.numeric', r'(?<!\w)-?(?:0[xX][0-9a-fA-F]+|\d+)(?!\w)'), rule('keyword.operator.logical', r'/\\|\\/|\bnot\b|~')]
    text = json.dumps({'$comment': 'Written by tests/promote from the tables of litmus/isa.', 'name': 'ptxlit test', 'scopeName': 'source.ptxlit', 'fileTypes': ['litmus'],
                       'patterns': patterns, 'repository': {'nested': comment}}, indent=2)
    return 'docs/editors/ptxlit.tmLanguage.json', text + '\n'


def main():
    behind = []
    for page, text in (diagnostics(), bases(), instructions(), other_calls(), grammar()):
        path = ROOT / page
        if path.exists() and path.read_text() == text:
            continue
        behind.append(page)
        if sys.argv[2:] != ['check']:
            path.write_text(text)
    if sys.argv[2:] == ['check']:
        print('\n'.join(f'{page} is not as its table says: run tests/promote' for page in behind))


main()
