#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""metamorphic.py [--all] ROOT PTXLIT RANDOM: the front end, which every reading shares, against itself.

A test is written down in another way that means the same: printed, threads permuted, registers,
locations and CTAs renamed, instructions without effect added, sub-expressions of host code named,
columns as kernels, kernels as columns. Its outcomes must stay the same, up to the names. And with a loop
added that no other thread can notice its answers must stay the same, which may then come from the executor. Over the
bundled tests and random programs: a sample, or with --all every test in every way. Prints TAP."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import added_loops

WORD = r'[%$A-Za-z_][\w$]*'
TOKEN = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?\*/|\(\*.*?\*\)|\.[A-Za-z_0-9:]+|' + WORD + r'|\d\w*|<<<|>>>|[-+*/%&|^=!<>]=|::|\+\+|--|&&|\|\||->|\s+|.', re.S)


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def reworded(text, names):
    """The text with words replaced; strings, comments and dotted words stay."""
    return ''.join(names.get(token, token) for token in TOKEN.findall(text))


class Test:
    """The canonical text of a test, in parts."""

    def __init__(self, canonical):
        lines = canonical.splitlines()
        self.comments = [line for line in lines if line.startswith('"')]
        start, end = lines.index('{'), lines.index('}')
        self.init = lines[start + 1:end]
        last = max(n for n, line in enumerate(lines) if re.match(r'(locations|filter|exists|~exists|forall)\b', line))
        first = min(n for n, line in enumerate(lines) if n > end and
                    re.match(r'(locations \[|filter \(|exists \(|~exists \(|forall \()', line))
        self.question = lines[first:last + 1]
        items = lines[end + 1:first]
        heads = [n for n, line in enumerate(items) if re.match(r' P0@', line)]
        split = heads[0] if heads else len(items)
        self.rows = [[cell.strip() for cell in line.rstrip().removesuffix(';').split('|')] for line in items[split:]]
        self.rows = [row for row in self.rows if row]
        self.blocks, self.launches = [], []
        for line in items[:split]:
            is_open = self.blocks and not self.blocks[-1][-1].startswith(('}', 'platform '))
            if re.match(r'\S.*<<<.*>>>', line) and not is_open:
                self.launches.append(line)
            elif is_open:
                self.blocks[-1].append(line)
            else:
                self.blocks.append([line])

    def columns(self):
        return len(self.rows[0]) if self.rows else 0

    def hosts(self):
        return [block for block in self.blocks if re.match(r'(host|hostfn) ', block[0])]

    def column(self, index):
        return [row[index] for row in self.rows[1:] if row[index]]

    def text(self):
        lines = ['PTX t', *self.comments, '{', *self.init, '}', *(line for block in self.blocks for line in block),
                 *self.launches]
        lines += [' ' + ' | '.join(row) + ' ;' for row in self.rows]
        return '\n'.join(lines + self.question) + '\n'

    def locations(self):
        found = []
        for line in self.init:
            line = re.sub(r'^\s*(?:P\d+:.*)?', '', line)
            match = re.match(r'(.*?)(' + WORD + r')\s*(\[\d*\])?\s*(=|@|;)', line)
            if match:
                found.append(match.group(2))
        return found


def uses(text, *patterns):
    return any(re.search(pattern, text) for pattern in patterns)


# ---- the ways ------------------------------------------------------------------------------------
# Each takes a test and the text it was read from and gives a text that means the same, and what
# became of the names in a state; or None where it does not apply.

def same(name):
    return name


def printed(test, source):
    return test.text(), same


def renamed(names):
    return lambda name: reworded(name, names)


def locations(test, source):
    found = test.locations()
    names = {name: f'loc{len(found) - n:03}' for n, name in enumerate(found)}
    others = set(re.findall(r'\b(?:kernel|entry|host|hostfn|func|PTX)\s+(' + WORD + ')', source))
    others |= set(re.findall(r'(' + WORD + r'):\s', source)) | set(re.findall(r':\s*(' + WORD + ')', source))
    if not found or others & set(found):
        return None
    return reworded(source, names), renamed(names)


