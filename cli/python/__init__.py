# SPDX-License-Identifier: MIT
"""Litmus tests of the NVIDIA PTX / CUDA memory model.

    import ptxlit
    test = ptxlit.Context().read(text)
    print(test.check().verdict)      # Verdict.HOLDS
    print(test.explain().text)

A context holds a memory model and limits; tests are read with it. A context and its tests belong to one thread at a time.
The verdicts come from libptxlit, in this process; pictures are drawn by the program ptxlit, in a process of its own.
"""

import os
import shutil
import subprocess
import tempfile
from ctypes import byref, c_void_p
from dataclasses import dataclass
from enum import Enum
from typing import Dict, List, Optional, Tuple

from . import _library

__all__ = ["Access", "Context", "Diagnostic", "Explanation", "Limit", "Outcome", "Picture", "PtxlitError", "Race",
           "Refused", "Result", "Test", "Undefined", "Verdict", "version"]

_lib = _library.load()


class Verdict(Enum):
    """Of a test's condition. UNDECIDED is never to be read as one of the others."""
    HOLDS = 0
    FAILS = 1
    UNDECIDED = 2
    DEFECT = 3


class PtxlitError(Exception):
    """What ptxlit could not do."""


class Limit(PtxlitError):
    """Time or memory that ended the reading of a test or a model."""


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong with a text. Lines and columns count from 1, columns in bytes; 0 without a place."""
    severity: str
    code: Optional[str]
    file: Optional[str]
    line: int
    column: int
    message: str
    hint: Optional[str]
    text: str


class Refused(PtxlitError):
    """A test or a model that is wrong; `diagnostics` says what."""

    def __init__(self, diagnostics: List[Diagnostic]):
        super().__init__("\n".join(one.text for one in diagnostics) or "refused")
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class Outcome:
    """A final state. `race`: some execution that ends here has a data race; `race_free`: some has none."""
    text: str
    values: Dict[str, int]
    positive: bool
    race: bool
    race_free: bool
    races_decided: bool


@dataclass(frozen=True)
class Access:
    thread: str
    text: str
    line: int
    column: int


@dataclass(frozen=True)
class Race:
    flag: str
    first: Access
    second: Access


@dataclass(frozen=True)
class Undefined:
    name: str
    detail: Optional[str]
    line: int
    column: int


@dataclass(frozen=True)
class Result:
    """What a check found. `complete`: no allowed final state is missing from `outcomes`."""
    verdict: Verdict
    why: Optional[str]
    condition: str
    observation: str
    complete: bool
    outcomes: Tuple[Outcome, ...]
    races: Tuple[Race, ...]
    races_complete: bool
    undefined: Tuple[Undefined, ...]
    hang: Optional[str]
    seconds: float


@dataclass(frozen=True)
class Explanation:
    """Why the condition's proposition is "forbidden" (by a minimal set of axioms), how it is "allowed", or why neither is known."""
    kind: str
    why: Optional[str]
    axioms: Tuple[str, ...]
    text: str

    def __str__(self):
        return self.text


