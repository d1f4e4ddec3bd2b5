#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the architecture, read from the sources: who includes whom, who may print, how long files
are, whether docs/diagnostics.md tells the truth. Prints TAP.

usage: shape.py ROOT [BUILD]"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
BUILD = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
LONGEST_FILE = 800

# The layers: for each folder those whose headers its files may include, besides its own, or single headers. In litmus,
# model and cli no folder reaches itself again.
LAYERS = {
    'litmus/base': ''.split(),
    'litmus/isa': ''.split(),
    'litmus/progress': 'litmus/base'.split(),
    'litmus/test': 'litmus/base litmus/isa'.split(),
    'litmus/check': 'litmus/base litmus/isa litmus/test'.split(),
    'litmus/edit': 'litmus/base litmus/isa litmus/test'.split(),
    'litmus/rewrite': 'litmus/base litmus/cpp litmus/edit litmus/isa litmus/test'.split(),
    'litmus/print': 'litmus/base litmus/isa litmus/test'.split(),
    'litmus/generate': 'litmus/base litmus/isa'.split(),
    'litmus/parse': 'litmus/base litmus/isa litmus/test'.split(),
    'litmus/cpp': 'litmus/base litmus/isa litmus/test'.split(),
    'litmus/host': 'litmus/base litmus/cpp litmus/isa litmus/parse litmus/test'.split(),
    'litmus/mapping': 'litmus/base litmus/isa litmus/test'.split(),
    'litmus/decode': 'litmus/base litmus/parse'.split(),
    'litmus/random': 'litmus/base'.split(),
    'litmus/read': 'litmus/base litmus/check litmus/cpp litmus/decode litmus/host litmus/parse litmus/progress litmus/test'.split(),
    'model/bounded': 'litmus/base litmus/isa litmus/mapping'.split(),
    'model/cat': 'litmus/base'.split(),
    'model/value': 'litmus/base'.split(),
    'model/graph': 'litmus/base litmus/isa litmus/test model/value'.split(),
    'model/unfold/builder': 'litmus/base litmus/test model/graph'.split(),
    'model/unfold/step': 'litmus/base litmus/isa litmus/test model/graph model/unfold/builder'.split(),
    'model/unfold/thread': 'litmus/base litmus/isa litmus/test model/graph model/unfold/builder model/unfold/step model/value'.split(),
    'model/unfold/freeze': 'litmus/base litmus/test model/graph model/unfold/builder model/unfold/step model/value'.split(),
    'model/host': 'litmus/base litmus/test model/graph model/unfold/freeze model/unfold/step model/unfold/thread'.split(),
    'model/unfold': 'litmus/base litmus/test model/graph model/host model/unfold/builder model/unfold/freeze model/unfold/thread model/value'.split(),
    'model/execution': 'litmus/base litmus/print litmus/test model/graph model/value'.split(),
    'model/relation': 'litmus/base model/execution model/graph model/value'.split(),
    'model/models': 'litmus/base model/cat model/graph'.split(),
    'model/direct': 'litmus/base litmus/generate model/cat model/relation'.split(),
    'model/theory': 'litmus/base model/cat model/execution model/relation model/value'.split(),
    'model/near': 'litmus/base model/cat model/execution model/graph model/theory'.split(),
    'model/judge': 'litmus/isa model/cat model/execution model/graph'.split(),
    'model/brute': 'litmus/base model/cat model/execution model/graph model/judge model/models'.split(),
    'model/machine/alu': 'litmus/test'.split(),
    'model/machine/program': 'litmus/base litmus/test model/machine/alu'.split(),
    'model/machine/core': 'litmus/base litmus/isa litmus/test model/execution model/machine/program'.split(),
    'model/machine/api': 'litmus/test model/machine/core'.split(),
    'model/machine/race': 'litmus/base litmus/test model/machine/core'.split(),
    'model/machine/memory': 'litmus/base model/machine/core model/machine/race'.split(),
    'model/machine/memory/weak': (
        'litmus/base model/machine/alu model/machine/api model/machine/core').split(),
    'model/machine/sync': 'model/machine/api model/machine/core'.split(),
    'model/machine/step': (
        'litmus/base litmus/test model/machine/api model/machine/core model/machine/memory/weak model/machine/sync').split(),
    'model/machine/setup': 'litmus/test model/machine/api model/machine/core model/machine/step'.split(),
    'model/machine/search': (
        'litmus/base litmus/progress model/execution model/machine/api model/machine/core model/machine/memory/weak '
        'model/machine/setup model/machine/step model/machine/sync').split(),
    'model/machine/kernel': (
        'litmus/base litmus/test model/machine/core model/machine/memory model/machine/race '
        'model/machine/search model/machine/setup model/machine/step model/machine/sync').split(),
    'solver/sat': 'litmus/base'.split(),
    'solver/session': 'model/cat model/execution model/theory solver/sat'.split(),
    'solver/encode': 'model/execution model/graph model/theory model/value solver/session'.split(),
    'solver/search': 'litmus/base model/graph model/judge model/models model/theory solver/encode solver/session'.split(),
    'solver/answer': 'litmus/progress model/execution model/models model/theory solver/encode solver/search solver/session'.split(),
    'solver/repair': 'litmus/base'.split(),
    'solver': 'model/theory solver/answer solver/session'.split(),
    'cli/options': 'litmus/base'.split(),
    'cli/answer': (
        'cli/options/settings.h litmus/base litmus/check litmus/isa litmus/mapping litmus/progress litmus/read litmus/print litmus/test model/cat model/execution model/graph '
        'model/machine/memory model/machine/memory/weak model/machine/search model/machine/setup model/models model/near model/relation model/theory '
        'model/unfold model/value solver').split(),
    'cli/answer/why': (
        'cli/answer cli/options/settings.h litmus/base litmus/isa litmus/mapping litmus/rewrite litmus/test model/cat model/execution model/graph model/models model/near model/theory').split(),
    'cli/show': (
        'cli/answer cli/options litmus/base model/execution model/machine/core model/machine/search').split(),
    'cli/show/picture': 'cli/answer cli/answer/why cli/show litmus/base litmus/test model/machine/api model/machine/core model/theory'.split(),
    'cli/work': 'cli/answer cli/options cli/show litmus/base litmus/read model/cat model/models'.split(),
    'cli/repair': (
        'cli/answer cli/answer/why cli/options cli/show cli/work litmus/base litmus/edit litmus/rewrite litmus/test solver/repair model/brute model/execution model/machine/memory model/machine/memory/weak model/machine/race model/machine/search model/machine/setup model/models').split(),
    'cli/report': (
        'cli/answer cli/answer/why cli/options cli/show cli/show/picture cli/work litmus/base litmus/print litmus/test model/cat model/judge model/models').split(),
    'cli/emit': 'cli/answer cli/show cli/work litmus/print litmus/test model/execution'.split(),
    'cli/campaign': (
        'cli/answer cli/answer/why cli/emit cli/options cli/repair cli/show cli/work litmus/base litmus/print litmus/test').split(),
    'cli/editor': (
        'cli/answer cli/options/settings.h cli/show litmus/base litmus/isa litmus/test model/cat model/graph model/models model/relation').split(),
    'cli/lsp': 'cli/answer cli/editor cli/options cli/options/settings.h cli/show cli/work litmus/base'.split(),
    'cli/serve': (
        'cli/answer cli/answer/why cli/editor cli/options cli/show cli/show/picture cli/work litmus/base '
        'model/machine/memory/weak model/machine/setup model/models').split(),
    'cli/command': (
        'cli/answer cli/answer/why cli/campaign cli/emit cli/lsp cli/options cli/repair cli/report cli/serve cli/show cli/show/picture cli/work litmus/base litmus/generate litmus/mapping litmus/progress litmus/random litmus/read model/bounded model/direct '
        'litmus/print litmus/test model/machine/alu model/machine/core model/machine/kernel model/machine/memory '
        'model/machine/memory/weak model/machine/race model/machine/search model/machine/setup model/models').split(),
    'cli': 'cli/command cli/options cli/show'.split(),
    'cli/library': 'cli/answer cli/answer/why cli/options litmus/base model/models'.split(),
    'cli/pages': 'cli/options cli/show litmus/base'.split(),
}
BUILD_TOOLS = {'litmus/base/embed.c'}  # run while building, no part of the library
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


