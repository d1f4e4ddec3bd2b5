#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""memory.py PTXLIT: an exhaustive search that would take more stops at --memory-limit, says that it
has not finished, and has taken no more. TAP."""
import resource
import subprocess
import sys
import tempfile

LIMIT = 4  # MiB
ROWS = ['atom.relaxed.gpu.add.u32 %%r0, [%s], %d', 'st.relaxed.gpu.u32 [%s], %d',
        'atom.relaxed.gpu.add.u32 %%r1, [%s], %d', 'st.relaxed.gpu.u32 [%s], %d']


def program():
    threads = range(4)
    lines = ['PTX many-states', '{ w = 0; x = 0; y = 0; z = 0; }',
             ' | '.join(f'P{t}@cta {t},gpu 0' for t in threads) + ' ;']
    for i, row in enumerate(ROWS):
        lines.append(' | '.join(row % ('wxyz'[(t + i) % 4], t + 1) for t in threads) + ' ;')
    return '\n'.join(lines + ['exists (0:r0=0)', ''])


def peak(words):
    """The output of a command, its status, and the most memory that any command took so far, MiB."""
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    return run, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main():
    ptxlit, failed = sys.argv[1], 0
    _, base = peak([ptxlit, 'models'])
    with tempfile.NamedTemporaryFile('w', suffix='.litmus') as file:
        file.write(program())
        file.flush()
        options = ['--jobs', '1', '--no-time', '--memory-limit', str(LIMIT), file.name]
        run, used = peak([ptxlit, 'run', '--exhaustive'] + options)
    checks = [('the search says that it has not finished', 'Search not finished: memory' in run.stdout),
              ('the status is "undecided"', run.returncode == 3),
              (f'it took {used - base:.1f} MiB more than a program that does nothing', used - base <= LIMIT)]
    print(f'1..{len(checks)}')
    for number, (what, good) in enumerate(checks, 1):
        failed += not good
        print(f'{"ok" if good else "not ok"} {number} - {what}')
    return failed != 0


sys.exit(main())
