#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the architecture, read from the sources: who includes whom, who may print, how long files
are, whether docs/map.md and docs/diagnostics.md tell the truth. Prints TAP.

usage: shape.py ROOT [BUILD]"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
BUILD = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
LONGEST_FILE = 800

# docs/design.md, "room": the folder prefixes whose headers it may include. The longest prefix of a
# file's path that is listed is its room.
ROOMS = {
    'litmus/base': ['litmus/base'],
    'litmus': ['litmus/base', 'litmus'],
    'model/cat': ['litmus/base', 'model/cat'],
    'model': ['litmus', 'model/cat', 'model'],
    'model/machine': ['litmus', 'model/machine', 'model/outcome.h'],
    'solver': ['model', 'litmus', 'solver'],
    'cli': ['litmus', 'model', 'solver', 'cli'],
    'cli/library': ['litmus', 'model', 'solver', 'cli'],
}
BUILD_TOOLS = {'model/embed.c'}  # run while building, no part of the library
PRINTS = re.compile(r'\b(printf|puts|putchar|fputs|fwrite|fprintf|vfprintf|perror|exit|_exit|stdout|stderr|'
                    r'g_print|g_printerr|g_error|getenv|setenv|signal|setlocale)\b(?=\s*[(,);])')


def tracked():
    out = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                         cwd=ROOT, capture_output=True)
    if out.returncode == 0:
        names = [name for name in out.stdout.decode().split('\0') if name]
    else:  # a source archive
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob('*') if path.is_file()]
    return sorted(name for name in names if (ROOT / name).is_file() and not name.startswith('build'))


FILES = tracked()


def text(name):
    return (ROOT / name).read_text(encoding='utf-8', errors='replace')


