"""The wheel holds all data, and plays in an environment of the required packages alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest

import engine._core
from tests.house.test_constraints import wanted_by
from tests.house.test_dependencies import PROJECT, names
from tests.house.test_layers import PACKAGES
from tests.support.paths import ROOT

pytest.importorskip("scikit_build_core", reason="needs scikit-build-core: sparring[dev]")

PIP = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
DATA = {".json", ".md", ".npz", ".safetensors", ".toml", ".typed"} | {
    *(".css", ".html", ".js", ".svg")
}
OPTIONS = ("--alone", "--opponent", "Anna", "--override-config", "maxVisits=4")
CONVERSATION = (
    "boardsize 7\ngenmove b\nset_game Othello\ngenmove b\nset_game Connect4\ngenmove b\nquit\n"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without its core, which takes minutes to compile."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-build-isolation", "--no-deps", "-C", "wheel.cmake=false", "-w", str(folder))
    subprocess.run([*PIP, "wheel", *options, str(ROOT)], check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment: the wheel, the core of this checkout and the required packages."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    pip = (*PIP, "--python", str(folder / "bin" / "python"))
    subprocess.run([*pip, "install", "--no-index", "--no-deps", str(wheel)], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    shutil.copy(engine._core.__file__, packages / "engine")
    for package in required():
        installed = metadata.distribution(package)
        for name in {file.parts[0] for file in installed.files or []} - {"..", "__pycache__"}:
            (packages / name).symlink_to(str(installed.locate_file(name)))
    return folder


def required() -> set[str]:
    """Returns the names of the required packages and of all that these require."""
    found, waiting = set[str](), names(PROJECT["dependencies"])
    while waiting - found:
        found |= waiting
        waiting = {name for each in found for name in wanted_by(each, ("",))}
    return found


def run(environment: Path, folder: Path, *words: str, lines: str = "") -> str:
    """Returns the output of a command of the environment that sees nothing outside it."""
    variables = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run"}
    done = subprocess.run(
        [str(environment / "bin" / words[0]), *words[1:]],
        cwd=folder,
        env={name: str(folder / part) for name, part in variables.items()} | {"PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        input=lines,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_holds_all_data_and_no_source_of_the_core(wheel: Path) -> None:
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    data = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in DATA
    }
    assert {name for name in held if not name.endswith(".py")} == data


def test_it_is_imported_outside_the_checkout(environment: Path, tmp_path: Path) -> None:
    code = "import engine, bots, protocols.cli.main as main; print(engine.__file__, main.__file__)"
    for path in run(environment, tmp_path, "python", "-c", code).split():
        assert Path(path).is_relative_to(environment)


def test_it_plays_each_game(environment: Path, tmp_path: Path) -> None:
    answers = run(environment, tmp_path, "sparring", "gtp", *OPTIONS, lines=CONVERSATION)
    moves = answers.split("\n\n")[1:6:2]
    assert [move[:2] for move in moves] == ["= "] * 3
    assert (tmp_path / "data" / "sparring" / "opponents.sqlite3").exists()
