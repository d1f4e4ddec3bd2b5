# SPDX-License-Identifier: MIT
"""A playground that runs while a test looks at it, and what a test says to it."""
import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
MP = (ROOT / 'litmus/corpus/mp/mp+rel+acq.litmus').read_text()


class Playground:
    def __init__(self, *options):
        self.process = subprocess.Popen([PROGRAM, 'serve', '--port', '0', '--jobs', '2', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline()
        found = re.search(r':(\d+)/|port (\d+)', self.address)
        if not found:
            raise RuntimeError(f'it says {self.address!r} and {self.process.stderr.read()!r}')
        self.port = int(found[1] or found[2])
        self.origin = f'http://127.0.0.1:{self.port}'
        self.cookie = None

    def request(self, method, path, body=None, **headers):
        """Status, headers and body; a header that is None is left out."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=60)
        sent = {name.replace('_', '-'): value for name, value in headers.items() if value is not None}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def token(self):
        if not self.cookie:
            self.cookie = self.request('GET', '/')[1]['Set-Cookie'].split(';')[0]
        return self.cookie

    def headers(self, **other):
        return {'Cookie': self.token(), 'Origin': self.origin, 'Content_Type': 'application/json', **other}

    def ask(self, question, said=None, body=None, **other):
        """Status, and the answer as JSON."""
        status, _, answer = self.request('POST', f'/{question}', json.dumps(said).encode() if body is None else body, **self.headers(**other))
        return status, json.loads(answer)

    def check(self, text=MP, **more):
        return self.ask('check', {'test': text, 'model': '', 'cat': '', **more})

    def raw(self, data, seconds=10):
        """What it says to these bytes."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=seconds) as connection:
            connection.sendall(data)
            said = b''
            try:
                while chunk := connection.recv(65536):
                    said += chunk
            except (TimeoutError, ConnectionResetError):
                pass
            return said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()
