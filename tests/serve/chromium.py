# SPDX-License-Identifier: MIT
"""Chromium without a window, told what to do over a pipe: keys are pressed as a user presses them."""
import json
import os
import select
import shutil
import subprocess
import time

OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
           '--disable-sync', '--disable-dev-shm-usage', '--remote-debugging-pipe', 'about:blank']
MODIFIERS = {'Alt': 1, 'Control': 2, 'Shift': 8}
CODES = {'Enter': (13, 'Enter', '\r'), 'Tab': (9, 'Tab', ''), 'Escape': (27, 'Escape', ''), ' ': (32, 'Space', ' '), 'F2': (113, 'F2', ''), 'F8': (119, 'F8', ''),
         'ArrowDown': (40, 'ArrowDown', ''), 'ArrowRight': (39, 'ArrowRight', ''), 'End': (35, 'End', '')}


class Unavailable(Exception):
    pass


class Browser:
    def __init__(self, folder):
        if not shutil.which('chromium'):
            raise Unavailable('no chromium')
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()
        command = f'exec chromium --user-data-dir={folder}/profile {" ".join(OPTIONS)} 3<&{to_read} 4>&{to_write}'
        self.process = subprocess.Popen(['sh', '-c', command], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.received, self.session, self.complaints = 0, b'', None, []
        targets = self.call('Target.getTargets')['targetInfos']
        page = next(one['targetId'] for one in targets if one['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=page, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):
            self.call(f'{domain}.enable')

    def next(self, seconds):
        while b'\0' not in self.received:
            if not select.select([self.into], [], [], seconds)[0]:
                raise Unavailable('chromium does not answer')
            chunk = os.read(self.into, 1 << 20)
            if not chunk:
                raise Unavailable('chromium does not start on this machine')
            self.received += chunk
        message, _, self.received = self.received.partition(b'\0')
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params, **({'sessionId': self.session} if self.session else {})}
        os.write(self.out, json.dumps(message).encode() + b'\0')
        while True:
            said = self.next(60)
            if said.get('id') == self.number:
                if 'error' in said:
                    raise RuntimeError(f'{method}: {said["error"]}')
                return said['result']
            if said.get('method') in ('Runtime.exceptionThrown', 'Log.entryAdded'):
                self.complaints.append(json.dumps(said['params'])[:300])

    def value(self, expression):
        said = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in said:
            raise RuntimeError(f'{expression}: {said["exceptionDetails"]}')
        return said['result'].get('value')

    def wait(self, expression, seconds=30):
        """Waits until it is true; false: it never was."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(f'Boolean({expression})'):
                return True
            time.sleep(0.05)
        return False

    def go(self, address):
        self.call('Page.navigate', url='about:blank')
        self.call('Page.navigate', url=address)
        return self.wait('document.readyState === "complete" && location.href !== "about:blank"')

    def size(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def press(self, *keys):
        """One key with modifiers before it: press('Control', 'k')."""
        *held, key = keys
        code, name, text = CODES[key] if key in CODES else (ord(key.upper()), f'Digit{key}' if key.isdigit() else f'Key{key.upper()}', key)
        modifiers = sum(MODIFIERS[one] for one in held)
        event = {'key': key, 'code': name, 'windowsVirtualKeyCode': code, 'modifiers': modifiers}
        self.call('Input.dispatchKeyEvent', type='keyDown', **event, **({'text': text} if text and not modifiers & 3 else {}))
        self.call('Input.dispatchKeyEvent', type='keyUp', **event)

    def type(self, text):
        self.call('Input.insertText', text=text)

    def close(self):
        os.close(self.out)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        os.close(self.into)
