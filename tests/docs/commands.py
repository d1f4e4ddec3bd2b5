#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what the README and the guides tell a newcomer to do, in an empty folder beside the project's. Prints TAP.

A page is read from top to bottom. Of its indented blocks,
- one after a paragraph that ends with "`NAME`:" is a file, and is saved;
- a line "$ COMMAND" is run, and must print what follows it; a line "…" there stands for any lines;
- a line that begins with a command of the project is run, and must give an answer (exit status 0 or 1).
Times are compared as equal. There is no nvcc: kernels are as they are kept. './bootstrap' is the built program here, as after the first build.

usage: commands.py ROOT PROGRAM LIBRARY-HEADER-FOLDER LIBRARY-FOLDER"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ROOT, PROGRAM, HEADERS, LIBRARY = (pathlib.Path(word).resolve() for word in sys.argv[1:])
PAGES = ['README.md', 'docs/tutorial.md', 'docs/ci.md', 'docs/library.md', 'docs/pictures.md', 'docs/contributing.md', 'docs/questions.md']
COMMANDS = ('ptxlit ', 'build/ptxlit ', './bootstrap ', 'ptxlit/bootstrap ', '- ptxlit/bootstrap ',
            '- run: ptxlit/bootstrap ', 'cc ', './embed ')
FAMILIES = ['corpus/mp', 'corpus/sb', 'corpus/lb', 'programs', 'questions']  # enough for the pages, and quick
STAND_IN = '#!/bin/sh\n[ "$1" != test ] || exit 0\nexec ptxlit "$@"\n'
PKG_CONFIG = '#!/bin/sh\necho -I%s -L%s -Wl,-rpath,%s -lptxlit\n'


def paragraphs(page):
    """The page as (text before, block) pairs; a block ends at the first line that is neither indented nor empty."""
    before, text, block = '', [], []
    for line in (ROOT / page).read_text().splitlines() + ['end']:
        if line.startswith('    ') or (block and not line):
            block.append(line[4:])
            continue
        if block:
            yield before, '\n'.join(block).rstrip('\n').split('\n')
            text, block = [], []
        before, text = (' '.join(text + [line]), text + [line]) if line else (before, [])


def steps(page):
    """('save', name, lines) and ('run', command, expected lines or None) in order."""
    for before, block in paragraphs(page):
        name = re.search(r'`([\w.+-]+\.(?:litmus|cat))`:$', before)
        if name:
            parts = '\n'.join(block).split('\n\n$ ')
            yield 'save', name[1], parts[0].split('\n')
            block = '\n'.join('$ ' + part for part in parts[1:]).split('\n') if parts[1:] else []
        command, expected = None, []
        for line in block + ['$ ']:
            if line.startswith('$ '):
                if command:
                    yield 'run', command, expected
                command, expected = line[2:], []
            elif command:
                expected.append(line)
            elif line.strip().startswith(COMMANDS) and not re.search(r'\b(FILE|DIR|NAME|COMMAND)\b', line):
                yield 'run', re.sub(r'^- (run: )?|\s+# .*', '', line.strip()), None


def same(line):
    """What may differ from run to run made equal."""
    return re.sub(r'^(Time \S+) [\d.]+$', r'\1', line).rstrip()


def matches(expected, printed):
    """Do the lines agree, '…' standing for any?"""
    pattern = '\n'.join(r'(?:.*\n?)*?' if line.strip() == '…' else re.escape(same(line)) for line in expected if line)
    text = '\n'.join(same(line) for line in printed if line)
    return re.fullmatch(pattern.replace(r'(?:.*\n?)*?' + '\n', r'(?:.*\n)*?'), text) is not None


def set_up(folder):
    """The folder as a new user has it after the first build."""
    for family in FAMILIES:
        shutil.copytree(ROOT / 'litmus' / family, folder / 'litmus' / family)
    (folder / 'docs').symlink_to(ROOT / 'docs')
    for name in ('build', 'bin', 'ptxlit'):
        (folder / name).mkdir()
    (folder / 'build' / 'ptxlit').symlink_to(PROGRAM)
    for name, text in {'bootstrap': STAND_IN, 'ptxlit/bootstrap': STAND_IN,
                       'bin/pkg-config': PKG_CONFIG % (HEADERS, LIBRARY, LIBRARY)}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


def run(folder, command, expected):
    """What is wrong with the command, as lines."""
    path = f'{folder}/bin:{folder}/build:{os.environ["PATH"]}'
    ran = subprocess.run(['sh', '-c', command], cwd=folder, env=dict(os.environ, PATH=path, NO_COLOR='1', NVCC='/nowhere'),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    printed = ran.stdout.splitlines()
    if ran.returncode not in (0, 1):
        return [f'exit status {ran.returncode}'] + printed[-20:]
    if expected is not None and not matches(expected, printed):
        return ['it prints'] + printed
    return []


def follow(page):
    """Follows a page in a folder of its own; what is wrong, as lines."""
    ran = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        set_up(folder)
        for kind, what, lines in steps(page):
            if kind == 'save':
                (folder / what).write_text('\n'.join(lines) + '\n')
                continue
            ran += 1
            wrong = run(folder, what, lines)
            if wrong:
                return [f'{page}: {what}'] + wrong
    return [] if ran else [f'{page} has no command']


def links_lead_somewhere():
    wrong = []
    for page in [ROOT / 'README.md'] + sorted((ROOT / 'docs').glob('*.md')):
        for target in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)', page.read_text()):
            if not (page.parent / target).exists():
                wrong.append(f'{page.relative_to(ROOT)} links to {target}')
    return wrong