def registers(test, source):
    names = {word: re.sub('^%?', '%q', word) for word in TOKEN.findall(source)
             if re.fullmatch(r'%(r|rd|rs|f|fd|p|h|b)\d*|r\d+|p\d+', word)}
    names.update({old[1:]: new for old, new in names.items() if old.startswith('%')})  # the question may leave it out
    of_kernels = set(names)
    for block in test.hosts():
        for line in block:
            for word in re.findall(r'^\s*(' + WORD + r') = ', line):
                names[word] = word + '_renamed'
    both = any(new.endswith('_renamed') and old in of_kernels for old, new in names.items())
    if set(names) & {*test.locations()} or not names or both:
        return None
    shown = {re.sub('^%', '', old): re.sub('^%', '', new) for old, new in names.items()}
    host = {old: new for old, new in names.items() if new.endswith('_renamed')}
    return reworded(source, names), renamed({**names, **shown, **host})


def reversed_threads(test, source):
    count = test.columns()
    number = {str(n): str(count - 1 - n) for n in range(count)}

    def turned(text):
        return re.sub(r'(?<![\w%$.])(P?)(\d+)(?=:)', lambda m: m.group(1) + number.get(m.group(2), m.group(2)), text)
    if count:
        test.init = [turned(line) for line in test.init]
        test.question = [turned(line) for line in test.question]
        test.rows = [row[::-1] for row in test.rows]
        test.rows[0] = [re.sub(r'^P\d+', f'P{n}', head) for n, head in enumerate(test.rows[0])]
        return test.text(), turned
    hosts = test.hosts()
    if hosts:
        test.blocks = [block for block in test.blocks if block not in hosts] + hosts[::-1]
    test.launches.reverse()
    return test.text(), same


def ctas(test, source):
    if not test.columns() or uses(source, r'%(cluster_|n)?(ctaid|clusterid)', r'mapa', r'%smid', r'ctarank'):
        return None

    def other(line):
        return re.sub(r'\b(cta|cluster) (\d+)', lambda m: f'{m.group(1)} {3 * int(m.group(2)) + 2}', line)
    test.rows[0] = [other(head) for head in test.rows[0]]
    test.init = [other(line) for line in test.init]
    return test.text(), same


def padded_kernel(block):
    statement = 'nop;' if not re.match(r'(host|hostfn) ', block[0]) else 'unused = 1;'
    if block[0].startswith('platform'):
        return block
    lines = []
    for line in block:
        lines.append(line)
        if line.endswith(';') and not re.match(r'\s*\.', line):
            lines.append('  ' + statement)
    return lines


def padded(test, source):
    cells = [[padding for cell in test.column(n) for padding in ([cell] if cell.endswith(':') else ['nop', cell])]
             for n in range(test.columns())]
    height = max(map(len, cells), default=0)
    test.rows[1:] = [[column[n] if n < len(column) else '' for column in cells] for n in range(height)]
    test.blocks = [padded_kernel(block) for block in test.blocks]
    return test.text(), same


def as_kernels(test, source):
    """Every column alone in its CTA: a kernel of one thread each."""
    heads = test.rows[0] if test.rows else []
    places = [dict(re.findall(r'(lane|warp|cta|cluster|gpu) (\d+)', head)) for head in heads]
    alone = [(place.get('gpu'), place.get('cta')) for place in places]
    if (not heads or len(set(alone)) < len(alone) or any('cluster' in place for place in places) or
            uses(' '.join(test.init), '@ cta') or uses(source, r'\bbar', r'%[a-z]*(tid|ctaid|warpid|laneid|clusterid|rank|smid|gridid)', 'grid',
                 r'\b(shared|local)\b', 'tm?ld', 'suld', 'sust', 'cold', 'goto')):
        return None
    kernels = []
    for n in range(len(heads)):
        before = [match for line in test.init for match in re.findall(rf'P{n}:(\S+) = (.*);', line)]
        moves = [f'  mov.s64 {name}, {value};' if not value.startswith('&') else f'  mov.u64 {name}, {value[1:]};'
                 for name, value in before]
        kernels.append([f'kernel T{n} () {{', *moves, *('  ' + cell + ('' if cell.endswith(':') else ';')
                                                        for cell in test.column(n)), '}'])
    test.init = [line for line in test.init if not re.match(r'\s*P\d+:', line)]
    test.blocks += kernels
    test.launches = [f'T{n}<<<1, 1>>>() @ gpu {place.get("gpu", 0)};' for n, place in enumerate(places)]
    test.rows = []

    def called(text):
        return re.sub(r'(?<![\w%$.])(\d+):', r'T\1:', text)
    test.question = [called(line) for line in test.question]
    return test.text(), called


