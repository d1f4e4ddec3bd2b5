#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives every function of cuda_runtime_api.h to the program, each in a host thread of its own, and compares what it says
with the tables: a row of litmus/test/host_call.def is modelled and a READ row of host_other.def is read; the other rows there
are refused by name (H002), and what is irrelevant gets the hint to leave it out. Prints TAP.

usage: host_calls.py ROOT PTXLIT"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
HINT = 'leave it out'


def tables():
    """What each call of the header should be: modelled, READ, WORK or NOTHING."""
    other = (ROOT / 'litmus/test/host_other.def').read_text()
    rows = dict(re.findall(r'^OTHER\("(\w+)", (\w+), "[^"]*"\)$', other, flags=re.M))
    rows.update({name: 'READ' for name in re.findall(r'^READ\("(\w+)", "[^"]*"\)$', other, flags=re.M)})
    rows.update({name: 'modelled' for name in re.findall(r'^CALL\("(cuda\w+)"', (ROOT / 'litmus/test/host_call.def').read_text(), flags=re.M)})
    return {name: rows.get(name, 'missing') for name in (ROOT / 'tests/shape/cuda-13.0-runtime.names').read_text().split()}


def answers(names):
    """What the program says of each: its diagnostic H002 with the hint, or nothing."""
    said = {}
    for first in range(0, len(names), 10): # it stops after some errors
        some = names[first:first + 10]
        text = 'PTX calls\n{ u32 x; }\n' + ''.join(f'host H{i} {{ {name}(); }}\n' for i, name in enumerate(some)) + 'exists (true)\n'
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'calls.litmus'
            path.write_text(text)
            done = subprocess.run([PROGRAM, 'print', path], capture_output=True, text=True, check=False)
        out = done.stdout + done.stderr
        for match in re.finditer(r':(\d+):\d+: (\w\d+):[^\n]*(?:\n +[^\n]*)*', out):
            name = some[int(match[1]) - 3]
            said.setdefault(name, '')
            if match[2] == 'H002':
                said[name] = match[0]
    return said


def kind_of(text):
    return 'read' if not text else 'NOTHING' if HINT in text else 'WORK'


def main():
    want = tables()
    said = answers(list(want))
    wrong = []
    for name, kind in want.items():
        is_kind = kind_of(said.get(name, ''))
        expected = 'read' if kind in ('modelled', 'READ') else kind
        if is_kind != expected:
            wrong.append(f'{name}: the table says {kind}, the program {is_kind}')
    print('1..1')
    for line in wrong:
        print(f'# {line}')
    print(f'{"not " if wrong else ""}ok 1 - {len(want)} calls are what the tables say')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
