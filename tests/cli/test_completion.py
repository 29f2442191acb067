"""Completion of the command line: what bash, zsh and fish offer with the scripts."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.networks.runtime import BACKENDS
from engine.util.backends import PRECISIONS
from protocols.cli.completion.arguments import Command, Kind, commands, persona_names
from protocols.cli.completion.command import SHELLS
from protocols.cli.main import dispatch
from protocols.cli.subcommands import LAB, SUBCOMMANDS, rows_of, short_name

Complete = Callable[[str], set[str]]  # the line up to the cursor -> the words offered

BASH = """
source {script}
COMP_WORDS=({words}) COMP_CWORD={last}
_sparring
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def found() -> list[Command]:
    return commands()


@pytest.fixture(params=["bash", "fish"])
def complete(
    request: pytest.FixtureRequest,
    found: list[Command],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Complete:
    """The completion of a shell, in an empty folder; the user has one persona of their own."""
    shell = shutil.which(request.param)
    if shell is None:
        pytest.skip(f"needs {request.param}")
    script = tmp_path / "script"
    script.write_text(SHELLS[request.param](found))
    own = tmp_path / "config" / "sparring" / "personas"
    own.mkdir(parents=True)
    (own / "mine.toml").touch()
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))

    def offered(line: str) -> set[str]:
        if request.param == "fish":
            code = f"source {script}; complete -C {shlex.quote(line)}"
        else:
            words = line.replace("=", " = ").split(" ")
            last = len(words) - 1
            code = BASH.format(script=script, words=shlex.join(words), last=last)
        done = subprocess.run(
            [shell, "-c", code], cwd=folder, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stderr == ""
        rows = [row.split("\t")[0].rpartition("=")[2] for row in done.stdout.splitlines()]
        return {row.rstrip("/") for row in rows if row}

    return offered


def test_subcommands_are_offered(complete: Complete) -> None:
    names = {name for name, row in SUBCOMMANDS.items() if row.group != LAB}
    assert complete("sparring ") == {*names, LAB}
    assert complete("sparring op") == {"opponents", "opponent"}
    assert complete("sparring lab ") == {short_name(name) for name in rows_of(LAB)}
    assert complete("sparring lab end") == {"endgames", "endings"}
    assert "othello-patterns" in complete("sparring train oth")


def test_options_are_offered(complete: Complete) -> None:
    assert complete("sparring gtp --per") == {"--persona", "--personas"}
    assert complete("sparring lab balance --ag") == {"--against"}
    assert complete("sparring gtp --alone --ga") == {"--game"}
    assert "--network" in complete("sparring lab examine --")


def test_values_are_offered(complete: Complete) -> None:
    assert complete("sparring gtp --backend ") == {"auto", *BACKENDS}
    assert complete("sparring gtp --precision=") == set(PRECISIONS)
    assert complete("sparring gtp --game oth") == {"othello"}
    assert "othello8" in complete("sparring match oth")


def test_personas_are_offered(complete: Complete) -> None:
    assert complete("sparring gtp --persona ") == {*persona_names(), "mine"}
    assert complete("sparring personas teach") == {"teacher"}
    assert {"even", "full", "teacher"} <= complete("sparring lab balance ")


def test_files_are_offered(complete: Complete, tmp_path: Path) -> None:
    (tmp_path / "here" / "net.bin.gz").touch()
    (tmp_path / "here" / "folder").mkdir()
    assert complete("sparring gtp --network ") == {"net.bin.gz", "folder"}
    assert complete("sparring review n") == {"net.bin.gz"}
    assert complete("sparring match go9 --games-dir ") == {"folder"}
    assert complete("sparring match go9 --seed ") == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"`sparring completion {shell}`" in script
    if path := shutil.which(shell):
        done = subprocess.run(
            [path, "-n"], input=script, capture_output=True, text=True, check=False, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_table_of_zsh_prints_what_that_of_bash_does(found: list[Command]) -> None:
    shells = [path for path in map(shutil.which, ("bash", "zsh")) if path]
    calls = "_sparring_subcommands lab; _sparring_options gtp; _sparring_values gtp --backend"
    said = []
    for path in shells:
        code = f"compdef() {{ :; }}\n{SHELLS[Path(path).name](found)}\n{calls}"
        if path.endswith("bash"):
            code = code.replace("complete -F", ": -F")
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=True)
        said.append(done.stdout)
    assert "balance:measure" in said[0]
    assert "--persona:manner of play" in said[0]
    assert set(said) == {said[0]}


def test_every_subcommand_has_its_arguments(found: list[Command]) -> None:
    by_name = {command.name: command for command in found}
    assert set(SUBCOMMANDS) < set(by_name)
    kinds = {each.option: each.kind for each in by_name["gtp"].options}
    assert kinds["--network"] is Kind.FILE
    assert kinds["--personas"] is Kind.FOLDER
    assert kinds["--alone"] is Kind.FLAG
    assert not [each.help for command in found for each in command.arguments if "%(" in each.help]