def folder_of(name):
    return name.rpartition('/')[0]


def room_of(name):
    """The top-level folder of a source of the product; 'cli/library' is a room of its own."""
    if name.startswith('cli/library/'):
        return 'cli/library'
    room = name.split('/')[0]
    return room if room in ('litmus', 'model', 'solver', 'cli') else None


def sources(*suffixes):
    return [name for name in FILES if name.endswith(suffixes or ('.c', '.h', '.def')) and room_of(name)]


def includes_go_down():
    wrong = []
    for name in sources():
        folder = folder_of(name)
        if folder not in LAYERS:
            wrong.append(f'{folder} is not among the layers')
            continue
        for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text(name), flags=re.M):
            if included.endswith('.inc'):
                continue  # made while building, from a file of the same room
            if not (ROOT / included).exists():
                wrong.append(f'{name} includes "{included}", which is not written from the root')
            elif folder_of(included) != folder and not {folder_of(included), included} & set(LAYERS[folder]):
                wrong.append(f'{name} includes "{included}"')
    return wrong


def layers_have_a_bottom():
    """Who includes whom has no circle."""
    left = {folder: {folder_of(below) if below.endswith('.h') else below for below in LAYERS[folder]} for folder in LAYERS}
    while True:
        done = {folder for folder in left if not left[folder]}
        if not done:
            return [f'{folder} is part of a circle: {", ".join(sorted(left[folder]))}' for folder in sorted(left)]
        left = {folder: below - done for folder, below in left.items() if folder not in done}


