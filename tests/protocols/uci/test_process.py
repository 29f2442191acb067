"""`sparring uci` as a program, under python-chess's client of UCI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED_DATA
from tests.support.networks import lc0_writer
from tests.support.paths import ROOT

chess = pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
engine = pytest.importorskip("chess.engine")

MOVES = 30
MAIA = SHARED_DATA / "maia"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SPARRING_SOCKET", str(tmp_path / "none.sock"))


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "protocols.cli", "uci", "--alone", *options]


@pytest.fixture(params=["written", "maia"])
def networks(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """The options of a small network, and of Maia's where they can be had."""
    if request.param == "written":
        return ["--network", str(lc0_writer.write(tmp_path / "net.pb.gz", lc0_writer.Shape()))]
    if not MAIA.is_dir():
        pytest.skip("needs Maia's networks in ../shared/data/maia")
    return ["--network", str(MAIA / "maia-1900.pb.gz"), "--human-network", str(MAIA)]


@pytest.fixture
def ours(networks: list[str]) -> Iterator[Any]:
    """The program, under python-chess's client."""
    with engine.SimpleEngine.popen_uci(
        command(*networks, "--opponent", "none"), timeout=60
    ) as client:
        yield client


def test_games_pondering_and_analysis_under_another_programs_client(ours: Any) -> None:
    assert ours.id["name"] == "Sparring"
    ours.configure({"UCI_ShowWDL": True})
    for settings in ({"Persona": "full"}, {"UCI_LimitStrength": True, "UCI_Elo": 900}):
        ours.configure(settings)
        board = chess.Board()
        while not board.is_game_over() and board.ply() < MOVES:
            played = ours.play(
                board, engine.Limit(nodes=3), ponder=board.ply() % 5 == 0, game=str(settings)
            )
            board.push(played.move)  # raises on an illegal move
        assert board.ply() == MOVES or board.is_game_over()
    ours.configure({"UCI_LimitStrength": False})
    lines = ours.analyse(chess.Board(), engine.Limit(nodes=20), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert sum(lines[0]["wdl"].pov(chess.WHITE)) == 1000
    started = chess.Board.from_chess960_pos(10)
    played = ours.play(started, engine.Limit(nodes=3), game="chess960")
    assert played.move in started.legal_moves


def test_an_even_game_by_the_clock_while_it_ponders(ours: Any) -> None:
    """Each expected reply is played: each move but the first comes by `ponderhit`."""
    board = chess.Board()
    limit = engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
    hits = 0
    while not board.is_game_over(claim_draw=True) and board.ply() < MOVES:
        played = ours.play(board, limit, ponder=True)
        board.push(played.move)
        if played.ponder is not None and not board.is_game_over(claim_draw=True):
            assert played.ponder in board.legal_moves
            board.push(played.ponder)
            hits += 1
    assert hits or board.is_checkmate()
    ours.ping()  # raises if it is gone


def test_an_endless_analysis_stops_when_the_client_has_enough(ours: Any) -> None:
    with ours.analysis(chess.Board(MATE_IN_ONE), multipv=2) as analysis:
        seen = [line["multipv"] for line, _ in zip(analysis, range(6), strict=False)]
        analysis.stop()
        best = analysis.wait()
    assert {1, 2} <= set(seen)
    assert best.move == chess.Move.from_uci("a1a8")
    assert ours.play(chess.Board(), engine.Limit(nodes=2)).move in chess.Board().legal_moves


def test_without_a_network_the_missing_one_is_named() -> None:
    with pytest.raises(engine.EngineTerminatedError):
        engine.SimpleEngine.popen_uci(command(), timeout=60)
