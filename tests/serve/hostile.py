#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What other sites, other clients and wrong texts may try with a playground. Prints TAP.

usage: hostile.py ROOT PTXLIT"""
import concurrent.futures
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from playground import MP, PROGRAM, ROOT, Playground  # noqa: E402
from tap import Skip, run  # noqa: E402

HARD = 'PTX hard\n{ }\n ' + ' | '.join(f'P{i}' for i in range(6)) + ' ;\n' + ''.join(
    ' ' + ' | '.join(f'atom.relaxed.gpu.add.u32 %r{j}, [x{(i + j) % 3}], {1 + i}' for i in range(6)) + ' ;\n' for j in range(5)) + 'exists (x0=1)\n'


def answers_are_right():
    with Playground() as p:
        status, said = p.check()
        wrong = [] if status == 200 and said['title'].startswith('forbidden by ptx') and len(said['states']) == 3 else [str(said)]
        said = p.check(model='ptx-6.0')[1]
        wrong += [] if said['result']['model'] == 'ptx-6.0' else [str(said)]
        said = p.check(cat='"mine"\nacyclic po | rf as order')[1]
        wrong += [] if said['title'].startswith('allowed by model.cat: 1 of 4') else [str(said)]
        said = p.check(cat='"mine"\nacyclic po | rg as order')[1]
        wrong += [] if said['model_problems'][0]['range']['start'] == {'line': 1, 'character': 13} and 'result' not in said else [str(said)]
        said = p.check(MP.replace('ld.acq', 'ld.aq'))[1]
        wrong += [] if 'acquire' in said['problems'][0]['data']['hint'] and 'result' not in said else [str(said)]
        said = p.ask('explain', {'test': MP})[1]
        wrong += [] if 'causality' in said['explanation'] and said['svg'].startswith('<svg') else [str(said)]
        said = p.ask('timeline', {'test': MP.replace('exists', '~exists'), 'seed': 7})[1]
        wrong += [] if said['svg'].startswith('<svg') and said['reached'] is False and said['runs'] > 0 else [str(said)]
        said = p.ask('timeline', {'test': MP.replace('(1:r1=1 /\\ 1:r2=0)', '(1:r1=1 /\\ 1:r2=1)')})[1]
        wrong += [] if said['reached'] else ['no run reaches what is allowed']
        said = p.ask('hover', {'test': MP, 'line': 9, 'character': 5})[1]
        wrong += [] if 'Memory' in json.dumps(said['hover']) else [str(said)]
        cpp = (ROOT / 'litmus/corpus/cpp/2+2w+sc.litmus').read_text()
        said = p.check(cpp)[1]
        return wrong + ([] if said['result']['model'] == 'cpp' and p.ask('timeline', {'test': cpp})[1].get('svg') else [str(said)])


def the_tests_can_be_browsed():
    with Playground() as p:
        tests = json.loads(p.request('GET', '/corpus')[2])
        number = next(i for i, one in enumerate(tests) if (one['family'], one['name']) == ('mp', 'mp+rel+acq'))
        text = p.request('GET', f'/corpus/{number}')[2].decode()
        wrong = [] if text == MP and tests[number]['about'] else [str(tests[number])]
        wrong += [f'test {path}' for path in (len(tests), -1, '', '1/..') if p.request('GET', f'/corpus/{path}')[0] != 404]
        text = p.request('GET', '/models/ptx')[2].decode()
        wrong += [] if 'causality' in text and p.request('GET', '/models/ptz')[0] == 404 else ['the models']
    with Playground(str(ROOT / 'litmus/corpus/sb')) as p:
        families = {one['family'] for one in json.loads(p.request('GET', '/corpus')[2])}
        return wrong + ([] if families == {'.'} else [f'{families}'])


def other_names_are_refused():
    """A page whose site's name leads to this machine asks under that name."""
    with Playground() as p:
        hosts = [None, '', 'evil.example', f'evil.example:{p.port}', '127.0.0.1', f'127.0.0.1:{p.port + 1}', f'127.0.0.1:{p.port}.evil.example', f'a@127.0.0.1:{p.port}']
        wrong = []
        for host in hosts:
            line = b'' if host is None else f'Host: {host}\r\n'.encode()
            said = p.raw(b'GET / HTTP/1.1\r\n' + line + b'Connection: close\r\n\r\n')
            if said.split(b' ')[1] not in (b'403', b'400') or b'Set-Cookie' in said:
                wrong.append(f'{host}: {said[:60]}')
        own = f'Host: 127.0.0.1:{p.port}\r\n'
        for two in (own + 'Host: evil.example\r\n', 'hOST: evil.example\r\n' + own, own + own):
            said = p.raw(f'GET / HTTP/1.1\r\n{two}Connection: close\r\n\r\n'.encode())
            wrong += [] if said.split(b' ')[1] in (b'403', b'400') and b'Set-Cookie' not in said else [f'{two!r}: {said[:60]}']
        for host in (f'127.0.0.1:{p.port}', f'localhost:{p.port}', f'LOCALHOST:{p.port}'):
            wrong += [] if b' 200 ' in p.raw(f'GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n'.encode())[:20] else [host]
        return wrong