def folders_say_what_they_are():
    wrong = []
    for folder in sorted({folder_of(name) for name in FILES if room_of(name)} | {'litmus', 'model', 'solver', 'cli', 'tests', 'docs'}):
        if folder.startswith(('litmus/corpus/', 'model/models/library')):
            continue
        if f'{folder}/README.md' not in FILES:
            wrong.append(f'{folder} has no README.md')
            continue
        paragraphs = [one for one in text(f'{folder}/README.md').split('\n\n') if one.strip() and not one.startswith('#')]
        wrong += [] if len(paragraphs) == 1 else [f'{folder}/README.md has {len(paragraphs)} paragraphs and not one']
    return wrong


def layout_is_that_of_clang_format():
    names = [name for name in FILES if name.endswith(('.c', '.h')) and not name.startswith('tests/golden')]
    out = subprocess.run(['clang-format', '--dry-run', *names], cwd=ROOT, capture_output=True, text=True)
    return [line for line in out.stderr.splitlines() if 'clang-format-violations' in line][:20]


def z3_stays_in_the_solver():
    return [name for name in FILES if name.endswith(('.c', '.h'))
            and re.search(r'#\s*include\s*<z3', text(name)) and not name.startswith('solver/')]


def the_library_neither_prints_nor_exits():
    wrong = []
    for name in sources('.c'):
        if room_of(name) == 'cli' and not name.startswith('cli/answer/') or name in BUILD_TOOLS:
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


def tags_name_one_type():
    """No struct, union or enumeration of the product is called as one of another file is."""
    places = {}
    for name in sources():
        for tag in re.findall(r'^\s*(?:typedef\s+|static\s+|const\s+)*(?:struct|union|enum)\s+(\w+)\s*\{', code(name), re.M):
            places.setdefault(tag, {})[name] = True
    return [f"'{tag}' stands in {' and in '.join(names)}" for tag, names in sorted(places.items()) if len(names) > 1]


def files_name_their_licence():
    return [name for name in FILES if name.endswith(('.c', '.h', '.def', '.py', '.cat', 'meson.build'))
            and not name.startswith('tests/golden') and not name.startswith('tests/errors')
            and 'SPDX-License-Identifier: MIT' not in text(name)[:400]]


def no_notes_to_self():
    marks = re.compile(r'\b(TODO|FIXME|XXX|HACK)\b')
    return [f'{name}: {match[0]}' for name in FILES if name.endswith(('.c', '.h', '.def'))
            for match in marks.finditer(text(name))]


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


