#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site of site/mkdocs.yml: mkdocs builds it without a warning, every page of docs/ has its place, the README is the first
page, and its links and pictures lead to files of the site. Prints TAP.

usage: site.py ROOT"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found += [value for name, value in attributes if name in ('href', 'src') and value]


def build(folder):
    ran = subprocess.run(['mkdocs', 'build', '--strict', '-f', ROOT / 'site/mkdocs.yml', '-d', folder], capture_output=True, text=True,
                         check=False)
    return [line for line in ran.stderr.splitlines() if 'WARNING' in line or 'not included in the "nav"' in line] + (
        [] if ran.returncode == 0 else [f'status {ran.returncode}'])


def missing_pages(folder):
    menu = (ROOT / 'site/mkdocs.yml').read_text()
    pages = [path.name for path in (ROOT / 'docs').glob('*.md')]
    return [f'{name} is not in the menu' for name in pages if name not in menu] + [
        f'{name} is no page' for name in pages if name != 'README.md' and not (folder / name).with_suffix('.html').exists()]


def start_page(folder):
    title = (ROOT / 'README.md').read_text().split('## ')[1].splitlines()[0]
    return [] if title in (folder / 'index.html').read_text() else [f'"{title}" is not on the first page']


def dead_links(folder):
    """Of the pages that are ours: files, headings, and the library that the theme's menu needs on a phone."""
    texts = {path.name: path.read_text() for path in folder.glob('*.html') if path.name not in ('404.html', 'search.html')}
    wrong = []
    for page, text in texts.items():
        for link in Links(text).found:
            if link.startswith(('http', 'data:', 'javascript:', 'mailto:')) or re.match(r'js/(?!jquery)|css/|img/', link):
                continue
            file, _, heading = link.partition('#')
            file = page if file in ('', '.') else file
            if not (folder / file).exists() or (heading and file in texts and f'id="{heading}"' not in texts[file]):
                wrong.append(f'{page}: {link} leads nowhere')
    return wrong


def main():
    checks = {'mkdocs builds without a warning': build, 'every page has its place': missing_pages, 'the README is the first page': start_page,
              'links lead somewhere': dead_links}
    print(f'TAP version 13\n1..{len(checks)}')
    with tempfile.TemporaryDirectory() as name:
        for number, (what, check) in enumerate(checks.items(), 1):
            if not shutil.which('mkdocs'):
                print(f'ok {number} {what} # SKIP no mkdocs')
                continue
            wrong = check(pathlib.Path(name))
            print(f'{"not ok" if wrong else "ok"} {number} {what}')
            for line in wrong[:20]:
                print(f'# {line}')


main()