def other_sites_are_refused():
    with Playground() as p:
        body, wrong = json.dumps({'test': MP}).encode(), []
        for origin in (None, 'null', 'http://evil.example', f'http://127.0.0.1:{p.port + 1}', f'http://127.0.0.1:{p.port}.evil.example', f'ftp://127.0.0.1:{p.port}', f'http://localhost:{p.port}'):
            status = p.ask('check', body=body, Origin=origin)[0]
            wrong += [] if status == 403 else [f'{origin}: {status}']
        for cookie in (None, 'ptxlit=1', f'ptxlit-{p.port}=x', p.token()[:-1], p.token() + '0', p.token().replace('=', '=0', 1), f'ptxlit-{p.port}=.', f'other-{p.token()}'):
            status = p.ask('check', body=body, Cookie=cookie)[0]
            wrong += [] if status == 403 else [f'{cookie}: {status}']
        for kind in (None, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'):
            status = p.ask('check', body=body, Content_Type=kind)[0]
            wrong += [] if status == 415 else [f'{kind}: {status}']
        status = p.request('GET', '/', Origin='http://evil.example')[0]
        wrong += [] if status == 403 else [f'GET from another site: {status}']
        return wrong + ([] if p.check()[0] == 200 else ['its own page is refused'])


def a_browser_is_told_to_be_strict():
    with Playground() as p:
        _, headers, _ = p.request('GET', '/')
        wrong = [] if all(word in headers['Set-Cookie'] for word in ('SameSite=Strict', 'HttpOnly', 'Path=/')) else [headers['Set-Cookie']]
        for path in ('/', '/page.js', '/corpus', '/corpus/0', '/nothing'):
            _, headers, _ = p.request('GET', path)
            policy = headers['Content-Security-Policy'] or ''
            wrong += [] if "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and 'unsafe' not in policy else [f'{path}: {policy}']
            wrong += [] if headers['X-Content-Type-Options'] == 'nosniff' and 'Access-Control-Allow-Origin' not in headers else [f'{path}: {headers}']
        return wrong


def no_file_is_read():
    with tempfile.TemporaryDirectory() as folder, Playground() as p:
        secret = pathlib.Path(folder, 'secret')
        secret.write_text('4711 let secret = po')
        for name in ('secret.cu', 'secret.ptx', 'secret.cat', 'secret.bin'):
            shutil.copy(secret, secret.with_name(name))
        head, wrong = 'PTX a\n{ x = 0; }\n', []
        texts = [f'{head}cuda "{secret}.cu"\nexists (x=1)', f'{head}ptx "{secret}.ptx"\nexists (x=1)', f'PTX a\nprogram "{secret}.cu"\nexists (x=1)',
                 f'PTX a\n{{ u32 x[4] = @"{secret}.bin"; }}\n P0 ;\n st x, 1 ;\nexists (x=1)', f'{head}cuda "/etc/passwd.cu"\n', f'{head}ptx "/proc/self/environ.ptx"\n']
        for text in texts:
            said = p.check(text)[1]
            wrong += [] if said['problems'] and '4711' not in json.dumps(said) and 'result' not in said else [f'{text!r}: {said}']
        said = p.check(texts[0])[1]
        wrong += [] if 'reads no files' in said['problems'][0]['message'] else [str(said)]
        for cat in (f'include "{secret}.cat"\nempty secret as x', 'include "/etc/passwd"', f'include "../../../../../../..{secret}.cat"'):
            said = p.check(cat=cat)[1]
            wrong += [] if said['model_problems'] and '4711' not in json.dumps(said) and 'result' not in said else [f'{cat!r}: {said}']
        for model in (f'{secret}.cat', '/etc/passwd', '../ptx.cat', 'ptx+nothing', 'model.cat'):
            said = p.check(model=model)[1]
            wrong += [] if 'result' not in said and '4711' not in json.dumps(said) else [f'{model!r}: {said}']
        for path in ('/../../etc/passwd', '/..%2f..%2fetc/passwd', f'/{secret}', '//etc/passwd', '/corpus/../serve.c', '/models/../../etc/passwd', '/page.js/..'):
            status, _, body = p.request('GET', path)
            wrong += [] if status == 404 and b'root:' not in body else [f'{path}: {status}']
        return wrong


def what_is_no_question_is_refused():
    with Playground() as p:
        wrong = []
        for number, body in enumerate((b'', b'{', b'[]', b'7', b'"x"', b'null', b'\xff\xfe', b'{"test": 7}', b'{"test": {}, "model": [], "cat": 1e999}', b'[' * 100000,
                     b'{"test": "a\\u0000b", "cat": "\\u0000"}', b'{"line": -5, "character": 99999999999999999999, "seed": -1}', b'{"test": "\\ud800"}')):
            for question in ('check', ('timeline', 'complete', 'explain')[number % 3]): # each is a process
                status, said = p.ask(question, body=body)
                wrong += [] if status == 200 and isinstance(said, dict) and 'defect' not in json.dumps(said) else [f'{question} {body[:40]}: {status} {said}']
        wrong += [] if p.ask('nothing', {})[0] == 404 and p.ask('check/x', {})[0] == 404 else ['a question that there is not']
        wrong += [] if p.request('PUT', '/check', b'x', **p.headers())[0] == 405 else ['PUT']
        for data in (b'x\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'\0' * 100 + b'\r\n\r\n', b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n\r\n', b'GET / HTTP/1.1\r\n' + b'A: b\r\n' * 20000 + b'\r\n'):
            p.raw(data, 0.3)
        return wrong + ([] if p.check()[0] == 200 else ['it does not answer any more'])


def a_body_is_bounded():
    with Playground() as p:
        wrong = []
        head = ''.join(f'{name.replace("_", "-")}: {value}\r\n' for name, value in p.headers(Host=f'127.0.0.1:{p.port}').items())
        for length in ('Content-Length: 600000', 'Content-Length: -1', 'Content-Length: 99999999999999999999', 'Content-Length: 1x', 'Transfer-Encoding: chunked', 'A: b'):
            said = p.raw(f'POST /check HTTP/1.1\r\n{head}{length}\r\n\r\nffff\r\n'.encode(), 1)
            wrong += [] if said.split(b' ')[1:2] in ([b'413'], [b'400']) else [f'{length}: {said[:80]}']
        status, said = p.check('PTX a\n' + '(*' * 200000)
        return wrong + ([] if status == 200 and said['problems'] else [str(said)])


def slow_clients_are_alone():
    """Half a request, many of them, keep nobody waiting."""
    with Playground() as p:
        half = [socket.create_connection(('127.0.0.1', p.port)) for _ in range(100)]
        for one in half:
            one.sendall(b'POST /check HTTP/1.1\r\nHost: x\r\nContent-Le')
        started = time.monotonic()
        wrong = [] if p.check()[0] == 200 and time.monotonic() - started < 20 else ['half a request holds others up']
        for one in half:
            one.close()
        return wrong + ([] if p.check()[0] == 200 else ['it does not answer any more'])


def silent_clients_give_way():
    """More connections than the server holds, on which nobody says anything, and then none."""
    with Playground() as p:
        silent = [socket.create_connection(('127.0.0.1', p.port)) for _ in range(700)]
        wrong = [] if p.check()[0] == 200 else ['silent connections keep others out']
        for one in silent:
            one.close()
        return wrong + ([] if p.check()[0] == 200 else ['it does not answer any more'])


def work_has_limits():
    with Playground('--timeout', '1') as p:
        started = time.monotonic()
        said = p.check(HARD)[1]
        took = time.monotonic() - started
        words = said.get('title', '') + said.get('error', '')
        wrong = [] if 'time: more than 1 s' in words and took < 20 else [f'{took:.0f} s: {words}']
        wrong += [] if p.check()[1]['title'].startswith('forbidden') else ['after it']
    with Playground('--memory-limit', '24') as p:
        said = p.check(HARD)[1]
        words = said.get('title', '') + said.get('error', '')
        return wrong + ([] if 'memory' in words else [words])


def the_last_question_of_a_page_counts():
    """Typing does not pile up work: what the same page asked before is dropped."""
    with Playground('--timeout', '20') as p, concurrent.futures.ThreadPoolExecutor(8) as pool:
        p.token()
        early = pool.submit(p.ask, 'check', {'test': HARD}, X_Page='one')
        other = pool.submit(p.ask, 'check', {'test': HARD + ' '}, X_Page='two')
        time.sleep(0.5)
        last = p.ask('check', {'test': MP}, X_Page='one')
        wrong = [] if early.result(60)[0] == 409 and last[1]['title'].startswith('forbidden') else [f'{early.result()[0]}, {last}']
        wrong += ['another page is dropped with it'] if other.done() and other.result()[0] == 409 else []
        p.ask('check', {'test': MP}, X_Page='two')
        return wrong


def who_leaves_is_not_worked_for():
    with Playground('--jobs', '1', '--timeout', '30') as p:
        body = json.dumps({'test': HARD}).encode()
        head = ''.join(f'{name.replace("_", "-")}: {value}\r\n' for name, value in p.headers(Host=f'127.0.0.1:{p.port}', Content_Length=len(body)).items())
        for number in range(5):
            with socket.create_connection(('127.0.0.1', p.port)) as connection:
                connection.sendall(f'POST /check HTTP/1.1\r\n{head}X-Page: {number}\r\n\r\n'.encode() + body)
                time.sleep(0.1)
        started = time.monotonic()
        said = p.check()
        took = time.monotonic() - started
        return [] if said[0] == 200 and took < 20 else [f'{took:.0f} s: {said}']


def a_class_has_limits_for_each():
    with Playground('--public', 'class.example', '--rate', '3', '--timeout', '5') as p, concurrent.futures.ThreadPoolExecutor(8) as pool:
        own = {'Host': 'class.example', 'Origin': 'https://class.example'}
        def ask(client):
            return p.ask('check', {'test': MP}, X_Forwarded_For=f'6.6.6.6, {client}', **own)[0]
        said = [ask('10.0.0.1') for _ in range(5)]
        wrong = [] if said == [200, 200, 200, 429, 429] else [f'one client: {said}']
        wrong += [] if ask('10.0.0.2') == 200 else ['another client is refused with it']
        wrong += [] if p.ask('check', {}, **{**own, 'Host': 'evil.example'})[0] == 403 else ['another name']
        wrong += [] if p.ask('check', {}, **{**own, 'Origin': 'https://evil.example'})[0] == 403 else ['another site']
        return wrong


def other_machines_need_a_word():
    """Without --public nothing but this machine is served."""
    for options in (['--address', '0.0.0.0'], ['--address', '::'], ['--address', 'nowhere'], ['/nowhere/at/all']):
        ran = subprocess.run([PROGRAM, 'serve', '--port', '0', *options], capture_output=True, text=True, timeout=20)
        if ran.returncode != 2 or 'ptxlit: ' not in ran.stderr:
            return [f'{options}: {ran.returncode} {ran.stderr}']
    with Playground() as p:
        taken = subprocess.run([PROGRAM, 'serve', '--port', str(p.port)], capture_output=True, text=True, timeout=20)
        return [] if taken.returncode == 2 and 'taken' in taken.stderr else [taken.stderr]


def the_unit_is_good():
    if not shutil.which('systemd-analyze'):
        raise Skip('systemd-analyze is not installed')
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder, 'ptxlit-playground.service')
        text = (ROOT / 'docs/ptxlit-playground.service').read_text()
        unit.write_text(text.replace('ExecStart=/usr/bin/ptxlit', f'ExecStart={pathlib.Path(PROGRAM).resolve()}'))
        ran = subprocess.run(['systemd-analyze', 'verify', '--man=no', str(unit)], capture_output=True, text=True)
        said = [line for line in (ran.stdout + ran.stderr).splitlines() if 'ptxlit' in line]
        if ran.returncode and not said:
            raise Skip('systemd-analyze does not run on this machine')
        command = text.split('ExecStart=/usr/bin/ptxlit ')[1].split('\n')[0].replace('HOST', 'class.example').split()
        parsed = subprocess.run([PROGRAM, *command, '--help'], capture_output=True, text=True)
        exposed = subprocess.run(['systemd-analyze', 'security', '--offline=yes', '--threshold=15', str(unit)], capture_output=True, text=True)
        said += [exposed.stdout[-100:]] if exposed.returncode and 'exposure level' in exposed.stdout else [] # systemd before 250 has no --threshold
        return said + ([] if parsed.returncode == 0 else [parsed.stderr])


run([answers_are_right, the_tests_can_be_browsed, other_names_are_refused, other_sites_are_refused, a_browser_is_told_to_be_strict, no_file_is_read,
     what_is_no_question_is_refused, a_body_is_bounded, slow_clients_are_alone, silent_clients_give_way, work_has_limits, the_last_question_of_a_page_counts,
     who_leaves_is_not_worked_for, a_class_has_limits_for_each, other_machines_need_a_word, the_unit_is_good])
