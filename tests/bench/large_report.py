#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A report of 100,000 tests: how long it takes to write and with how much memory, how large the page is that a browser
loads first, and in headless Chromium, as medians of five, when that page paints first and how long it takes to filter
and to sort. The tests are those of the corpus under many names, joined by 'merge'. Fails past the limits below.

usage: large_report.py ROOT PTXLIT [TESTS]"""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from chromium import Missing, chromium  # noqa: E402

ROOT, PTXLIT = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
TESTS = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
SHARDS, RUNS = 100, 5
LIMITS = {'first paint, ms': 1000, 'filter by a word, ms': 50, 'filter by verdict, ms': 50, 'sort by name, ms': 50,
          'sort by verdict, ms': 50, 'open a test, ms': 1000, 'page, MB': 5, 'memory of merge, MB': 100}

# What a reader does, each with the layout that follows from it.
PROBE = '''(async () => {
  const paint = performance.getEntriesByType('paint').find(entry => entry.name === 'first-contentful-paint');
  const timed = work => { const start = performance.now(); work(); area.offsetHeight; return performance.now() - start; };
  const enter = (element, value) => { element.value = value; element.dispatchEvent(new Event('input', { bubbles: true })); area.offsetHeight; };
  const word = form.elements.word, verdict = form.elements.verdict, button = name =>
    headers.find(header => header.textContent === name).firstElementChild;
  const said = { tests: names.length, 'first paint, ms': paint.startTime };
  said['filter by a word, ms'] = timed(() => enter(word, 'acq-7'));
  said.found = visible.length;
  enter(word, '');
  said['filter by verdict, ms'] = timed(() => enter(verdict, 'forbidden'));
  enter(verdict, '');
  said['sort by verdict, ms'] = timed(() => button('verdict').click());
  said['sort by name, ms'] = timed(() => button('test').click());
  const start = performance.now();
  await open([Math.floor(names.length / 2)]);
  said['open a test, ms'] = performance.now() - start;
  said.opened = each.querySelectorAll('h3').length;
  return said;
})()'''


def write_shards(folder):
    """The tests of some families, again and again, each time under names of their own."""
    base = folder / 'base'
    subprocess.run([PTXLIT, 'report', '--no-time', '--shard', '1/2', '-o', base, *(ROOT / 'litmus/corpus' / family for family in (
        'mp', 'sb', 'lb', 'iriw', 'barriers', 'atomicity'))], stdout=subprocess.DEVNULL, check=False)
    report = json.loads((base / 'report.json').read_text())
    lines = [json.dumps(test) for test in report['tests']]
    names = [json.dumps(test['test'])[1:-1] for test in report['tests']]
    paths = []
    for shard in range(SHARDS):
        paths.append(folder / f'{shard}.json')
        head = json.dumps({**{key: report[key] for key in ('version', 'model', 'made')}, 'shard': {'number': shard + 1, 'count': SHARDS}})
        tests = [lines[i % len(lines)].replace(f'"test": "{names[i % len(lines)]}"', f'"test": "{names[i % len(lines)]}-{i}"')
                 for i in range(shard, TESTS, SHARDS)]
        paths[-1].write_text(head[:-1] + ', "tests": [' + ',\n'.join(tests) + ']}')
    return paths


def own_memory(process):
    """Bytes of memory that hold no file's contents, which the system drops when it needs room."""
    try:
        status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
    except OSError:
        return 0
    found = re.search(r'RssAnon:\s+(\d+) kB', status)
    return int(found[1]) * 1000 if found else 0


def merge(folder, paths):
    start, most = time.monotonic(), 0
    with subprocess.Popen([PTXLIT, 'merge', '-o', folder / 'out', *paths]) as process:
        while process.poll() is None:
            most = max(most, own_memory(process))
            time.sleep(0.05)
    print(f'merge of {TESTS} tests: status {process.returncode}, {time.monotonic() - start:.1f} s')
    return {'memory of merge, MB': most / 1e6}


def main():
    with tempfile.TemporaryDirectory(dir=ROOT / 'build' if (ROOT / 'build').exists() else None) as name:
        folder = pathlib.Path(name)
        figures = merge(folder, write_shards(folder))
        out = folder / 'out'
        figures['page, MB'] = ((out / 'index.html').stat().st_size + (out / 'sections/tests.js').stat().st_size) / 1e6
        runs = []
        for _ in range(RUNS):
            with chromium() as page:
                page.open((out / 'index.html').as_uri())
                runs.append(page.evaluate(PROBE))
        for key in runs[0]:
            figures[key] = statistics.median(run[key] for run in runs)
    bad = [key for key, limit in LIMITS.items() if figures[key] > limit]
    for key, value in figures.items():
        print(f'{key:24} {value:10.1f}{f"  limit {LIMITS[key]}" if key in LIMITS else ""}{"  TOO MUCH" if key in bad else ""}')
    return bool(bad) or figures['tests'] != TESTS or not figures['found'] or figures['opened'] != 1


try:
    sys.exit(main())
except Missing as why:
    print(f'skipped: {why}')
