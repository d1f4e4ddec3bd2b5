# SPDX-License-Identifier: MIT
"""Somebody in front of a page of Chromium: presses keys, types, and waits for what is seen."""
import time

MODIFIERS = {'Alt': 1, 'Control': 2, 'Shift': 8}
CODES = {'Enter': (13, 'Enter', '\r'), 'Tab': (9, 'Tab', ''), 'Escape': (27, 'Escape', ''), ' ': (32, 'Space', ' '), 'F2': (113, 'F2', ''), 'F8': (119, 'F8', ''),
         'ArrowDown': (40, 'ArrowDown', ''), 'ArrowRight': (39, 'ArrowRight', ''), 'End': (35, 'End', '')}


class User:
    def __init__(self, page):
        self.page, self.value, self.complaints = page, page.evaluate, page.complaints
        page.ask('Log.enable')

    def wait(self, expression, seconds=30):
        """Waits until it is true; false: it never was."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(f'Boolean({expression})'):
                return True
            time.sleep(0.05)
        return False

    def go(self, address):
        for url in ('about:blank', address):
            self.page.ask('Page.navigate', url=url)
        return self.wait('document.readyState === "complete" && location.href !== "about:blank"')

    def size(self, width, height):
        self.page.ask('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def press(self, *keys):
        """One key with modifiers before it: press('Control', 'k')."""
        *held, key = keys
        code, name, text = CODES[key] if key in CODES else (ord(key.upper()), f'Digit{key}' if key.isdigit() else f'Key{key.upper()}', key)
        modifiers = sum(MODIFIERS[one] for one in held)
        event = {'key': key, 'code': name, 'windowsVirtualKeyCode': code, 'modifiers': modifiers}
        self.page.ask('Input.dispatchKeyEvent', type='keyDown', **event, **({'text': text} if text and not modifiers & 3 else {}))
        self.page.ask('Input.dispatchKeyEvent', type='keyUp', **event)

    def type(self, text):
        self.page.ask('Input.insertText', text=text)
