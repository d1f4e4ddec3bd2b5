#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site of site/mkdocs.yml: mkdocs builds it without a warning, every page of docs/ has its place, the README is the first
page, and its links and pictures lead to files of the site. Prints TAP.

usage: site.py ROOT"""
import html.parser
import pathlib
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
    text = (folder / 'index.html').read_text()
    title = (ROOT / 'README.md').read_text().split('## ')[1].splitlines()[0]
    wrong = [] if title in text else [f'"{title}" is not on the first page']
    links = [link.split('#')[0] for link in Links(text).found if not link.startswith(('http', '#', 'data:', 'javascript:'))]
    own = [link for link in links if link and not link.startswith(('js/', 'css/', 'img/'))]  # and not the theme's
    return wrong + [f'{link} leads nowhere' for link in own if not (folder / link).exists()]


def main():
    checks = {'mkdocs builds without a warning': build, 'every page has its place': missing_pages, 'the README is the first page': start_page}
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
