#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""host_values.py [--keep FOLDER] PTXLIT COUNT SEED: random host programs whose last values depend on what they read, against g++.

Each program reads h from memory that a kernel wrote and computes from it, with numbers of every width, functions, objects that
count how they are made and ended, and the library of C++. What g++ gives, where UBSan finds nothing undefined, is asked of
ptxlit: it may leave a program undecided, and must never be sure of other values. Prints TAP; without g++ and its sanitizer all is
skipped."""
import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

KERNELS = pathlib.Path(__file__).parent.parent / 'programs' / 'frame.ptx'
TYPES = ['int', 'unsigned', 'short', 'unsigned short', 'signed char', 'unsigned char', 'long long', 'unsigned long long']

BEFORE = '''#include <cstdio>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>
static unsigned trace = 1;
static int copies;
struct Object {
    int n;
    Object(int x = 1) : n(x) { trace = trace * 31 + 1; }
    Object(const Object &o) : n(o.n) { copies++; }
    Object(Object &&o) : n(o.n) { o.n = -1; copies += 10; }
    Object &operator=(const Object &o) { n = o.n; copies += 100; return *this; }
    Object &operator=(Object &&o) { n = o.n; o.n = -2; copies += 1000; return *this; }
    ~Object() { trace = trace * 31 + (unsigned)n; }
    Object operator+(const Object &o) const { return Object(n + o.n); }
    bool operator<(const Object &o) const { return n < o.n; }
    Object &add(int x) { n += x; return *this; }
    int get() const { return n; }
};
struct Both { Object first, second; int &refer() { return second.n; } };
struct Base { int x = 3; virtual int value(int q) { return x + q; } virtual ~Base() { trace = trace * 7 + (unsigned)x; } };
struct Derived : Base { Object own; Derived(int q) : own(q) { x += q; } int value(int q) override { return own.n * q; } };
struct Log { unsigned hash = 7; Log &operator<<(int x) { hash = hash * 33 + (unsigned)x; return *this; } };
struct Pair { int x; unsigned char y; short z[2]; };
static int twice(int x) { return x * 2 + 1; }
static unsigned char wrap(unsigned char x) { return x + 7; }
template <typename T> static T same(T x) { return x + x; }
static int next(int &x) { int old = x; x += 3; return old; }
static int early(int x) { Object o(x & 7); if (x > 3) return o.n; for (int i = 0; i < 3; i++) { Object p(i); if (i == x) return i + 10; } return -o.n; }
static int calls(int x) { static int count = 5; count += x & 3; return count; }
static Object make(int x) { Object o(x); o.add(2); return o; }
static int by_value(Object o) { o.add(5); return o.n; }
static Object pass(Object o) { o.add(1); return o; }
static Object &step(Object &o) { o.n += 2; return o; }
static const Object &least(const Object &a, const Object &b) { return b < a ? b : a; }
static int over(int) { return 1; }
static int over(unsigned) { return 2; }
static int over(long long) { return 3; }
static int over(unsigned long long) { return 4; }
static int over(bool) { return 5; }
'''
INITIAL = '''    int a[4] = {1, 5, -2, 7}, g[2][2] = {{1, 2}, {3, 4}};
    unsigned char b[3] = {250, 1, 2};
    Pair st = {1, 2, {3, 4}}, *ps = &st;
    std::vector<int> w = {4, 3, 2, 1};
    Object o(3), q(2), os[2] = {Object(4), Object(h)};
    Both both = {Object(6), Object(7)};
    Log log;
'''
LAST = {'a0': 'a[0]', 'a1': 'a[1]', 'a2': 'a[2]', 'a3': 'a[3]', 'b0': 'b[0]', 'b1': 'b[1]', 'g0': 'g[0][1]', 'g1': 'g[1][0]', 'x': 'st.x', 'y': 'st.y',
        'z': 'st.z[1]', 'w0': 'w[0]', 'w1': 'w[1]', 'on': 'o.n', 'qn': 'q.n', 'os0': 'os[0].n', 'os1': 'os[1].n', 'first': 'both.first.n',
        'second': 'both.second.n', 'hash': '(int)log.hash', 'ends': '(int)trace', 'made': 'copies'}

# $E an expression, $A a short one, $L what can be assigned, $I a place of an integer, $T a type, $N a new name, $C a constant, $S statements.
EXPRESSIONS = ['($E $O $E)', '($E $O $E)', '($E $O $E)', '($E $R $E)', '($E && $E)', '($E || $E)', '-$A', '~$A', '!$A', '(($T)$E)', '(bool)$A',
               '($E ? $E : $E)', '($A > 1 ? st.y : (signed char)-3)', '($E / $C)', '($E % $C)', '($A << $C)', '($A >> $C)', '($E >> ($A & 7))', '(1u << ($A & 31))',
               'twice($E)', 'wrap($E)', 'same<$T>($E)', 'std::min<int>($E, $E)', 'std::max({(int)$A, 3, (int)$A})', '(int)sizeof($A + st.y)', 'over($A)',
               'o.get()', 'least(o, q).n', 'both.refer()', 'w.back()', '(int)w.size()', '(int)trace', 'copies']
STATEMENTS = ['$T $N = $E;'] * 8 + ['$L = $E;'] * 5 + ['$I $O= $E;'] * 3 + ['$I++;', '--$I;', '$T $N = $I++;', '$T $N = $I--;', '$T $N = --$I;', '$T $N = ++$I;'] * 3 + [
    'const int $N = $C; a[$N & 3] = $N + $A;', '{ auto $N = $A + $A; st.x = over($N); $L = $N; }', '{ auto &$N = $I; h += 1; $N -= $A; }',
    '{ int &$N = both.refer(); $N += $A; both.second.add(1); st.x = $N; }', '{ int $N = h; st.x = $N++; a[1] = $N; }', '{ int $N = h; a[0] = twice($N--); a[1] = $N; }', '{ int *$N = &a[h & 3]; h ^= 1; *$N = $A; }', 'g[h & 1][h++ & 1] = $A;', 'a[next(h) & 3] = h;',
    'st.x = next(h);', 'h = (h++, $A);', 'st.y += 200;', 'ps->z[1] = (short)(ps->z[0] * 300);', 'st = Pair{h, 1, {2, 3}};',
    'if ($E) { $S }', 'if ($E) { $S } else { $S }', 'for (int $N = 0; $N < 3; $N++) { $S if ($A) $J; a[2] ^= $N; }', 'while (h < 6) { h++; if (h == $C) $J; st.x += h; }',
    'do { $S } while (0);', 'switch (h & 3) { case 0: $S case 1: { $S } break; case 2: break; default: $S }', 'for (int $N : {1, (int)$A, 3}) st.x ^= $N;',
    '{ int $N[] = {h, 2, (int)$A}; for (auto &$N_x : $N) $N_x += 1; a[1] = $N[0] + $N[2]; }', 'for (auto &$N : w) $N += 1;', 'w.push_back($A); st.x = w.back(); w.pop_back();',
    '{ std::vector<int> $N{1, h}; $N.push_back($A); a[0] = $N[1] + $N[2]; }', '{ auto $N = [&](int x) { if (x > 2) return x; h++; return x + h; }; int $N_r = $N($A); $L = $N_r; }',
    '{ auto $N = [=](int x) mutable { return x + h; }; h++; a[3] = $N($A); }', 'st.x = early($E);', 'a[2] = calls($A);', 'log << next(h) << h++ << (int)$A;',
    '{ Object $N($A), $N_b{2}; o = $N; }', '{ Object $N = o; $N.add($A); st.x = $N.get(); }', '{ Object $N = std::move(q); o.n += $N.n; }', 'q = std::move(o);', 'o = q;',
    'o = o + Object($A);', 'st.x = by_value(o);', 'st.x = by_value(make($A));', '{ Object $N = pass(pass(o)); a[1] = $N.n; }', 'step(step(o)).add($A);', 'q = step(o);',
    'a[0] = least(q, o).get();', '{ const Object &$N = make(3); a[1] = $N.n; }', 'std::swap(o, q);', 'std::swap(os[0], os[1]);', 'std::swap(a[1], h);', 'os[1] = Object($A);',
    'os[0].add($A).add(1);', '{ Object $N[2] = {Object(1), o}; st.x = $N[1].n; }', '{ Both $N = both; $N.first.add(1); both.second = $N.first; }', '{ static int $N = 2; $N += h & 1; a[2] = $N; }',
    'try { Object $N(2); st.x = early($A); } catch (...) { st.x = 100; }', '{ std::unique_ptr<Base> $N = std::make_unique<Derived>(2); st.x = $N->value(3); }',
    '{ Derived $N(h & 3); Base &$N_b = $N; st.x = $N_b.value(2) + $N_b.x; }', '{ auto $N = std::make_shared<Object>(4); auto $N_b = $N; a[1] = (int)$N.use_count(); }', '{ auto [$N, $N_b] = std::make_pair(h, (int)$A); st.x = $N - $N_b; }',
    '{ std::string $N = "ab"; $N += "c"; st.x += (int)$N.size(); if ($N == "abc") h++; }', '{ Object *$N = new Object(h & 3); $N->add(1); delete $N; }']


class Program:
    """The statements of one program, and the numbers that it declares at its end."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = seed
        self.names = 0
        self.scope = []
        self.read = self.random.randint(-3, 7)
        self.body = ['    ' + self.statement(2) for _ in range(self.random.randint(3, 7))]

    def atom(self):
        constant = str(self.random.choice([0, 1, 2, 3, 5, 255, 256, 65535])) + self.random.choice(['', '', 'u', 'll'])
        return self.random.choice(['h', 'h', self.place(), self.place(), constant, *self.scope[-3:]])

    def place(self):
        return self.random.choice(['h', 'a[h & 3]', 'a[1]', 'b[(unsigned)h % 3u]', 'b[0]', 'g[h & 1][1]', 'st.x', 'st.y', 'ps->z[1]', 'w[h & 3]', 'o.n', *self.scope[-3:]])

    def expression(self, depth):
        if depth == 0 or self.random.random() < .25:
            return self.atom()
        return self.filled(self.random.choice(EXPRESSIONS), depth - 1)

    def statements(self, depth):
        kept = list(self.scope)
        lines = ['{ %s }' % self.statement(depth) for _ in range(self.random.randint(1, 2))]
        self.scope = kept
        return ' '.join(lines)

    def statement(self, depth):
        wanted = [one for one in STATEMENTS if depth or '$S' not in one]
        return self.filled(self.random.choice(wanted), depth)

    def filled(self, template, depth):
        name = 'v%d' % self.names
        self.names += '$N' in template
        pick = self.random.choice
        makers = {'E': lambda: self.expression(min(depth, 2)), 'A': self.atom, 'L': self.place, 'I': self.place, 'S': lambda: self.statements(depth - 1),
                  'T': lambda: pick(TYPES), 'N': lambda: name, 'C': lambda: str(self.random.randint(1, 6)),
                  'O': lambda: pick('+-*&|^+-'), 'R': lambda: pick(['<', '<=', '>', '>=', '==', '!=']),
                  'J': lambda: pick(['break', 'continue'])}
        text = re.sub(r'\$([A-Z])', lambda found: makers[found.group(1)](), template)
        if template.startswith('$T $N'):
            self.scope.append(name)
        return text

    def last(self):
        return {**LAST, **{name: name for name in self.scope}}

    def native(self):
        prints = ''.join('    printf("%d %s %%lld\\n", (long long)%s);\n' % (self.number, name, name) for name in ['h', *self.last()])
        return 'static void run%d()\n{\n    int h = %d;\n%s%s}\n' % (self.number, self.read, self.code(), prints)

    def code(self):
        copies = ''.join('    long long %s = %s;\n' % (name, value) for name, value in LAST.items())
        return INITIAL + '\n'.join(self.body) + '\n' + copies

    def program(self, values):
        wanted = ' /\\ '.join(('h = %d' if name == 'h' else 'main:' + name + ' = %d') % value for name, value in values.items())
        return ('// forall (%s)\n%s__global__ void add(int *a, int value) { a[0] += value; }\nint main()\n{\n    int h = 0, *d;\n    cudaMalloc(&d, sizeof(int));\n'
                '    cudaMemset(d, 0, sizeof(int));\n    add<<<1, 1>>>(d, %d);\n    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);\n%s    return 0;\n}\n'
                % (wanted, BEFORE, self.read, self.code()))


