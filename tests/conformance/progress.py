# SPDX-License-Identifier: MIT
"""Termination under each scheduler, held against published verdicts, a column at a time. The tables and tests lie
beside the repository; without them everything here is skipped, aloud.
  progress.py FOLDER PTXLIT"""
import csv
import json
import pathlib
import subprocess
import sys
import time

NAMES = {'hsa_obe': 'hsa-obe', 'launch': 'cuda'}  # where --progress has another word than the table
WORDS = {'holds': 'terminates', 'fails': 'may-hang'}
# What terminates under the first terminates under the second.
LATTICE = [('unfair', 'hsa'), ('unfair', 'obe'), ('hsa', 'hsa_obe'), ('obe', 'hsa_obe'), ('hsa_obe', 'lobe'),
           ('lobe', 'fair')]


def answers(program, column, paths):
    command = [program, 'check', '--json', '--no-time', '--property', 'termination', '--progress',
               NAMES.get(column, column), '--timeout', '1', *map(str, paths)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return {result['file']: result['verdict'] for result in map(json.loads, lines)}


def table(folder, program, name, more):
    with open(folder / name, encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    paths = [folder / row['file'] for row in rows]
    found = {}
    for column in [*list(rows[0])[1:], *more]:
        begun = time.monotonic()
        verdicts = found[column] = answers(program, column, paths)
        wrong = [row['file'] for row, path in zip(rows, paths)
                 if WORDS.get(verdicts.get(str(path)), row.get(column)) != row.get(column, 'may-hang')
                 or verdicts.get(str(path)) == 'error' or str(path) not in verdicts]
        unknown = sum(verdict == 'undecided' for verdict in verdicts.values())
        print(f'# {len(rows)} tests, {unknown} undecided, {time.monotonic() - begun:.1f} seconds', file=sys.stderr)
        yield f'{name}: {column}', wrong
    for less, more_owed in LATTICE:
        if less in found and more_owed in found:
            yield f'{name}: {less} below {more_owed}', [
                path for path in map(str, paths)
                if found[less].get(path) == 'holds' and found[more_owed].get(path) == 'fails']


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not folder.is_dir():
        print(f'TAP version 13\n1..0 # SKIP no conformance data in {folder}')
        return
    results = [*table(folder, program, 'expected-small.csv', []),
               *table(folder, program, 'expected-progress.csv', ['unfair'])]
    print(f'TAP version 13\n1..{len(results)}')
    for number, (name, wrong) in enumerate(results, 1):
        print(f'{"not ok" if wrong else "ok"} {number} {name}')
        for path in wrong:
            print(f'# {path}')


main()
