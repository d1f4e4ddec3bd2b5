#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python package: that its structures are those of ptxlit.h, that pip installs it into an environment of its own, and that
there the notebook docs/first.ipynb says what the program says. TAP.
    run.py BUILD TOP"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD, TOP = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
NEEDED = "import setuptools; import ensurepip, pip, venv, wheel"


def run(*command, **options):
    said = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if said.returncode != 0:
        raise AssertionError(f"{command[0]}: {said.stdout[-2000:]}{said.stderr[-2000:]}")
    return said.stdout


def declared():
    """The package's view of the library, without loading it."""
    sys.path.insert(0, str(TOP / "cli" / "python"))
    import _library
    return _library


def structures_are_those_of_the_header(scratch):
    library = declared()
    lines = ["#include <stddef.h>", "#include <stdio.h>", '#include "cli/library/ptxlit.h"', "int main(void) {"]
    expected = []
    for name, structure in library.STRUCTURES.items():
        for field, _ in structure._fields_:
            place = getattr(structure, field)
            lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof(struct {name}, {field}), sizeof(((struct {name} *)0)->{field}));')
            expected.append(f"{name}.{field} {place.offset} {place.size}")
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        import ctypes
        expected.append(f"{name} {ctypes.sizeof(structure)}")
    (scratch / "sizes.c").write_text("\n".join(lines + ["return 0; }"]))
    run(os.environ.get("CC", "cc"), "-I", TOP, scratch / "sizes.c", "-o", scratch / "sizes")
    assert run(scratch / "sizes").splitlines() == expected


def functions_are_those_of_the_header(_):
    header = (TOP / "cli/library/ptxlit.h").read_text(encoding="utf-8")
    public = set(re.findall(r"\b(ptxlit_[a-z_]+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
    public.discard("ptxlit_each_outcome")
    assert public == set(declared().FUNCTIONS), public ^ set(declared().FUNCTIONS)


def pip_installs(scratch):
    source = scratch / "source"
    for name in ("pyproject.toml", "setup.py", "meson.build", "cli/python"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (TOP / name).is_dir() else shutil.copy2)(TOP / name, source / name)
    run(PYTHON, "-m", "venv", "--system-site-packages", scratch / "venv")
    (source / "build").mkdir()
    environment = dict(os.environ, PTXLIT_BUILD=str(BUILD), PIP_DISABLE_PIP_VERSION_CHECK="1")
    run(scratch / "venv/bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", ".",
        cwd=source, env=environment)
    version = run(scratch / "venv/bin/python", "-c", "import ptxlit; print(ptxlit.version())", cwd=scratch).strip()
    assert version in (TOP / "meson.build").read_text(encoding="utf-8"), version


IN_THE_NOTEBOOK = """
import contextlib, io, json, sys
names = {}
with contextlib.redirect_stdout(io.StringIO()):
    for cell in json.load(open(sys.argv[1]))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
states = {test: [state.text for state in names[test].check().outcomes] for test in ("first", "mended")}
verdicts = {test: names[test].check().verdict.name for test in states}
pictures = {test: names[test].picture()._repr_svg_() for test in states}
json.dump({"states": states, "verdicts": verdicts, "pictures": pictures, "axioms": names["mended"].explain().axioms,
           "text": {test: names[test]._source for test in states}, "races": len(names["first"].check().races)}, sys.stdout)
"""


def notebook_says_what_the_program_says(scratch):
    said = json.loads(run(scratch / "venv/bin/python", "-c", IN_THE_NOTEBOOK, TOP / "docs/first.ipynb", cwd=scratch))
    for test, text in said["text"].items():
        (scratch / f"{test}.litmus").write_text(text)
        lines = subprocess.run([str(BUILD / "ptxlit"), "check", f"{test}.litmus"], cwd=scratch, capture_output=True,
                               text=True).stdout.splitlines()
        assert said["states"][test] == [line for line in lines if line.startswith("1:r0=")], test
        assert said["pictures"][test].startswith("<svg") and "flag" in said["pictures"][test], test
    assert said["verdicts"] == {"first": "HOLDS", "mended": "FAILS"} and said["axioms"] == ["causality"]
    assert said["races"] == 1


IN_THE_PAGE = """
import re, sys
for block in re.findall("```python\\n(.*?)```", open(sys.argv[1], encoding="utf-8").read(), re.S):
    exec(block, {})
"""


def page_does_what_it_says(scratch):
    said = run(scratch / "venv/bin/python", "-c", IN_THE_PAGE, TOP / "docs/python.md", cwd=scratch)
    for line in ("{'1:r0': 0, '1:r1': 0} True", "st.weak x, 42", "cta allowed ()", "gpu forbidden ('causality',)"):
        assert line in said.splitlines(), said
    assert (scratch / "first.svg").read_text().startswith(("<svg", "<?xml"))


WRONG = r"""
import ptxlit
context = ptxlit.Context(timeout=20)
try:
    context.read("PTX t\n{ }\n P0 ;\n ld.waek r0, x ;\nexists (0:r0=0)\n", "t.litmus")
except ptxlit.Refused as refused:
    one = refused.diagnostics[0]
    assert (one.code, one.file, one.line, one.column, one.severity) == ("L032", "t.litmus", 4, 5, "error"), one
    assert "did you mean" in one.hint
else:
    raise AssertionError("read")
for wrong in ({"timeout": -1}, {"unroll": 0}):
    try:
        ptxlit.Context(**wrong)
    except ValueError:
        continue
    raise AssertionError(wrong)
try:
    ptxlit.Context("no-such-model")
except ptxlit.Refused as refused:
    assert "no-such-model" in str(refused)
else:
    raise AssertionError("model")
"""


def what_is_wrong_has_a_place(scratch):
    run(scratch / "venv/bin/python", "-c", WRONG, cwd=scratch)


def main():
    tests = [structures_are_those_of_the_header, functions_are_those_of_the_header, pip_installs,
             notebook_says_what_the_program_says, page_does_what_it_says, what_is_wrong_has_a_place]
    installable = subprocess.run([PYTHON, "-c", NEEDED], capture_output=True).returncode == 0
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as folder:
        for number, test in enumerate(tests, 1):
            name = test.__name__.replace("_", " ")
            if number > 2 and not installable:
                print(f"ok {number} {name} # SKIP needs python3-venv, python3-pip, python3-setuptools and python3-wheel")
                continue
            try:
                test(Path(folder))
                print(f"ok {number} {name}")
            except AssertionError as failure:
                print(f"not ok {number} {name}")
                print("".join(f"# {line}\n" for line in str(failure).splitlines()), end="")
    print(f"1..{len(tests)}")


main()