def rows_of_words_have_no_order():
    """Nothing relies on which row of the tables of litmus/isa comes first; scopes alone are ordered, by what they contain."""
    ranges = re.compile(r'(?<![<>])[<>]=?\s*(?:OP|TYPE|SEM|SPACE|PROXY|ATOM|CMP|BOOL|GROUP|SPECIAL)_(?!COUNT\b)[A-Z]\w*'
                        r'|\b(?:OP|TYPE|SEM|SPACE|PROXY|ATOM|CMP|BOOL|GROUP|SPECIAL)_(?!COUNT\b)[A-Z]\w*\s*[<>](?![<>])')
    return [f'{name}: {match[0]}' for name in sources() for match in ranges.finditer(code(name))]


def pages_are_as_their_tables_say():
    ran = subprocess.run([sys.executable, ROOT / 'tests/shape/pages.py', ROOT, 'check'], capture_output=True, text=True)
    return [line for line in (ran.stdout + ran.stderr).splitlines() if line]


def base_names_are_documented():
    rows = re.findall(r'^BASE(?:SET|EDGES|REL)\((\w+), .*?"([^"]*)"\)$', text('model/graph/base.def'), flags=re.M)
    count = len(re.findall(r'^BASE\w+\(', text('model/graph/base.def'), flags=re.M))
    page = text('docs/cat-language.md')
    wrong = [] if count == len(rows) else [f'{count - len(rows)} rows of base.def are not understood']
    return wrong + [f'{name} is not in docs/cat-language.md as base.def explains it' for name, meaning in rows
                    if not re.search(rf'^\| `{name}` \|.*\| {re.escape(meaning.replace("|", chr(92) + "|"))} \|$', page,
                                     flags=re.M)]


def calls_are_documented():
    """docs/host-programs.md has a row for every row of host_call.def, in its order, and no other."""
    words = dict(re.findall(r"^(?:OBJECT|ARGUMENT)\('(.)',.*?\"([^\"]*)\"\)$", text('litmus/test/host_argument.def'), flags=re.M))
    row = re.compile(r'^CALL\("([^"]+)", (?:"([^"]*)"|NULL), (\w+), \w+, \w+, (\w+), (\w+), "([^"]+)"\)$', flags=re.M)
    captured = {'NOTHING': '—', 'NODE': 'a node', 'EDGE': 'an edge', 'ERROR': 'an error'}
    returns = {'AT_ONCE': 'at once', 'STAGED': 'at once, but for host memory', 'WHEN_DONE': 'when done'}
    rows = row.findall(text('litmus/test/host_call.def'))
    count = len(re.findall(r'^CALL\(', text('litmus/test/host_call.def'), flags=re.M))
    wrong = [] if count == len(rows) else [f'{count - len(rows)} rows of host_call.def are not understood']
    want = []
    for name, arguments, kind, capture, end, meaning in rows:
        needed, *optional = (', '.join(words[letter] for letter in part) for part in arguments.split('?'))
        optional = f'[, {optional[0]}]' if optional else ''
        call = f'`{name}({needed}{optional})`' if name.startswith('cu') else name
        want.append(f'| {call} | {kind.lower()} | {captured[capture]} | {returns[end]} | {meaning} |')
    table = re.search(r'^\| call \| class \|.*\n\|[-|]+\n((?:\|.*\n)*)', text('docs/host-programs.md'), flags=re.M)
    there = table[1].splitlines() if table else []
    wrong += [f'docs/host-programs.md lacks: {line}' for line in want if line not in there]
    wrong += [f'host_call.def does not say: {line}' for line in there if line not in want]
    return wrong or ([] if there == want else ['docs/host-programs.md lists the calls in another order'])


