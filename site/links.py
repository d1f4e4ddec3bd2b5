# SPDX-License-Identifier: MIT
"""Called by mkdocs for each page. The start page is the project's README, and a link to a file that is no page becomes its
name."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


def on_page_markdown(markdown, page, **_):
    if page.file.src_path == 'README.md':
        markdown = re.sub(r'\]\((?!docs/|https?:|#)', '](../', (ROOT / 'README.md').read_text(encoding='utf-8'))
        markdown = markdown.replace('](docs/', '](')
    return re.sub(r'(?<!!)\[([^\]]*)\]\(\.\./[^)]*\)', r'\1', markdown)