def tests_shown_are_tests():
    """Every test in a page can be read and has an answer; the files that one names are programs."""
    wrong = []
    for page in ['README.md'] + sorted(str(path.relative_to(ROOT)) for path in (ROOT / 'docs').glob('*.md')):
        for _, block in paragraphs(page):
            if not block[0].startswith('PTX '):
                continue
            test = '\n'.join(block).split('\n\n')[0]
            ran = subprocess.run([PROGRAM, 'check', '-'], input=test, text=True, capture_output=True, cwd=ROOT / 'litmus' / 'programs')
            if ran.returncode not in (0, 1):
                wrong += [f'{page}: {block[0]}'] + ran.stderr.splitlines()
    return wrong


def tests_named_are_there():
    """`family/name` in a page is a test of the corpus."""
    corpus = ROOT / 'litmus' / 'corpus'
    return [f'{page.name}: {family}/{name}' for page in sorted((ROOT / 'docs').glob('*.md'))
            for family, name in re.findall(r'`(?:litmus/corpus/)?([a-z0-9-]+)/([\w.+-]+?)(?:\.litmus)?`', page.read_text())
            if (corpus / family).is_dir() and not (corpus / family / f'{name}.litmus').exists()]


def commits_named_are_there():
    """Each word of docs/contributing.md that looks like a commit is one; a copy without its history cannot tell."""
    def git(*words):
        return subprocess.run(['git', '-C', ROOT, *words], capture_output=True, text=True)
    named = re.findall(r'\b(?=[a-f]*\d)[0-9a-f]{7}\b', (ROOT / 'docs' / 'contributing.md').read_text())
    if git('rev-parse', '--is-shallow-repository').stdout.strip() != 'false':
        return []
    return ([] if named else ['none is named']) + [f'{name} is no commit of this history' for name in named
                                                   if git('merge-base', '--is-ancestor', name, 'HEAD').returncode]


def paths_named_are_there():
    """A path from the root in a page, or in the README of a folder, leads to something."""
    pages = [ROOT / 'README.md', *ROOT.glob('docs/*.md'), *(page for room in ('litmus', 'model', 'solver', 'cli', 'tests')
                                                            for page in (ROOT / room).rglob('README.md'))]
    named = re.compile(r'`((?:litmus|model|solver|cli|tests|docs)/[a-z0-9_./*+-]*[a-z0-9/*])`')
    return [f'{page.relative_to(ROOT)} names {path}' for page in sorted(pages) for path in named.findall(page.read_text())
            if not any(ROOT.glob(path.rstrip('/')))]


def the_design_shows_a_run():
    """The events, the reason and the number of clauses in docs/design.md are those of the README's test."""
    test = next(lines for kind, what, lines in steps('README.md') if kind == 'save' and what == 'mp.litmus')
    ran = subprocess.run([PROGRAM, 'check', '--dump', 'graph', '--dump', 'clauses', '-'], input='\n'.join(test), text=True,
                         capture_output=True)
    printed = ' '.join(ran.stderr.split())
    shown = re.findall(r'^ +(e\d+ .*)$|: (e5 e2, because \S+ in rf and \S+ in rf)|: (\d+ clauses)$',
                       (ROOT / 'docs' / 'design.md').read_text(), flags=re.M)
    shown = [' '.join(''.join(one).split()) for one in shown]
    return [f'no run prints {one}' for one in shown if one not in printed] + ([] if len(shown) == 6 else [f'it shows {shown}'])


def words(svg):
    return sorted(''.join(text.itertext()) for text in xml.fromstring(svg).iter('{http://www.w3.org/2000/svg}text'))


def the_picture_is_of_the_test():
    """docs/mp.svg says what 'explain --svg' says of the README's test."""
    test = next(lines for kind, what, lines in steps('README.md') if kind == 'save' and what == 'mp.litmus')
    with tempfile.TemporaryDirectory() as scratch:
        svg = pathlib.Path(scratch) / 'mp.svg'
        subprocess.run([PROGRAM, 'explain', '--svg', svg, '-'], input='\n'.join(test), text=True, capture_output=True)
        now, shown = words(svg.read_text()), words((ROOT / 'docs' / 'mp.svg').read_text())
    return [] if now == shown and now else [f'it shows {shown}', f'explain draws {now}']


def main():
    checks = [(page, lambda page=page: follow(page)) for page in PAGES]
    checks += [(check.__name__.replace('_', ' '), check) for check in
               (links_lead_somewhere, tests_shown_are_tests, tests_named_are_there, commits_named_are_there,
                paths_named_are_there, the_design_shows_a_run, the_picture_is_of_the_test)]
    print(f'TAP version 13\n1..{len(checks)}')
    for number, (name, check) in enumerate(checks, 1):
        wrong = check()
        print(f'{"not ok" if wrong else "ok"} {number} {name}', flush=True)
        for line in wrong:
            print(f'# {line}')


main()
