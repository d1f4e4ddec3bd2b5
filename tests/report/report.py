#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""'ptxlit report': its three files agree with each other and with docs/report.schema.json, do not depend on the
number of jobs, and show what changed. Prints TAP.

usage: report.py ROOT PTXLIT"""
import html.parser
import json
import os
import re
import subprocess
import xml.etree.ElementTree as xml

from tools import CORPUS, PTXLIT, ROOT, differences, load, main, report, sections

SCHEMA = json.loads((ROOT / 'docs/report.schema.json').read_text())
# Their expectations cite every kind of source that has a page, and some that have none.
TESTS = ['litmus/corpus/mp', 'litmus/corpus/sb', 'litmus/corpus/barriers/mp+alias.litmus', 'litmus/corpus/rwc/rwc+fence.sc.litmus', 'litmus/corpus/observation/chain+own-release.litmus',
         'litmus/corpus/host/host-node-set.litmus', 'litmus/corpus/host/a13-wrong-stream.litmus', 'tests/golden/expectation.litmus', 'tests/errors/bad_number.litmus']
VOID = {'meta', 'link', 'input', 'br', 'col'}


def breaks(value, schema, where='$'):
    """What of the value breaks the schema: the words of JSON Schema that report.schema.json uses."""
    known = {'$schema', 'title', 'description', 'type', 'required', 'properties', 'items', 'enum', 'minimum'}
    assert set(schema) <= known, set(schema) - known
    types = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None), 'integer': int,
             'number': (int, float)}
    names = schema.get('type', [])
    names = [names] if isinstance(names, str) else names
    if names and not any(isinstance(value, types[name]) and (name == 'boolean' or not isinstance(value, bool)) for name in names):
        return [f'{where}: {value!r} is no {names}']
    found = [f'{where}: {value!r}'] if 'enum' in schema and value not in schema['enum'] else []
    if isinstance(value, dict):
        found += [f'{where}.{key} is missing' for key in schema.get('required', []) if key not in value]
        for key, item in value.items():
            found += breaks(item, schema.get('properties', {}).get(key, {}), f'{where}.{key}')
    if isinstance(value, list):
        for index, item in enumerate(value):
            found += breaks(item, schema.get('items', {}), f'{where}[{index}]')
    return found


class Page(html.parser.HTMLParser):
    """Finds elements that are not closed and links that lead nowhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.ids, self.links = [], [], set(), []
        self.feed(text)
        self.wrong += [f'<{tag}> is not closed' for tag in self.open]
        self.wrong += [f'{link} leads nowhere' for link in self.links if link[1:] not in self.ids and not link.startswith('#test=')]

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.wrong += [f'two elements are called {of["id"]}'] if of.get('id') in self.ids - {None} else []
        self.ids.add(of.get('id'))
        if tag == 'a' and of.get('href', '').startswith('#'):
            self.links.append(of['href'])
        if tag not in VOID:
            self.open.append(tag)
        if re.match(r'(https?:)?//', of.get('src', of.get('href', ''))) and tag != 'a':
            self.wrong.append(f'<{tag}> loads from a network')

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f'</{tag}> closes nothing')


