#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Neovim with the lines of docs/editors.md in its init.lua, without a screen: it shows diagnostics, hover, completions, definitions
and the verdict. Prints TAP.

usage: neovim.py ROOT PTXLIT"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MP = ROOT / 'litmus/corpus/mp/mp+rel+acq.litmus'
# What a user does: looks at what is marked, mends it, asks what an instruction is, completes a word, leaves the insert mode.
PROBE = '''
local said, uri = {}, { textDocument = { uri = vim.uri_from_bufnr(0) } }
local function wait(what) return vim.wait(20000, what, 20) end
local function find(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then return number, at, line end
  end
end
local function ask(method, text, further)
  local line, at = find(text)
  local there = vim.tbl_extend('force', uri, { position = { line = line - 1, character = at - 1 + (further or 0) } })
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, there, 20000) or {}) do return answer.result end
end
wait(function() return #vim.diagnostic.get(0) > 0 end)
said.diagnostics = vim.tbl_map(function(one) return { one.lnum, one.message, one.code } end, vim.diagnostic.get(0))
local number, _, line = find('ld.aquire')
vim.api.nvim_buf_set_lines(0, number - 1, number, false, { (line:gsub('aquire', 'acquire')) })
said.mended = wait(function() return #vim.diagnostic.get(0) == 0 end)
said.hover = ask('textDocument/hover', 'st.release', 3).contents.value
said.completion = vim.tbl_map(function(one) return one.label end, ask('textDocument/completion', 'ld.acquire.gpu', 11))
vim.cmd('doautocmd InsertLeave')
local lenses
said.lens = wait(function()
  lenses = vim.lsp.codelens.get(vim.api.nvim_get_current_buf())
  return #lenses > 0 and lenses[1].command ~= nil
end) and lenses[1].command.title
vim.cmd('edit own.cat')
wait(function() return #vim.lsp.buf_get_clients(0) > 0 end)
uri = { textDocument = { uri = vim.uri_from_bufnr(0) } }
said.definition = ask('textDocument/definition', 'acyclic mine', 9).range.start.line
vim.fn.writefile({ vim.fn.json_encode(said) }, 'said.json')
vim.cmd('qall!')
'''


def said_by_neovim(folder):
    page = (ROOT / 'docs/editors.md').read_text()
    lines = page.split('Into `init.lua`')[1].split('\n\n')[1]
    (folder / 'init.lua').write_text(re.sub(r'^    ', '', lines, flags=re.M))
    (folder / 'probe.lua').write_text(PROBE)
    (folder / 'mp.litmus').write_text(MP.read_text().replace('ld.acquire', 'ld.aquire'))
    (folder / 'own.cat').write_text('"own"\nlet mine = po | rf\nacyclic mine as order\n')
    (folder / 'bin').mkdir()
    (folder / 'bin/ptxlit').symlink_to(PROGRAM.resolve())
    ran = subprocess.run(['nvim', '--headless', '-i', 'NONE', '-n', '-u', 'init.lua', 'mp.litmus', '-c', 'luafile probe.lua', '-c', 'cquit'], cwd=folder,
                         capture_output=True, text=True, timeout=120,
                         env={**os.environ, 'PATH': f'{folder}/bin:{os.environ["PATH"]}', **{f'XDG_{name}_HOME': str(folder) for name in ('CACHE', 'CONFIG', 'DATA', 'STATE')}})
    answer = folder / 'said.json'
    return json.loads(answer.read_text()) if answer.exists() else ran.stderr


def main():
    print('TAP version 13\n1..6')
    names = ['a diagnostic with its hint', 'what is mended is not marked', 'hover', 'completion', 'the verdict behind the question', 'definition']
    if not shutil.which('nvim'):
        for number, name in enumerate(names, 1):
            print(f'ok {number} {name} # SKIP Neovim is not installed')
        return
    with tempfile.TemporaryDirectory() as folder:
        said = said_by_neovim(pathlib.Path(folder))
    if isinstance(said, str):
        print('\n'.join(f'not ok {number} {name}' for number, name in enumerate(names, 1)))
        print('\n'.join(f'# {line}' for line in said.splitlines()[:20]))
        return
    line = MP.read_text().split('\n').index(next(text for text in MP.read_text().split('\n') if 'ld.acquire' in text))
    marked = said['diagnostics']
    good = [len(marked) == 1 and marked[0][0] == line and 'acquire' in marked[0][1].split('hint')[-1] and marked[0][2].startswith('L'), said['mended'],
            '`REL`' in said['hover'] and '9.7.9.12' in said['hover'], 'gpu' in said['completion'] and 'acquire' not in said['completion'],
            bool(said['lens']) and said['lens'].startswith('forbidden by ptx'), said['definition'] == 1]
    for number, (name, well) in enumerate(zip(names, good), 1):
        print(f'{"ok" if well else "not ok"} {number} {name}')
    if not all(good):
        print(f'# {said}')


main()
