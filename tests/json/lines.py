#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every line of --json against docs/json.schema.json, and the schema's checker against objects
that are wrong. Prints TAP.

usage: lines.py ROOT PTXLIT"""
import copy
import json
import pathlib
import subprocess
import sys

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
SCHEMA = json.loads((ROOT / 'docs/json.schema.json').read_text())
TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None),
         'integer': int, 'number': (int, float)}
KNOWN = {'$schema', 'title', 'description', '$defs', '$ref', 'anyOf', 'enum', 'type', 'required', 'properties',
         'additionalProperties', 'items', 'minItems', 'maxItems', 'minimum'}


def has_type(value, name):
    return isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name in ('integer', 'number'))


def problems(value, schema, where='$'):
    """What of the value breaks the schema; knows the words of JSON Schema that ours uses."""
    assert set(schema) <= KNOWN, f'the checker does not know {set(schema) - KNOWN}'
    if '$ref' in schema:
        return problems(value, SCHEMA['$defs'][schema['$ref'].rsplit('/', 1)[1]], where)
    if 'anyOf' in schema:
        tries = [problems(value, one, where) for one in schema['anyOf']]
        return [] if any(not wrong for wrong in tries) else min(tries, key=len)
    found = []
    if 'enum' in schema and not any(value == one and type(value) is type(one) for one in schema['enum']):
        found.append(f'{where}: {value!r} is none of {schema["enum"]}')
    names = schema.get('type', [])
    names = [names] if isinstance(names, str) else names
    if names and not any(has_type(value, name) for name in names):
        return found + [f'{where}: {value!r} is no {" or ".join(names)}']
    if 'minimum' in schema and isinstance(value, (int, float)) and value < schema['minimum']:
        found.append(f'{where}: {value} is below {schema["minimum"]}')
    if isinstance(value, dict):
        found += object_problems(value, schema, where)
    if isinstance(value, list):
        if not schema.get('minItems', 0) <= len(value) <= schema.get('maxItems', len(value)):
            found.append(f'{where}: {len(value)} items')
        for index, item in enumerate(value):
            found += problems(item, schema.get('items', {}), f'{where}[{index}]')
    return found


def object_problems(value, schema, where):
    found = [f'{where}: {key} is missing' for key in schema.get('required', []) if key not in value]
    others = schema.get('additionalProperties', True)
    for key, item in value.items():
        if key in schema.get('properties', {}):
            found += problems(item, schema['properties'][key], f'{where}.{key}')
        elif others is False:
            found.append(f'{where}: {key} is unknown')
        elif others is not True:
            found += problems(item, others, f'{where}.{key}')
    return found


def lines(*arguments):
    out = subprocess.run([PROGRAM, *arguments, '--json'], cwd=ROOT, capture_output=True, text=True, timeout=120)
    return [json.loads(line) for line in out.stdout.splitlines()]


def spoiled(value):
    """Copies of an object, each wrong in one way."""
    for key in value:
        less = copy.deepcopy(value)
        del less[key]
        yield f'without {key}', less
        other = copy.deepcopy(value)
        other[key] = {'no such': [None]}
        yield f'with a wrong {key}', other


def main():
    golden, errors = 'tests/golden', 'tests/errors'
    cases = {
        'check': ['check', golden], 'check of wrong input': ['check', errors],
        'check --expect': ['check', '--expect', golden], 'check --no-time': ['check', '--no-time', golden],
        'check --property termination': ['check', '--property', 'termination', golden],
        'outcomes': ['outcomes', golden], 'outcomes --witness': ['outcomes', '--witness', golden],
        'repair': ['repair', 'tests/golden/repair.litmus'],
        'weaken': ['weaken', 'litmus/corpus/mp/mp+fence+fence.litmus'], 'explain': ['explain', golden], 'compare': ['compare', golden],
        'compare --hardware': ['compare', '--hardware', 'tests/golden/hardware.jsonl', golden],
        'compare-models': ['compare-models', 'ptx', 'ptx-6.0', 'litmus/corpus/proxy'],
        'run': ['run', '--runs', '50', golden], 'run --exhaustive': ['run', '--exhaustive', golden],
        'run of a kernel': ['run', 'litmus/programs/blocksum-no-barrier.ptx', '--races', '--block', '64', '--arg',
                            'in:f32[64]=1', '--arg', 'out:f32[1]', '--arg', 'n=64'],
        'models': ['models'], 'models --bases': ['models', '--bases'],
    }
    results = []
    for name, arguments in cases.items():
        objects = lines(*arguments)
        wrong = [problem for one in objects for problem in problems(one, SCHEMA)]
        results.append((name, wrong + ([] if objects else ['no line was printed'])))
    check = SCHEMA['$defs']['check']
    sample = {key: value for key, value in lines('check', golden)[0].items() if key in check['required']}
    unnoticed = [name for name, wrong in spoiled(sample) if not problems(wrong, check)]
    results.append(('the checker notices what is wrong', unnoticed))
    print(f'TAP version 13\n1..{len(results)}')
    for number, (name, wrong) in enumerate(results, 1):
        print(f'{"not ok" if wrong else "ok"} {number} {name}')
        for line in wrong[:20]:
            print(f'# {line}')


main()