def three_files(scratch):
    out = scratch / 'a'
    ran = report(out, '--executor', *TESTS)
    data, junit, page = load(out), xml.parse(out / 'junit.xml').getroot()[0], (out / 'index.html').read_text()
    each = sections(out)
    wrong = breaks(data, SCHEMA) + Page(page).wrong + [fault for html in each for fault in Page(html).wrong]
    manual = 'https://docs.nvidia.com/cuda/parallel-thread-execution/'
    known = {'PTX': manual, 'ptx-model.md 4.6': manual + '#causality-order',
             'ptx-model.md row': manual + '#memory-consistency-model', 'cuda-api-sync.md 7': 'https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-graphs',
             'cuda-api-sync.md A': 'https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html'}
    seen = set()
    for html, test in zip(each, data['tests']):
        source = (test.get('expected') or {}).get('source') or ''
        link = next((url for begin, url in known.items() if source.startswith(begin)), None)
        if source and (f'<a href="{link}">' in html) != bool(link):
            wrong.append(f'{test["test"]}: the source {source!r} and its link')
        seen.add(next((begin for begin in known if source.startswith(begin)), None))
    wrong += [f'no test cites {begin}' for begin in known if begin not in seen]
    wrong += [f'section {number} is not of {test["test"]}' for number, (html, test) in enumerate(zip(each, data['tests']))
              if f'<h3>{test["test"] or test["file"]}</h3>' not in html]
    count = sum(len(list((ROOT / path).glob('*.litmus'))) if (ROOT / path).is_dir() else 1 for path in TESTS)
    for what, found in {'report.json': len(data['tests']), 'junit.xml': int(junit.get('tests')),
                        'cases': len(junit.findall('testcase')), 'sections': len(each)}.items():
        if found != count:
            wrong.append(f'{what} has {found} of {count} tests')
    if ran.returncode != 2 or data['summary']['errors'] != len(junit.findall('testcase/error')):
        wrong.append(f'status {ran.returncode}, {data["summary"]}')
    if not any(state['allowed'] and state['reached'] for test in data['tests'] for state in test.get('state_list', [])):
        wrong.append('no state is marked as reached')
    if data['sentence'] not in page or data['sentence'] not in ran.stdout:
        wrong.append('the page or the output does not say the sentence')
    return wrong


def jobs(scratch):
    for number in ('1', '3'):
        report(scratch / number, '--executor', '-j', number, *TESTS)
    return differences(scratch / '1', scratch / '3')


# What the schema of Jenkins' xUnit plugin (junit-10.xsd) knows, as far as it is used here: the attributes that must
# be, those that may be, the elements inside.
JUNIT = {
    'testsuites': (set(), {'name', 'tests', 'failures', 'errors', 'time'}, {'testsuite'}),
    'testsuite': ({'name', 'tests', 'failures', 'errors'}, {'skipped', 'time'}, {'testcase'}),
    'testcase': ({'name'}, {'classname', 'time'}, {'failure', 'error', 'skipped'}),
    'failure': (set(), {'type', 'message'}, set()),
    'error': (set(), {'type', 'message'}, set()),
    'skipped': (set(), {'type', 'message'}, set()),
}


def junit_readers(scratch):
    """Names and texts that XML cannot hold as they are, and every outcome."""
    strange = scratch / 'tests/<&"\x01\x1b\uffff\x7f é>'
    strange.mkdir(parents=True)
    right = (CORPUS / 'mp/mp+rel+acq.litmus').read_text()
    (strange / 'no\x02test.litmus').write_text('PTX \x03<&>"\n')
    (strange / 'missed.litmus').write_text(right.replace('"expect ptx: forbidden', '"expect ptx: allowed'))
    (strange / 'met.litmus').write_text(right)
    report(scratch / 'out', '--states', '1', scratch / 'tests')
    root = xml.parse(scratch / 'out/junit.xml').getroot()
    wrong = [] if root.tag == 'testsuites' else [f'the root is <{root.tag}>']
    for element in root.iter():
        must, may, inside = JUNIT[element.tag]
        given = set(element.keys())
        wrong += [f'<{element.tag}> has {given}'] if not must <= given <= must | may else []
        wrong += [f'<{part.tag}> in <{element.tag}>' for part in element if part.tag not in inside]
        if 'time' in given and not re.fullmatch(r'\d{1,3}\.\d{3}', element.get('time')):
            wrong.append(f'time {element.get("time")!r}')
    counts = {'tests': './/testcase', 'failures': './/failure', 'errors': './/error'}
    for suite in (root, root[0]):
        wrong += [f'{key} is {suite.get(key)}' for key, path in counts.items() if int(suite.get(key)) != len(suite.findall(path))]
    if [len(root.findall(f'.//{outcome}')) for outcome in ('failure', 'error')] != [1, 1]:
        wrong.append('not one failure and one error')
    return wrong


