#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Host programs: the time of 'ptxlit check' for each of the programs that the specification numbers (a01 … a83), for
a pipeline of 16 kernels on 4 streams with 16 events, for graphs of 64 nodes, for 64 events between two streams, for 8
threads of 8 calls, and for 8 threads of which each launches two kernels that write one location. The least of several
runs on one core. Fails past 20 ms, and 1 s for each of the others.

usage: hosts.py ROOT PTXLIT"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
RUNS = 5


def milliseconds(paths):
    """For each test the least time of all runs, as the program reports it."""
    least = {}
    for _ in range(RUNS):
        out = subprocess.run([PROGRAM, 'check', '--json', '--jobs', '1', *paths], capture_output=True, text=True, check=False)
        for line in out.stdout.splitlines():
            test = json.loads(line)
            assert test['verdict'] in ('holds', 'fails', 'undecided') and not test['error'], test
            least[test['test']] = min(least.get(test['test'], 1e9), test['milliseconds'])
    return least


def seconds(path):
    """Of one process, without the search for a reason that --json adds."""
    start = time.perf_counter()
    done = subprocess.run([PROGRAM, 'check', '--jobs', '1', path], capture_output=True, check=False)
    assert done.returncode == 1, done.stdout
    return time.perf_counter() - start


def pipeline():
    """Kernel i waits for what kernel i - 1 recorded, each in the next of four streams; the data go through all."""
    kernels = ''.join(f'kernel K{i} {{ ld.weak.u32 %r0, [x]; add.u32 %r1, %r0, 1; st.weak.u32 [x], %r1; }}\n' for i in range(16))
    calls = ''.join(f'  cudaStreamCreateWithFlags(&s{i}, cudaStreamNonBlocking);\n' for i in range(4))
    for i in range(16):
        calls += f'  cudaStreamWaitEvent(s{i % 4}, e{i - 1});\n' if i else ''
        calls += f'  K{i}<<<1, 1, 0, s{i % 4}>>>();\n  cudaEventRecord(e{i}, s{i % 4});\n'
    return f'PTX pipeline\n{{ u32 x; }}\n{kernels}host H {{\n{calls}}}\nexists (~x = 16)\n'


def graph():
    """64 nodes in 8 layers of 8, each after two of the layer before; a layer hands its sum on."""
    kernels = calls = ''
    for i in range(64):
        layer, place = divmod(i, 8)
        before = [(layer - 1) * 8 + place, (layer - 1) * 8 + (place + 1) % 8] if layer else []
        body = ''.join(f'ld.weak.u32 %r{k}, [x{n}]; ' for k, n in enumerate(before))
        body += f'add.u32 %s, %r0, %r1; st.weak.u32 [x{i}], %s;' if before else f'st.weak.u32 [x{i}], 1;'
        kernels += f'kernel K{i} {{ {body} }}\n'
        nodes = '{' + ', '.join(f'n{n}' for n in before) + '}' if before else 'NULL'
        calls += f'  cudaGraphAddKernelNode(&n{i}, g, {nodes}, {len(before)}, K{i}<<<1, 1>>>());\n'
    memory = ' '.join(f'u32 x{i};' for i in range(64))
    return (f'PTX graph\n{{ {memory} }}\n{kernels}host H {{\n  cudaStreamCreate(&s);\n  cudaGraphCreate(&g, 0);\n{calls}'
            '  cudaGraphInstantiate(&X, g);\n  cudaGraphLaunch(X, s);\n}\nexists (~x63 = 128)\n')


def threads():
    """8 host threads, each of which launches a kernel into the legacy stream and synchronizes, 4 times."""
    memory = ' '.join(f'mapped u32 x{t};' for t in range(8))
    text = ''.join(f'kernel K{t} {{ st.weak.u32 [x{t}], 1; }}\n' for t in range(8))
    for t in range(8):
        calls = ''.join(f'  k{t}_{i}: K{t}<<<1, 1>>>();\n  cudaStreamSynchronize(0);\n' for i in range(4))
        text += f'host T{t} {{\n{calls}  r = x{t};\n}}\n'
    return f'PTX threads\n{{ {memory} }}\n{text}exists (T0:r = 0)\n'


def chain():
    """A captured chain of 64 kernels that count in one location."""
    return ('''PTX chain
{ u32 x; }
kernel K { ld.weak.u32 %r0, [x]; add.u32 %r1, %r0, 1; st.weak.u32 [x], %r1; }
host H {
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 64; i++) K<<<1, 1, 0, s>>>();
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&X, g, NULL, NULL, 0);
  cudaGraphLaunch(X, s);
}
exists (~x = 64)
''')


def ping_pong():
    """Two streams that wait for each other by 64 events."""
    return ('''PTX ping-pong
{ u32 x; }
kernel A { st.weak.u32 [x], 1; }
kernel B { ld.weak.u32 %r0, [x]; }
host H {
  cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
  for (int i = 0; i < 32; i++) {
    A<<<1, 1, 0, s1>>>();
    cudaEventRecord(a, s1);
    cudaStreamWaitEvent(s2, a);
    B<<<1, 1, 0, s2>>>();
    cudaEventRecord(b, s2);
    cudaStreamWaitEvent(s1, b);
  }
}
exists (B:r0 = 0)
''')


def contended():
    """8 host threads, each of which launches two kernels into the legacy stream: all write one location."""
    text = ''.join(f'kernel K{t} {{ st.weak.u32 [x], {t + 1}; }}\n' for t in range(8))
    text += ''.join(f'host T{t} {{\n  K{t}<<<1, 1>>>();\n  K{t}<<<1, 1>>>();\n}}\n' for t in range(8))
    return f'PTX contended\n{{ u32 x; }}\n{text}exists (x = 0)\n'


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    numbered = sorted((ROOT / 'litmus/corpus/host').glob('a[0-9][0-9]-*.litmus'))
    programs = milliseconds(numbered)
    slowest = max(programs, key=programs.get)
    print(f'{len(programs)} tests of numbered programs: slowest {slowest} {programs[slowest]:.1f} ms (limit 20 ms)')
    failed = programs[slowest] > 20
    for name, text in (('pipeline', pipeline()), ('graph', graph()), ('threads', threads()), ('chain', chain()), ('ping-pong', ping_pong()),
                       ('contended', contended())):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / f'{name}.litmus'
            path.write_text(text)
            taken = min(seconds(path) for _ in range(RUNS))
        print(f'{name}: {taken:.2f} s (limit 1 s)')
        failed |= taken > 1
    return failed


if __name__ == '__main__':
    sys.exit(main())