def code(name):
    """The text without comments and strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])+\'',
                  lambda match: '""' if match[0][0] in '"\'' else ' ', text(name), flags=re.S)


def room_of(name):
    rooms = [room for room in ROOMS if name.startswith(room + '/')]
    return max(rooms, key=len) if rooms else None


def sources(*suffixes):
    return [name for name in FILES if name.endswith(suffixes or ('.c', '.h', '.def')) and room_of(name)]


def includes_go_down():
    wrong = []
    for name in sources():
        for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text(name), flags=re.M):
            if included.endswith('.inc'):
                continue  # made while building, from a file of the same room
            target = included if (ROOT / included).exists() else None
            if not target:
                wrong.append(f'{name} includes "{included}", which is not written from the root')
                continue
            room = room_of(name)
            allowed = [where for where in ROOMS[room]
                       if included == where or included.startswith(where + '/')]
            # A room in a list does not open the room inside of it.
            inner = {'model': 'model/machine/', 'cli': 'cli/library/'}.get(room)
            if not allowed or (inner and included.startswith(inner)):
                wrong.append(f'{name} ({room}) includes "{included}"')
    return wrong


def z3_stays_in_the_solver():
    return [name for name in FILES if name.endswith(('.c', '.h'))
            and re.search(r'#\s*include\s*<z3', text(name)) and not name.startswith('solver/')]


def the_library_neither_prints_nor_exits():
    wrong = []
    for name in sources('.c'):
        if room_of(name) == 'cli' or name in BUILD_TOOLS:
            continue
        wrong += [f'{name}: {match[0]}' for match in PRINTS.finditer(code(name))]
    return wrong


def numbers_are_read_in_one_place():
    reads = re.compile(r'\b(strto\w+|g_ascii_strto\w+|ato[dfil]+|sscanf)\s*\(')
    return [f'{name}: {match[1]} instead of litmus/base/number.h' for name in sources('.c', '.h')
            if room_of(name) and name != 'litmus/base/number.c' for match in reads.finditer(code(name))]


def arrays_are_sorted_in_one_place():
    sorts = re.compile(r'\bqsort\s*\(')
    return [f'{name}: qsort instead of litmus/base/sort.h' for name in sources('.c', '.h')
            if room_of(name) and name != 'litmus/base/sort.h' and sorts.search(code(name))]


def files_are_short():
    return [f'{name}: {count} lines' for name in FILES if name.endswith(('.c', '.h', '.def', '.py', '.cat'))
            for count in [text(name).count('\n')] if count > LONGEST_FILE]


def headers_are_guarded_by_their_path():
    wrong = []
    for name in sources('.h'):
        guard = re.sub(r'[/.]', '_', name).upper()
        if not re.search(rf'#ifndef {guard}\n#define {guard}\n', text(name)):
            wrong.append(f'{name} is not guarded by {guard}')
    return wrong


def files_name_their_licence():
    return [name for name in FILES if name.endswith(('.c', '.h', '.def', '.py', '.cat', 'meson.build'))
            and not name.startswith('tests/golden') and not name.startswith('tests/errors')
            and 'SPDX-License-Identifier: MIT' not in text(name)[:400]]


def no_notes_to_self():
    marks = re.compile(r'\b(TODO|FIXME|XXX|HACK)\b')
    return [f'{name}: {match[0]}' for name in FILES if name.endswith(('.c', '.h', '.def'))
            for match in marks.finditer(text(name))]


def expand(line):
    """`a/b.{c,h}` and `a/*.litmus` of docs/map.md as file names."""
    names = []
    for word in re.findall(r'`([^`]+)`', line.split(' — ')[0]):
        braces = re.fullmatch(r'(.*)\{([^}]*)\}(.*)', word)
        words = [braces[1] + part + braces[3] for part in braces[2].split(',')] if braces else [word]
        for one in words:
            if one.endswith('/'):
                names += [name for name in FILES if name.startswith(one)]
            else:
                names.append(one)
    return names


def the_map_lists_every_file_once():
    listed = [name for line in text('docs/map.md').splitlines() if line.startswith('- ')
              for name in expand(line)]
    wrong = [f'{name} is listed twice' for name in sorted(set(listed)) if listed.count(name) > 1]
    wrong += [f'{name} is not there' for name in sorted(set(listed)) if name not in FILES]
    wrong += [f'nothing is said of {line[2:-3]}' for line in text('docs/map.md').splitlines() if line.endswith(' — ')]
    return wrong + [f'{name} is not listed' for name in FILES if name not in listed]


def dependencies_are_found_and_explained():
    script, page = text('bootstrap'), text('docs/dependencies.md')
    packages = re.search(r'^packages="([^"]*)"', script, flags=re.M)[1].split()
    looked_for = re.search(r'pkg-config --exists (.*)', script)[1].split()
    used = re.findall(r"^\w+ = dependency\('([^']+)'", text('meson.build'), flags=re.M)
    return ([f'docs/dependencies.md does not explain {name}' for name in packages if f'`{name}`' not in page] +
            [f'bootstrap does not look for {name}' for name in used if name not in looked_for])


def rows_of_diagnostics():
    return re.findall(r'^DIAG\((\w+),\s*"(\w+)",\s*SEVERITY_(\w+),\s*((?:"(?:\\.|[^"\\])*"\s*)+)\)',
                      text('litmus/base/diag.def'), flags=re.M)


def diagnostics_are_unique_and_documented():
    rows = rows_of_diagnostics()
    ids, codes = [row[0] for row in rows], [row[1] for row in rows]
    count = len(re.findall(r'^DIAG\(', text('litmus/base/diag.def'), flags=re.M))
    wrong = [] if count == len(rows) else [f'{count - len(rows)} rows of diag.def are not understood']
    wrong += [f'{code} is used twice' for code in sorted(set(codes)) if codes.count(code) > 1]
    wrong += [f'{name} is used twice' for name in sorted(set(ids)) if ids.count(name) > 1]
    page = text('docs/diagnostics.md')
    wrong += [f'{code} is not in docs/diagnostics.md as diag.def explains it' for _, code, _, words in rows
              if f'**{code}**' not in page or ''.join(re.findall(r'"((?:\\.|[^"\\])*)"', words))
              .replace('\\"', '"') not in page]
    return wrong


def base_names_are_documented():
    rows = re.findall(r'^BASE(?:SET|REL)\((\w+),(?:\s*\w+,)?\s*"([^"]*)"\)', text('model/baserel.def'), flags=re.M)
    count = len(re.findall(r'^BASE(?:SET|REL)\(', text('model/baserel.def'), flags=re.M))
    page = text('docs/cat-language.md')
    wrong = [] if count == len(rows) else [f'{count - len(rows)} rows of baserel.def are not understood']
    return wrong + [f'{name} is not in docs/cat-language.md as baserel.def explains it' for name, meaning in rows
                    if not re.search(rf'^\| `{name}` \|.*\| {re.escape(meaning.replace("|", chr(92) + "|"))} \|$', page,
                                     flags=re.M)]


def diagnostics_are_used():
    everything = ''.join(text(name) for name in FILES if name.endswith(('.c', '.h')) or
                         (name.endswith('.def') and not name.endswith('diag.def')))
    return [f'nothing reports {name} ({code})' for name, code, _, _ in rows_of_diagnostics()
            if not re.search(rf'\b(DIAG_)?{name}\b', everything)]


def options_are_documented():
    page = text('docs/commands.md')
    options = re.findall(r'^OPTION\(\w+, \w+, \S+ "([^"]+)"', text('cli/options.def'), flags=re.M)
    commands = re.findall(r'^COMMAND\(\w+, "([^"]+)",', text('cli/commands.def'), flags=re.M)
    words = re.findall(r'^EXPECT(?:_NAME)?\("([^"]+)"', text('cli/expect.def'), flags=re.M)
    return ([f'--{name}' for name in options if f'`--{name}' not in page] +
            [name for name in commands if f'`{name}' not in page] +
            [f'expect … {name}' for name in words if f'`{name}`' not in page])


def vectors_have_their_tests():
    table = text('docs/machine.md').split('| vector | tests |')[-1]
    rows = re.findall(r'^\| (\d+) [^|]*\| ([^|]*) \|$', table, flags=re.M)
    wrong = [] if [int(number) for number, _ in rows] == list(range(1, 18)) else ['not all vectors have a row']
    for _, tests in rows:
        for file, name in (test.split('/') for test in tests.split(', ')):
            source = text(f'tests/unit/machine/{file}.c')
            if f'.name = "{name}"' not in source and f'"/machine/{file}/{name}"' not in source:
                wrong.append(f'there is no test {file}/{name}')
    return wrong


def nothing_names_this_machine():
    local = re.compile(r'/work/|/root/|/home/\w|/tmp/')
    return [f'{name}: {match[0]}' for name in FILES if name.endswith(
        ('.c', '.h', '.def', '.py', '.md', '.build', '.cat', '.litmus', 'bootstrap', 'run', 'promote'))
        and not name.startswith('tests/shape') for match in local.finditer(text(name))]


def the_library_has_no_mutable_globals():
    wrong = []
    for archive in sorted(BUILD.glob('*/lib*.a')):
        table = subprocess.run(['objdump', '-t', archive], capture_output=True, text=True).stdout
        wrong += [f'{archive.name}: {line.split()[-1]}' for line in table.splitlines()
                  if re.search(r'\bO \.(data|bss)\b(?!\.rel\.ro)', line)]
    return wrong


def is_plain_build():
    options = BUILD and (BUILD / 'meson-info' / 'intro-buildoptions.json')
    return options and options.exists() and re.search(
        r'"name":\s*"b_sanitize",[^{}]*?"value":\s*"none"|"value":\s*"none"[^{}]*?"name":\s*"b_sanitize"',
        options.read_text()) is not None


def long_tests_run_only_when_asked_for():
    """A suite that is named on the command line brings in its tests, those of the suite 'full' too."""
    tests = json.loads((BUILD / 'meson-info' / 'intro-tests.json').read_text())
    suites = {test['name']: [suite.split(':')[-1] for suite in test['suite']] for test in tests}
    listed = subprocess.run(['meson', 'test', '--no-rebuild', '-C', BUILD, '--list'], capture_output=True, text=True).stdout
    named = {line.split(' / ')[-1] for line in listed.splitlines()}
    return ([f'{name} is in {", ".join(of)}' for name, of in suites.items() if 'full' in of and of != ['full']] +
            [f'{name} runs without a suite named' for name, of in suites.items() if 'full' in of and name in named] +
            ([] if any('full' in of for of in suites.values()) else ['no test is in the suite full']))


CHECKS = [
    includes_go_down, z3_stays_in_the_solver, the_library_neither_prints_nor_exits, numbers_are_read_in_one_place,
    arrays_are_sorted_in_one_place, files_are_short,
    headers_are_guarded_by_their_path, files_name_their_licence, no_notes_to_self,
    the_map_lists_every_file_once, diagnostics_are_unique_and_documented, base_names_are_documented,
    diagnostics_are_used, dependencies_are_found_and_explained,
    options_are_documented, vectors_have_their_tests, nothing_names_this_machine,
]


def main():
    checks = CHECKS + ([long_tests_run_only_when_asked_for] if BUILD else [])
    checks += [the_library_has_no_mutable_globals] if is_plain_build() else []
    print(f'TAP version 13\n1..{len(checks)}')
    for number, check in enumerate(checks, 1):
        wrong = check()
        print(f'{"not ok" if wrong else "ok"} {number} {check.__name__.replace("_", " ")}')
        for line in wrong:
            print(f'# {line}')


main()