def native(programs, folder):
    """The program of all of them, each of them in a process of its own; and what the compiler says."""
    calls = ''.join('    fprintf(stderr, "@%d\\n"); fflush(0);\n    if (!fork()) { run%d(); fflush(0); _exit(0); }\n    wait(nullptr);\n' % (one.number, one.number) for one in programs)
    (folder / 'all.cpp').write_text('#include <sys/wait.h>\n#include <unistd.h>\n' + BEFORE + ''.join(one.native() for one in programs) + 'int main()\n{\n' + calls + '}\n')
    return subprocess.run(['g++', '-std=c++17', '-w', '-O0', '-fsanitize=undefined', '-o', folder / 'all', folder / 'all.cpp'], capture_output=True, text=True)


def refused(programs, folder, said):
    """The numbers of those that are no C++."""
    lines = (folder / 'all.cpp').read_text().splitlines()
    heads = [line if line.startswith('static void run') else None for line in lines]
    numbers = set()
    for line in map(int, re.findall(r'all\.cpp:(\d+):\d+: error', said)):
        head = next(one for one in reversed(heads[:line]) if one)
        numbers.add(int(re.search(r'\d+', head).group()))
    return numbers


def values_of(programs, folder):
    """Each program that is C++ and defined, with what it ends with."""
    made = native(programs, folder)
    if made.returncode:
        bad = refused(programs, folder, made.stderr)
        programs = [one for one in programs if one.number not in bad]
        made = native(programs, folder)
    if made.returncode:
        raise RuntimeError(made.stderr)
    done = subprocess.run([folder / 'all'], capture_output=True, text=True)
    values, undefined, number = collections.defaultdict(dict), set(), None
    for line in done.stdout.splitlines():
        number, name, value = line.split()
        values[int(number)][name] = int(value)
    for line in done.stderr.splitlines():
        if line.startswith('@'):
            number = int(line[1:])
        elif 'runtime error' in line:
            undefined.add(number)
    return [(one, values[one.number]) for one in programs if one.number in values and one.number not in undefined]


