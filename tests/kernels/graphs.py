#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of graphs.cu on small graphs: does 'ptxlit run --races' name a race in just the arrays that have one? A line of TAP for each
kernel and graph. What races is told by running the algorithm in Python, a thread after the other in random orders, and looking at who
touched what: only the barriers of a block order anything in these kernels. Every vertex of too large a number must be named as well.

usage: graphs.py PTXLIT [EVERY]         every so many of them; all without it
       graphs.py PTXLIT recompile       does nvcc still make graphs.ptx? Skipped where there is none
       graphs.py PTXLIT compile         write it anew"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
RACES = {'data-race', 'implicit-warp-sync', 'mixed-size-race'}
THREAD, WARP, BLOCK = range(3)
NONE, ATOMIC, GUARD, BOUNDS, SYNC, INDEX = range(6)
WHO, BUG = ['thread', 'warp', 'block'], ['none', 'atomic', 'guard', 'bounds', 'sync', 'index']
WIDTH = {THREAD: 1, WARP: 32, BLOCK: 64}
THREADS = {THREAD: 8, WARP: 64, BLOCK: 64}  # of a block
FAR = 1000000
ORDERS = 24
GRAPHS = {'path': [(0, 1), (1, 2), (2, 3), (3, 4)], 'star': [(0, i) for i in range(1, 6)],
          'complete': [(i, j) for i in range(5) for j in range(i)], 'triangles': [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)],
          'pair': [(0, 1)], 'lonely': [], 'double': [(0, 1), (0, 1), (1, 2), (2, 2)],
          'wild': [(0, 3), (0, 5), (1, 5), (2, 6), (3, 6), (4, 7), (5, 6), (1, 7), (7, 8), (0, 8)]}


class Graph:
    """In compressed rows, and as a list of edges in both directions; two steps of a search from vertex 0, and how far it has come."""
    def __init__(self, name):
        pairs = GRAPHS[name]
        self.n = max([4] + [max(pair) + 1 for pair in pairs])
        arcs = sorted(pairs + [(v, u) for u, v in pairs])
        self.ends, self.col = [u for u, _ in arcs], [v for _, v in arcs]
        self.row = [sum(u < v for u in self.ends) for v in range(self.n + 1)]
        near = {v for u, v in arcs if u == 0} - {0}
        self.level = 1 if name in ('wild', 'path', 'triangles') else 0
        self.dist = [0 if v == 0 else 1 if self.level and v in near else FAR for v in range(self.n)]
        draw = random.Random(name)
        self.rank = draw.sample(range(100), self.n)
        self.weight = [draw.randint(1, 9) for _ in arcs]

    def around(self, v):
        return range(self.row[v], self.row[v + 1])


class Memory:
    """Arrays, and every access to them: (thread, block, part, weak, writes) by place."""
    def __init__(self, arrays, draw):
        self.draw = draw
        self.arrays, self.log = {name: list(values) for name, values in arrays.items()}, {}

    def touch(self, thread, name, i, weak, writes):
        self.log.setdefault((name, i), set()).add((*thread, weak, writes))

    def load(self, thread, name, i, weak=True):
        self.touch(thread, name, i, weak, False)
        return self.arrays.setdefault(name, {})[i]

    def store(self, thread, name, i, value, weak=True):
        self.touch(thread, name, i, weak, True)
        self.arrays.setdefault(name, {})[i] = value

    def atomic(self, thread, name, i, change):
        self.touch(thread, name, i, False, True)
        was = self.arrays[name][i]
        self.arrays[name][i] = change(was)
        return was

    def races(self, ordered):
        """The arrays with two accesses that nothing orders."""
        return {name for (name, _), log in self.log.items()
                if any(a[0] != b[0] and (a[4] or b[4]) and (a[3] or b[3]) and not ordered(a, b) for a in log for b in log)}


# ---- the kernels: what a lane of a group does, and what the one that speaks for the group does with the sum of that ----

