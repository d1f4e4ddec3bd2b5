#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is released: the archive of 'meson dist' builds, Debian packages are made from it without a complaint of lintian's, the
steps of the Containerfile, run in folders of debootstrap's, give a program that answers, and so does the playground's systemd unit
in a machine that is booted for it. TAP.
    run.py TOP [dist] [debian] [container] [unit]"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(sys.argv[1]).resolve()
CHOSEN = sys.argv[2:]
TEST = "litmus/corpus/mp/mp+rel+acq.litmus"
VERSION = re.search(r"version: '([^']+)'", (TOP / "meson.build").read_text(encoding="utf-8")).group(1)


def run(*command, good=0, **options):
    said = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, **options)
    if said.returncode != good:
        raise AssertionError(f"{command}: status {said.returncode}\n{said.stdout[-3000:]}")
    return said.stdout


def answers(*command):
    """The program says that the condition of TEST does not hold, and which states are allowed; its status is then 1."""
    said = run(*command, good=1)
    assert "States 3\n" in said and re.search(r"^No$", said, re.M), said


# ---- the archive ------------------------------------------------------------------------------


def archive(scratch):
    """ptxlit-VERSION.tar.xz of the last commit."""
    made = scratch / "dist" / "meson-dist" / f"ptxlit-{VERSION}.tar.xz"
    if not made.exists():
        run("git", "clone", "-q", TOP, scratch / "clone")
        run("meson", "setup", scratch / "dist", scratch / "clone")
        run("meson", "dist", "-C", scratch / "dist", "--no-tests", "--formats", "xztar")
    return made


def unpacked(scratch, name):
    (scratch / name).mkdir()
    run("tar", "xf", archive(scratch), "-C", scratch / name)
    return scratch / name / f"ptxlit-{VERSION}"


def built(scratch):
    """The program, built from the archive."""
    if not (scratch / "built").exists():
        run("meson", "setup", scratch / "built", unpacked(scratch, "archive"))
        run("ninja", "-C", scratch / "built")
    return scratch / "built" / "ptxlit"


def dist(scratch):
    answers(built(scratch), "check", TOP / TEST)
    run("meson", "test", "-C", scratch / "built", "--no-rebuild", "--suite", "unit", "--timeout-multiplier", "5")


# ---- Debian -----------------------------------------------------------------------------------


def debian(scratch):
    source = unpacked(scratch, "debian")
    shutil.copy2(archive(scratch), scratch / "debian" / f"ptxlit_{VERSION}.orig.tar.xz")
    run("dpkg-buildpackage", "-us", "-uc", cwd=source)
    changes = next((scratch / "debian").glob("*.changes"))
    run("lintian", "--fail-on", "error,warning", "--allow-root", changes)
    for package in ("ptxlit", "libptxlit0", "libptxlit-dev"):
        run("dpkg-deb", "-x", next((scratch / "debian").glob(f"{package}_*.deb")), scratch / "packages")
    answers(scratch / "packages/usr/bin/ptxlit", "check", source / TEST)


# ---- the container ----------------------------------------------------------------------------


def stages():
    """The stages of the Containerfile: a name and a list of steps, WORD and rest."""
    text = re.sub(r"\\\n", " ", (TOP / "Containerfile").read_text(encoding="utf-8"))
    found = []
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word == "FROM":
            image, name = re.fullmatch(r"(\S+)(?: AS (\S+))?", rest).groups()
            assert image == "debian:bookworm", image
            found.append((name, []))
        else:
            found[-1][1].append((word, rest))
    return found


def copy(root, rest, roots, source):
    words = shlex.split(rest)
    from_stage = [word[len("--from="):] for word in words if word.startswith("--from=")]
    origin, target = [word for word in words if not word.startswith("--from=")]
    base = roots[from_stage[0]] if from_stage else source
    run("mkdir", "-p", str(root) + target)
    run("cp", "-a", f"{base}/{origin.strip('/')}/.", str(root) + target)


def step(root, word, rest, place, roots, source):
    """One step in a root; the working directory after it."""
    if word == "RUN":
        run("chroot", root, "sh", "-c", f"cd {shlex.quote(place)} && {rest}",
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})
    elif word == "COPY":
        copy(root, rest, roots, source)
    elif word == "WORKDIR":
        run("mkdir", "-p", str(root) + rest)
        return rest
    else:
        assert word == "ENTRYPOINT", word
    return place


