#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speaks the Language Server Protocol with 'ptxlit lsp': diagnostics, hover, completion, definitions, lenses, and what a
server must bear. Prints TAP.

usage: protocol.py ROOT PTXLIT"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from client import Client

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import run  # noqa: E402

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
MP = (ROOT / 'litmus/corpus/mp/mp+rel+acq.litmus').read_text()
LINES = MP.split('\n')
URI = 'file:///nowhere/mp.litmus'
CAT = 'file:///nowhere/own.cat'
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def place(text, word, nth=0):
    """Line and character of the nth occurrence of the word."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(word, at + 1)
    before = text[:at]
    return before.count('\n'), len(before.split('\n')[-1].encode('utf-16-le')) // 2


def started(*options, **environment):
    client = Client(PROGRAM, *options, **environment)
    client.start()
    return client


@check
def an_editor_starts_and_ends_it():
    with Client(PROGRAM, '--stdio') as client:
        said = client.start()['capabilities']
        wanted = ['hoverProvider', 'definitionProvider', 'completionProvider', 'codeLensProvider', 'textDocumentSync']
        wrong = [f'no {name}' for name in wanted if not said.get(name)]
        status = client.stop()
        return wrong + ([f'status {status}'] if status else [])


@check
def leaving_without_shutdown_is_an_error():
    with started() as client:
        client.notify('exit')
        status = client.process.wait(30)
        return [] if status == 1 else [f'status {status}']


@check
def diagnostics_have_places_and_hints():
    with started() as client:
        if good := client.open(URI, MP):
            return [f'of a good test: {good}']
        bad = MP.replace('ld.acquire', 'ld.aquire')
        said = client.change(URI, bad, 2)
        line, character = place(bad, '.aquire')
        wrong = [] if len(said) == 1 else [f'{len(said)} diagnostics']
        one = said[0]
        if one['range']['start']['line'] != line or not 0 <= one['range']['start']['character'] - character <= 1:
            wrong.append(f'at {one["range"]}, and not {line}, {character}')
        if 'acquire' not in (one['data']['hint'] or '') or one['data']['hint'] not in one['message'] or one['severity'] != 1:
            wrong.append(f'says {one}')
        if client.change(URI, MP, 3):
            wrong.append('what was mended is still wrong')
        return wrong


@check
def places_are_counted_in_utf_16():
    with started() as client:
        bad = '(* 𝄞 is two units, é one *) PTX mp\n{ }\n P0 ;\n (* 𝄞 *) ld.aquire.gpu %r1, [y] ;\nexists (0:r1=1)\n'
        said = client.open(URI, bad)
        line, character = place(bad, 'aquire')
        starts = [one['range']['start'] for one in said]
        return [] if {'line': line, 'character': character} in starts or {'line': line, 'character': character - 1} in starts else [str(said)]


@check
def what_is_typed_later_is_heard_first():
    """Several changes in one go are read, and the last one is told."""
    with started() as client:
        client.open(URI, MP)
        messages = b''
        for version, text in ((2, MP.replace('ld.acq', 'ld.aq')), (3, MP.replace('st.rel', 'st.rl')), (4, MP)):
            body = json.dumps({'jsonrpc': '2.0', 'method': 'textDocument/didChange', 'params': {
                'textDocument': {'uri': URI, 'version': version}, 'contentChanges': [{'text': text}]}}).encode()
            messages += b'Content-Length: %d\r\nContent-Type: x\r\n\r\n' % len(body) + body
        client.send_bytes(messages)
        while (message := client.next())['params'].get('version') != 4:
            pass
        return [str(message)] if message['params']['diagnostics'] else []


@check
def hover_tells_section_words_and_sets():
    with started() as client:
        client.open(URI, MP)
        said = client.at('textDocument/hover', URI, *place(MP, 'acquire.gpu.u32'))['contents']['value']
        wanted = ['ld d, [m]', '9.7.9.8', 'reads memory', '`.relaxed`', '`ACQ`: acquire reads', '`GPU`', '`R`']
        wrong = [f'no {word!r} in {said!r}' for word in wanted if word not in said]
        wrong += ['a load is no write'] if '- `W`' in said or '- `REL`' in said else []
        said = client.at('textDocument/hover', URI, *place(MP, 'st.release'))['contents']['value']
        wrong += [] if '- `REL`' in said and '- `ACQ`' not in said else [said]
        if (said := client.at('textDocument/hover', URI, *place(MP, 'expect'))) is not None:
            wrong.append(f'of a comment: {said}')
        return wrong


@check
def hover_knows_every_instruction():
    """With its section, where the table has one, also in a text that is no test."""
    with started() as client:
        table = re.findall(r'^OP\(\w+, "([\w.]+)",(?:[^"]|"[^"]*")*?"x?r?", \d+, "([\d.]*)"', (ROOT / 'litmus/isa/isa.def').read_text(), flags=re.M)
        client.open(URI, '\n'.join(name for name, _ in table))
        wrong = [] if len(table) > 120 else [f'{len(table)} rows are understood']
        for line, (name, section) in enumerate(table):
            said = client.at('textDocument/hover', URI, line, 1)
            text = said['contents']['value'] if said else ''
            if f'**`{name}' not in text or (section and f'section {section} ' not in text):
                wrong.append(f'{name}: {text!r}')
        return wrong


@check
def completion_offers_what_may_follow():
    with started() as client:
        client.open(URI, MP)
        def labels(text):
            client.change(URI, text, 2)
            line, character = place(text, '|@|')
            text = text.replace('|@|', '')
            client.change(URI, text, 3)
            return [item['label'] for item in client.at('textDocument/completion', URI, line, character)]
        after_dot = labels(MP.replace('ld.acquire.gpu.u32', 'ld.acquire.|@|'))
        wrong = [f'{word} after ld.acquire.' for word in ('gpu', 'u32', 'sys', 'volatile') if word not in after_dot]
        wrong += [f'{word} after ld.acquire.' for word in ('acquire', 'relaxed', 'release', 'add') if word in after_dot]
        begun = labels(MP.replace('ld.acquire.gpu.u32 %r1', 'fen|@|'))
        wrong += [] if begun == ['fence'] else [f'fen: {begun}']
        names = labels(MP.replace('[y], 1', '[|@|'))
        wrong += [f'no {word} in {names}' for word in ('x', 'y') if word not in names]
        models = labels(MP.replace('expect ptx-7.5', 'expect ptx-|@|'))
        wrong += [] if models == ['ptx-6.0', 'ptx-7.5'] else [f'models: {models}']
        return wrong


@check
def completion_and_hover_of_cat():
    text = '"own"\nlet mine = po | rf\nacyclic mi as order\n'
    with started() as client:
        client.open(CAT, text, 'cat')
        items = {item['label']: item['detail'] for item in client.at('textDocument/completion', CAT, 2, 10)}
        wrong = [] if items == {'mine': 'defined'} else [f'mi: {items}']
        said = client.at('textDocument/hover', CAT, 1, 11)['contents']['value']
        wrong += [] if 'program order' in said else [f'po: {said}']
        said = client.at('textDocument/hover', CAT, 1, 5)['contents']['value']
        wrong += [] if 'let mine = po | rf' in said else [f'mine: {said}']
        return wrong


@check
def cat_texts_have_diagnostics():
    with started() as client:
        said = client.open(CAT, '"own"\nacyclic po | fr | rg as order\n', 'cat')
        return [] if len(said) == 1 and said[0]['range']['start'] == {'line': 1, 'character': 18} else [str(said)]


@check
def definitions_follow_scopes_and_includes():
    text = '''"own"
include "near.cat"
let f(r) = r | near
let x = po
let rec a = x | b and b = a ; f(x)
let x = x | rf
acyclic x | a as order
'''
    with tempfile.TemporaryDirectory() as folder:
        near, uri = pathlib.Path(folder, 'near.cat'), pathlib.Path(folder, 'own.cat').as_uri()
        near.write_text('let far = rf\nlet near = far+\n')
        with started(XDG_CACHE_HOME=folder) as client:
            wrong = [f'diagnostics: {said}'] if (said := client.open(uri, text, 'cat')) else []
            def goes(line, character):
                found = client.at('textDocument/definition', uri, line, character)
                return found and (found['uri'], found['range']['start']['line'], found['range']['start']['character'])
            rows = [((2, 11), (uri, 2, 6)), ((2, 15), (near.as_uri(), 1, 4)), ((4, 12), (uri, 3, 4)), ((4, 16), (uri, 4, 22)),
                    ((4, 26), (uri, 4, 8)), ((4, 30), (uri, 2, 4)), ((5, 8), (uri, 3, 4)), ((6, 8), (uri, 5, 4)), ((6, 12), (uri, 4, 8)),
                    ((1, 11), (near.as_uri(), 0, 0)), ((3, 9), None)]
            wrong += [f'{at} goes to {goes(*at)}, not {to}' for at, to in rows if goes(*at) != to]
            client.change(uri, 'include "ptx.cat"\nlet own = cause\nempty own as x\n', 2)
            found = client.at('textDocument/definition', uri, 1, 12)
            kept = pathlib.Path(folder, 'ptxlit', 'ptx.cat')
            if not found or found['uri'] != kept.as_uri() or 'cause' not in kept.read_text().split('\n')[found['range']['start']['line']]:
                wrong.append(f'a definition of the bundled model: {found}')
            return wrong


@check
def a_lens_has_the_verdict():
    with started() as client:
        client.open(URI, MP)
        lenses = client.call('textDocument/codeLens', textDocument={'uri': URI})
        line = next(i for i, text in enumerate(LINES) if text.startswith('exists'))
        wrong = [] if len(lenses) == 1 and lenses[0]['range']['start']['line'] == line else [str(lenses)]
        title = client.call('codeLens/resolve', **lenses[0])['command']['title']
        wrong += [] if title == 'forbidden by ptx: none of 3 final states; there is a data race' else [title]
        client.change(URI, MP.replace('ld.acquire.gpu', 'ld.relaxed.gpu'), 2)
        title = client.call('codeLens/resolve', **lenses[0])['command']['title']
        wrong += [] if title.startswith('allowed by ptx: 1 of 4 final states') else [title]
        client.change(URI, MP.replace('exists', 'forall'), 3)
        title = client.call('codeLens/resolve', **lenses[0])['command']['title']
        wrong += [] if title.startswith('fails for ptx: ') else [title]
        client.change(URI, 'PTX nothing', 4)
        return wrong + ([] if client.call('textDocument/codeLens', textDocument={'uri': URI}) == [] else ['a lens of no test'])


HARD = '''PTX hard
{ }
''' + ' ' + ' | '.join(f'P{i}' for i in range(6)) + ' ;\n' + ''.join(
    ' ' + ' | '.join(f'atom.relaxed.gpu.add.u32 %r{j}, [x{(i + j) % 3}], {1 + i}' for i in range(6)) + ' ;\n' for j in range(5)) + 'exists (x0=1)\n'


@check
def a_long_search_leaves_the_editor_alone():
    """While it runs, other questions are answered; it is cancelled, ended by a change, or by its limit."""
    with started('--timeout', '1') as client:
        client.open(URI, HARD)
        lens = client.call('textDocument/codeLens', textDocument={'uri': URI})[0]
        number = client.ask('codeLens/resolve', **lens)
        said = client.at('textDocument/hover', URI, 3, 3)
        wrong = [] if said and not client.notices[1:] else ['hover waits for the search']
        client.notify('$/cancelRequest', id=number)
        code = client.answer(number).get('error', {}).get('code')
        wrong += [] if code == -32800 else [f'cancelled: {code}']
        number = client.ask('codeLens/resolve', **lens)
        client.notify('textDocument/didChange', textDocument={'uri': URI, 'version': 2}, contentChanges=[{'text': HARD + ' '}])
        code = client.answer(number).get('error', {}).get('code')
        wrong += [] if code == -32801 else [f'changed: {code}']
        title = client.call('codeLens/resolve', **lens)['command']['title']
        return wrong + ([] if title.startswith('undecided: time') else [title])


@check
def a_server_bears_what_is_wrong():
    with started() as client:
        client.send_bytes(b'Content-Length: 3\r\n\r\n{"a')
        wrong = [] if client.next()['error']['code'] == -32700 else ['no JSON']
        wrong += [] if client.answer(client.ask('no/such'))['error']['code'] == -32601 else ['a method that it has not']
        for params in ({}, {'textDocument': 7}, {'textDocument': {'uri': 'x'}, 'position': {'line': -5, 'character': 1e9}}, {'textDocument': {'uri': URI}, 'position': []}):
            for method in ('textDocument/hover', 'textDocument/completion', 'textDocument/definition', 'textDocument/codeLens'):
                client.call(method, **params)
        client.notify('textDocument/didChange', textDocument={'uri': 'file:///never/opened'}, contentChanges=[{'text': 'x'}])
        client.notify('textDocument/didClose', textDocument={'uri': 'file:///never/opened'})
        client.open('untitled:1', MP.replace('P0', '\0'))
        client.send_bytes(b'Content-Length: 99999999999\r\n\r\n')
        return wrong + ([] if client.process.wait(30) == 1 else ['what is no message is read on'])


@check
def nothing_comes_before_initialize_or_after_shutdown():
    with Client(PROGRAM) as client:
        early = client.answer(client.ask('textDocument/hover'))['error']['code']
        client.start()
        client.call('shutdown')
        late = client.answer(client.ask('textDocument/hover'))['error']['code']
        return [] if (early, late) == (-32002, -32600) else [f'{early}, {late}']


@check
def a_model_that_cannot_be_read_ends_it_at_once():
    ran = subprocess.run([PROGRAM, 'lsp', '--model', 'ptz'], capture_output=True, text=True, input='')
    return [] if ran.returncode == 2 and "did you mean 'ptx'" in ran.stderr else [f'{ran.returncode}: {ran.stderr}']


run(CHECKS)