def bfs_push(m, g, bug, v, lane, width):
    if m.load(lane, 'dist', v, False) != g.level:
        return
    for e in list(g.around(v))[width[0]::width[1]]:
        to = g.col[e]
        if bug in (ATOMIC, GUARD) and m.load(lane, 'dist', to, bug == GUARD) != FAR:
            continue
        if bug == ATOMIC:
            m.store(lane, 'dist', to, g.level + 1)
        elif m.atomic(lane, 'dist', to, lambda was: g.level + 1 if was == FAR else was) != FAR:
            continue
        m.atomic(lane, 'again', 0, lambda was: 1)


def bfs_pull(m, g, bug, v, lane, width):
    mine = m.load(lane, 'dist', v, bug != INDEX)
    found = 0
    for e in list(g.around(v))[width[0]::width[1]] if mine == FAR else []:
        found += m.load(lane, 'dist', g.col[e]) == g.level
    if bug == SYNC and width[1] == 32:
        if found:
            m.store(lane, 'next', v, g.level + 1)
        return None
    return found


def bfs_pull_speak(m, g, bug, v, lane, found):
    if found:
        m.store(lane, 'dist' if bug == INDEX else 'next', v, g.level + 1)


def cc_push(m, g, bug, v, lane, width):
    for e in list(g.around(v))[width[0]::width[1]]:
        to = g.col[e]
        if bug in (ATOMIC, GUARD) and v >= m.load(lane, 'least', to):
            continue
        if bug == ATOMIC:
            m.store(lane, 'least', to, v)
        else:
            m.atomic(lane, 'least', to, lambda was: min(was, v))


def root(m, lane, v):
    while m.load(lane, 'parent', v, False) != v:
        v = m.load(lane, 'parent', v, False)
    return v


def cc_hook(m, g, bug, e, lane, width):
    u, v = root(m, lane, g.ends[e]), root(m, lane, g.col[e])
    while u != v:
        high, low = max(u, v), min(u, v)
        if bug == INDEX:
            m.store(lane, 'parent', high, low)
            return
        if bug == ATOMIC:
            was = m.load(lane, 'parent', high)
            if was == high:
                m.store(lane, 'parent', high, low)
        else:
            was = m.atomic(lane, 'parent', high, lambda w: low if w == high else w)
        if was == high:
            return
        u, v = was, low


def sssp(m, g, bug, e, lane, width):
    far, to = m.load(lane, 'dist', g.ends[e], False) + g.weight[e], g.col[e]
    if bug in (ATOMIC, GUARD) and far >= m.load(lane, 'dist', to, bug == GUARD):
        return
    if bug == ATOMIC:
        m.store(lane, 'dist', to, far)
    elif far >= m.atomic(lane, 'dist', to, lambda was: min(was, far)):
        return
    m.store(lane, 'again', 0, 1, False)


def mis(m, g, bug, v, lane, width):
    lower = 0
    for e in list(g.around(v))[width[0]::width[1]]:
        lower += g.rank[g.col[e]] < g.rank[v] and m.load(lane, 'in', g.col[e], bug == GUARD) != 2
    return lower


def mis_speak(m, g, bug, v, lane, lower):
    if lower:
        return
    m.store(lane, 'in', v, 1, bug == INDEX)
    for e in g.around(v):
        m.store(lane, 'in', g.col[e], 2, bug == ATOMIC)


def rank_push(m, g, bug, v, lane, width):
    for e in list(g.around(v))[width[0]::width[1]]:
        if bug == ATOMIC:
            m.load(lane, 'next', g.col[e])
            m.store(lane, 'next', g.col[e], 0)
        else:
            m.atomic(lane, 'next', g.col[e], lambda was: 0)


def rank_pull(m, g, bug, v, lane, width):
    for e in list(g.around(v))[width[0]::width[1]]:
        m.load(lane, 'rank', g.col[e])
    return 0


def rank_pull_speak(m, g, bug, v, lane, gathered):
    m.store(lane, 'rank' if bug == INDEX else 'next', v, gathered)


def triangles(m, g, bug, e, lane, width):
    u, v = g.ends[e], g.col[e]
    mine = [g.col[f] for f in list(g.around(u))[width[0]::width[1]]] if u < v else []
    return sum(g.col[f] == w for w in mine if w > v for f in g.around(v))


