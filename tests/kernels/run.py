#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of kernels.cu as compiled for two targets, run by 'ptxlit run' and held against plain Python: a line of TAP each.

usage: run.py PTXLIT"""
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
CODES = {'u32': 'I', 's32': 'i', 'f32': 'f', 'f64': 'd', 'u8': 'B', 'u64': 'Q', 's64': 'q'}
random.seed(5)
WORDS = [random.randrange(1 << 32) for _ in range(2048)]
SMALL = [word % 1000 - 500 for word in WORDS]


def f32(number):
    return struct.unpack('f', struct.pack('f', number))[0]


def s32(number):
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def collatz(n):
    return 0 if n == 1 else 1 + collatz(3 * n + 1 if n & 1 else n // 2)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def sums(values, block):
    out = []
    for i, value in enumerate(values):
        out.append(value if i % block == 0 else out[-1] + value)
    return out


def votes(values):
    out = [sum(v & 1 for v in values), int(all(v >= 0 for v in values)), int(77 in values)]
    for i, v in enumerate(values):
        warp = values[i // 32 * 32:i // 32 * 32 + 32]
        out.append(sum(w & 4 > 0 for w in warp) + 1000 * sum(w % 5 == v % 5 for w in warp))
    return out


def choice(v):
    reverse = int(f'{v:032b}'[::-1], 2)
    return [9, v << 7, 32 - v.bit_length(), ~v, v ** 3, s32(reverse), v // 4][v] if v < 7 else -1


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def wide(v, m):
    bits = f'{v:064b}'
    return (v * 0x123456789abcdef >> 64 ^ v // (m + 1) ^ v % (m + 7) ^ bits.count('1') ^ int(bits[::-1], 2) ^
            (64 - v.bit_length()) << 40 ^ (v & -v).bit_length() << 50) % (1 << 64)


def product(a, b, n):
    return [sum(a[y * n + k] * b[k * n + x] for k in range(n)) for y in range(n) for x in range(n)]


def cases():
    """Kernel, launch options, arguments (name, type, elements or their number), buffer, its wanted elements."""
    yield ('block_sum', ['--grid', '4', '--block', '128'], [('in', 'u32', WORDS[:512]), ('out', 'u32', 4)], 'out',
           [sum(WORDS[128 * i:128 * i + 128]) % (1 << 32) for i in range(4)])
    yield ('prefix_sum', ['--grid', '2', '--block', '256', '--shared', '1024'],
           [('in', 's32', SMALL[:512]), ('out', 's32', 512)], 'out', sums(SMALL[:512], 256))
    w, h = 37, 29
    image = [float(word % 977) for word in WORDS[:w * h]]
    yield ('transpose', ['--grid', '3,2', '--block', '16,16'],
           [('in', 'f32', image), ('out', 'f32', w * h), ('w', None, w), ('h', None, h)], 'out',
           [image[y * w + x] for x in range(w) for y in range(h)])
    data = [word & 255 for word in WORDS]
    yield ('histogram', ['--grid', '3', '--block', '96'], [('in', 'u8', data), ('bins', 'u32', 256), ('n', None, len(data))],
           'bins', [data.count(i) for i in range(256)])
    ballots = [word % 100 for word in WORDS[:95]] + [77]
    yield 'votes', ['--block', '96'], [('in', 's32', ballots), ('out', 's32', 99)], 'out', votes(ballots)
    packed = list(struct.pack('=ifq3b5x', 7, 2.5, 1 << 40, 1, 2, -6))
    yield ('structure', ['--block', '8'], [('s', 'u8', packed), ('out', 's64', 8)], 'out',
           [7 * t + 2 + (1 << 40) + [1, 2, -6][t % 3] for t in range(8)])
    keys = [t % 9 for t in range(64)]
    yield 'choices', ['--block', '64'], [('in', 's32', keys), ('out', 's32', 64)], 'out', [choice(v) for v in keys]
    yield ('loops_in_calls', ['--block', '64'], [('out', 's32', 64)], 'out',
           [collatz(t + 1) + (collatz(27) if t & 1 else 0) for t in range(64)])
    yield 'recursion', ['--block', '48'], [('out', 's32', 48)], 'out', [fibonacci(t % 12) for t in range(48)]
    a, b = [[float(word % 97) for word in WORDS[at:at + 24]] for at in (0, 50)]
    yield ('products', ['--block', '8'], [('a', 'f64', a), ('b', 'f64', b), ('out', 'f64', 24)], 'out',
           sum((cross(a[3 * t:3 * t + 3], b[3 * t:3 * t + 3]) for t in range(8)), []))
    yield ('middle', ['--block', '64'], [('in', 's32', SMALL[:66]), ('out', 's32', 64)], 'out',
           [sorted(SMALL[t:t + 3])[1] for t in range(64)])
    n = 32
    a, b = [[float(word % 7) for word in WORDS[at:at + n * n]] for at in (0, n * n)]
    yield ('multiply', ['--grid', '2,2', '--block', '16,16'],
           [('a', 'f32', a), ('b', 'f32', b), ('c', 'f32', n * n), ('n', None, n)], 'c', product(a, b, n))
    yield 'bitonic', ['--block', '256', '--shared', '1024'], [('data', 'u32', WORDS[:256])], 'data', sorted(WORDS[:256])
    longs, m = [WORDS[2 * t] << 32 | WORDS[2 * t + 1] for t in range(64)], 12345678901
    yield ('wide', ['--block', '64'], [('in', 'u64', longs), ('out', 'u64', 64), ('m', None, m)], 'out',
           [wide(v, m) for v in longs])
    xs = [f32(t / 977) for t in range(1, 65)]
    yield ('floats', ['--block', '64'], [('in', 'f32', xs), ('out', 'f32', 384), ('wider', 'f64', 64)], 'out',
           [y for x in xs for y in (f32(math.sqrt(x)), f32(x / 3), math.floor(x), round(x), min(x, 2), int(x))])
    blocks = [[3, 1, 4, 1][i % 4] for i in range(9)]
    yield 'last_block', ['--grid', '9', '--block', '64'], [('out', 'u32', 10)], 'out', blocks + [sum(blocks)]


def argument(folder, name, kind, value):
    if kind is None:
        return f'{name}={value}'
    if isinstance(value, int):
        return f'{name}:{kind}[{value}]'
    file = folder / name
    file.write_bytes(struct.pack(f'={len(value)}{CODES[kind]}', *value))
    return f'{name}:{kind}[{len(value)}]=@{file}'


def run(folder, program, module, case):
    kernel, shape, arguments, buffer, wanted = case
    command = [program, 'run', module, '--entry', kernel, *shape, '--write', f'{buffer}={folder}/result']
    for one in arguments:
        command += ['--arg', argument(folder, *one)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stdout + done.stderr
    code = CODES[next(kind for name, kind, _ in arguments if name == buffer)]
    found = list(struct.unpack(f'={len(wanted)}{code}', (folder / 'result').read_bytes()))
    return '' if found == wanted else f'found {found}\nwanted {wanted}'


def main():
    number = 0
    print('TAP version 13')
    with tempfile.TemporaryDirectory() as folder:
        for module in ('sm_90.ptx', 'sm_100.ptx'):
            for case in cases():
                number += 1
                wrong = run(pathlib.Path(folder), sys.argv[1], HERE / module, case)
                print(f"{'not ok' if wrong else 'ok'} {number} - {module} {case[0]}")
                for line in wrong.splitlines()[:12]:
                    print('#', line[:400])
    print(f'1..{number}')


main()
