#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of 'ptxlit report' loads in Chromium without a complaint, filters and unfolds. Prints TAP.

usage: browser.py ROOT PTXLIT"""
import html
import json
import re
import shutil
import subprocess

from tools import Skip, load, main, report

# What a reader does: types a word, chooses a verdict, sorts twice by the first column, follows a link.
PROBE = '''<script>
function enter(element, value) { element.value = value; element.dispatchEvent(new Event('input', { bubbles: true })); }
const seen = () => rows.filter(row => !row.hidden).map(row => row.cells[0].textContent);
const word = document.querySelector('input[name=word]'), verdict = document.querySelector('select[name=verdict]');
const said = {};
enter(word, 'mp+rel+acq'); said.word = seen();
enter(word, ''); enter(verdict, 'forbidden'); said.forbidden = seen();
enter(verdict, '');
document.querySelector('th button').click(); document.querySelector('th button').click();
said.first = rows[0].cells[0].textContent;
said.focus = [...document.querySelectorAll('a, button, input, select, summary')].filter(e => e.tabIndex < 0).length;
const link = rows[0].querySelector('a'), section = document.querySelector(link.hash);
said.before = section.open;
link.click();
setTimeout(() => {
  said.after = section.open; said.hash = location.hash === link.hash;
  said.wide = document.documentElement.scrollWidth > innerWidth;
  document.title = 'probe ' + JSON.stringify(said);
}, 300);
</script>'''
CHROMIUM = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--enable-logging=stderr',
            '--virtual-time-budget=3000', '--window-size=500,900']


def open_page(page, profile):
    """The page after the probe, and what the browser complains about."""
    if not shutil.which('chromium'):
        raise Skip('no chromium')
    for attempt in range(2):
        try:
            ran = subprocess.run(['chromium', *CHROMIUM, f'--user-data-dir={profile}/{attempt}', '--dump-dom', f'file://{page}'],
                                 capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            continue
        if '<title>' in ran.stdout:
            return ran.stdout, [line for line in ran.stderr.splitlines() if 'CONSOLE' in line]
    raise Skip('chromium does not start on this machine')


def browser(scratch):
    out = scratch / 'page'
    report(out, 'litmus/corpus/mp')
    page = out / 'index.html'
    page.write_text(page.read_text().replace('</body>', PROBE + '</body>'))
    text, wrong = open_page(page, scratch)
    title = html.unescape(re.search('<title>(.*?)</title>', text)[1])
    if not title.startswith('probe '):
        return wrong + [f'the page says {title!r}']
    said, tests = json.loads(title[6:]), load(out)['tests']
    names = sorted(test['test'] for test in tests)
    expected = {'word': [name for name in names if 'mp+rel+acq' in name], 'first': names[-1], 'focus': 0, 'before': False,
                'forbidden': sorted(test['test'] for test in tests if test['observation'] == 'never'), 'after': True, 'hash': True,
                'wide': False}
    said = {key: sorted(value) if isinstance(value, list) else value for key, value in said.items()}
    return wrong + [f'{key}: {said[key]}, not {expected[key]}' for key in expected if key != 'word' and said[key] != expected[key]] + (
        [] if set(expected['word']) <= set(said['word']) != set(names) else [f'a word finds {said["word"]}'])


main([browser])