def triangles_speak(m, g, bug, e, lane, found):
    if found and bug == ATOMIC:
        m.store(lane, 'total', 0, m.load(lane, 'total', 0) + found)
    elif found:
        m.atomic(lane, 'total', 0, lambda was: was + found)


def worklist(m, g, bug, v, lane, width):
    if m.load(lane, 'dist', v, False) != g.level:
        return
    for e in list(g.around(v))[width[0]::width[1]]:
        if m.atomic(lane, 'dist', g.col[e], lambda was: g.level + 1 if was == FAR else was) != FAR:
            continue
        if bug == ATOMIC:
            at = m.draw.randint(0, m.load(lane, 'size', 0))  # others may have added since it was read
            m.store(lane, 'size', 0, at + 1)
        else:
            at = m.atomic(lane, 'size', 0, lambda was: was + 1)
        m.store(lane, 'list', g.col[e] // 2 if bug == INDEX else at, g.col[e])


GATHER = {bfs_pull: bfs_pull_speak, mis: mis_speak, rank_pull: rank_pull_speak, triangles: triangles_speak}
OF_EDGES = {cc_hook, sssp, triangles}


def arguments(kernel, g):
    """Name, type or None, and elements or the number: in the order of the parameters."""
    rows, ends = [('row', 's32', g.row), ('col', 's32', g.col)], [('from', 's32', g.ends), ('to', 's32', g.col)]
    n, edges, level = ('n', None, g.n), ('edges', None, len(g.col)), ('level', None, g.level)
    zeros, numbers = [0] * g.n, list(range(g.n))
    dist = ('dist', 's32', g.dist)
    return {bfs_push: [*rows, dist, ('again', 's32', [0]), level, n], bfs_pull: [*rows, dist, ('next', 's32', g.dist), level, n],
            cc_push: [*rows, ('label', 's32', numbers), ('least', 's32', numbers), n],
            cc_hook: [*ends, ('parent', 's32', numbers), edges],
            sssp: [*ends, ('weight', 's32', g.weight), dist, ('again', 's32', [0]), edges],
            mis: [*rows, ('rank', 's32', g.rank), ('in', 's32', zeros), n],
            rank_push: [*rows, ('rank', 'f32', [1] * g.n), ('next', 'f32', zeros), n],
            rank_pull: [*rows, ('rank', 's32', [1000] * g.n), ('next', 's32', zeros), n],
            triangles: [*rows, *ends, ('total', 's32', [0]), edges],
            worklist: [*rows, dist, ('list', 's32', zeros), ('size', 's32', [0]), level, n]}[kernel]


# ---- what races ----

def one_order(kernel, who, bug, g, draw):
    """The arrays that race when the threads run in a random order."""
    m = Memory({name: values for name, kind, values in arguments(kernel, g) if kind}, draw)
    width, groups = WIDTH[who], len(g.col) if kernel in OF_EDGES else g.n
    speak = GATHER.get(kernel)
    shared = speak and bug == SYNC and not (kernel is bfs_pull and who == WARP)
    left, total = [width] * groups, [0] * groups
    ready = [(group, lane) for group in range(groups) for lane in range(width)]
    while ready:
        group, lane = ready.pop(draw.randrange(len(ready)))
        block = group * width // THREADS[who]
        thread = (group * width + max(lane, 0), block, int(lane < 0))
        if lane < 0:
            for i in range(width if shared else 0):
                m.load(thread, 'part', (group, i))
            speak(m, g, bug, group, thread, total[group])
            continue
        value = kernel(m, g, bug, group, thread, (lane, width))
        if shared:
            m.store(thread, 'part', (group, lane), value)
        total[group] += value or 0
        left[group] -= 1
        if speak and value is not None and not left[group]:
            ready.append((group, -1))
    return m.races(lambda a, b: who == BLOCK and bug != SYNC and a[1] == b[1] and a[2] != b[2])


def racing(kernel, who, bug, g, name):
    draw = random.Random(f'{kernel.__name__} {who} {bug} {name}')
    return set().union(*(one_order(kernel, who, bug, g, draw) for _ in range(ORDERS)))


# ---- what ptxlit says ----

def run(program, kernel, who, bug, g):
    items = (len(g.col) if kernel in OF_EDGES else g.n) + 1  # one too many
    grid = -(-items * WIDTH[who] // THREADS[who])
    command = [program, 'run', HERE / 'graphs.ptx', '--races', '--keep-going', '--json', '--no-time', '--timeout', '60', '--grid', str(grid),
               '--block', str(THREADS[who]), '--entry', f'_Z{len(kernel.__name__)}{kernel.__name__}IL3Who{who}EL3Bug{bug}E']
    for name, kind, value in arguments(kernel, g):
        some = (value or [0]) if kind else value  # no buffer is empty
        command += ['--arg', f"{name}:{kind}[{len(some)}]={','.join(map(str, some))}" if kind else f'{name}={value}']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.stdout else {'reports': [], 'error': done.stderr}


def judge(program, kernel, who, bug, name):
    g = Graph(name)
    result, wanted = run(program, kernel, who, bug, g), racing(kernel, who, bug, g, name)
    reports = result['reports']
    found = {re.search(r"of '(\w+)'", r['text']).group(1) for r in reports if r['name'] in RACES}
    found = {'part' if 'part' in array else array for array in found}
    fine = RACES | {BOUNDS: {'global-oob'}, SYNC: {'poison-used'}}.get(bug, set())
    wrong = [r['name'] for r in reports if r['severity'] != 'warning' and r['name'] not in fine]
    if bug == BOUNDS and (g.col or kernel not in OF_EDGES) and not any(r['name'] == 'global-oob' for r in reports):
        wrong += ['nothing is out of bounds']
    if result.get('error'):
        wrong += [result['error']]
    if found != wanted:
        wrong += [f'races in {sorted(found)}, wanted {sorted(wanted)}']
    return bool(wanted), ', '.join(wrong)


def cases():
    names = (HERE / 'graphs.ptx').read_text()
    for kernel, who, bug in re.findall(r'\.entry _Z\d+([a-z_]+)IL3Who(\d)EL3Bug(\d)E', names):
        for graph in GRAPHS:
            yield globals()[kernel], int(who), int(bug), graph


def compiled(nvcc, to):
    subprocess.run([nvcc, '-std=c++17', '-arch=sm_80', '-lineinfo', '-ptx', 'graphs.cu', '-o', to], cwd=HERE, check=True)
    text = pathlib.Path(to).read_text().split('\t.section\t.debug')[0]
    return text.replace(f'{HERE.resolve()}/', '')


def recompile(nvcc):
    print('TAP version 13')
    if not nvcc:
        print('1..0 # SKIP nvcc is missing')
        return
    with tempfile.NamedTemporaryFile(suffix='.ptx') as fresh:
        print('ok' if compiled(nvcc, fresh.name) == (HERE / 'graphs.ptx').read_text() else 'not ok', '1 - graphs.ptx')
    print('1..1')


def main():
    nvcc = shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
    if sys.argv[2:] == ['compile']:
        (HERE / 'graphs.ptx').write_text(compiled(nvcc, str(HERE / 'graphs.ptx')))
        return
    if sys.argv[2:] == ['recompile']:
        recompile(nvcc)
        return
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chosen = list(cases())[::every]
    racy = 0
    print('TAP version 13')
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (one, (races, wrong)) in enumerate(zip(chosen, pool.map(lambda one: judge(sys.argv[1], *one), chosen)), 1):
            kernel, who, bug, graph = one
            racy += races
            print(f"{'not ok' if wrong else 'ok'} {number} - {kernel.__name__} {WHO[who]} {BUG[bug]} {graph}{' # races' if races else ''}", flush=True)
            if wrong:
                print('#', wrong[:400])
    print(f'# {racy} of {len(chosen)} race')
    print(f'1..{len(chosen)}')


main()
