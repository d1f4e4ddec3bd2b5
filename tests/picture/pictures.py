#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures: the text for Graphviz is what it was, the SVG is well-formed, and what people look at holds:
no two events and no two labels lie on each other, threads stand side by side in the boxes of their CTA, stream and
GPU, and the edges of the cycle are bold; what is too large to be read is not drawn. Prints TAP.

usage: pictures.py TOP PTXLIT [promote]"""
import html
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

TOP, PTXLIT = pathlib.Path(sys.argv[1]), sys.argv[2]
HERE = TOP / 'tests/picture'
CORPUS = TOP / 'litmus/corpus'
TESTS = [CORPUS / 'mp/mp+rel+acq.litmus', CORPUS / '2+2w/2+2w+fence.sc.litmus', CORPUS / 'atomicity/inc+inc.litmus', CORPUS / 'iriw/iriw+fence.sc.litmus',
         CORPUS / 'kernels/lock-in-kernel+cta-release.litmus', HERE / 'eight.litmus', CORPUS / 'host/a03-event.litmus',
         CORPUS / 'host/a47-captured-fork-1.litmus', HERE / 'streams.litmus']


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
            labels[what + of['key'] if 'key' in of else what] = rectangle(of['lp'], 6.6 * len(of['label']), 12)
    return events, labels


def collisions(dot):
    events, labels = layout(dot)
    everything = [*events.items(), *labels.items()]
    return [f'{a} lies on {b}' for (a, at), (b, bt) in itertools.combinations(everything, 2) if overlap(at, bt)]


def check(test, scratch):
    dot, svg = scratch / 'a.dot', scratch / 'a.svg'
    ran = explain(test, '--dot', dot, '--svg', svg)
    if ran.returncode or ran.stderr:
        return [f'status {ran.returncode}: {ran.stderr}']
    text = dot.read_text()
    wrong = cut(svg.read_text())
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


def inside(a, b):
    return b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]


def cut(svg):
    """What the edge of the paper cuts: texts by the width of Courier, lines by their points."""
    root = xml.fromstring(svg)
    left, top, width, height = (float(part) for part in root.get('viewBox').split())
    paper, wrong = (left, top, left + width, top + height), []
    for group in root.iter('{http://www.w3.org/2000/svg}g'):
        centred = not group.get('class').startswith(('box', 'heading'))
        for part in group:
            text, of = part.text or '', part.attrib
            points = [float(number) for number in re.findall(r'-?[\d.]+', of.get('d', of.get('points', '')))]
            areas = [(x, y, x, y) for x, y in zip(points[::2], points[1::2])]
            if 'x' in of:
                x, y, wide, high = (float(of.get(key, 0)) for key in ('x', 'y', 'width', 'height'))
                wide += 6.6 * len(text)
                areas = [(x - wide / 2, y - 8, x + wide / 2, y + 3) if text and centred else (x, y - 8 * bool(text), x + wide, y + high)]
            wrong += [f'{text or of} is cut' for area in areas if not inside(area, paper)]
    return wrong


def boxes(dot):
    """A box: its name and rectangle."""
    return [(match[2].strip('"'), tuple(float(part) for part in match[1].split(',')))
            for match in re.finditer(r'subgraph cluster_\d+ \{\s*graph \[bb="([^"]*)".*?label=("[^"]*"|\S+?),', dot, flags=re.S)]


def around(dot):
    """An event, or the title of a lane, by its text: the names of the boxes around it, from outside inwards."""
    found = {}
    for what, of in statements(dot):
        if re.fullmatch(r'[et]\d+', what):
            at = rectangle(of['pos'], 72 * float(of['width']), 72 * float(of['height']))
            names = [(b[2] - b[0], name) for name, b in boxes(dot) if inside(at, b)]
            found[of['label']] = [name for _, name in sorted(names, reverse=True)]
    return found


def lanes_in_boxes(scratch):
    """Threads, tasks and hosts stand where they belong; a task in which nothing happens is one event, and calls
    that order nothing are left out."""
    dot = scratch / 'a.dot'
    explain(HERE / 'streams.litmus', '--dot', dot)
    found = around(dot.read_text())
    expected = {'H': [], 'F': [], 'K1[0,0]': ['GPU 0', 'stream s1', 'CTA 0'], 'K1[1,1]': ['GPU 0', 'stream s1', 'CTA 1'],
                'K2[0,1]': ['GPU 0', 'stream s2', 'CTA 2'], 't1: K1 at :18:3 in s1 starts': ['GPU 0', 'stream s1'],
                'v1, w1: record at :19:3 in s1': ['GPU 0', 'stream s1'], 'b2: F at :22:3 in s2 starts': ['GPU 0', 'stream s2'],
                'q1: F starts': [], 'i: return of cudaStreamSynchronize(s2)': []}
    wrong = [f'{what} stands in {found.get(what)}' for what, names in expected.items() if found.get(what) != names]
    explain(HERE / 'eight.litmus', '--dot', dot)
    eight = around(dot.read_text())
    wrong += [f'P1 stands in {eight["P1"]}'] if eight['P1'] != ['GPU 0', 'cluster 0', 'CTA 0'] else []
    return wrong + [f'{what} is drawn' for what in found if 'cudaStreamCreate' in what]


def time_runs_downwards(scratch):
    """With a host program no arrow of program order or synchronization goes up, nor stays on a row."""
    dot = scratch / 'a.dot'
    explain(HERE / 'streams.litmus', '--dot', dot)
    events, _ = layout(dot.read_text())
    wrong = []
    for what, of in statements(dot.read_text()):
        ends = re.findall(r'e\d+', what)
        if '->' in what and {'po', 'sync'} & set(of['label'].split(', ')) and events[ends[0]][1] <= events[ends[1]][1]:
            wrong.append(f'{what} ({of["label"]}) goes up')
    return wrong


def arrows_there_and_back(scratch):
    """Causality one way and from-reads the other way are two lines."""
    dot = scratch / 'a.dot'
    explain(TESTS[0], '--dot', dot)
    lines = {of['label']: [tuple(float(part) for part in point.split(',')) for point in of['pos'].split() if point[0] not in 'es']
             for what, of in statements(dot.read_text()) if '->' in what}
    there, back = lines['causality'], lines['fr'][::-1]
    least = min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in zip(there, back))
    return [] if len(there) == len(back) and least > 4 else [f'they are {least} points apart']


def too_large(scratch):
    """160 events are drawn, more are not, and it is said why."""
    wrong = []
    for count, drawn in ((150, True), (200, False)):
        test, svg = scratch / 'large.litmus', scratch / f'{count}.svg'
        half = [''.join(f' st.weak [{name}{i}], 1;\n' for i in range(count // 2)) for name in 'xy']
        test.write_text('PTX large\n{ ' + ''.join(f'{name}{i} = 0; ' for name in 'xy' for i in range(count // 2)) + '}\n'
                        + ' P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n'
                        + ''.join(f' {a.strip()[:-1]} | {b.strip()[:-1]} ;\n' for a, b in zip(*(h.splitlines() for h in half)))
                        + 'exists (x0=1)\n')
        ran = explain(test, '--svg', svg)
        if ran.returncode or svg.exists() != drawn or ('too many events' in ran.stderr) == drawn:
            wrong.append(f'{count} events: status {ran.returncode}, {ran.stderr!r}')
    return wrong


def timeline(scratch, test, *options):
    """Its run, its SVG and the texts of its steps from top to bottom, each with the lines in it."""
    svg = scratch / 'timeline.svg'
    svg.unlink(missing_ok=True)
    ran = subprocess.run([PTXLIT, 'run', '--timeline', svg, *options, test], capture_output=True, text=True, cwd=TOP)
    text = svg.read_text() if svg.exists() else ''
    steps = []
    for step in re.findall(r'<g class="event">(.*?)</g>', text):
        steps.append([html.unescape(line) for line in re.findall(r'<text[^>]*>([^<]*)', step)])
    return ran, text, steps


TIMELINES = {'mp+rel+acq': CORPUS / 'mp/mp+rel+acq.litmus', 'streams': HERE / 'streams.litmus'}


def timelines(scratch):
    """They are what they were, and no step lies on another."""
    wrong = []
    for name, test in TIMELINES.items():
        ran, text, _ = timeline(scratch, test, '--runs', '5', '--seed', '3')
        expected = HERE / f'{name}.svg'
        if sys.argv[3:] == ['promote']:
            expected.write_text(text)
        wrong += [f'{expected.name} differs'] if expected.read_text() != text or ran.returncode else []
        boxes = [[float(value) for value in re.findall(r' (?:x|y|width|height)="([-\d.]+)"', element)]
                 for element in re.findall(r'<g class="event"><rect[^>]*>', text)]
        boxes = [(x, y, x + width, y + height) for x, y, width, height in boxes]
        wrong += [f'{name}: two steps at {a}' for a, b in itertools.combinations(boxes, 2) if overlap(a, b)]
        wrong += cut(text)
    return wrong


def timeline_is_the_trace(scratch):
    """Step by step, also of the run that --until finds."""
    wrong = []
    for options in ([], ['--until', '(1:r1=1)'], ['--memory', 'sc', '--seed', '9']):
        ran, _, steps = timeline(scratch, TESTS[0], '--trace', '--runs', '50', *options)
        traced = [re.split(r'   ', line.split('  ', 3)[-1].strip()) for line in ran.stdout.split('Test ')[0].splitlines()[1:]]
        traced = [[re.sub(r'^P?\d* *\d+ +', '', part).strip() for part in step] for step in traced if step[-1].split()[-1] != 'ends']
        flat = [[word for line in step for word in line.split()] for step in steps]
        said = [[word for line in step for word in line.split()] for step in traced]
        if not steps or [step[-4:] for step in flat] != [step[-4:] for step in said]:
            wrong.append(f'{options}: {flat} and {said}')
    return wrong


def barriers_link_lanes(scratch):
    """A green arrow for each lane that waits at a barrier, on the row of the last arrival, from there or, from a lane that
    only arrives, to there; the steps of an mbarrier say what becomes of its phase."""
    wrong = []
    for name, arrows in (('barriers/arrive-then-read', 1), ('mbarrier/sb+mbarrier', 1), ('cluster/load-between-arrive-and-wait', None)):
        test = CORPUS / (name + '.litmus')
        for seed in range(1, 6):
            _, text, steps = timeline(scratch, test, '--runs', '1', '--seed', str(seed))
            rows = [float(y) for y in re.findall(r'<g class="event"><rect[^>]* y="([-\d.]+)"', text)]
            links = [[float(number) for number in re.findall(r'-?[\d.]+', line)]
                     for line in re.findall(r'<g class="synchronizes"><path d="([^"]*)"', text)]
            at = {y for y, step in zip(rows, steps) if step[0].startswith('bar')}
            on_row = [link for link in links if link[1] == link[3] and any(abs(link[1] - y - 17) < 1 for y in at)]
            wrong += [f'{name}, seed {seed}: {links}'] if arrows and len(on_row) != arrows or len(on_row) != len(links) else []
            for step in steps:
                says = {'mbarrier.try_wait': ('the phase is complete', 'the phase is not complete'), 'mbarrier.init': (None,),
                        'mbarrier.arrive': (None, 'completes the phase')}
                for begin, may in says.items():
                    if step[0].startswith(begin) and (step[1] if len(step) > 1 else None) not in may:
                        wrong.append(f'{name}, seed {seed}: {step}')
            completed = [step for step in steps if step[-1] == 'completes the phase']
            wrong += [f'{name}, seed {seed}: {len(completed)} phases'] if 'mbarrier' in name and len(completed) != 1 else []
    return wrong


def timelines_refused(scratch):
    long = scratch / 'long.litmus'
    long.write_text('PTX long\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n' + ' st.weak [x], 1 ;\n' * 400 + 'exists (x=1)\n')
    ran, text, _ = timeline(scratch, long, '--runs', '1', '--memory', 'sc')
    wrong = [] if not text and ran.returncode == 0 and 'too many steps' in ran.stderr else [f'a long run: {ran.stderr!r}']
    for what in ([TESTS[0], '--exhaustive'], [TOP / 'litmus/programs/blocksum.ptx']):
        ran, text, _ = timeline(scratch, *what)
        wrong += [f'{what} is drawn'] if text or ran.returncode != 2 or 'T012' not in ran.stderr else []
    ran, text, _ = timeline(scratch, TESTS[0], '--runs', '5', '--until', '(1:r1=7)')
    return wrong + (['a run that is not there is drawn'] if text or 'no such run' not in ran.stderr else [])


def hangs_have_no_end(scratch):
    """A run that never ends: an arrow leads back, and lines below say who stands still; of what ends there is no picture."""
    wrong, path = [], scratch / 'hang.svg'
    for test, scheduler, words in (('progress/cas-lock', 'hsa', ['again and again', 'P1 is left standing']),
                                   ('progress/sb-then-spin', 'fair', ['again and again', 'P0 goes round for ever']),
                                   ('spin/weak-flag', 'obe', ['again and again', 'P1 never starts'])):
        subprocess.run([PTXLIT, 'check', '--property', 'termination', '--progress', scheduler, '--timeline', path,
                        CORPUS / (test + '.litmus')], capture_output=True, check=False)
        text = html.unescape(path.read_text())
        wrong += [f'{test}: no "{word}"' for word in words if word not in text] + cut(text)
    ran = subprocess.run([PTXLIT, 'check', '--property', 'termination', '--timeline', path, CORPUS / 'spin/cas-lock.litmus'],
                         capture_output=True, text=True, check=False)
    return wrong if 'no run that never ends' in ran.stderr else [*wrong, ran.stderr]


def texts_of(svg):
    """What stands in the events."""
    groups = re.findall(r'<g class="(event|cycle|[a-z_]+(?: bold)?)">(.*?)</g>', svg, flags=re.S)
    lines = [(kind.split()[0], html.unescape(line)) for kind, text in groups for line in re.findall(r'<text[^>]*>([^<]*)', text)]
    return [line for kind, line in lines if kind in ('event', 'cycle')]


def less_is_shown(scratch):
    """--short leaves out types, registers and values, --cycle-only what is not on the cycle."""
    svg, wrong = scratch / 'a.svg', []
    explain(TESTS[0], '--short', '--svg', svg)
    events = texts_of(svg.read_text())
    expected = ['a: st.weak [x]', 'b: st.release.gpu [y]', 'c: ld.acquire.gpu [y]', 'd: ld.weak [x]']
    wrong += [f'--short: {events}'] if events != expected else []
    explain(CORPUS / 'cpp/mp+rel+acq.litmus', '--short', '--svg', svg)
    events = texts_of(svg.read_text())
    expected = ['a: x.store(relaxed)', 'b: f.store(release)', 'c: f.load(acquire)', 'd: x.load(relaxed)']
    wrong += [f'--short in C++: {events}'] if events != expected else []
    test = CORPUS / 'iriw/iriw+fence.sc.litmus'
    explain(test, '--svg', svg)
    whole = texts_of(svg.read_text())
    explain(test, '--cycle', '--svg', svg)
    short_spelling = svg.read_text()
    explain(test, '--cycle-only', '--svg', svg)
    wrong += ['--cycle is another picture'] if svg.read_text() != short_spelling else []
    events = texts_of(svg.read_text())
    bold = re.findall(r'class="(\w+) bold"', svg.read_text())
    drawn = re.findall(r'<path ', svg.read_text())
    wrong += [f'--cycle-only: {events} of {whole}'] if not set(events) < set(whole) or not events else []
    wrong += [f'--cycle-only: {len(bold)} of {len(drawn)} arrows are of the cycle'] if len(bold) != len(drawn) else []
    allowed = CORPUS / 'mp/mp+weak.litmus'
    explain(allowed, '--svg', svg)
    before = svg.read_text()
    explain(allowed, '--cycle-only', '--svg', svg)
    return wrong + (['of what is allowed something is left out'] if svg.read_text() != before else [])


def side_by_side(scratch):
    """--side-by-side has the executions of all axioms of a reason in one picture, each below the axiom's name, and none lies
    on another."""
    svg, wrong = scratch / 'b.svg', []
    explain(CORPUS / 'sb/sb+rmws.litmus', '--side-by-side', '--legend', '--svg', svg)
    root = xml.parse(svg).getroot()
    names = [part.text for part in root.findall('{http://www.w3.org/2000/svg}text') if part.text]
    inner = root.findall('{http://www.w3.org/2000/svg}svg')
    areas = [(float(part.get('x')), float(part.get('x')) + float(part.get('width')[:-2]) * 4 / 3) for part in inner]
    wrong += [f'{names}'] if sorted(names) != ['atomicity', 'coherence', 'coherence-total'] else []
    wrong += [f'{areas}'] if len(areas) != 3 or any(a[1] > b[0] for a, b in zip(areas, areas[1:])) or areas[-1][1] > float(root.get('width')) else []
    return wrong + (['more files'] if (scratch / 'b-2.svg').exists() else [])


def in_all_formats(scratch):
    """Executions and timelines as SVG, TikZ and PDF, drawn once: what each is of, and its files without their endings."""
    folder, drawn = scratch / 'formats', []
    fresh = not folder.exists()
    folder.mkdir(exist_ok=True)
    commands = [(f'explain {test.stem}', [['explain', '--legend', '--svg', '.svg', '--tikz', '.tex', '--pdf', '.pdf', test]]) for test in TESTS[:6]]
    for words, of in (['run', '--runs', '1'], 'host/a03-event'), (['run', '--runs', '1'], 'mbarrier/mp+test_wait'), (['check', '--property', 'termination'], 'spin/weak-flag'):
        commands.append((f'{words[0]} {of}', [[*words, '--timeline', ending, CORPUS / (of + '.litmus')] for ending in ('.svg', '.tex', '.pdf')]))
    for number, (name, lines) in enumerate(commands):
        path = folder / f'{number}'
        for line in lines if fresh else []:
            subprocess.run([PTXLIT, *(f'{path}{word}' if word in ('.svg', '.tex', '.pdf') else word for word in line)], capture_output=True, check=False)
        drawn.append((name, path))
    return drawn


def latex_reads(paths, scratch):
    """An article with all of them: what pdflatex complains of. Nothing where it is not installed."""
    if not shutil.which('pdflatex'):
        return []
    inputs = ''.join(f'\\input{{{path}.tex}}\\clearpage' for path in paths)
    (scratch / 'all.tex').write_text('\\documentclass{article}\\usepackage{tikz}\\begin{document}' + inputs + '\\end{document}')
    ran = subprocess.run(['pdflatex', '-interaction=nonstopmode', '-halt-on-error', 'all.tex'], cwd=scratch, capture_output=True, check=False)
    return [f'pdflatex: {ran.stdout[-300:]}'] if ran.returncode else []


def both_derivations(scratch):
    """An axiom that a relation is empty has no cycle: bold are the arrows that make the pair, and the one that is not there,
    which is the arrow back where there is one."""
    wrong = []
    cases = [(CORPUS / 's/s+rel+acq.litmus', 'c.dot', {'po', 'rf, sync', 'causality, no co'}),
             (CORPUS / 'coherence/corw2+rlx.litmus', 'c.dot', {'po', 'rf', 'causality', 'co'}),
             (CORPUS / 'atomicity/inc+inc.litmus', 'c-2.dot', {'morally strong, no co'})]
    for test, name, expected in cases:
        explain(test, '--dot', scratch / 'c.dot')
        bold = {of['label'] for what, of in statements((scratch / name).read_text()) if '->' in what and of.get('penwidth') == '2.6'}
        wrong += [f'{test.stem}: {bold}'] if bold != expected else []
    return wrong


def tikz_is_the_same(scratch):
    """As many boxes, lines, heads and texts as the SVG; every bracket is closed. LaTeX reads it where it is installed."""
    wrong = []
    for name, path in in_all_formats(scratch):
        svg, tex = path.with_suffix('.svg').read_text(), path.with_suffix('.tex').read_text()
        counts = [(svg.count('<rect ') - 1, len(re.findall(r'^.path.* rectangle ', tex, flags=re.M))), (svg.count('<path '), tex.count('\\draw[')),
                  (svg.count('<polygon '), tex.count('-- cycle;')), (svg.count('<text '), tex.count('\\node['))]
        wrong += [f'{name}: {counts}'] if any(a != b for a, b in counts) else []
        bare = re.sub(r'\\[{}]', '', tex)
        wrong += [f'{name}: a bracket is open'] if bare.count('{') != bare.count('}') else []
    return wrong + latex_reads([path for _, path in in_all_formats(scratch)], scratch)


def pdf_has_the_size(scratch):
    """A PDF of one page, as large as the SVG, with its texts where pdftotext is installed."""
    wrong = []
    for name, path in in_all_formats(scratch):
        pdf, svg = path.with_suffix('.pdf').read_bytes(), path.with_suffix('.svg').read_text()
        box = re.search(rb'/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]', pdf)
        if not pdf.startswith(b'%PDF-') or not box:
            wrong.append(f'{name}: it is no PDF')
            continue
        sizes = [abs(float(got) - float(of)) for got, of in zip(box.groups(), size_of(path.with_suffix('.svg')))]
        wrong += [f'{name}: {box.groups()}'] if any(size > 3 for size in sizes) else []
        if shutil.which('pdftotext'):
            read = subprocess.run(['pdftotext', path.with_suffix('.pdf'), '-'], capture_output=True, text=True, check=True).stdout
            words = {word for line in re.findall(r'<text[^>]*>([^<]*)', svg) for word in html.unescape(line).split()}
            wrong += [f'{name}: no {word!r}' for word in words if word not in read.split()]
    return wrong


def size_of(svg):
    return xml.parse(svg).getroot().get('viewBox').split()[2:]


def folder_of_pictures(scratch):
    ran = subprocess.run([PTXLIT, 'explain', '--svg', scratch / 'many', CORPUS / 'sb'], capture_output=True)
    # a reason of several axioms has more pictures: NAME-2.svg, …
    tests = len(list((CORPUS / 'sb').glob('*.litmus')))
    pictures = [path.stem for path in (scratch / 'many').glob('*.svg')]
    first = [name for name in pictures if not re.search(r'-\d$', name)]
    wrong = [] if ran.returncode == 0 and tests == len(first) < len(pictures) else [f'{pictures} of {tests} tests']
    return wrong + [f'{name} stands alone' for name in pictures if re.sub(r'-\d$', '', name) not in first]


def unwritable(scratch):
    ran = explain(TESTS[0], '--svg', scratch / 'no' / 'such' / 'folder.svg')
    return [] if ran.returncode == 2 and 'T024' in ran.stderr else [f'status {ran.returncode}: {ran.stderr}']


def names_that_xml_cannot_hold(scratch):
    """Bytes that are no UTF-8, control characters and what is no character, in names, comments and file names."""
    name, wrong = b'bad\001na\377me\177\xef\xbf\xbe&<', []
    test = pathlib.Path(os.fsdecode(os.fsencode(scratch) + b'/\002\376.litmus'))
    test.write_bytes(b'PTX ' + name + b'\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n st.weak /* \003 \377 */ x, 1 ;\nexists (x=1)\n')
    for command in (['explain', '--svg', scratch / 'bad.svg'], ['run', '--timeline', scratch / 'bad.svg'],
                    ['explain', '--dot', scratch / 'bad.dot']):
        ran = subprocess.run([PTXLIT, *command, test], capture_output=True)
        try:
            (xml.parse if command[2].suffix == '.svg' else lambda path: path.read_text('utf-8'))(command[2])
        except (OSError, UnicodeDecodeError, xml.ParseError) as why:
            wrong.append(f'{command[:2]}: {why}; {ran.stderr!r}')
    return wrong


def one_worker_draws_several(scratch):
    """Graphviz compares with fonts that it may have freed: valgrind sees it where it is installed."""
    if not shutil.which('valgrind') or 'ASAN_OPTIONS' in os.environ:
        return []
    ran = subprocess.run(['valgrind', '-q', '--trace-children=yes', '--error-exitcode=9', PTXLIT, 'explain', '-j1', '--timeout',
                          '0', '--memory-limit', '0', '--svg', scratch / 'two', *TESTS[:2]], capture_output=True, text=True)
    return [line for line in ran.stderr.splitlines() if line.startswith('==')][:20]


def main():
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        checks = [(test.stem, lambda test=test: check(test, scratch)) for test in TESTS]
        checks += [(check.__name__.replace('_', ' '), lambda check=check: check(scratch))
                   for check in (lanes_in_boxes, time_runs_downwards, arrows_there_and_back, too_large, timelines,
                                 timeline_is_the_trace, barriers_link_lanes, timelines_refused, hangs_have_no_end, less_is_shown, side_by_side, both_derivations, tikz_is_the_same, pdf_has_the_size, folder_of_pictures, unwritable,
                                 names_that_xml_cannot_hold, one_worker_draws_several)]
        print(f'TAP version 13\n1..{len(checks)}')
        for number, (what, run) in enumerate(checks, 1):
            wrong = run()
            print(f'{"not ok" if wrong else "ok"} {number} {what}')
            for line in wrong:
                print(f'# {line}')


main()