def as_columns(test, source):
    """Every thread of every launch a column; of kernels without parameters and memory of their own."""
    if not test.launches or test.hosts() or uses(
            source, r'\bbar', 'shared', 'local', r'\.func', r'%[a-z_]*(tid|ctaid|warpid|laneid|clusterid|rank|smid)',
            'param', 'griddep', 'grid.sync', r'\.branchtargets', r'redux|shfl|vote|match|elect|activemask', 'cluster'):
        return None
    bodies = {re.match(r'kernel (\S+)', block[0]).group(1): block[1:-1] for block in test.blocks}
    columns, names, cta = [], {}, 0
    for launch in test.launches:
        match = re.match(r'(?:(\S+): )?(\S+)<<<(\d+), (\d+)>>>\(\)(?: @ gpu (\d+))?;$', launch)
        if not match:
            return None
        label, kernel, grid, block, gpu = match.groups()
        lines = [re.sub(';$', '', line.strip()) for line in bodies[kernel] if not re.match(r'\s*\.reg', line)]
        for c in range(int(grid)):
            for tid in range(int(block)):
                names[f'{label or kernel}[{c},{tid}]'] = len(columns)
                if int(grid) * int(block) == 1:
                    names[label or kernel] = len(columns)
                columns.append([f'P{len(columns)}@lane {tid % 32},warp {tid // 32},cta {cta + c},gpu {gpu or 0}', *lines])
        cta += int(grid)

    def numbered(text):
        return re.sub(r'(' + WORD + r'(?:\[\d+,\d+\])?):', lambda m: f'{names[m.group(1)]}:', text)
    height = max(map(len, columns))
    test.rows = [[column[n] if n < len(column) else '' for column in columns] for n in range(height)]
    test.blocks, test.launches = [], []
    test.question = [numbered(line) for line in test.question]
    return test.text(), numbered


class Namer:
    """Host code in which every operand has a name of its own."""

    def __init__(self, text):
        self.tokens = [token for token in TOKEN.findall(text) if not re.match(r'\s|//|/\*|\(\*', token)]
        self.at, self.count, self.out = 0, 0, []

    def name(self, tokens, into):
        self.count += 1
        name = f'part{self.count}'
        into.append(f'{name} = {" ".join(tokens)};')
        return [name]

    def named(self, tokens, into):
        """An expression: its two operands named, and those inside of them."""
        depth = 0
        for n, token in enumerate(tokens):
            depth += {'(': 1, ')': -1}.get(token, 0)
            if depth == 0 and token in '+-*&|^' and n:
                return [*self.operand(tokens[:n], into), token, *self.operand(tokens[n + 1:], into)]
        return self.operand(tokens, into)

    def operand(self, tokens, into):
        if len(tokens) == 1 and re.match(r'\d', tokens[0]):
            return tokens
        return self.name(self.call(tokens, into), into)

    def call(self, tokens, into):
        """x.store(a + b, relaxed): the value named."""
        if len(tokens) > 4 and re.fullmatch(r'\.(store|fetch_\w+|exchange)', tokens[1]) and ',' in tokens:
            comma = len(tokens) - 1 - tokens[::-1].index(',')
            return [*tokens[:3], *self.named(tokens[3:comma], into), *tokens[comma:]]
        return tokens

    def take(self, end):
        depth, start = 0, self.at
        while depth or self.tokens[self.at] != end:
            depth += {'(': 1, ')': -1, '{': 1, '}': -1}.get(self.tokens[self.at], 0)
            self.at += 1
        self.at += 1
        return self.tokens[start:self.at - 1]

    def statement(self):
        token = self.tokens[self.at]
        if token == '{':
            self.at += 1
            inside = []
            while self.tokens[self.at] != '}':
                inside.append(self.statement())
            self.at += 1
            return '{ ' + ' '.join(inside) + ' }'
        if token == 'while':
            self.at += 2
            condition = ' '.join(self.take(')'))
            if self.tokens[self.at] == ';':
                self.at += 1
                return f'while ({condition});'
            return f'while ({condition}) {self.statement()}'
        if token == 'for':
            self.at += 2
            return f'for ({" ".join(self.take(")"))}) {self.statement()}'
        if token == 'if':
            self.at += 2
            condition, before = self.take(')'), []
            cut = next(n for n, mark in enumerate(condition) if mark in ('==', '!=', '<=', '>=', '<', '>'))
            condition = [*self.named(condition[:cut], before), condition[cut], *self.named(condition[cut + 1:], before)]
            then, otherwise = self.statement(), ''
            if self.tokens[self.at] == 'else':
                self.at += 1
                otherwise = f' else {self.statement()}'
            return f'{{ {" ".join(before)} if ({" ".join(condition)}) {then}{otherwise} }}'
        tokens, before = self.take(';'), []
        if '=' in tokens and tokens[1] in '=[' and not uses(' '.join(tokens), 'cuda', '<<<'):
            cut = tokens.index('=') + 1
            tokens = tokens[:cut] + self.named(tokens[cut:], before)
        elif len(tokens) > 1:
            tokens = self.call(tokens, before)
        return f'{{ {" ".join(before)} {" ".join(tokens)}; }}' if before else ' '.join(tokens) + ';'