def failure(scratch):
    """A test that expects what is not so, and one whose expectation is met."""
    right = CORPUS / 'mp/mp+rel+acq.litmus'
    wrong = scratch / 'wrong.litmus'
    wrong.write_text(right.read_text().replace('"expect ptx: forbidden', '"expect ptx: allowed'))
    ran = report(scratch / 'failing', right, wrong)
    data = load(scratch / 'failing')
    cases = xml.parse(scratch / 'failing/junit.xml').getroot()[0].findall('testcase/failure')
    good = ran.returncode == 1 and len(cases) == 1 and data['summary']['missed'] == data['summary']['met'] == 1
    return [] if good else [f'status {ran.returncode}: {data["summary"]}']


def a_gpu_and_undefined_behaviour(scratch):
    """Where behaviour is undefined, no state that a GPU shows contradicts the model. A test in C++, which the executor does not run, is
    no error."""
    undefined = CORPUS / 'undefined/wild-index-of-a-thread.litmus'
    seen = scratch / 'seen.jsonl'
    seen.write_text(json.dumps({'file': undefined.name, 'test': undefined.stem, 'state': {'a[0]': 1, 'a[1]': 1}, 'count': 5}) + '\n')
    ran = report(scratch, '--executor', '--hardware', seen, undefined, CORPUS / 'cpp/mp+rel+acq.litmus')
    page = (scratch / 'index.html').read_text()
    wrong = [] if ran.returncode == 0 and not ran.stderr else [f'status {ran.returncode}: {ran.stderr}']
    test = next(test for test in load(scratch)['tests'] if test['test'] == undefined.stem)
    wrong += [f'{test["hardware"]}'] if test['hardware']['not_allowed'] or test['hardware']['seen'] != 1 else []
    return wrong + Page(page).wrong


def a_gpu_and_what_is_forbidden(scratch):
    """How often, how fast, what was never seen, on which machine, and the machine code where a forbidden state was seen."""
    name = 'mid+fence.cta+acq_rel.gpu'
    seen, sass = scratch / 'seen.jsonl', scratch / 'sass.txt'
    this = {'file': f'{name}.litmus', 'test': name}
    lines = [{'device': 'A GPU', 'compute': '9.0', 'driver': '13.0', 'compiler': 'nvcc 13.0', 'seed': 1, 'date': '2026-11-24T20:22:26Z'},
             {**this, 'state': {'2:r1': 2, '2:r2': 0}, 'count': 1280}, {**this, 'state': {'2:r1': 0, '2:r2': 0}, 'count': 998720},
             {**this, 'runs': 1000000, 'asked': 1280, 'seconds': 0.5, 'ended': 'runs'}]
    seen.write_text(''.join(json.dumps(line) + '\n' for line in lines))
    sass.write_text('Function : _Z40test_mid_load_release_00000000N7litmus9argumentsE\n  /*0000*/ NOP ; /* 0x1 */\n'
                    'Function : _Z49test_mid_fence_cta_acq_rel_gpu_1b2c3d4eN7litmus9argumentsE\n  /*0000*/  MEMBAR.ALL.GPU ;  /* 0x2 */\n')
    ran = report(scratch, '--hardware', seen, '--sass', sass, CORPUS / f'silicon/{name}.litmus', CORPUS / 'mp/mp+weak.litmus')
    data, page = load(scratch), sections(scratch)
    test, other = (next(test for test in data['tests'] if test['test'] == which) for which in (name, 'mp+weak'))
    gpu = {'runs': 1000000, 'asked': 1280, 'seconds': 0.5, 'seen': 2, 'never_seen': 4, 'not_allowed': 1, 'unspecified': 0}
    wrong = [] if ran.returncode == 1 and not ran.stderr else [f'status {ran.returncode}: {ran.stderr}']
    wrong += [f'{test["hardware"]}, {other["hardware"]}'] if test['hardware'] != gpu or other['hardware'] is not None else []
    wrong += [f'{test.get("sass")}'] if test.get('sass') != 'MEMBAR.ALL.GPU ;\n' or 'sass' in other else []
    times = {state['state']: state['times'] for state in test['state_list']}
    wrong += [f'{times}'] if sorted(times.values()) != [0, 0, 0, 0, 1280, 998720] else []
    wrong += [f'{data["made"]}'] if [origin['device'] for origin in data['made']['hardware']] != ['A GPU'] else []
    wrong += [f'no {words!r}' for words in ('1,000,000 runs in 0.50 s (2 million a second)', '1,280 times', 'never', 'MEMBAR.ALL.GPU')
              if not any(words in html for html in page)]
    wrong += [] if 'seen on A GPU' in (scratch / 'index.html').read_text() else ['the page does not name the machine']
    return wrong + breaks(data, SCHEMA)


