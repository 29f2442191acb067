"""`sparring ugi` and `sparring nboard` as programs, played by our own side of the protocols."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.formats.ggf import GgfGame, write_game
from engine.games.table import GAMES
from engine.match.nboard_client import NBoardClient
from engine.util.engine_process import EngineProcess
from engine.util.ugi_client import UgiClient
from tests.support.paths import ROOT


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SPARRING_SOCKET", str(tmp_path / "none.sock"))


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "protocols.cli", *options]


@pytest.mark.parametrize(
    ("name", "game", "size"),
    [("othello4", "othello", (4, 4)), ("connect4-5x4", "connect4", (5, 4))],
)
def test_whole_games_by_ugi(name: str, game: str, size: tuple[int, int]) -> None:
    kind = GAMES[game]
    board = kind.new_position(*size)
    words: list[str] = []
    with UgiClient(command("ugi", "--alone", "--game", name)) as engine:
        assert engine.name == "Sparring"
        assert {"Game", "MultiPV"} <= engine.options
        engine.new_game()
        while not board.is_over:
            word = engine.best_move(words, "nodes 30").move
            board.play(kind.read_move(word, *size))
            words.append(word)
        assert engine.best_move(words, "nodes 30").move == "0000"


def test_a_whole_game_by_nboard() -> None:
    board = GAMES["othello"].new_position(8, 8)
    with NBoardClient(command("nboard", "--alone")) as engine:
        assert engine.name == "Sparring"
        engine.set_depth(2)
        assert engine.go().move
        assert engine.name == "Sparring2"
        engine.set_game(write_game(GgfGame()))
        while not board.is_over:
            answer = engine.go()
            move = GAMES["othello"].read_move(answer.move, 8, 8)
            board.play(move)
            engine.play(f"{answer.move}//0.1")


def test_thinking_is_ended_from_outside() -> None:
    with EngineProcess(command("ugi", "--alone")) as engine:
        deadline = time.monotonic() + 60
        engine.write("go infinite")
        engine.write("isready")
        heard = []
        while "readyok" not in heard:
            heard.append(engine.line("isready", deadline))
        stopping = time.monotonic()
        engine.write("stop")
        while not heard[-1].startswith("bestmove"):
            heard.append(engine.line("stop", deadline))
        assert time.monotonic() - stopping < 5
    with NBoardClient(command("nboard", "--alone")) as nboard:
        nboard.set_depth(40)
        for asked in ("hint 5", "go", "analyze"):
            nboard.write(asked)
            time.sleep(0.2)
            stopping = time.monotonic()
            nboard.synchronize()
            assert time.monotonic() - stopping < 5, asked


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Path]:
    socket = tmp_path / "sparring.sock"
    server = subprocess.Popen(
        command("serve", "--socket", str(socket)),
        env={**os.environ, "SPARRING_SOCKET": str(socket)},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not socket.exists() and server.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    yield socket
    server.terminate()
    server.wait(20)


def test_both_join_a_running_engine(served: Path) -> None:
    join = ("--socket", str(served))
    with UgiClient(command("ugi", "--game", "connect4", *join)) as ugi:
        assert ugi.best_move(["4", "4"], "nodes 20").move in "1234567"
        ugi.set_option("Game", "othello6")
        assert ugi.best_move([], "nodes 20").move in {"c2", "b3", "e4", "d5"}
        with NBoardClient(command("nboard", *join)) as nboard:
            assert nboard.go().move in {"D3", "C4", "F5", "E6"}
    refused = subprocess.run(
        command("ugi", "--game", "chess", *join), capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert "no game 'chess' here" in refused.stderr