def named_parts(test, source):
    if not test.hosts() or uses(source, r'\bfloat\b', r'\bdouble\b', r'\bf32\b', r'\bf64\b'):
        return None  # the names have no type, which is that of an integer
    out, at = [], 0
    for match in re.finditer(r'\b(?:host|hostfn)\s+' + WORD + r'\s*(?=\{)', source):
        if match.start() < at:
            continue
        depth, end = 0, match.end()
        while True:
            depth += {'{': 1, '}': -1}.get(source[end], 0)
            end += 1
            if not depth:
                break
        out += [source[at:match.end()], Namer(source[match.end():end]).statement(), '\n']
        at = end
    return ''.join(out) + source[at:], same


WAYS = [printed, locations, registers, reversed_threads, ctas, padded, as_kernels, as_columns, named_parts]


# ---- outcomes ------------------------------------------------------------------------------------

def rows(program, texts, *arguments):
    """What the program says of the texts, as rows, each with the number of its text."""
    with tempfile.TemporaryDirectory() as folder:
        for n, text in enumerate(texts):
            head = re.sub(r'^(\s*(?:(?://[^\n]*|/\*.*?\*/|\(\*.*?\*\))\s*)*(?:PTX|C\+\+))[^\n"{]*', rf'\1 t{n}\n', text, count=1, flags=re.S)
            (pathlib.Path(folder) / f'{n:05}.litmus').write_text(head)
        told = run(program, *arguments, '--json', '--no-time', '--timeout', '20', folder)
    for line in told.stdout.splitlines():
        row = json.loads(line)
        name = row.get('test') or ''
        yield int(name[1:]) if re.fullmatch(r't\d+', name) else int(pathlib.Path(row['file']).stem), row


def outcomes(program, texts):
    """The states of each text, or the reason why there are none to compare."""
    found, stopped = [set() for _ in texts], {}
    for n, row in rows(program, texts, 'outcomes', '--states', '3000'):
        if 'state' in row and row.get('complete', False):
            found[n].add(frozenset((key, str(value)) for key, value in row['state'].items()))
        else:
            stopped[n] = row.get('error') or 'incomplete'
    return [stopped.get(n, states) for n, states in enumerate(found)]


def mapped(states, names):
    return {frozenset((names(key), names(value) if not re.fullmatch(r'-?\d+', value) else value) for key, value in state)
            for state in states}


def compare(program, way, cases, originals):
    """Every case in one way: how many were compared, and what differs."""
    made = []
    for n, (name, source, canonical) in enumerate(cases):
        if not isinstance(originals[n], set):
            continue
        variant = way(Test(canonical), source)
        if variant:
            made.append((n, name, *variant))
    results = outcomes(program, [text for _, _, text, _ in made])
    wrong, compared = [], 0
    for (n, name, text, names), states in zip(made, results):
        if states == 'incomplete':
            continue
        compared += 1
        if not isinstance(states, set) or mapped(originals[n], names) != states:
            wrong.append((name, states if isinstance(states, str) else
                          f'{len(states)} states instead of {len(originals[n])}', text))
    return compared, wrong


def answers(program, texts):
    """What is known of each text: does its condition hold, in how many states, races, does every run end?"""
    known = [{} for _ in texts]
    for n, row in rows(program, texts, 'check'):
        told = {'verdict': row['verdict'] if row['verdict'] not in ('undecided', 'error') else None}
        told |= {key: row.get(key) for key, complete in LISTS.items() if row.get(complete)}
        if 'races' in told:
            told['races'] = racing_pairs(row)
        known[n] |= {key: value for key, value in told.items() if value is not None}
    for n, row in rows(program, texts, 'check', '--property', 'termination'):
        if row['verdict'] in ('holds', 'fails'):
            known[n]['every run ends'] = row['verdict']
    return known