def a_program_and_its_machine_code(scratch):
    """Of a program that nvcc made, 'cuobjdump -sass' is asked; a tool that fails, or is not there, is said."""
    seen, program, tool = scratch / 'seen.jsonl', scratch / 'tests', scratch / 'cuobjdump'
    this = {'file': 'mp+rel+acq.litmus', 'test': 'mp+rel+acq'}
    seen.write_text(json.dumps({**this, 'state': {'1:r1': 1, '1:r2': 0}, 'count': 3}) + '\n')
    program.write_bytes(b'\177ELF program')
    tool.write_text('#!/bin/sh\n[ "$1" = -sass ] && [ "$2" = "' + str(program) + '" ] || exit 1\necho "Fatbin elf code:"\n'
                    'echo "    Function : _Z40test_mp_rel_acq_0000000aN7litmus9argumentsE"\n'
                    'echo "  .headerflags @\\"EF_CUDA_SM90\\""\n'
                    'echo "    /*0000*/   @!P0 ST.E.STRONG.GPU desc[UR4][R2.64], R5 ;   /* 0x0 */"\necho "            /* 0x1 */"\n')
    tool.chmod(0o755)
    wrong = []
    for which, status, words in (tool, 1, ''), ('/bin/false', 2, 'cuobjdump refuses it'), (scratch / 'none', 2, 'No such file'):
        os.environ['CUOBJDUMP'] = str(which)
        ran = report(scratch, '--hardware', seen, '--sass', program, CORPUS / 'mp/mp+rel+acq.litmus')
        del os.environ['CUOBJDUMP']
        wrong += [] if ran.returncode == status and words in ran.stderr else [f'{which}: status {ran.returncode}: {ran.stderr}']
        if status == 1 and load(scratch)['tests'][0].get('sass') != '@!P0 ST.E.STRONG.GPU desc[UR4][R2.64], R5 ;\n':
            wrong.append(f'{load(scratch)["tests"][0].get("sass")}')
    return wrong


def a_gpu_and_the_clauses(scratch):
    """A clause is exercised once a state was seen that the model forbids without it, and questioned as long as none was."""
    test = CORPUS / 'mp/mp+fence.gpu+flag.cta.litmus'
    clause = "observation: without 'morally_strong' of '(morally_strong & rf)'"
    states, seen, wrong = [(0, 0), (0, 1), (1, 1)], scratch / 'seen.jsonl', []
    for which in ('questioned', 'exercised'):
        seen.write_text(''.join(json.dumps({'file': test.name, 'test': test.stem, 'state': {'1:r1': flag, '1:r2': data}, 'count': 5}) + '\n'
                                for flag, data in states))
        report(scratch, '--hardware', seen, '--clauses', test, CORPUS / 'mp/mp+weak.litmus')
        data = load(scratch)
        wrong += breaks(data, SCHEMA) + Page((scratch / 'index.html').read_text()).wrong
        row = [row for row in data['clauses'][which] if row['clause'] == clause]
        if [(row['tests'], row['runs'], row['state']) for row in row] != [(1, 5 * len(states), '1:r1=1; 1:r2=0;')]:
            wrong.append(f'{which}: {row}')
        if data['tests'][1]['clauses'] is not None:
            wrong.append('a test that no GPU ran')
        states.append((1, 0))
    variant = report(scratch / 'no', '--hardware', seen, '--clauses', '-m', 'ptx+older-api', test)
    return wrong + ([] if variant.returncode == 2 and '--clauses' in variant.stderr else [f'a variant: {variant.returncode}'])


