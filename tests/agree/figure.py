#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figure.py PTXLIT COUNT [SEED]: random programs in C++ whose executions are enumerated here, with the definitions of figure 10 (ASPLOS
2019) as sets of bits, and compared with the states and races that 'outcomes' finds under each model of C++. Nothing of ptxlit is
used: a third program that reads the models, after Z3 and brute force. Prints TAP."""
import collections
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

MODELS = ('cpp', 'cpp+split', 'cpp11', 'cpp20')
ORDERS = {'R': ('rlx', 'acq', 'sc'), 'W': ('rlx', 'rel', 'sc'), 'U': ('rlx', 'acq', 'rel', 'ar', 'sc'), 'F': ('acq', 'rel', 'ar', 'sc')}
WORDS = {'rlx': 'relaxed', 'acq': 'acquire', 'rel': 'release', 'ar': 'acq_rel', 'sc': 'seq_cst'}
SCOPES = {'b': 'block', 'd': 'device', 's': 'system'}
ACQUIRES, RELEASES = {'acq', 'ar', 'sc'}, {'rel', 'ar', 'sc'}

# An operation: what it is, its order and scope, where, the value stored or expected, and the register. 'G' is a guard, 'B' a barrier.
Operation = collections.namedtuple('Operation', 'kind order scope at value register desired failed', defaults=(None,) * 7)
Event = collections.namedtuple('Event', 'thread kind order scope at value plain')

# ---- programs ----------------------------------------------------------------------------------------------


def draw(dice):
    """Threads, each with its (gpu, block), and operations."""
    threads = dice.choice((2, 2, 3))
    places = [(int(dice.random() < 0.1), dice.randrange(2)) for _ in range(threads)]
    barrier, strong = dice.random() < 0.15, dice.random() < 0.4
    program = []
    for t in range(threads):
        size = dice.choice((2, 2, 3)) if threads == 2 else dice.choice((1, 2, 2))
        thread = [Operation('B')] if barrier and dice.random() < 0.5 else []
        registers = 0
        for _ in range(size):
            thread.append(draw_operation(dice, registers, strong))
            registers += thread[-1].register is not None
            if thread[-1].register is not None and dice.random() < 0.3:
                thread.append(Operation('G', value=dice.choice((1, 1, 2)), register=registers - 1))
        program.append(thread)
    if barrier:  # every thread of a block comes to its barriers
        for block in set(places):
            if not all('B' in [o.kind for o in thread] for thread, place in zip(program, places) if place == block):
                program = [[o for o in thread if o.kind != 'B'] if place == block else thread for thread, place in zip(program, places)]
    return places, program


def draw_operation(dice, registers, strong):
    kind = dice.choices('RWUCF', (40, 40, 8, 4, 8))[0]
    at, scope = dice.choice('xxxyyyz'), dice.choices('bds', (2, 7, 1))[0]
    if kind == 'F':
        return Operation('F', dice.choice(ORDERS['F']), scope)
    if kind == 'C':
        return Operation('C', dice.choice(ORDERS['U']), scope, at, dice.randrange(2), registers, 1 + dice.randrange(2), dice.choice(ORDERS['R']))
    if kind in 'RW' and dice.random() < 0.15:
        return Operation(kind, 'na', None, at, 1 + dice.randrange(2), registers if kind == 'R' else None)
    return Operation(kind, 'sc' if strong and dice.random() < 0.7 else dice.choice(ORDERS[kind]), scope, at, 1 + dice.randrange(2), None if kind == 'W' else registers)


def statement(op):
    order = f'cuda::memory_order_{WORDS.get(op.order)}'
    ref = f'cuda::atomic_ref<int, cuda::thread_scope_{SCOPES.get(op.scope)}>({op.at})'
    if op.kind == 'G':
        return f'if (r{op.register} != {op.value}) return;'
    if op.kind == 'B':
        return '__syncthreads();'
    if op.kind == 'F':
        return f'cuda::atomic_thread_fence({order}, cuda::thread_scope_{SCOPES[op.scope]});'
    if op.kind == 'C':
        return f'r{op.register} = {op.value}; {ref}.compare_exchange_strong(r{op.register}, {op.desired}, {order}, cuda::memory_order_{WORDS[op.failed]});'
    if op.kind == 'U':
        return f'r{op.register} = {ref}.fetch_add({op.value}, {order});'
    if op.kind == 'R':
        return f'r{op.register} = {op.at if op.order == "na" else f"{ref}.load({order})"};'
    return f'{op.at} = {op.value};' if op.order == 'na' else f'{ref}.store({op.value}, {order});'


def write(name, places, program):
    lines, shown = [f'C++ {name}', '{ int x = 0; int y = 0; int z = 0; }'], ['x', 'y', 'z']
    for t, (place, thread) in enumerate(zip(places, program)):
        registers = [op.register for op in thread if op.register is not None and op.kind != 'G']
        shown += [f'{t}:r{r}' for r in registers]
        lines.append(f'P{t}@block {place[1]},device {place[0]} {{')
        lines += [f'  int r{r} = 0;' for r in registers] + [f'  {statement(op)}' for op in thread] + ['}']
    return '\n'.join(lines + [f'locations [{" ".join(s + ";" for s in shown)}]', 'exists (true)', ''])


# ---- relations: a row of bits for each event ---------------------------------------------------------------


def bits(row):
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def joined(a, b):
    out = []
    for row in a:
        to = 0
        for k in bits(row):
            to |= b[k]
        out.append(to)
    return out


def chain(first, *others):
    for other in others:
        first = joined(first, other)
    return first


def either(*relations):
    return [row_of(rows) for rows in zip(*relations)]


def row_of(rows):
    row = 0
    for one in rows:
        row |= one
    return row


def both(a, b):
    return [x & y for x, y in zip(a, b)]


def without(a, b):
    return [x & ~y for x, y in zip(a, b)]


def inverse(a):
    out = [0] * len(a)
    for i, row in enumerate(a):
        for k in bits(row):
            out[k] |= 1 << i
    return out


def closed(a):
    a = list(a)
    for k in range(len(a)):
        for i in range(len(a)):
            if a[i] >> k & 1:
                a[i] |= a[k]
    return a


def reflexive(a):
    return [row | 1 << i for i, row in enumerate(a)]


def is_acyclic(a):
    return not any(row >> i & 1 for i, row in enumerate(closed(a)))


# ---- one thread by itself ----------------------------------------------------------------------------------


def paths(t, thread, values, split):
    """Every run of a thread: its events, pairs of read and write of one operation, registers. What reads return is guessed."""
    runs = []

    def access(events, kind, order, op, value, plain=False):
        events.append(Event(t, kind, order, op.scope, op.at, value, plain))
        return len(events) - 1

    def fence_first(events, order, op):
        """'cpp+split': an access that is sc is a fence of its scope, and an access."""
        if split and order == 'sc':
            events.append(Event(t, 'F', 'sc', op.scope, None, None, False))

    def go(k, events, pairs, registers):
        if k == len(thread):
            runs.append((events, pairs, registers))
            return
        op, events, pairs, registers = thread[k], list(events), list(pairs), dict(registers)
        if op.kind == 'G':
            if registers[op.register] != op.value:
                k = len(thread) - 1
        elif op.kind == 'B':
            events += [Event(t, 'A', None, None, None, None, False), Event(t, 'X', None, None, None, None, False)]
        elif op.kind == 'F':
            events.append(Event(t, 'F', op.order, op.scope, None, None, False))
        elif op.kind == 'W':
            fence_first(events, op.order, op)
            order = 'rel' if split and op.order == 'sc' else op.order
            access(events, 'W', order, op, op.value, op.order == 'na')
        else:
            for found in values[op.at]:
                one, two = list(events), list(pairs)
                succeeds = op.kind == 'U' or (op.kind == 'C' and found == op.value)
                order = op.failed if op.kind == 'C' and not succeeds else op.order
                fence_first(one, order, op)
                if split and order == 'sc':
                    order = 'ar' if succeeds else 'acq'
                halves = {'rel': ('rlx', 'rel'), 'acq': ('acq', 'rlx'), 'ar': ('acq', 'rel')}.get(order, (order, order))
                read = access(one, 'R', halves[0] if succeeds else order, op, found, order == 'na')
                if succeeds:
                    two.append((read, access(one, 'W', halves[1], op, op.desired if op.kind == 'C' else found + op.value)))
                go(k + 1, one, two, {**registers, op.register: found})
            return
        go(k + 1, events, pairs, registers)

    go(0, [], [], {})
    return runs


def possible_values(program):
    values = {at: {0} for at in 'xyz'}
    adds = sum(op.kind == 'U' for thread in program for op in thread)
    for op in (op for thread in program for op in thread):
        if op.kind in 'WC':
            values[op.at].add(op.desired if op.kind == 'C' else op.value)
    for _ in range(adds):
        for op in (op for thread in program for op in thread if op.kind == 'U'):
            values[op.at] |= {v + op.value for v in values[op.at]}
    return {at: sorted(v) for at, v in values.items()}


# ---- whole executions --------------------------------------------------------------------------------------


class Skeleton:
    """What the events alone say, whoever reads from whom."""

    def __init__(self, events, pairs, places):
        self.events, n = events, len(events)
        self.same = lambda test: [row_of(1 << b for b in range(n) if test(events[a], events[b])) for a in range(n)]
        self.only = lambda test: [1 << a if test(events[a]) else 0 for a in range(n)]

        def includes(a, b):
            if a.thread == b.thread:
                return True
            same_gpu = places[a.thread][0] == places[b.thread][0]
            same_block = places[a.thread] == places[b.thread]
            return {None: False, 'b': same_block, 'd': same_gpu, 's': True}[a.scope]

        initial = self.only(lambda e: e.thread is None)
        self.incl = self.same(lambda a, b: a.thread is None or b.thread is None or (includes(a, b) and includes(b, a)))
        self.sb = [row_of(1 << b for b in range(a + 1, n) if events[b].thread == events[a].thread and events[a].thread is not None) for a in range(n)]
        self.loc = self.same(lambda a, b: a.at is not None and a.at == b.at)
        self.rmw = [row_of(1 << w for r, w in pairs if r == a) for a in range(n)]
        self.first = [(1 << n) - 1 & ~row_of(initial) if initial[a] else 0 for a in range(n)]
        self.bar = self.same(lambda a, b: a.kind == 'A' and b.kind == 'X' and a.thread != b.thread and places[a.thread] == places[b.thread])
        self.fence = self.only(lambda e: e.kind == 'F')
        self.written = self.only(lambda e: e.kind == 'W' and not e.plain)
        self.writes = self.only(lambda e: e.kind == 'W')
        self.read = self.only(lambda e: e.kind == 'R' and not e.plain)
        self.releases = self.only(lambda e: e.kind in 'WF' and e.order in RELEASES)
        self.acquires = self.only(lambda e: e.kind in 'RF' and e.order in ACQUIRES)
        self.sc = self.only(lambda e: e.kind in 'RWF' and e.order == 'sc')
        self.fence_sc = both(self.sc, self.fence)
        conflict = self.same(lambda a, b: 'W' in (a.kind, b.kind) and a.kind in 'RW' and b.kind in 'RW' and a.at == b.at
                             and a.thread != b.thread and None not in (a.thread, b.thread))
        self.conflict = without(conflict, self.incl)


def judge(s, rf, mo, model):
    """None, or whether the execution races."""
    rb = without(joined(inverse(rf), mo), reflexive([0] * len(rf)))
    eco = closed(either(rf, mo, rb))
    steps = reflexive(closed(chain(both(s.incl, rf), s.rmw)))
    sequence = chain(s.written, steps)
    if model == 'cpp11':
        sequence = chain(s.writes, reflexive(both(s.sb, s.loc)), s.written, steps)
    begin, end = either(s.releases, chain(s.releases, s.fence, s.sb)), either(s.acquires, chain(s.sb, s.fence, s.acquires))
    sw = both(s.incl, chain(begin, sequence, both(s.incl, rf), s.read, end))
    hb = closed(either(s.sb, sw, s.bar, s.first))
    if any((row | joined_row(row, eco)) >> i & 1 for i, row in enumerate(hb)) or any(both(s.rmw, joined(rb, mo))):
        return None
    if not is_acyclic(order_s(s, sw, hb, eco) if model == 'cpp20' else both(s.incl, partial_sc(s, hb, mo, rb, eco))):
        return None
    return any(without(s.conflict, either(hb, inverse(hb))))


def joined_row(row, b):
    return row_of(b[k] for k in bits(row))


def partial_sc(s, hb, mo, rb, eco):
    away = without(s.sb, s.loc)
    scb = either(s.sb, chain(away, hb, away), both(hb, s.loc), mo, rb)
    basic = chain(either(s.sc, chain(s.fence_sc, reflexive(hb))), scb, either(s.sc, chain(reflexive(hb), s.fence_sc)))
    return either(basic, chain(s.fence_sc, either(hb, chain(hb, eco, hb)), s.fence_sc))


def order_s(s, sw, hb, eco):
    plain = without(s.sb, s.rmw)
    strong = closed(either(s.sb, chain(s.sc, sw, s.sc), chain(plain, hb, plain)))
    order = either(chain(s.sc, either(strong, eco), s.sc), chain(s.fence_sc, hb, eco, s.sc), chain(s.sc, eco, hb, s.fence_sc),
                   chain(s.fence_sc, hb, eco, hb, s.fence_sc))
    one = reflexive(either(s.rmw, inverse(s.rmw)))
    return without(chain(one, order, one), one)


def sources(events):
    """For each read, the writes of its value at its location."""
    return [(i, [w for w, e in enumerate(events) if e.kind == 'W' and e.at == r.at and e.value == r.value])
            for i, r in enumerate(events) if r.kind == 'R']


def executions(events):
    """Each choice of reads-from and modification order, with the last writes."""
    reads = sources(events)
    if not all(writes for _, writes in reads):
        return
    places = [[w for w, e in enumerate(events) if e.kind == 'W' and e.at == at] for at in 'xyz']
    orders = [[(writes[0], *rest) for rest in itertools.permutations(writes[1:])] for writes in places]
    for chosen in itertools.product(*(writes for _, writes in reads)):
        rf = [0] * len(events)
        for (read, _), write_ in zip(reads, chosen):
            rf[write_] |= 1 << read
        for order in itertools.product(*orders):
            mo = [0] * len(events)
            for writes in order:
                for i, w in enumerate(writes):
                    mo[w] = row_of(1 << later for later in writes[i + 1:])
            yield rf, mo, [events[writes[-1]].value for writes in order]


def enumerate_states(places, program, model):
    """A state to whether some execution that ends in it races, and whether some does not."""
    values, states = possible_values(program), collections.defaultdict(lambda: [False, False])
    runs = [paths(t, thread, values, model == 'cpp+split') for t, thread in enumerate(program)]
    names = [f'{t}:r{op.register}' for t, thread in enumerate(program) for op in thread if op.register is not None and op.kind != 'G']
    for chosen in itertools.product(*runs):
        events, pairs, shown = [Event(None, 'W', 'na', None, at, 0, True) for at in 'xyz'], [], dict.fromkeys(names, 0)
        for t, (own, halves, registers) in enumerate(chosen):
            pairs += [(r + len(events), w + len(events)) for r, w in halves]
            events += own
            shown.update({f'{t}:r{r}': v for r, v in registers.items()})
        skeleton = None
        for rf, mo, final in executions(events):
            skeleton = skeleton or Skeleton(events, pairs, places)
            races = judge(skeleton, rf, mo, model)
            if races is not None:
                state = tuple(sorted({**shown, **dict(zip('xyz', final))}.items()))
                states[state][0 if races else 1] = True
    return {state: tuple(flags) for state, flags in states.items()}


# ---- comparing ---------------------------------------------------------------------------------------------


def asked(ptxlit, files, model):
    """What 'outcomes' says of each file: the same as enumerate_states."""
    told = subprocess.run([ptxlit, 'outcomes', '--json', '--no-time', '--model', model, *files], capture_output=True, text=True)
    found = collections.defaultdict(dict)
    for row in map(json.loads, told.stdout.splitlines()):
        if not row.get('complete'):
            found[row['test']] = None
        elif found[row['test']] is not None:
            state = tuple(sorted((name.strip('[]'), value) for name, value in row['state'].items()))
            found[row['test']][state] = (row['race'], row['race_free'])
    return found


def main():
    ptxlit, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    programs = {f'figure-{seed + i}': draw(random.Random(seed + i)) for i in range(count)}
    print(f'TAP version 13\n1..{len(MODELS)}')
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, (places, program) in programs.items():
            files.append(os.path.join(folder, f'{name}.litmus'))
            with open(files[-1], 'w') as file:
                file.write(write(name, places, program))
        for number, model in enumerate(MODELS, 1):
            told = asked(ptxlit, files, model)
            expected = {name: enumerate_states(*programs[name], model) for name in programs}
            wrong = [name for name in programs if told.get(name) != expected[name]]
            racy = sum(any(race for race, _ in states.values()) for states in expected.values())
            good = not wrong and 0 < racy < count
            failed |= not good
            states = sum(map(len, expected.values()))
            print(f'{"ok" if good else "not ok"} {number} - {model}: {count} programs, {racy} racy, {states} states')
            for name in wrong:
                print('#', '\n# '.join(write(name, *programs[name]).splitlines()))
                print(f'# here {expected[name]}\n# ptxlit {told.get(name)}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
