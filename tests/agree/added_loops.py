# SPDX-License-Identifier: MIT
"""Loops that nobody else can notice, added to a test: a thread counts a location of its own. Each function takes a test as
metamorphic.py reads it, or None for one in C++, and the text it was read from; it gives the text with the loops, or None
where that does not apply."""
import re

TIMES = 2


def counting(number):
    """The loop in a column."""
    return [f'around{number}:', f'atom.relaxed.gpu.add.u32 %counted, [counter{number}], 1',
            f'bne %counted, {TIMES}, around{number}']


def counting_kernel(number):
    """What it declares, and the loop, in a kernel."""
    return ['  .reg .u32 %counted;', '  .reg .pred %again;'], [
        f'around{number}:', f'  atom.relaxed.gpu.add.u32 %counted, [counter{number}], 1;',
        f'  setp.ne.u32 %again, %counted, {TIMES};', f'  @%again bra around{number};']


def counters(test, count):
    test.init += [f'  u32 counter{number} = 0;' for number in range(count)]


# ---- C++ -----------------------------------------------------------------------------------------

def end_of(source, start):
    """Where the thread ends whose text starts there."""
    return start + re.search(r'^\}', source[start:], flags=re.M).start()


def in_cpp(source, where):
    heads = [head.end() for head in re.finditer(r'^P\d+(?:@[^{]*|\s*)?\{\n', source, flags=re.M)]
    if not heads:
        return None

    def loop(number):
        return f'  while (counter{number}.fetch_add(1, cuda::memory_order_relaxed) != {TIMES});\n'
    if where == 'aside':
        end = end_of(source, heads[-1]) + 1
        source = source[:end] + f'\nP{len(heads)}@cta 77,gpu 0 {{\n{loop(0)}}}' + source[end:]
    else:
        for number, start in reversed(list(enumerate(heads))):
            at = start if where == 'first' else end_of(source, start)
            source = source[:at] + loop(number) + source[at:]
    declared = ''.join(f' cuda::atomic<int, cuda::thread_scope_device> counter{number} = 0;'
                       for number in range(1 if where == 'aside' else len(heads)))
    start = re.search(r'^\{', source, flags=re.M).end()
    return source[:start] + declared + source[start:]


# ---- columns and kernels -------------------------------------------------------------------------

def with_columns(test, columns):
    height = max(map(len, columns), default=0)
    test.rows = [[column[row] if row < len(column) else '' for column in columns] for row in range(height)]


def is_alone(test, kernel):
    """It runs once, in one thread."""
    launches = [line for line in test.launches if re.search(rf'(?<![\w$]){re.escape(kernel)}<<<', line)]
    return len(launches) == 1 and '<<<1, 1>>>' in launches[0]


def in_columns(test, where):
    columns = []
    for number in range(test.columns()):
        cells, loop = test.column(number), counting(number)
        columns.append([test.rows[0][number], *(loop + cells if where == 'first' else cells + loop)])
    counters(test, len(columns))
    with_columns(test, columns)
    return test.text()


def in_kernels(test, where):
    count = 0
    for block in test.blocks:
        name = re.match(r'kernel (\S+)', block[0])
        if not name or not is_alone(test, name.group(1)):
            continue
        registers, loop = counting_kernel(count)
        declared = max((n for n, line in enumerate(block) if re.match(r'\s*\.(reg|shared|local|pragma)\b', line)), default=0)
        at = declared + 1 if where == 'first' else len(block) - 1
        block[at:at] = loop
        block[declared + 1:declared + 1] = registers
        count += 1
    counters(test, count)
    return test.text() if count else None


def inside(test, source, where):
    if test is None:
        return in_cpp(source, where)
    if test.hosts():
        return None
    return in_columns(test, where) if test.columns() else in_kernels(test, where)


def loop_first(test, source):
    """What each thread does first."""
    return inside(test, source, 'first')


def loop_last(test, source):
    """What each thread does last."""
    return inside(test, source, 'last')


def loop_aside(test, source):
    """What one more thread does."""
    if test is None:
        return in_cpp(source, 'aside')
    if test.hosts():
        return None
    counters(test, 1)
    if test.columns():
        columns = [[test.rows[0][number], *test.column(number)] for number in range(test.columns())]
        with_columns(test, [*columns, [f'P{len(columns)}@cta 77,gpu 0', *counting(0)]])
    else:
        registers, loop = counting_kernel(0)
        test.blocks.append(['kernel aside () {', *registers, *loop, '}'])
        test.launches.append('aside<<<1, 1>>>() @ gpu 0;')
    return test.text()


WAYS = [loop_first, loop_last, loop_aside]
