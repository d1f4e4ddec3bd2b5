#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Colours tests with docs/editors/ptxlit.tmLanguage.json, as an editor does: every instruction of the tables and of the corpus is
one, and comments and strings hold none. Prints TAP.

usage: grammar.py ROOT"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import run  # noqa: E402

ROOT = pathlib.Path(sys.argv[1])
GRAMMAR = json.loads((ROOT / 'docs/editors/ptxlit.tmLanguage.json').read_text())


def compiled(pattern):
    """The pattern with its expressions, and those inside, read once."""
    if 'include' in pattern:
        return pattern
    pattern = dict(pattern)
    for key in ('match', 'begin', 'end'):
        if key in pattern:
            pattern[key] = re.compile(pattern[key])
    pattern['patterns'] = [compiled(one) for one in pattern.get('patterns', [])]
    pattern['captures'] = {int(number): compiled(one) for number, one in pattern.get('captures', {}).items()}
    return pattern


PATTERNS = [compiled(pattern) for pattern in GRAMMAR['patterns']]
NESTED = {f'#{name}': compiled(pattern) for name, pattern in GRAMMAR['repository'].items()}


def colour(line, stack):
    """(from, to, name) of each piece of the line; 'stack' has the blocks that are open, and is changed."""
    pieces, at = [], 0
    while at <= len(line):
        inside = stack[-1]['patterns'] if stack else PATTERNS
        inside = [NESTED[one['include']] if 'include' in one else one for one in inside]
        found = [(match.start(), order, match, one) for order, one in enumerate(inside)
                 if (match := (one.get('match') or one['begin']).search(line, at)) and (match.end() > match.start())]
        end = stack[-1]['end'].search(line, at) if stack else None
        first = min(found, key=lambda one: one[:2], default=None)
        if end and (not first or end.start() <= first[0]):
            pieces.append((end.start(), end.end(), stack.pop()['name']))
            at = end.end()
        elif first:
            _, _, match, one = first
            if 'begin' in one:
                stack.append(one)
            pieces += pieces_of(match, one)
            at = match.end()
        else:
            break
    return pieces


def pieces_of(match, pattern):
    pieces = [(match.start(), match.end(), pattern['name'])] if 'name' in pattern else []
    for number, one in pattern['captures'].items():
        if match[number] and 'name' in one:
            pieces.append((match.start(number), match.end(number), one['name']))
        for inner in one['patterns'] if match[number] else []:
            pieces += [(match.start(number) + part.start(), match.start(number) + part.end(), inner['name'])
                       for part in inner['match'].finditer(match[number])]
    return pieces


def names_at(pieces, at):
    return [name for start, end, name in pieces if start <= at < end]


def is_mnemonic(pieces, at):
    return any(name.startswith('keyword.mnemonic') for name in names_at(pieces, at))


def every_instruction_has_its_colour():
    text = (ROOT / 'docs/instructions.md').read_text()
    mnemonics = [name for name in re.findall(r'^\| `([\w.]+)` \|', text, flags=re.M) if not name.startswith('.')]
    wrong = [] if len(mnemonics) > 100 else [f'{len(mnemonics)} instructions are documented']
    for name in mnemonics:
        pieces = colour(f' {name} %r1, [x] ;', [])
        covered = [piece for piece in pieces if piece[:2] == (1, 1 + len(name))]
        wrong += [] if any('mnemonic' in piece[2] for piece in covered) else [f'{name}: {pieces}']
    return wrong


def words_after_it_have_theirs():
    pieces = colour(' @%p1 ld.acquire.gpu.shared::cta.u32 %r1, [y] | st.volatile.v2.f32 [x], 1 ;', [])
    rows = [('ld', 'keyword.mnemonic'), ('.acquire', 'storage.modifier.sem'), ('.gpu', 'storage.modifier.scope'), ('.shared::cta', 'support.type.space'),
            ('.u32', 'storage.type'), ('%p1', 'variable.parameter'), ('%r1', 'variable.parameter'), ('st', 'keyword.mnemonic'), ('.volatile', 'keyword.other.modifier')]
    line = ' @%p1 ld.acquire.gpu.shared::cta.u32 %r1, [y] | st.volatile.v2.f32 [x], 1 ;'
    return [f'{word} is {names_at(pieces, line.index(word))}' for word, name in rows
            if not any(one.startswith(name) for one in names_at(pieces, line.index(word)))]


def comments_and_strings_hold_no_code():
    stack, wrong = [], []
    for line in ('PTX one (* ld.weak (* inner', 'st.weak *) still', 'ld.weak *)', '"ld.weak expect ptx: allowed"', '/* ld.weak', '*/ // ld.weak'):
        pieces = colour(line, stack)
        wrong += [f'{line!r}: {pieces}' for start, _, name in pieces if 'mnemonic' in name]
    return wrong + ([f'{stack} is open'] if stack else [])


def the_corpus_is_coloured():
    """Every dotted word of code that begins with a mnemonic's letter is an instruction, a register or a directive."""
    wrong, seen = [], 0
    for path in sorted((ROOT / 'litmus/corpus').glob('[m-s]*/*.litmus')):
        stack = []
        for number, line in enumerate(path.read_text().split('\n'), 1):
            open_before = list(stack)
            pieces = colour(line, stack)
            if open_before or line.startswith(('PTX', 'C ', '"', '(*')) or '"' in line or 'exists' in line:
                continue
            for match in re.finditer(r'(?:^|(?<=[|{;:]))\s*(?:@!?%?\w+ )?([a-z]\w*(?:\.[\w:]+)+)(?= )', re.sub(r'/\*.*?\*/|//.*', lambda m: ' ' * len(m[0]), line)):
                seen += 1
                if not is_mnemonic(pieces, match.start(1)):
                    wrong.append(f'{path.name}:{number}: {match[1]}')
    return wrong[:10] + ([] if seen > 1000 else [f'only {seen} instructions were seen'])


run([every_instruction_has_its_colour, words_after_it_have_theirs, comments_and_strings_hold_no_code, the_corpus_is_coloured])