def baseline(scratch):
    report(scratch / 'old', '-m', 'ptx-6.0', 'litmus/corpus/proxy', 'litmus/corpus/mp')
    report(scratch / 'new', '--baseline', scratch / 'old/report.json', 'litmus/corpus/proxy', 'litmus/corpus/sb')
    old, new = load(scratch / 'old')['tests'], load(scratch / 'new')
    verdicts = {test['file']: test['verdict'] for test in old}
    expected = {test['file'] for test in new['tests'] if verdicts.get(test['file'], test['verdict']) != test['verdict']}
    said = {change['file'] for change in new['changes'] if change['what'] == 'verdict'}
    kinds = {what: sum(change['what'] == what for change in new['changes']) for what in ('new', 'gone')}
    answers = {(change['before'], change['after']) for change in new['changes'] if change['what'] == 'answer'}
    page = (scratch / 'new/index.html').read_text()
    if ('allowed', 'forbidden') not in answers or page.find('Verdicts that changed') > page.find('New tests') or 'Tests that are gone' not in page:
        return [f'{answers}']
    good = expected == said and kinds['new'] == len(list((CORPUS / 'sb').glob('*.litmus'))) and kinds['gone']
    wrong = [] if good else [f'{expected ^ said}, {kinds}']
    return wrong + [f'{name} is taken' for name in not_taken(scratch)]


