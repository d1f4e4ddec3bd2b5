# SPDX-License-Identifier: MIT
"""A headless Chromium that tests ask questions, over the pipe of its DevTools protocol."""
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
           '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--remote-debugging-pipe',
           '--allow-file-access-from-files']


class Missing(Exception):
    """There is no Chromium, or it does not start; says which."""


class Page:
    """A tab. 'evaluate' gives the value of an expression, a promise's when it is kept; 'complaints' has what went wrong in it, and
    the lines of its log when 'Log.enable' was asked."""

    def __init__(self, write, read):
        self.pipe, self.read, self.buffer, self.count, self.session = write, read, b'', 0, None
        self.complaints = []
        target = self.ask('Target.createTarget', url='about:blank')['targetId']
        self.session = self.ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime'):
            self.ask(domain + '.enable')

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b'\0' not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                raise TimeoutError(f'Chromium says nothing for {seconds} s')
            got = os.read(self.read, 1 << 16)
            if not got:
                raise Missing('chromium ends')
            self.buffer += got
        first, self.buffer = self.buffer.split(b'\0', 1)
        said = json.loads(first)
        if said.get('method') in ('Runtime.exceptionThrown', 'Log.entryAdded'):
            self.complaints.append(json.dumps(said['params'])[:300])
        return said

    def ask(self, method, seconds=120, **params):
        self.count += 1
        question = {'id': self.count, 'method': method, 'params': params}
        if self.session:
            question['sessionId'] = self.session
        with contextlib.suppress(BrokenPipeError):  # then there is no answer either
            os.write(self.pipe, json.dumps(question).encode() + b'\0')
        while True:
            said = self.message(seconds)
            if said.get('id') == self.count:
                if 'error' in said:
                    raise ValueError(f'{method}: {said["error"]}')
                return said['result']

    def evaluate(self, expression, seconds=120):
        said = self.ask('Runtime.evaluate', seconds, expression=expression, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in said:
            raise ValueError(said['exceptionDetails'].get('exception', {}).get('description', said['exceptionDetails']['text']))
        return said['result'].get('value')

    def open(self, url, seconds=120):
        self.ask('Page.navigate', seconds, url=url)
        while self.message(seconds).get('method') != 'Page.loadEventFired':
            pass


@contextlib.contextmanager
def chromium(options=()):
    """A page of a browser of its own, which ends with it."""
    if not shutil.which('chromium'):
        raise Missing('no chromium')
    asked, write = os.pipe()
    read, said = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = f'exec chromium "$@" 3<&{asked} 4>&{said}'
        with subprocess.Popen(['bash', '-c', command, 'chromium', *OPTIONS, *options, f'--user-data-dir={profile}'], pass_fds=(asked, said),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as browser:
            os.close(asked)
            os.close(said)
            try:
                yield Page(write, read)
            finally:
                browser.terminate()
                os.close(write)
                os.close(read)