def racing_pairs(row):
    """How many pairs of instructions race: a loop's iterations make a race each."""
    return len({json.dumps(race, sort_keys=True) for race in row['race_list']})


LISTS = {'positive': 'complete', 'negative': 'complete', 'races': 'races_complete', 'undefined': 'undefined_complete',
         'hangs': 'hangs_complete'}


def compare_answers(program, way, cases, originals):
    """Every case with a loop added: how many were compared, and what differs."""
    made = [(n, name, text) for n, (name, source, canonical) in enumerate(cases) if originals[n]
            for text in [way(Test(canonical) if canonical else None, source)] if text]
    wrong, compared = [], 0
    for (n, name, text), known in zip(made, answers(program, [text for _, _, text in made])):
        both = originals[n].keys() & known.keys()
        compared += bool(both)
        differing = [f'{key} {known[key]} instead of {originals[n][key]}' for key in sorted(both) if known[key] != originals[n][key]]
        if differing:
            wrong.append((name, ', '.join(differing), text))
    return compared, wrong


def programs(arguments):
    """Texts of random programs of every kind."""
    count = '100' if arguments.all else '6'
    kinds = [[], ['--atomics'], ['--proxies', '--aliases'], ['--barriers'], ['--counts', '--threads', '4'], ['--mixed-sizes', '--vectors'],
             ['--mbarriers', '--copies', '--barriers'], ['--host']]
    for kind in kinds:
        told = run(arguments.random, '--text', '--seed', '7', '--count', count, *kind).stdout
        for n, text in enumerate(re.split(r'^(?=PTX )', told, flags=re.M)[1:]):
            yield ' '.join(['random', *kind, f'number {n}']), text


def read(arguments):
    """The tests that print in another form than they were written in, and those in C++, which do not."""
    root = pathlib.Path(arguments.root)
    files = sorted((root / 'litmus' / 'corpus').rglob('*.litmus'))
    texts = [(str(file.relative_to(root)), file.read_text()) for file in files]
    in_cpp = [(name, text, None) for name, text in texts if text.startswith('C++ ')]
    texts = [(name, text) for name, text in texts if not text.startswith(('C++ ', 'C '))]
    texts += programs(arguments)
    canonical = canonical_texts(arguments.program, [text for _, text in texts])
    assert len(canonical) == len(texts), 'a test that does not print'
    return [(name, text, shown) for (name, text), shown in zip(texts, canonical)], in_cpp


def canonical_texts(program, texts):
    with tempfile.TemporaryDirectory() as folder:
        for n, text in enumerate(texts):
            (pathlib.Path(folder) / f'{n:05}.litmus').write_text(text)
        told = run(program, 'print', folder).stdout
    return re.split(r'^(?=PTX )', told, flags=re.M)[1:]


def report(number, way, compared, wrong):
    good = bool(not wrong and compared)
    print(f'{"ok" if good else "not ok"} {number} - {way.__name__}: {compared} tests mean the same')
    for name, why, text in wrong[:10]:
        print(f'# {name}: {why}')
        print(''.join(f'#   {line}\n' for line in text.splitlines()[:40]), end='')
    if len(wrong) > 10:
        print(f'# and {len(wrong) - 10} more')
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--all', action='store_true')
    for name in ('root', 'program', 'random'):
        parser.add_argument(name)
    arguments = parser.parse_args()
    cases, in_cpp = read(arguments)
    looped = cases + in_cpp
    if not arguments.all:  # a fifth of them, and of these every way a few
        looped = looped[::12]
        cases = [case for n, case in enumerate(cases) if n % 5 == 0 or 'host' in case[0] or 'kernel ' in case[1]]
    good, number = True, 0
    print(f'1..{len(WAYS) + len(added_loops.WAYS)}')
    for ways, compared_by, measured, of in ((WAYS, compare, outcomes, cases), (added_loops.WAYS, compare_answers, answers, looped)):
        originals = measured(arguments.program, [text for _, text, _ in of])
        for way in ways:
            chosen = range(len(of)) if arguments.all else range(number % 3, len(of), 3)
            number += 1
            good &= report(number, way, *compared_by(arguments.program, way, [of[n] for n in chosen], [originals[n] for n in chosen]))
    return not good


sys.exit(main())
