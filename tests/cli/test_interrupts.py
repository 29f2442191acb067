"""Ctrl-C at any moment: a command that takes long ends within seconds, in silence, with 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from protocols.cli.main import is_torch_beginning
from tests.support.paths import ROOT

SCRIPT = "from protocols.cli.main import main\nif __name__ == '__main__':\n    main()\n"
GAME = "(;SZ[9]KM[7];B[ee];W[gc];B[cg];W[gg];B[cc];W[fe];B[ef];W[fd])"
MOMENTS = (0.3, 2.0)  # seconds after the start: among the imports, and at work
MOST_SECONDS = 10.0  # on a busy machine; a quiet one takes 0.3
NOISE = ("Traceback", "terminate", "leaked", "internal error", "Exception ignored")

LONG = [
    "review game.sgf --visits 5000",
    "solve connect4 --random 1 --empties 40",
    "solve othello --random 1 --empties 30 --moves",
    "calibrate connect4 --no-install --processes 2",
    "calibrate connect4 --no-install --evidence --processes 2",
    "match go9 sparring:full random --visits 5000 --at-once 2",
    "train connect4 --output net",
    "train othello-patterns --output net",
    "gtp --alone",
    "bench --sizes 19",
    "lab examine othello8 --visits 5000",
    "lab balance othello8 even",
    "lab styles go9 --visits 5000",
    "lab index connect4",
    "lab estimate connect4",
    "lab tune alphadda1 connect4",
    "lab cost go9",
]


def ended(folder: Path, words: str, moment: float, number: int) -> tuple[int, str, float]:
    """The exit code, stderr and seconds to the end of a command, signalled after so long.

    The signal goes to its workers too, as a terminal's does.
    """
    script = folder / "sparring.py"
    script.write_text(SCRIPT)
    (folder / "game.sgf").write_text(GAME)
    with subprocess.Popen(
        [sys.executable, str(script), *words.split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        time.sleep(moment)
        assert process.poll() is None, words
        began = time.monotonic()
        os.killpg(process.pid, number)
        try:
            _, errors = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, errors, time.monotonic() - began


@pytest.mark.parametrize("words", LONG)
def test_ctrl_c_ends_a_command_in_silence(words: str, tmp_path: Path) -> None:
    for moment in MOMENTS:
        code, errors, seconds = ended(tmp_path, words, moment, signal.SIGINT)
        assert code == 130, errors
        assert not [noise for noise in NOISE if noise in errors], errors
        assert seconds < MOST_SECONDS


@pytest.mark.parametrize("beginning", [True, False])
def test_an_import_of_torch_is_recognized(
    monkeypatch: pytest.MonkeyPatch, *, beginning: bool
) -> None:
    """Torch's C++ aborts at an exception while it begins: an interrupt then ends at once."""
    module = ModuleType("torch.utils.stand_in")
    module.__spec__ = ModuleSpec("torch.utils.stand_in", None)
    monkeypatch.setattr(module.__spec__, "_initializing", beginning, raising=False)
    monkeypatch.setitem(sys.modules, "torch.utils.stand_in", module)
    assert is_torch_beginning() is beginning


def test_termination_ends_the_processes_of_a_calibration(tmp_path: Path) -> None:
    words = "calibrate connect4 --no-install --processes 2"
    code, errors, _ = ended(tmp_path, words, 3.0, signal.SIGTERM)
    assert code == 128 + signal.SIGTERM
    assert not [noise for noise in NOISE if noise in errors], errors
