# SPDX-License-Identifier: MIT
"""Puts libptxlit and the program ptxlit into the Python package. They come from $PTXLIT_BUILD, a build made before, or from
build/, which is made with meson where it is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

TOP = Path(__file__).resolve().parent


def version():
    return re.search(r"version: '([^']+)'", (TOP / "meson.build").read_text(encoding="utf-8")).group(1)


def built():
    named = os.environ.get("PTXLIT_BUILD")
    if named:
        return Path(named)
    build = TOP / "build"
    if not (build / "build.ninja").exists():
        subprocess.run(["meson", "setup", str(build), str(TOP)], check=True)
    subprocess.run(["ninja", "-C", str(build), "ptxlit", f"cli/library/libptxlit.so.{version()}"], check=True)
    return build


class WithProgram(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib) / "ptxlit"
        build = built()
        shutil.copy2(build / "ptxlit", package / "ptxlit")
        shutil.copy2(build / "cli" / "library" / f"libptxlit.so.{version()}", package / "libptxlit.so.0")


class AnyPython(bdist_wheel):
    """For this kind of machine, and every Python 3."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class Native(Distribution):
    def has_ext_modules(self):
        return True


# Distutils' folder for what it builds lies in build/, which git ignores.
setup(version=version(), distclass=Native, cmdclass={"build_py": WithProgram, "bdist_wheel": AnyPython},
      options={"build": {"build_base": "build/python"}, "egg_info": {"egg_base": "cli/python"}})