def container(scratch):
    source = unpacked(scratch, "context")
    base = scratch / "bookworm"
    run("debootstrap", "--variant=minbase", "bookworm", base)
    shutil.copy2("/etc/resolv.conf", base / "etc/resolv.conf")
    roots = {}
    for number, (name, steps) in enumerate(stages()):
        root = roots[name or str(number)] = scratch / f"root-{number}"
        run("cp", "-a", base, root)
        place = "/"
        for word, rest in steps:
            place = step(root, word, rest, place, roots, source)
    shutil.copy2(TOP / TEST, root / "tests" / "test.litmus")
    entry = re.search(r'^ENTRYPOINT \["(\w+)"\]$', (TOP / "Containerfile").read_text(encoding="utf-8"), re.M).group(1)
    answers("chroot", root, entry, "check", "/tests/test.litmus")


# ---- the playground's unit --------------------------------------------------------------------

# A unit that asks the playground as a browser behind a web server does, and ends the machine.
PROBE_UNIT = """[Unit]
After=ptxlit-playground.service
Wants=ptxlit-playground.service
[Service]
Type=oneshot
ExecStart=/bin/sh /probe.sh
ExecStopPost=/usr/bin/systemctl poweroff --no-block
[Install]
WantedBy=multi-user.target
"""
PROBE = """
at=http://127.0.0.1:8017
for try in 1 2 3 4 5 6 7 8 9 10; do
    curl -s -D /head -o /page -H 'Host: class.example' $at/ && break
    sleep 1
done
cookie=$(sed -n 's/^[Ss]et-[Cc]ookie: \\([^;]*\\).*/\\1/p' /head)
for question in check explain timeline; do
    curl -s -H 'Host: class.example' -H 'Origin: https://class.example' -H "Cookie: $cookie" -H 'Content-Type: application/json' \\
        --data-binary @/question.json $at/$question >/$question.json
done
"""


def packages_to_run():
    """What the last stage of the Containerfile installs."""
    said = next(rest for word, rest in stages()[-1][1] if word == "RUN")
    return re.search(r"--no-install-recommends ([^&]+)", said).group(1).split()


def machine(scratch, program):
    """A folder that boots, with the unit in it and what asks it."""
    root = scratch / "machine"
    run("debootstrap", "--variant=minbase", "--include=" + ",".join(["systemd", "systemd-sysv", "dbus", "curl", *packages_to_run()]), "bookworm", root)
    shutil.copy2(program, root / "usr/bin/ptxlit")
    unit = (TOP / "docs/ptxlit-playground.service").read_text(encoding="utf-8").replace("HOST", "class.example")
    (root / "etc/systemd/system/ptxlit-playground.service").write_text(unit, encoding="utf-8")
    (root / "etc/systemd/system/probe.service").write_text(PROBE_UNIT, encoding="utf-8")
    (root / "probe.sh").write_text(PROBE, encoding="utf-8")
    (root / "question.json").write_text(json.dumps({"test": (TOP / TEST).read_text(encoding="utf-8"), "model": "", "cat": ""}), encoding="utf-8")
    run("chroot", root, "systemctl", "enable", "ptxlit-playground", "probe")
    return root


def unit(scratch):
    root = machine(scratch, built(scratch))
    subprocess.run(["systemd-nspawn", "-b", "-D", root, "--register=no", "--keep-unit", "--private-network", "--console=pipe"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=False)
    for question, words in {"check": "forbidden by ptx", "explain": "causality: irreflexive", "timeline": "<svg"}.items():
        said = (root / f"{question}.json").read_text(encoding="utf-8")
        assert words in said, f"{question}: {said[:300]!r}"


NEEDED = {"dist": ["git", "meson"], "debian": ["git", "meson", "dh", "dpkg-buildpackage", "lintian"],
          "container": ["git", "meson", "debootstrap", "chroot"],
          "unit": ["git", "meson", "debootstrap", "chroot", "systemd-nspawn"]}


def missing(name):
    tools = [tool for tool in NEEDED[name] if not shutil.which(tool)]
    if "chroot" in NEEDED[name] and os.getuid() != 0:
        tools.append("root")
    return ", ".join(tools)


def main():
    tests = [test for test in (dist, debian, container, unit) if not CHOSEN or test.__name__ in CHOSEN]
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as folder:
        for number, test in enumerate(tests, 1):
            if missing(test.__name__):
                print(f"ok {number} {test.__name__} # SKIP needs {missing(test.__name__)}")
                continue
            try:
                test(Path(folder))
                print(f"ok {number} {test.__name__}", flush=True)
            except AssertionError as failure:
                print(f"not ok {number} {test.__name__}")
                print("".join(f"# {line}\n" for line in str(failure).splitlines()), end="", flush=True)
    print(f"1..{len(tests)}")


main()
