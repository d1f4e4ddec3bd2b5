#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results that were cut, torn, copied, shuffled or forged: 'ptxlit compare --hardware' neither ends abnormally nor counts a run twice. What an H100 showed of
some tests is changed at random, from a fixed seed. Prints TAP.

usage: ingest.py ROOT PTXLIT [COUNT [SEED]]"""
import json
import lzma
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
COUNT, SEED = (int(word) for word in (sys.argv[3:] + ['60', '1'][len(sys.argv) - 3:])[:2])
TESTS = [f'litmus/corpus/mp/{name}.litmus' for name in ('mp+weak', 'mp+rlx', 'mp+rel+weak-write')]
USUAL = 0, 1, 2, 3  # exit statuses


def lines():
    """What one start of the program showed of the tests."""
    origin, kept = None, []
    with lzma.open(ROOT / 'tests/silicon/h100-paths.jsonl.xz', 'rt') as text:
        for line in text:
            said = json.loads(line)
            if 'device' in said:
                origin = line
            elif said['file'] in TESTS:
                kept.append(line)
    return origin, kept


def compare(text, folder):
    """The exit status and, by file, how many runs are counted."""
    seen = folder / 'seen.jsonl'
    seen.write_bytes(text)
    done = subprocess.run([PROGRAM, 'compare', '--json', '--no-time', '--jobs', '1', '--hardware', seen, *TESTS], cwd=ROOT, capture_output=True)
    found = map(json.loads, done.stdout.splitlines()) if done.returncode in USUAL else ()
    return done.returncode, {line['file']: (line['hardware'] or {}).get('runs', 0) for line in found}


def rearranged(chance, kept):
    """Some lines of the start again, moved or missing; the end may be torn."""
    kept = list(kept)
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randrange(len(kept) + 1) for _ in range(2))
        what = chance.randrange(4)
        if what == 0:
            kept[at:at] = kept[at:to]
        elif what == 1:
            del kept[at:at + chance.randint(1, 3)]
        elif what == 2:
            chance.shuffle(kept)
        else:
            kept += kept
    text = ''.join(kept).encode()
    return text[:chance.randrange(len(text) + 1)] if chance.randrange(3) == 0 else text


def forged(chance, text):
    """Some bytes are others."""
    text = bytearray(text)
    for _ in range(chance.randint(1, 20)):
        text[chance.randrange(len(text))] = chance.choice(b'0123456789{}[]":,-. \n\0\xffae')
    return bytes(text)


def main():
    chance = random.Random(SEED)
    origin, kept = lines()
    print(f'TAP version 13\n1..{2 * COUNT + 1}')
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        _, whole = compare((origin + ''.join(kept)).encode(), folder)
        print('ok' if len(whole) == len(TESTS) and min(whole.values()) > 1000000 else 'not ok', '- the runs of', len(TESTS), 'tests are counted:', sum(whole.values()))
        for i in range(COUNT):
            text = origin.encode() + rearranged(chance, kept)
            status, runs = compare(text, folder)
            more = [file for file, count in runs.items() if count > whole[file]]
            print('ok' if status in USUAL and not more else 'not ok', f'- rearranged {i} (status {status})', *more)
            status, _ = compare(forged(chance, text), folder)
            print('ok' if status in USUAL else 'not ok', f'- forged {i} (status {status})')


main()
