# SPDX-License-Identifier: MIT
"""The functions and structures of libptxlit, as ptxlit.h declares them."""

import ctypes
import ctypes.util
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p


class Diagnostic(Structure):
    _fields_ = [("severity", c_int), ("code", c_char_p), ("file", c_char_p), ("line", c_uint), ("column", c_uint),
                ("message", c_char_p), ("hint", c_char_p), ("text", c_char_p)]


class Result(Structure):
    _fields_ = [("verdict", c_int), ("why", c_char_p), ("condition", c_char_p), ("observation", c_char_p),
                ("complete", c_bool), ("outcomes", c_size_t), ("positive", c_size_t), ("races", c_size_t),
                ("races_complete", c_bool), ("undefined", c_size_t), ("hang", c_char_p), ("seconds", c_double)]


class Outcome(Structure):
    _fields_ = [("text", c_char_p), ("positive", c_bool), ("race", c_bool), ("count", c_size_t),
                ("names", POINTER(c_char_p)), ("values", POINTER(c_uint64)), ("race_free", c_bool),
                ("races_decided", c_bool)]


class Access(Structure):
    _fields_ = [("thread", c_char_p), ("text", c_char_p), ("line", c_uint), ("column", c_uint)]


class Race(Structure):
    _fields_ = [("flag", c_char_p), ("first", Access), ("second", Access)]


class Undefined(Structure):
    _fields_ = [("name", c_char_p), ("detail", c_char_p), ("line", c_uint), ("column", c_uint)]


class Explanation(Structure):
    _fields_ = [("kind", c_int), ("why", c_char_p), ("axiom_count", c_size_t), ("axioms", POINTER(c_char_p)),
                ("text", c_char_p)]


STRUCTURES = {"ptxlit_diagnostic": Diagnostic, "ptxlit_result": Result, "ptxlit_outcome": Outcome,
              "ptxlit_access": Access, "ptxlit_race": Race, "ptxlit_undefined": Undefined,
              "ptxlit_explanation": Explanation}

EachOutcome = CFUNCTYPE(c_bool, POINTER(Outcome), c_void_p)

FUNCTIONS = {
    "ptxlit_version": (c_char_p, []),
    "ptxlit_new": (c_void_p, []),
    "ptxlit_free": (None, [c_void_p]),
    "ptxlit_set": (c_bool, [c_void_p, c_char_p, c_double]),
    "ptxlit_use_model": (c_int, [c_void_p, c_char_p]),
    "ptxlit_use_model_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "ptxlit_diagnostic_count": (c_size_t, [c_void_p]),
    "ptxlit_diagnostic": (POINTER(Diagnostic), [c_void_p, c_size_t]),
    "ptxlit_read_file": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "ptxlit_read_text": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    "ptxlit_test_name": (c_char_p, [c_void_p]),
    "ptxlit_test_free": (None, [c_void_p]),
    "ptxlit_check": (POINTER(Result), [c_void_p]),
    "ptxlit_outcomes": (c_bool, [c_void_p, EachOutcome, c_void_p]),
    "ptxlit_race": (POINTER(Race), [c_void_p, c_size_t]),
    "ptxlit_undefined": (POINTER(Undefined), [c_void_p, c_size_t]),
    "ptxlit_explain": (POINTER(Explanation), [c_void_p]),
}

SONAME = "libptxlit.so.0"


def _places():
    yield os.environ.get("PTXLIT_LIBRARY")
    yield os.path.join(os.path.dirname(__file__), SONAME)
    yield SONAME


def load():
    """The library that $PTXLIT_LIBRARY names, that of this package, or that of the system."""
    for place in _places():
        if not place or os.path.isabs(place) and not os.path.exists(place):
            continue
        try:
            library = ctypes.CDLL(place)
        except OSError as error:
            raise ImportError(f"ptxlit needs {SONAME}: {error}; install it, or name it in PTXLIT_LIBRARY") from error
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(f"ptxlit needs {SONAME}: install it, or name it in PTXLIT_LIBRARY")
