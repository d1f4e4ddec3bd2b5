#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of 'ptxlit report' loads in Chromium without a complaint, filters, sorts and opens tests, from a folder of
scripts and as a single file. Prints TAP.

usage: browser.py ROOT PTXLIT"""
import pathlib
import sys

from tools import Skip, load, main, report

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from chromium import Missing, chromium  # noqa: E402

# What a reader does: types a word, chooses a verdict, sorts twice by the first column, scrolls, follows a link, opens
# all tests that a filter leaves, prints.
PROBE = '''(async () => {
  const enter = (element, value) => { element.value = value; element.dispatchEvent(new Event('input', { bubbles: true })); };
  const seen = () => [...visible].map(test => names[test]);
  const inView = () => [...body.rows].filter(row => row.cells.length > 1).map(row => row.cells[0].textContent);
  const titles = () => [...each.querySelectorAll('h3')].map(title => title.textContent);
  const word = document.querySelector('input[name=word]'), verdict = document.querySelector('select[name=verdict]');
  const until = async done => { for (let i = 0; i < 400 && !done(); i++) await new Promise(next => setTimeout(next, 25)); };
  const said = {};
  enter(word, 'mp+rel+acq'); said.word = seen(); said.drawn = inView();
  enter(word, ''); enter(verdict, 'forbidden'); said.forbidden = seen();
  openAll.click(); await until(() => titles().length === said.forbidden.length);
  said.opened = titles();
  enter(verdict, '');
  document.querySelector('th button').click(); document.querySelector('th button').click();
  said.first = inView()[0];
  area.style.maxHeight = '120px'; area.scrollTop = area.scrollHeight; await until(() => inView().at(-1) === names[byName[0]]);
  said.last = inView().at(-1);
  said.focus = [...document.querySelectorAll('a, button, input, select')].filter(e => e.tabIndex < 0).length;
  const link = body.querySelector('a'), wanted = link.textContent;
  link.click(); await until(() => titles().join() === wanted);
  said.open = titles().join() === wanted && each.querySelectorAll('section').length === 1;
  said.hash = location.hash === link.hash;
  said.pictures = each.querySelectorAll('svg').length;
  each.querySelector('.neighbours a').click(); await until(() => titles().join() !== wanted);
  said.moved = titles().length === 1 && titles()[0] !== wanted;
  said.wide = document.documentElement.scrollWidth > innerWidth;
  dispatchEvent(new Event('beforeprint')); said.printed = inView().length;
  return said;
})()'''


PAPER = 700 # what is left of A4 between its margins, in the pixels of CSS


def probe(scratch, *options):
    out = scratch / 'page'
    report(out, *options, 'litmus/corpus/mp')
    try:
        with chromium(['--window-size=500,900']) as page:
            page.open((out / 'index.html').as_uri())
            said, wrong = page.evaluate(PROBE), page.complaints
            page.ask('Emulation.setEmulatedMedia', media='print')
            page.ask('Emulation.setDeviceMetricsOverride', width=PAPER, height=1000, deviceScaleFactor=1, mobile=False)
            said['cut'] = page.evaluate('[...document.querySelectorAll("table")].filter(table => table.getBoundingClientRect().right > innerWidth).length')
    except Missing as why:
        raise Skip(str(why)) from None
    tests = load(out)['tests']
    names = sorted(test['test'] for test in tests)
    forbidden = sorted(test['test'] for test in tests if test['observation'] == 'never')
    word = [name for name in names if 'mp+rel+acq' in name]
    expected = {'word': word, 'drawn': word, 'first': names[-1], 'last': names[0], 'focus': 0, 'forbidden': forbidden, 'opened': forbidden,
                'open': True, 'hash': True, 'pictures': 1, 'moved': True, 'wide': False, 'printed': len(names), 'cut': 0}
    said = {key: sorted(value) if isinstance(value, list) else value for key, value in said.items()}
    return wrong + [f'{key}: {said.get(key)}, not {expected[key]}' for key in expected if said.get(key) != expected[key]]


def folder(scratch):
    return probe(scratch)


def single_file(scratch):
    return probe(scratch, '--single-file')


main([folder, single_file])
