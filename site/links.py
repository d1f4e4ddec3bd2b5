# SPDX-License-Identifier: MIT
"""Called by mkdocs. The start page is the project's README, and a link to a file that is no page becomes its name."""
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent


def on_page_markdown(markdown, page, **_):
    if page.file.src_path == 'README.md':
        markdown = re.sub(r'\]\((?!docs/|https?:|#)', '](../', (ROOT / 'README.md').read_text(encoding='utf-8'))
        markdown = markdown.replace('](docs/', '](')
    return re.sub(r'(?<!!)\[([^\]]*)\]\(\.\./[^)]*\)', r'\1', markdown)


def on_post_build(config, **_):
    """Debian's mkdocs has jQuery under another name than its pages ask for; without it phones show no menu."""
    scripts = pathlib.Path(config['site_dir'], 'js')
    asked = re.search(r'js/(jquery[^"]*\.js)"', scripts.with_name('index.html').read_text(encoding='utf-8'))
    there = sorted(scripts.glob('jquery*.js'))
    if asked and there and not (scripts / asked[1]).exists():
        shutil.copyfile(there[0], scripts / asked[1])
