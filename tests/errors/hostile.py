#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs that are out to hurt: too long, too deep, too many, not text at all. Each has to end with an answer or a
clear error in bounded time and memory, and never as a defect of ptxlit. Prints TAP.

usage: hostile.py PTXLIT [N]: each Nth"""
import os
import random
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
EVERY = int(sys.argv[2]) if len(sys.argv) > 2 else 1
SECONDS, MEBIBYTES = 30, 1024
MEGABYTE = 1 << 20


def test(body='', columns=' P0@cta 0,gpu 0 ;\n', condition='exists (x=1)', init='x = 0;'):
    return f'PTX hostile\n{{ {init} }}\n{columns}{body}{condition}\n'


def columns(count):
    return (' | '.join(f'P{i}@cta {i},gpu 0' for i in range(count)) + ' ;\n' +
            ' | '.join('st.relaxed.gpu x, 1' for _ in range(count)) + ' ;\n')


def noise(count):
    return bytes(random.Random(1).randrange(256) for _ in range(count))


LITMUS = {
    'an empty file': '',
    'one NUL byte': b'\0',
    'NUL bytes in a test': test(' st.weak x, 1 ;\n').replace('weak', 'we\0ak'),
    'a line of 10 MB': test(' ' + 'a' * (10 * MEGABYTE) + ' ;\n'),
    'a line of 10 MB of brackets': test(' ' + '[' * (10 * MEGABYTE) + ' ;\n'),
    'a comment of 10 MB': test(init='(* ' + 'c' * (10 * MEGABYTE) + ' *) x = 0;'),
    'a comment that does not end': test(init='(* ' * 100000),
    'a string that does not end': 'PTX x\n"' + 'y' * MEGABYTE,
    'a million parentheses': test(condition='exists ' + '(' * 1000000 + 'x=1' + ')' * 1000000),
    'a million negations': test(condition='exists (' + '~' * 1000000 + '(x=1))'),
    'a conjunction of 100,000': test(condition='exists (' + ' /\\ '.join(['x=1'] * 100000) + ')'),
    'a number of a million digits': test(f' st.weak x, {"9" * 1000000} ;\n'),
    'numbers out of range': test(' st.weak.u8 [x], 340282366920938463463374607431768211456 ;\n'),
    '10,000 threads': test(columns=columns(10000)),
    '100,000 threads': test(columns=columns(100000)),
    'a thread in CTA 4294967296': test(columns=' P0@cta 4294967296,gpu 0 ;\n'),
    '200,000 instructions': test(' st.relaxed.gpu x, 1 ;\n' * 200000),
    '200,000 labels': test(''.join(f' L{i}: ;\n' for i in range(200000))),
    '50,000 locations': test(init=' '.join(f'x{i} = {i};' for i in range(50000))),
    'an array of four thousand million elements': test(init='.global .u64 x[4294967295];'),
    'noise': noise(100000),
    'noise after a header': b'PTX x\n{ x = 0; }\n' + noise(100000),
    'a byte order mark': b'\xef\xbb\xbf' + test(' st.weak x, 1 ;\n').encode(),
    'carriage returns': test(' st.weak x, 1 ;\n').replace('\n', '\r\n'),
    'a file past 64 MiB': b' ' * (64 * MEGABYTE + 1),
    'a launch of 2^73 threads': 'PTX x\n{ x = 0; }\nkernel K () { st.weak.u32 [x], 1; }\n'
                                'K<<<(2147483647,65535,65535), 1024>>>();\nexists (x=1)\n',
    'a grid of 2^93 threads': 'PTX x\n{ x = 0; }\nkernel K () { st.weak.u32 [x], 1; }\n'
                              'K<<<(2147483647,2147483647,2147483647), 1>>>();\nexists (x=1)\n',
}
CAT = {
    'an empty model': '',
    'a model of NUL bytes': b'\0' * 1000,
    'a model of noise': noise(100000),
    'a model with a million parentheses': 'let r = ' + '(' * 1000000 + 'po' + ')' * 1000000,
    'a model with a million complements': 'let r = ' + '~' * 1000000 + 'po',
    'a union of 100,000': 'let r = ' + ' | '.join(['po'] * 100000) + '\nacyclic r\n',
    'a chain of 20,000 definitions': ''.join(f'let r{i + 1} = r{i} ; r{i}\n' for i in range(20000)).replace('r0', 'po'),
    'functions that double 64 times': 'let f0(x) = x ; x\n' +
                                      ''.join(f'let f{i + 1}(x) = f{i}(f{i}(x))\n' for i in range(64)) + 'acyclic f64(po)\n',
    'a model that includes itself': 'include "model.cat"\n',
    'a comment of a model that does not end': '(* ' * 100000,
}


KERNEL = '.version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n    ret;\n}\n'
NODES = ('PTX nodes\n{ managed u32 x; }\nkernel k () { st.u32 [x], 1; }\nhost H {\n  cudaGraph_t g; cudaGraphCreate(&g, 0);\n' +
         ''.join(f'  cudaGraphAddEmptyNode(&n{i}, g, NULL, 0);\n' for i in range(100)) +
         '  cudaGraphAddKernelNode(&z, g, {' + ', '.join(f'n{i}' for i in range(100)) + '}, 100, k<<<1, 1>>>());\n'
         '  cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize();\n}\nexists (x=1)\n')
RUN = {
    'a node of a graph that waits for 100 others': ['nodes.litmus', '--runs', '2'],
    'a kernel that has no end': ['endless.ptx'],
    'a buffer that has no end': ['k.ptx', '--arg', 'p:f32=@endless.ptx'],
    'bytes that have no end': ['k.ptx', '--arg', 'p:u8=@/dev/zero'],
    'the first bytes of what has no end': ['k.ptx', '--arg', 'p:u8[16]=@/dev/zero'],
    'a grid of 2^63 CTAs': ['k.ptx', '--grid', '2147483647,65535,65535', '--block', '1024', '--arg', 'p:u8[1]'],
    'sizes of 65 bits': ['k.ptx', '--grid', '36893488147419103232', '--arg', 'p:u8[1]'],
    'a cluster of 2^93 CTAs': ['k.ptx', '--cluster', '2147483647,2147483647,2147483647', '--arg', 'p:u8[1]'],
    'a cluster whose size wraps around to 0': ['k.ptx', '--cluster', '65536,65536,65536', '--arg', 'p:u8[1]'],
    'a buffer of 2^64 elements': ['k.ptx', '--arg', 'p:u8[18446744073709551616]'],
}


REPORT = {
    'a journal that has no end': ['--resume'],
    'a baseline that has no end': ['--baseline', '/dev/zero'],
    'a histogram that has no end': ['--hardware', '/dev/zero'],
}


def run(arguments):
    """Status, standard error, seconds and peak MiB of a run."""
    with tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        err.seek(0)
        return os.waitstatus_to_exitcode(status), err.read(), seconds, usage.ru_maxrss / 1024


def problems(arguments):
    status, err, seconds, mebibytes = run([*arguments, '--timeout', '5', '--memory-limit', '512'])
    found = []
    if status not in (0, 1, 2, 3):
        found.append(f'status {status}')
    if b'defect of ptxlit' in err or (status == 2 and not err):
        found.append(err[:300].decode('utf-8', 'replace') or 'no word of what is wrong')
    if len(err) > 64 * 1024:
        found.append(f'{len(err)} bytes of messages')
    if seconds > SECONDS:
        found.append(f'{seconds:.1f} s')
    if mebibytes > MEBIBYTES and 'ASAN_OPTIONS' not in os.environ:
        found.append(f'{mebibytes:.0f} MiB')
    return found


def show(number, title, arguments):
    if number % EVERY:
        return
    wrong = problems(arguments)
    print(f'{"not ok" if wrong else "ok"} {number // EVERY} {title}')
    for line in wrong:
        print('# ' + line.replace('\n', '\n# '))
    sys.stdout.flush()


def main():
    print(f'TAP version 13\n1..{(len(LITMUS) + len(CAT) + len(RUN) + len(REPORT)) // EVERY}', flush=True)
    with tempfile.TemporaryDirectory() as folder:
        right, number = os.path.join(folder, 'right.litmus'), 0
        with open(right, 'w') as file:
            file.write(test(' st.weak x, 1 ;\n'))
        with open(os.path.join(folder, 'k.ptx'), 'w') as file:
            file.write(KERNEL)
        with open(os.path.join(folder, 'nodes.litmus'), 'w') as file:
            file.write(NODES)
        os.symlink('/dev/zero', os.path.join(folder, 'endless.ptx'))
        for inputs, name in ((LITMUS, 'hostile.litmus'), (CAT, 'model.cat')):
            for title, text in inputs.items():
                number += 1
                path = os.path.join(folder, name)
                with open(path, 'wb') as file:
                    file.write(text if isinstance(text, bytes) else text.encode())
                show(number, title, ['check', path] if inputs is LITMUS else ['check', '--model', path, right])
        os.chdir(folder)
        for title, arguments in RUN.items():
            number += 1
            show(number, title, ['run', *arguments])
        for title, arguments in REPORT.items():
            number += 1
            out = f'report-{number}'
            os.mkdir(out)
            if '--resume' in arguments:
                os.symlink('/dev/zero', os.path.join(out, 'journal.jsonl'))
            show(number, title, ['report', 'right.litmus', '-o', out, *arguments])


main()