class Picture:
    """An SVG, which notebooks show by themselves."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def _access(value) -> Access:
    return Access(_text(value.thread), _text(value.text), value.line, value.column)


def version() -> str:
    """Of the library that runs."""
    return _text(_lib.ptxlit_version())


class Context:
    """A memory model (a bundled one by name, a cat file by its path, or `model_text`) and limits: seconds a call, MiB,
    how often a loop is unrolled, how many states are listed. None keeps the default; 0 means no limit."""

    def __init__(self, model: str = "ptx", *, model_text: Optional[str] = None, timeout: Optional[float] = None,
                 memory_limit: Optional[int] = None, unroll: Optional[int] = None, states: Optional[int] = None):
        self._handle = _lib.ptxlit_new()
        self._limits = {"timeout": timeout, "memory-limit": memory_limit, "unroll": unroll, "states": states}
        self._limits = {name: value for name, value in self._limits.items() if value is not None}
        self.model, self.model_text = model, model_text
        for name, value in self._limits.items():
            if not _lib.ptxlit_set(self._handle, name.encode(), value):
                raise ValueError(f"{name} cannot be {value}")
        if model_text is not None:
            text = model_text.encode()
            self._expect(_lib.ptxlit_use_model_text(self._handle, model.encode(), text, len(text)))
        else:
            self._expect(_lib.ptxlit_use_model(self._handle, os.fsencode(model)))

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.ptxlit_free(self._handle)
            self._handle = None

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """What the last reading of a test or a model had to say of it: warnings too."""
        severities = ("error", "warning", "note")
        found = []
        for i in range(_lib.ptxlit_diagnostic_count(self._handle)):
            one = _lib.ptxlit_diagnostic(self._handle, i).contents
            found.append(Diagnostic(severities[one.severity], _text(one.code), _text(one.file), one.line, one.column,
                                    _text(one.message), _text(one.hint), _text(one.text)))
        return found

    def _expect(self, status: int):
        if status == 1:
            raise Refused(self.diagnostics)
        if status != 0:
            raise Limit("time ran out" if status == 2 else "memory ran out")

    def read(self, text: str, name: str = "test.litmus") -> "Test":
        """A test from its text; `name` is for diagnostics."""
        handle, data = c_void_p(), text.encode()
        self._expect(_lib.ptxlit_read_text(self._handle, name.encode(), data, len(data), byref(handle)))
        return Test(self, handle, text, None)

    def read_file(self, path) -> "Test":
        handle = c_void_p()
        self._expect(_lib.ptxlit_read_file(self._handle, os.fsencode(path), byref(handle)))
        return Test(self, handle, None, path)


class Test:
    """A litmus test, made by `Context.read`."""
    __test__ = False  # not one of pytest's

    def __init__(self, context: Context, handle: c_void_p, text: Optional[str], path):
        self._context, self._handle, self._source, self._path = context, handle, text, path

    def __del__(self):
        # A context that went before took its tests along.
        if getattr(self, "_handle", None) and self._context._handle:
            _lib.ptxlit_test_free(self._handle)
            self._handle = None

    @property
    def name(self) -> str:
        return _text(_lib.ptxlit_test_name(self._handle))

    def _outcomes(self) -> Tuple[Outcome, ...]:
        found = []

        def each(pointer, _):
            one = pointer.contents
            values = {_text(one.names[i]): one.values[i] for i in range(one.count)}
            found.append(Outcome(_text(one.text), values, one.positive, one.race, one.race_free, one.races_decided))
            return True

        _lib.ptxlit_outcomes(self._handle, _library.EachOutcome(each), None)
        return tuple(found)

    def _races(self, count: int) -> Tuple[Race, ...]:
        races = (_lib.ptxlit_race(self._handle, i).contents for i in range(count))
        return tuple(Race(_text(one.flag), _access(one.first), _access(one.second)) for one in races)

    def _undefined(self, count: int) -> Tuple[Undefined, ...]:
        found = (_lib.ptxlit_undefined(self._handle, i).contents for i in range(count))
        return tuple(Undefined(_text(one.name), _text(one.detail), one.line, one.column) for one in found)

    def check(self) -> Result:
        """Searches every execution that the model allows."""
        result = _lib.ptxlit_check(self._handle).contents
        return Result(Verdict(result.verdict), _text(result.why), _text(result.condition), _text(result.observation),
                      result.complete, self._outcomes(), self._races(result.races), result.races_complete,
                      self._undefined(result.undefined), _text(result.hang), result.seconds)

    def explain(self) -> Explanation:
        """Why an outcome is forbidden, or how it is reached."""
        found = _lib.ptxlit_explain(self._handle).contents
        axioms = tuple(_text(found.axioms[i]) for i in range(found.axiom_count))
        return Explanation(("forbidden", "allowed", "undecided")[found.kind], _text(found.why), axioms, _text(found.text))

    def picture(self) -> Picture:
        """The execution that `explain` shows, drawn by the program ptxlit. PtxlitError where it has none to draw."""
        with tempfile.TemporaryDirectory() as folder:
            svg = os.path.join(folder, "picture.svg")
            command = [_program(), "explain", "--svg", svg, *self._options(folder), self._file(folder)]
            said = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if not os.path.exists(svg):
                raise PtxlitError(said.stderr.strip() or "there is no execution to draw")
            with open(svg, encoding="utf-8") as file:
                return Picture(file.read())

    def _options(self, folder: str) -> List[str]:
        context = self._context
        model = context.model
        if context.model_text is not None:
            model = os.path.join(folder, "model.cat")
            with open(model, "w", encoding="utf-8") as file:
                file.write(context.model_text)
        return ["--model", model, *(f"--{name}={value:g}" for name, value in context._limits.items())]

    def _file(self, folder: str) -> str:
        if self._path is not None:
            return os.fspath(self._path)
        path = os.path.join(folder, "test.litmus")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._source)
        return path


def _program() -> str:
    """That of $PTXLIT_PROGRAM, of this package, or of the search path."""
    own = os.path.join(os.path.dirname(__file__), "ptxlit")
    found = os.environ.get("PTXLIT_PROGRAM") or (own if os.path.exists(own) else shutil.which("ptxlit"))
    if not found:
        raise PtxlitError("pictures need the program ptxlit in the search path, or its name in PTXLIT_PROGRAM")
    return found
