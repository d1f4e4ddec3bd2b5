# SPDX-License-Identifier: MIT
"""Enumerations in shards (docs/spread/shard.sh), of which one worker is killed: all shards together are one run."""
import os
import pathlib
import re
import subprocess
import tempfile

from tools import PTXLIT, ROOT

SHARDS = 3
ENUMERATIONS = [
    ['generate', '--instructions', '5..5'],
    ['check', '--instructions', '3..3', '--strengths', 'weak,relaxed'],
    ['map', '--mapping', 'paper', '--bound', '5', '--model', 'cpp'],
    ['compare-models', 'ptx', 'alloy75-literal', '--instructions', '4..4', '--strengths', 'acquire,release', '--jobs', '1'],
]
# Its work on shard 2, or on the tests of some shard, ends when it has written a few bytes.
KILLED_ONCE = '''#!/bin/sh
case "$*" in
check*|*'--shard 2/{shards}'*)
    if [ ! -e {mark} ]; then
        touch {mark}
        {program} "$@" | head -c 20
        kill -KILL $$
    fi ;;
esac
exec {program} "$@"
'''


def environment(scratch):
    """In which 'ptxlit' is killed once."""
    (scratch / 'bin').mkdir(parents=True)
    wrapper = scratch / 'bin/ptxlit'
    wrapper.write_text(KILLED_ONCE.format(shards=SHARDS, mark=scratch / 'killed', program=pathlib.Path(PTXLIT).resolve()))
    wrapper.chmod(0o755)
    return {**os.environ, 'PATH': f'{wrapper.parent}:{os.environ["PATH"]}'}


def tests_of(text):
    return sorted(re.split(r'^(?=PTX )', text, flags=re.M))


def lines_of(text):
    """Lines of JSON, but for where the test stood in its stream."""
    return sorted(re.sub(r'"file":"[^"]*"', '', line) for line in text.splitlines() if line.startswith('{'))


def alone(command):
    """What one run without shards says: its output, and the numbers that count.sh gives for the shards."""
    env = {**os.environ, 'PATH': f'{pathlib.Path(PTXLIT).resolve().parent}:{os.environ["PATH"]}'}
    with tempfile.TemporaryDirectory() as out:
        for script, *words in (['shard.sh', '1', '1', out, *command], ['count.sh', '1', out]):
            run = subprocess.run([ROOT / 'docs/spread' / script, *words], env=env, capture_output=True, text=True, check=True)
        return pathlib.Path(out, '1.out').read_text(), run.stdout


def wrong_with(command, scratch, out, counted):
    """What is wrong with the shards in 'out', whose numbers are 'counted'."""
    whole, numbers = alone(command)
    parts = ''.join((out / f'{shard}.out').read_text() for shard in range(1, SHARDS + 1))
    name, wrong = command[0], []
    if not (scratch / 'killed').exists():
        wrong.append(f'{name}: no worker was killed')
    if counted != numbers or not numbers:
        wrong.append(f'{name}: the shards are {counted!r}, one run is {numbers!r}')
    if name == 'generate' and tests_of(parts) != tests_of(whole):
        wrong.append('generate: the shards have other tests')
    if name in ('check', 'compare-models') and lines_of(parts) != lines_of(whole):
        wrong.append(f'{name}: the shards say something else of a test')
    return wrong