def ask(ptxlit, programs, folder):
    """The verdict about each program, by number."""
    files = []
    for one, values in programs:
        files.append(folder / ('p%d.cu' % one.number))
        files[-1].write_text(one.program(values))
        shutil.copyfile(KERNELS, files[-1].with_suffix('.ptx'))
    done = subprocess.run([ptxlit, 'check', '--json', '--no-time', '--timeout', '20', *files], capture_output=True, text=True)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return {int(re.search(r'p(\d+)\.cu$', one['file']).group(1)): one for one in results if 'file' in one}


def fault(result, path):
    if result is None:
        return 'no answer'
    if result['verdict'] == 'fails' or result.get('undefined'):
        return 'sure of other values than g++: ' + ', '.join(result.get('undefined') or []) + '\n' + path.read_text()
    if result['verdict'] not in ('holds', 'undecided'):
        return result.get('error') or result['verdict']
    return None


def has_sanitizer(folder):
    (folder / 'empty.cpp').write_text('int main() { return 0; }\n')
    made = shutil.which('g++') and subprocess.run(['g++', '-std=c++17', '-fsanitize=undefined', '-o', folder / 'empty', folder / 'empty.cpp'], capture_output=True)
    return bool(made) and made.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--keep', type=pathlib.Path)
    parser.add_argument('ptxlit')
    parser.add_argument('count', type=int)
    parser.add_argument('seed', type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        if not has_sanitizer(folder):
            print('TAP version 13\n1..0 # SKIP no g++ with -fsanitize=undefined')
            return 0
        programs = values_of([Program(given.seed + i) for i in range(given.count)], folder)
        results = ask(given.ptxlit, programs, folder)
        faults = {one.number: fault(results.get(one.number), folder / ('p%d.cu' % one.number)) for one, _ in programs}
    counts = collections.Counter(result['verdict'] for result in results.values())
    few = counts['holds'] * 4 < given.count and '%d of %d programs are decided' % (counts['holds'], given.count)
    print('TAP version 13\n1..%d' % (len(programs) + 1))
    for number, why in enumerate([few, *faults.values()], 1):
        name = 'enough is decided' if number == 1 else 'program %d' % list(faults)[number - 2]
        print('%sok %d - %s%s' % ('not ' if why else '', number, name, ''.join('\n# ' + line for line in why.splitlines()) if why else ''))
    print('# ' + ', '.join('%d %s' % (count, verdict) for verdict, count in counts.items()))
    for result in results.values():
        if given.keep and result['verdict'] == 'undecided':
            print('# %s: %s' % (result['file'], result.get('undecided')))
    return 1 if few or any(faults.values()) else 0


sys.exit(main())
