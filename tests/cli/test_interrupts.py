"""Ctrl-C at any moment: a command that takes long ends within seconds, in silence, with 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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


def ended(
    folder: Path, words: str, moment: float, number: int, begun: str = ""
) -> tuple[int, str, float]:
    """The exit code, stderr and seconds to the end of a command, signalled after so long.

    The time begins when the file `begun` is in the folder; with "", when the command begins.
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
        while begun and not (folder / begun).exists() and process.poll() is None:
            time.sleep(0.05)
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


# Each program receives an interrupt at one moment, where Python or the module would drop it.
DROPPED = {
    "a module that catches every exception": """
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
except BaseException:
    pass
""",
    "a finalizer": """
class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
Finalized()
""",
}
WITH_MODULE = """
import sys
import protocols.cli.main as command_line
def dispatch(arguments):
    if arguments[0] == "import":
        import interrupted
    else:
        import runpy
        runpy.run_path("interrupted.py")
    import time
    time.sleep(60)
command_line.dispatch = dispatch
command_line.main()
"""


@pytest.mark.parametrize(
    ("way", "place"), [("import", name) for name in DROPPED] + [("run", "a finalizer")]
)
def test_an_interrupt_is_never_lost(way: str, place: str, tmp_path: Path) -> None:
    beginning = "import os, signal, time\n"
    (tmp_path / "interrupted.py").write_text(beginning + DROPPED[place])
    program = subprocess.run(
        [sys.executable, "-c", WITH_MODULE, way],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (program.returncode, program.stderr) == (130, "")


def test_termination_ends_the_processes_of_a_calibration(tmp_path: Path) -> None:
    words = "calibrate connect4 --no-install --processes 2"
    record = "calibration/connect4/round1.jsonl"
    code, errors, _ = ended(tmp_path, words, 1.0, signal.SIGTERM, record)
    assert code == 128 + signal.SIGTERM
    assert not [noise for noise in NOISE if noise in errors], errors
