#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a browser makes of pictures: every text lies inside of the picture, the text of an event inside of its box, and no
label of an arrow on an event or on another text. Chromium measures it, with the fonts that the picture asks for and with
two others. Prints TAP.

usage: labels.py ROOT PTXLIT [--every N]"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from chromium import Missing, chromium  # noqa: E402

FONTS = {'its own fonts': '', 'DejaVu Sans': 'DejaVu Sans', 'DejaVu Serif': 'DejaVu Serif'}
BATCH = 40
MOST_SHOWN = 60

# What is wrong with the pictures of the page, each in a <div> with its name. Half a point is what nobody sees.
MEASURE = '''(() => {
  const wrong = [], slack = 0.5;
  const inside = (a, b) => a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
  const meet = (a, b) => a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom;
  // Letters are lower than the line that the browser measures: what is above and below of them is empty.
  const area = text => { const box = text.getBoundingClientRect(), empty = box.height * 0.12;
    return { left: box.left, right: box.right, top: box.top + empty, bottom: box.bottom - empty }; };
  for (const div of document.querySelectorAll('div')) {
    const svg = div.querySelector('svg'), view = svg.getBoundingClientRect();
    const say = (what, text) => wrong.push(`${div.title}: "${text.textContent}" ${what}`);
    const kind = element => element.parentElement.classList[0];
    const texts = [...svg.querySelectorAll('text')].map(text => ({ text, kind: kind(text), at: area(text) }));
    const boxes = [...svg.querySelectorAll('rect')].filter(rect => ['event', 'cycle'].includes(kind(rect)));
    const events = boxes.map(rect => ({ rect, at: rect.getBoundingClientRect() }));
    for (const one of texts) {
      if (!inside(one.at, view)) say('is outside of the picture', one.text);
      if (['event', 'cycle'].includes(one.kind)) {
        if (!inside(one.at, one.text.parentElement.querySelector('rect').getBoundingClientRect())) say('is wider than its box', one.text);
        continue;
      }
      for (const event of events) if (meet(one.at, event.at)) say(`lies on the box of "${event.rect.nextElementSibling.textContent}"`, one.text);
      for (const other of texts)
        if (other !== one && !(other.text.parentElement === one.text.parentElement) && meet(one.at, other.at) && texts.indexOf(one) < texts.indexOf(other))
          say(`lies on "${other.text.textContent}"`, one.text);
    }
  }
  return wrong;
})()'''


def draw(root, ptxlit, tests, folder):
    """Pictures of executions, whole and in short, and the timelines of a run of each and of a run that never ends."""
    commands = {'explain': ['explain', '--legend', '--svg'], 'brief': ['explain', '--cycle', '--short', '--svg'], 'run': ['run', '--runs', '1', '--timeline'],
                'hang': ['check', '--property', 'termination', '--timeline']}
    for name, command in commands.items():
        subprocess.run([ptxlit, *command, folder / name, *tests], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd=root)
    return {name: sorted((folder / name).glob('*.svg')) for name in commands}


def measure(page, pictures, font):
    """What is wrong, over all pictures, in some calls."""
    wrong = []
    for start in range(0, len(pictures), BATCH):
        texts = [[f'{path.parent.name} {path.stem}', re.sub(r'^<\\?xml.*?\\?>', '', path.read_text())] for path in pictures[start:start + BATCH]]
        # Each in a shadow of its own would keep styles apart; the rules are the same for all, so they need not be.
        page.evaluate(f'''document.body.replaceChildren(...{json.dumps(texts)}.map(([name, text]) => {{
            const div = document.createElement('div'); div.title = name; div.innerHTML = text; return div; }}));
            document.body.insertAdjacentHTML('beforeend', {json.dumps(f"<style>svg text{{font-family:'{font}'!important}}</style>" if font else '')}); 0''')
        wrong += page.evaluate(MEASURE)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('root', type=pathlib.Path)
    parser.add_argument('ptxlit')
    parser.add_argument('--every', type=int, default=1)
    given = parser.parse_args()
    tests = sorted((given.root / 'litmus/corpus').rglob('*.litmus'))[::given.every]
    print(f'TAP version 13\n1..{len(FONTS)}')
    with tempfile.TemporaryDirectory() as name:
        drawn = draw(given.root, given.ptxlit, tests, pathlib.Path(name))
        pictures = [path for paths in drawn.values() for path in paths]
        for command, paths in drawn.items():
            print(f'# {command}: {len(paths)} pictures of {len(tests)} tests')
        try:
            with chromium() as page:
                for number, (words, font) in enumerate(FONTS.items(), 1):
                    wrong = measure(page, pictures, font)
                    print(f'{"not ok" if wrong or not pictures else "ok"} {number} labels in {words}', flush=True)
                    for line in wrong[:MOST_SHOWN]:
                        print(f'# {line}')
                    if len(wrong) > MOST_SHOWN:
                        print(f'# and {len(wrong) - MOST_SHOWN} more')
        except Missing as why:
            for number, words in enumerate(FONTS, 1):
                print(f'ok {number} labels in {words} # SKIP {why}')


main()
