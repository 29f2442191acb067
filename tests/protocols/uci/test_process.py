"""`sparring uci` as a program, under python-chess's client of UCI."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.networks import lc0_writer
from tests.support.paths import ROOT

chess = pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
engine = pytest.importorskip("chess.engine")

MOVES = 30


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SPARRING_SOCKET", str(tmp_path / "none.sock"))


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "protocols.cli", "uci", "--alone", *options]


def test_games_pondering_and_analysis_under_another_programs_client(tmp_path: Path) -> None:
    network = lc0_writer.write(tmp_path / "net.pb.gz", lc0_writer.Shape())
    with engine.SimpleEngine.popen_uci(
        command("--network", str(network), "--opponent", "none"), timeout=60
    ) as ours:
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


def test_without_a_network_the_missing_one_is_named() -> None:
    with pytest.raises(engine.EngineTerminatedError):
        engine.SimpleEngine.popen_uci(command(), timeout=60)
