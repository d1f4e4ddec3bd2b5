# SPDX-License-Identifier: MIT
"""What the tests of 'ptxlit report' share: running it, its files, and TAP. A test is called with ROOT and
PTXLIT."""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Skip, run  # noqa: E402

ROOT, PTXLIT = pathlib.Path(sys.argv[1]), sys.argv[2]
CORPUS = ROOT / 'litmus/corpus'
FILES = ('index.html', 'report.json', 'junit.xml')


def children_of(process):
    """Its child processes, where the system's /proc tells."""
    if not pathlib.Path(f'/proc/self/task/{os.getpid()}/children').exists():
        raise Skip('no /proc/PID/task/PID/children')
    return [int(child) for child in pathlib.Path(f'/proc/{process}/task/{process}/children').read_text().split()]


def command(out, *arguments):
    return [PTXLIT, 'report', '--no-time', '-o', out, *arguments]


def report(out, *arguments):
    return subprocess.run(command(out, *arguments), capture_output=True, text=True, cwd=ROOT)


def load(out):
    return json.loads((out / 'report.json').read_text())


def files(out):
    """The bytes of the report's files, and of its sections, by their paths."""
    return {str(path.relative_to(out)): path.read_bytes()
            for path in [*(out / name for name in FILES), *sorted((out / 'sections').glob('*'))]}


def differences(a, b):
    one, other = files(a), files(b)
    return [f'{name} differs' for name in sorted({*one, *other}) if one.get(name) != other.get(name)]


def sections(out):
    """The HTML of each test's section, from the scripts beside the page or in it."""
    scripts = sorted((out / 'sections').glob('[0-9]*.js'), key=lambda path: int(path.stem))
    text = ''.join(path.read_text() for path in scripts or [out / 'index.html'])
    return [html for found in re.findall(r'^report\.section\(\d+, (\[.*?^.*?\])\);$', text, flags=re.S | re.M) for html in json.loads(found)]


def main(checks):
    """Runs each check in an empty folder."""
    def in_folder(check):
        @functools.wraps(check)
        def ran():
            with tempfile.TemporaryDirectory() as scratch:
                return check(pathlib.Path(scratch))
        return ran
    run([in_folder(check) for check in checks])
