# SPDX-License-Identifier: MIT
"""An editor that speaks the Language Server Protocol with 'ptxlit lsp', for the tests of this folder."""
import json
import os
import select
import subprocess


class Client:
    def __init__(self, program, *options, **environment):
        self.process = subprocess.Popen([program, 'lsp', *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, **environment})
        self.number, self.received, self.notices = 0, b'', []

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.send_bytes(b'Content-Length: %d\r\n\r\n' % len(body) + body)

    def notify(self, method, **params):
        self.send({'method': method, 'params': params})

    def ask(self, method, **params):
        """Sends a request and gives its number."""
        self.number += 1
        self.send({'id': self.number, 'method': method, 'params': params})
        return self.number

    def next(self, seconds=60):
        """The next message; None at the end."""
        while True:
            head, found, rest = self.received.partition(b'\r\n\r\n')
            if found:
                length = int(head.split(b':')[1])
                if len(rest) >= length:
                    self.received = rest[length:]
                    return json.loads(rest[:length])
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                raise TimeoutError('the server says nothing')
            chunk = os.read(self.process.stdout.fileno(), 65536)
            if not chunk:
                return None
            self.received += chunk

    def answer(self, number):
        """The answer to a request; what else comes is kept."""
        while (message := self.next()) is not None:
            if message.get('id') == number and 'method' not in message:
                return message
            self.notices.append(message)
        raise EOFError('the server has left')

    def call(self, method, **params):
        message = self.answer(self.ask(method, **params))
        if 'error' in message:
            raise RuntimeError(message['error'])
        return message['result']

    def start(self):
        result = self.call('initialize', capabilities={}, processId=None, rootUri=None)
        self.notify('initialized')
        return result

    def open(self, uri, text, language='litmus'):
        """Opens a text and gives its diagnostics."""
        self.notify('textDocument/didOpen', textDocument={'uri': uri, 'languageId': language, 'version': 1, 'text': text})
        return self.diagnostics(uri)

    def change(self, uri, text, version):
        self.notify('textDocument/didChange', textDocument={'uri': uri, 'version': version}, contentChanges=[{'text': text}])
        return self.diagnostics(uri)

    def diagnostics(self, uri):
        while (message := self.next()) is not None:
            if message.get('method') == 'textDocument/publishDiagnostics' and message['params']['uri'] == uri:
                return message['params']['diagnostics']
            self.notices.append(message)
        raise EOFError('the server has left')

    def at(self, method, uri, line, character):
        return self.call(method, textDocument={'uri': uri}, position={'line': line, 'character': character})

    def stop(self):
        """Ends it as an editor does; the exit status."""
        self.call('shutdown')
        self.notify('exit')
        return self.process.wait(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