def calls_of_the_runtime_are_listed():
    """Each function of cuda_runtime_api.h is modelled (host_call.def), or refused or irrelevant (host_other.def)."""
    header = text('tests/shape/cuda-13.0-runtime.names').split()
    modelled = set(re.findall(r'^CALL\("(cuda\w+)"', text('litmus/test/host_call.def'), flags=re.M))
    other = re.findall(r'^(?:OTHER\("(?=\w+", (?:WORK|NOTHING))|READ\(")(\w+)", .*"\)$', text('litmus/test/host_other.def'), flags=re.M)
    return ([f'neither host_call.def nor host_other.def has {name}' for name in header if name not in modelled and name not in other] +
            [f'host_other.def has {name} twice' for name in sorted({name for name in other if other.count(name) > 1})] +
            [f'cuda_runtime_api.h has no {name}' for name in other if name not in header])


def diagnostics_are_used():
    words = {word for name in FILES if name.endswith(('.c', '.h')) or (name.endswith('.def') and not name.endswith('diag.def'))
             for word in re.findall(r'\w+', text(name))}
    return [f'nothing reports {name} ({code})' for name, code, _, _ in rows_of_diagnostics()
            if not {name, f'DIAG_{name}'} & words]


def options_are_documented():
    page = text('docs/commands.md')
    options = re.findall(r'^(?:OPTION|SETTING)\(\w+, \w+, \S+ "([^"]+)"', text('cli/options/options.def'), flags=re.M)
    commands = re.findall(r'^COMMAND\(\w+, "([^"]+)",', text('cli/options/commands.def'), flags=re.M)
    words = re.findall(r'^EXPECT(?:_NAME)?\("([^"]+)"', text('cli/answer/expect.def'), flags=re.M)
    help_of_reading = re.search(r'^SETTING\(LIST, reading,.*\n(.*)', text('cli/options/options.def'), flags=re.M)[1]
    readings = re.findall(r'^READING\(\w+, "([^"]+)"', text('litmus/test/reading.def'), flags=re.M)
    return ([f'ptxlit --help does not name the reading {name}' for name in readings if name not in help_of_reading] +
            [f'--{name}' for name in options if f'`--{name}' not in page] +
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
    local = re.compile(r'(?<!\w)(/work/|/root/|/home/\w|/tmp/)')
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


def files_of_cli_call_down():
    """No two files of the command line use each other's functions, by however many steps."""
    needs, makes = {}, {}
    objects = sorted(BUILD.glob('cli/**/*.o'))
    for line in subprocess.run(['nm', '-A', *objects], capture_output=True, text=True).stdout.splitlines():
        name = pathlib.Path(line.rpartition(':')[0]).name
        kind, symbol = line.split()[-2:]
        if kind == 'U':
            needs.setdefault(name, set()).add(symbol)
        elif kind in 'TDBR':
            makes[symbol] = name
    left = {name: {makes[symbol] for symbol in needs[name] if makes.get(symbol, name) != name} for name in needs}
    while True:
        done = {name for name in left if not left[name] & set(left)}
        if not done:
            return [f'{name} is part of a circle: {", ".join(sorted(left[name] & set(left)))}' for name in sorted(left)]
        left = {name: below for name, below in left.items() if name not in done}


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
    headers_are_guarded_by_their_path, tags_name_one_type, files_name_their_licence, no_notes_to_self,
    layers_have_a_bottom, folders_say_what_they_are, diagnostics_are_unique_and_documented, base_names_are_documented,
    calls_are_documented, calls_of_the_runtime_are_listed, pages_are_as_their_tables_say, rows_of_words_have_no_order,
    diagnostics_are_used, dependencies_are_found_and_explained,
    options_are_documented, vectors_have_their_tests, nothing_names_this_machine, layout_is_that_of_clang_format,
]


def main():
    checks = CHECKS + ([long_tests_run_only_when_asked_for] if BUILD else [])
    checks += [the_library_has_no_mutable_globals, files_of_cli_call_down] if is_plain_build() else []
    print(f'TAP version 13\n1..{len(checks)}')
    for number, check in enumerate(checks, 1):
        if check is layout_is_that_of_clang_format and not shutil.which('clang-format'):
            print(f'ok {number} {check.__name__.replace("_", " ")} # SKIP clang-format is not installed')
            continue
        wrong = check()
        print(f'{"not ok" if wrong else "ok"} {number} {check.__name__.replace("_", " ")}')
        for line in wrong:
            print(f'# {line}')


main()
