"""`make` finds a Python, and says what has to be installed before it sets up .venv."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path
from typing import Any

import pytest

import prerequisites
from tests.support.paths import ROOT

# A Python that makes no .venv but says so.
STAND_IN = """#!/bin/sh
if [ "$1" = -m ]; then mkdir -p .venv/bin; echo {name} > .venv/bin/python; exit; fi
exec {real} {prelude} "$@"
"""
OLD = "-c 'import prerequisites, sys; sys.exit(prerequisites.missing((3, 9))[0])'"


def made(folder: Path, pythons: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """What `make .venv/bin/python` says where these Pythons are, and no others."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ("sh", "mkdir", "make", "c++"):
        (programs / name).symlink_to(shutil.which(name) or pytest.skip(f"needs {name}"))
    for name, prelude in pythons.items():
        program = programs / name
        program.write_text(STAND_IN.format(name=name, real=sys.executable, prelude=prelude))
        program.chmod(0o755)
    for name in ("Makefile", "prerequisites.py"):
        shutil.copy(ROOT / name, folder)
    return subprocess.run(
        [str(programs / "make"), ".venv/bin/python", *words],
        cwd=folder,
        env={"PATH": f"{programs}", "COMPILER_PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("pythons", "words", "used"),
    [
        (["python3.13"], [], "python3.13"),
        (["python3"], [], "python3"),
        (["python3", "python3.12", "python3.14"], [], "python3.12"),
        (["python3.11", "python3.14"], ["PYTHON=python3.14"], "python3.14"),
    ],
)
def test_a_python_is_found(pythons: list[str], words: list[str], used: str, tmp_path: Path) -> None:
    done = made(tmp_path, dict.fromkeys(pythons, ""), *words)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / ".venv/bin/python").read_text() == f"{used}\n"


def test_what_is_absent_is_said_before_anything_is_made(tmp_path: Path) -> None:
    for number, (pythons, said) in enumerate(
        [
            ({}, "There is no Python here"),
            ({"python3": OLD}, "Python 3.9 is too old: 3.11 or newer"),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = made(folder, pythons)
        assert done.returncode != 0
        assert said in done.stderr
        assert not (folder / ".venv").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"include": "/none"}, "the headers of Python 3.{} are absent: install python3.{}-dev"),
        ({"compiler": "nosuch --fast"}, "nosuch --fast compiles no C++20"),
        ({"compiler": "false"}, "false compiles no C++20"),
    ],
)
def test_each_missing_part_is_named(given: dict[str, Any], said: str) -> None:
    minor = sys.version_info[1]
    assert any(said.format(minor, minor) in line for line in prerequisites.missing(**given))


def test_a_python_without_venv_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda _name: None)
    assert "-venv" in prerequisites.missing()[0]


@pytest.mark.parametrize(
    ("words", "installed"),
    [
        (["EXTRAS="], "-e '.'"),
        (["EXTRAS=torch"], "-e '.[torch]'"),
        (["EXTRAS=torch,postgres"], "-e '.[torch,postgres]'"),
    ],
)
def test_run_installs_the_extras_that_it_is_given(words: list[str], installed: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "--always-make", "run", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (
        f"pip --disable-pip-version-check install -c constraints.txt {installed}\n" in done.stdout
    )


@pytest.mark.parametrize(
    ("words", "served"),
    [([], "sparring serve\n"), (["NETWORK=b10.bin.gz"], "sparring serve --network b10.bin.gz\n")],
)
def test_run_serves_the_network_that_it_is_given(words: list[str], served: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "run", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith(served)