def not_taken(scratch):
    """Files that are no baseline: each is refused before a test is run."""
    whole = (scratch / 'new/report.json').read_text()
    texts = {'cut.json': whole[:len(whole) // 2], 'later.json': whole.replace('"version": 1', '"version": 2'), 'empty.json': '',
             'no-tests.json': '{"version": 1}', 'damaged.json': whole.replace('"file":', '"file"', 1), 'array.json': '[]'}
    for name, text in texts.items():
        (scratch / name).write_text(text)
        ran = report(scratch / 'refused', '--baseline', scratch / name, 'litmus/corpus/sb')
        if ran.returncode != 2 or name not in ran.stderr or (scratch / 'refused/report.json').exists():
            yield name
    if report(scratch / 'refused', '--baseline', ROOT / 'README.md', 'litmus/corpus/sb').returncode != 2:
        yield 'README.md'


def a_baseline_of_before(scratch):
    """As earlier versions wrote it: indented, the tests before other keys, and without keys that came later."""
    report(scratch / 'now', 'litmus/corpus/sb')
    data = load(scratch / 'now')
    data['tests'][0].update(verdict='fails', states=77)
    for test in data['tests']:
        del test['line'], test['race_list']
    lost = data['tests'].pop()
    data['tests'].append({**lost, 'test': 'gone [{"]}', 'file': 'gone.litmus'})
    old = scratch / 'old.json'
    old.write_text(json.dumps({'version': 1, 'tests': data['tests'], 'sentence': 'Conforms \\" ]', 'model': 'ptx'}, indent=1))
    ran = report(scratch / 'then', '--baseline', old, 'litmus/corpus/sb')
    said = [(change['test'], change['what']) for change in load(scratch / 'then')['changes']]
    first = data['tests'][0]['test']
    expected = [(first, 'verdict'), (first, 'states'), (lost['test'], 'new'), ('gone [{"]}', 'gone')]
    return [] if said == expected and ran.returncode == 0 else [f'{said}, not {expected}; {ran.stderr}']


def one_file(scratch):
    """--single-file has what the folder has, in the page; each takes the place of the other."""
    report(scratch / 'a', *TESTS)
    report(scratch / 'b', '--single-file', *TESTS)
    wrong = [] if sections(scratch / 'a') == sections(scratch / 'b') else ['the sections differ']
    wrong += Page((scratch / 'b/index.html').read_text()).wrong
    wrong += ['a folder of sections'] if (scratch / 'b/sections').exists() else []
    report(scratch / 'a', '--single-file', *TESTS)
    report(scratch / 'b', *TESTS)
    wrong += [str(path) for path in scratch.glob('*/*') if path.name.startswith(('.', 'sections.'))]
    return wrong + (['sections stay'] if (scratch / 'a/sections').exists() else []) + (
        [] if (scratch / 'b/sections/0.js').exists() else ['no sections'])


def many_scripts(scratch):
    """Sections are spread over scripts, and the table says which test begins one."""
    folder = scratch / 'tests'
    folder.mkdir()
    text = (CORPUS / 'mp/mp+rel+acq.litmus').read_text()
    for number in range(90):
        (folder / f'{number:03}.litmus').write_text(text.replace('PTX ', f'PTX {number:03}-', 1))
    report(scratch / 'out', folder)
    scripts = list((scratch / 'out/sections').glob('[0-9]*.js'))
    rows = (scratch / 'out/sections/tests.js').read_text()
    begins = [int(first) for first in re.findall(r'^report\.script\((\d+)\);$', rows, flags=re.M)]
    counted = [path.read_text().count('<h3>') for path in sorted(scripts, key=lambda path: int(path.stem))]
    expected = [sum(counted[:number]) for number in range(len(counted))]
    wrong = [] if len(scripts) > 1 and begins == expected else [f'scripts begin at {begins}, not {expected}']
    return wrong + ([] if len(sections(scratch / 'out')) == 90 else ['a section is lost'])


def shards(scratch):
    """Merged they are the whole, byte for byte; a shard that is missing is named and nothing is written."""
    folders = ['litmus/corpus/mp', 'litmus/corpus/sb', 'litmus/corpus/proxy']
    report(scratch / 'whole', '--executor', *folders)
    for number in (1, 2, 3):
        report(scratch / str(number), '--executor', '--shard', f'{number}/3', *folders)
    wrong = breaks(load(scratch / '1'), SCHEMA)

    def merge(out, *numbers):
        return subprocess.run([PTXLIT, 'merge', '-o', scratch / out, *(scratch / number / 'report.json' for number in numbers)],
                              capture_output=True, text=True)
    merge('merged', '3', '1', '2')
    wrong += differences(scratch / 'whole', scratch / 'merged')
    for number in ('1', '2', '3'):  # as an earlier version wrote them
        (scratch / f'old{number}').mkdir()
        text = re.sub(r'"place":\d+,?', '', (scratch / number / 'report.json').read_text())
        (scratch / f'old{number}/report.json').write_text(re.sub(r',}', '}', text))
    merge('of-before', 'old2', 'old3', 'old1')
    wrong += differences(scratch / 'whole', scratch / 'of-before')
    lost = merge('lost', '3', '1')
    if lost.returncode != 2 or 'shard 2/3 is missing' not in lost.stderr or (scratch / 'lost/index.html').exists():
        wrong.append(f'a missing shard: {lost.returncode}, {lost.stderr}')
    for bad in (['1', '1', '2'], ['whole'], ['1', '2', 'whole']):
        if merge('bad', *bad).returncode != 2:
            wrong.append(f'{bad} is merged')

    times = scratch / 'times.jsonl'
    times.write_text(subprocess.run([PTXLIT, 'check', '--json', *folders], capture_output=True, text=True, check=False, cwd=ROOT).stdout)
    for number in (1, 2):
        report(scratch / f'even{number}', '--executor', '--times', times, '--shard', f'{number}/2', *folders)
    merge('balanced', 'even2', 'even1')
    wrong += differences(scratch / 'whole', scratch / 'balanced')
    report(scratch / 'odd', '--executor', '--shard', '2/2', *folders)
    if merge('bad', 'even1', 'odd').returncode != 2:
        wrong.append('shards by time and by number are merged')
    wrong += [f'--shard {text} is taken' for text in ('0/3', '4/3', '3', '1/', '1/3x', '-1/3', 'a/b')
              if report(scratch / 'bad', '--shard', text, 'litmus/corpus/sb').returncode != 2]
    return wrong


def languages(scratch):
    """Tests in C++ are judged by a model of their own, which the report names, and are shown as written; a shard of theirs joins one in PTX."""
    cpp, ptx = 'litmus/corpus/cpp/sb+sc.litmus', 'litmus/corpus/sb/sb+weak.litmus'
    for name, files in {'cpp': [cpp], 'both': [cpp, ptx]}.items():
        report(scratch / name, '--no-time', *files)
    for number in ('1', '2'):
        report(scratch / number, '--no-time', '--shard', f'{number}/2', cpp, ptx)
    subprocess.run([PTXLIT, 'merge', '-o', scratch / 'merged', *(scratch / number / 'report.json' for number in ('1', '2'))], check=True, capture_output=True)
    wrong = differences(scratch / 'both', scratch / 'merged')
    alone, both = load(scratch / 'cpp'), load(scratch / 'both')
    code = [line for thread in alone['tests'][0]['program'] for line in thread['code']]
    source = (ROOT / cpp).read_text()
    wrong += [f'{line!r} is not in the source' for line in code if line not in source] + ([] if code else ['no code'])
    if alone['model'] != 'cpp' or 'the model cpp ' not in alone['sentence'] or 'the models cpp and ptx' not in both['sentence']:
        wrong.append(f'{alone["model"]}: {alone["sentence"]}; {both["sentence"]}')
    return wrong


def models_told_apart(scratch):
    """Against the two runs of check: the same tests differ, smallest first; a model is like itself."""
    def lines(*arguments):
        ran = subprocess.run([PTXLIT, *arguments, '--json', '--no-time', 'litmus/corpus/proxy', 'litmus/corpus/mp'],
                             capture_output=True, text=True, cwd=ROOT)
        return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()]

    status, told = lines('compare-models', 'ptx', 'ptx-6.0')
    states = [{(line['file'], str(line['states']), str(line['positive'])) for line in lines('check', '-m', model)[1]}
              for model in ('ptx', 'ptx-6.0')]
    counted = {file for file, *_ in states[0] ^ states[1]}
    wrong = [] if status == 1 and told else [f'status {status}, {len(told)} tests']
    wrong += [f'{file} is missing' for file in counted - {test['file'] for test in told}]
    wrong += [f'{test["file"]}: no difference' for test in told if not any(test['only']) and len(set(test['verdicts'])) == 1]
    sizes = [test['events'] for test in told]
    if sizes != sorted(sizes):
        wrong.append(f'not the smallest first: {sizes}')
    if lines('compare-models', 'ptx', 'ptx') != (0, []):
        wrong.append('ptx is not like ptx')
    return wrong + ([] if lines('compare-models', 'ptx', 'no-such-model')[0] == 2 else ['a model that is not there'])


main([three_files, jobs, junit_readers, failure, baseline, a_gpu_and_undefined_behaviour, a_gpu_and_what_is_forbidden, a_program_and_its_machine_code, a_gpu_and_the_clauses, models_told_apart, languages, shards, a_baseline_of_before, one_file, many_scripts])
