#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels of a few blocks that communicate by flags: does 'ptxlit run --races' report a race where, and only where, the axioms find
an execution with one ('--all-schedules')? A line of TAP for each kernel that the axioms decide.

usage: random_races.py PTXLIT COUNT SEED"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

RACES = {'data-race', 'implicit-warp-sync', 'mixed-size-race'}
BUFFERS = 'xyfgo'
HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(' + ', '.join(f'.param .u64 p{b}' for b in BUFFERS) + ''')
{
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
''' + ''.join(f'  ld.param.u64 %rd{i}, [p{b}];\n' for i, b in enumerate(BUFFERS)) + '  mov.u32 %r0, %ctaid.x;\n  mov.u32 %r1, 0;\n'


class Writer:
    """Of one kernel."""
    def __init__(self, draw):
        self.draw, self.labels = draw, 0

    def label(self):
        self.labels += 1
        return f'L{self.labels}'

    def sem(self, *sems):
        return f"{self.draw.choice(sems)}.{self.draw.choice(['gpu'] * 5 + ['cta', 'sys'])}"

    def look(self, flag):
        return f"  ld.{self.sem('relaxed', 'acquire')}.u32 %r2, [{flag}];\n"

    def step(self, nested=False):
        data, flag = self.draw.choice(['%rd0', '%rd0', '%rd1']), self.draw.choice(['%rd2', '%rd2', '%rd3'])
        kind = self.draw.choices(range(8), [22, 18, 15, 11, 10, 4, 12, 0 if nested else 8])[0]
        if kind == 6:  # waits
            loop = self.label()
            return f'{loop}:\n{self.look(flag)}  setp.eq.u32 %p1, %r2, 0;\n  @%p1 bra {loop};\n'
        if kind == 7:  # asks once
            end = self.label()
            return (f"{self.look(flag)}  setp.{self.draw.choice(['eq', 'ne'])}.u32 %p1, %r2, 0;\n  @%p1 bra {end};\n"
                    f'{self.step(True)}{self.step(True)}{end}:\n')
        return [f'  st.global.u32 [{data}], {self.draw.randint(1, 3)};\n',
                f'  ld.global.u32 %r3, [{data}];\n  add.u32 %r1, %r1, %r3;\n',
                f"  fence.{self.sem('acq_rel', 'sc')};\n",
                f"  st.{self.sem('relaxed', 'release')}.u32 [{flag}], 1;\n",
                f"  atom.{self.sem('relaxed', 'acquire', 'release', 'acq_rel')}.add.u32 %r2, [{flag}], 1;\n",
                f"  red.{self.sem('relaxed')}.add.u32 [{flag}], 1;\n"][kind]

    def kernel(self, blocks):
        text = HEAD
        for block in range(blocks):
            end = self.label()
            text += f'  setp.ne.u32 %p0, %r0, {block};\n  @%p0 bra {end};\n'
            text += ''.join(self.step() for _ in range(self.draw.randint(2, 6))) + f'{end}:\n'
        return text + '  mul.wide.u32 %rd6, %r0, 4;\n  add.u64 %rd6, %rd4, %rd6;\n  st.global.u32 [%rd6], %r1;\n  ret;\n}\n'


def run(program, file, blocks, option):
    arguments = [word for b in BUFFERS for word in ('--arg', f"{b}:u32[{4 if b == 'o' else 1}]")]
    done = subprocess.run([program, 'run', file, option, '--json', '--no-time', '--timeout', '60', '--grid', str(blocks), *arguments],
                          capture_output=True, text=True, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.stdout else {'reports': [], 'error': done.stderr}


def judge(program, file, blocks):
    """What is wrong, '' for nothing, or None: the axioms leave it open, or no execution ends, or not all do."""
    axioms = run(program, file, blocks, '--all-schedules')
    if axioms.get('schedules') != 'all' or not axioms['states']:
        return None
    found = {report['name'] for report in run(program, file, blocks, '--races')['reports']}
    wanted, reported = bool(axioms['races']), bool(found & RACES)
    if reported and not wanted and axioms.get('hang'):
        return None  # in an execution without end, which the axioms do not look at
    return '' if wanted == reported else 'a race is missed' if wanted else 'a false race'


def main():
    program, count, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    number = 0
    print('TAP version 13')
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'kernel.ptx'
        for i in range(count):
            draw = random.Random(f'{seed} {i}')
            blocks = draw.choice([2, 2, 3])
            file.write_text(Writer(draw).kernel(blocks))
            wrong = judge(program, file, blocks)
            if wrong is None:
                continue
            number += 1
            print(f"{'not ok' if wrong else 'ok'} {number} - kernel {i} of seed {seed}{wrong and ': ' + wrong}")
            for line in file.read_text().splitlines() if wrong else []:
                print('#', line)
    print(f'1..{number}')


main()
