"""Levels beside people: chosen games, judged moves, findings, and `sparring lab people`."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from engine.errors import UsageError
from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.ranks import parse_rank
from engine.lab.people import HEADS, LIKENESS_RANKS, JudgedMove, findings_of, judged_moves, picture
from engine.lab.people_games import people_games, record_of
from engine.networks.human_policy import HumanPolicy
from engine.training.go.records import read_games, table_of
from protocols.cli.main import dispatch
from tests.support.stand_in import StandInEvaluator

SIZE = 19
STONES = "AB[dd][pp]"  # of a handicap
FILLER = "".join(f";W[{chr(97 + i)}a];B[{chr(97 + i)}c]" for i in range(20 - 1) if i != 3)
EVEN_FILLER = "".join(f";B[{chr(97 + i)}a];W[{chr(97 + i)}c]" for i in range(20 - 1))


def sgf(black: str, white: str, rest: str) -> bytes:
    head = f"(;GM[1]FF[4]SZ[19]KM[0.5]RU[Japanese]PB[ann]PW[bob]BR[{black}]WR[{white}]RE[W+R]"
    return f"{head}{rest})".encode()


GAMES = (
    sgf("15k", "11k", f"HA[2]{STONES}{FILLER};W[sq];B[sr];W[qs];B[rs]"),
    sgf("14k", "10k", f"HA[2]{STONES}{FILLER};W[sq];B[sr];W[qs];B[rs]"),
    sgf("15k", "7d", f"{EVEN_FILLER};B[sq];W[sr]"),
    sgf("3d", "7d", f"HA[2]{STONES}{FILLER};W[sq];B[sr];W[qs];B[rs]"),
)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "KGS-2001.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for number, data in enumerate(GAMES):
            info = tarfile.TarInfo(f"{number}.sgf")
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return path


def test_the_games_of_a_rank_have_its_commonest_handicap(archive: Path) -> None:
    table = table_of(read_games(archive))
    chosen = people_games(table, parse_rank("15k"), 10, np.random.default_rng(1))
    assert (chosen.handicap, len(chosen.games)) == (2, 2)
    assert parse_rank("10k") <= chosen.opponent <= parse_rank("11k")
    game = chosen.games[0]
    assert len(game.setup) == 2
    assert game.first_to_move == 1
    assert game.position().move_number == len(game.moves)
    with pytest.raises(ValueError, match="no game with a Black player of 5k"):
        people_games(table, parse_rank("5k"), 10, np.random.default_rng(1))


def test_blacks_moves_are_judged_before_and_after(archive: Path) -> None:
    table = table_of(read_games(archive))
    game = record_of(table.game(0))
    leads: list[int] = []

    def lead_of(position: Position) -> float:
        leads.append(position.to_move)
        return float(len(leads))

    people = HumanPolicy(StandInEvaluator())
    moves = judged_moves(game, lead_of, people, parse_rank("7d"))
    assert [move.number for move in moves] == list(range(2, len(game.moves) + 1, 2))
    assert leads == [0, 1] * len(moves)
    assert {move.loss for move in moves} == {-1.0}
    assert all(len(move.likely) == len(LIKENESS_RANKS) for move in moves)


def move(number: int, loss: float, best: int) -> JudgedMove:
    """A move that the rank with index `best` plays most often."""
    likely = [0.1 / (1 + abs(index - best)) for index in range(len(LIKENESS_RANKS))]
    return JudgedMove(number, loss, tuple(likely))


def test_findings_tell_losses_by_phase_and_the_likeliest_rank() -> None:
    strong, weak = [move(2, 0.0, 5), move(100, 1.0, 5)], [move(200, 5.0, 1)]
    found = findings_of("level 3d", parse_rank("3d"), [strong, strong, weak], SIZE * SIZE)
    assert (found.games, found.moves) == (3, 5)
    assert found.by_phase == {"opening": 0.0, "middle": 1.0, "ending": 5.0}
    assert found.small == pytest.approx(0.4)
    assert found.loss == pytest.approx(7 / 5)
    assert found.likeliest == parse_rank("3d")
    assert found.right == pytest.approx(2 / 3)
    assert found.own == pytest.approx(np.exp(np.mean(np.log([0.1] * 4 + [0.1 / 5]))))
    assert found.unlikely == pytest.approx(1 / 5)
    assert len(list(found.cells())) == len(HEADS)
    pytest.importorskip("matplotlib")
    assert picture({"3d": (found, found)}).axes[0].get_legend() is not None


def test_the_instrument_compares_and_goes_on(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "people"
    command = ["lab", "people", "15k", "--human-games", str(archive), "--games", "1"]
    command += [
        "--cache",
        str(tmp_path / "games.npz"),
        "--output",
        str(output),
        "--quiet",
        "--json",
    ]
    assert dispatch(command) == 0
    people, level = json.loads(capsys.readouterr().out)
    assert (people["name"], level["name"]) == ("people 15k", "level 15k")
    assert level["moves"] > 20
    assert dispatch(command) == 0
    assert json.loads(capsys.readouterr().out) == [people, level]
    with pytest.raises(UsageError, match="no game with a Black player of 5k"):
        dispatch([*command[:2], "5k", *command[3:]])


def test_a_record_without_moves_has_no_judged_moves(archive: Path) -> None:
    game = record_of(table_of(read_games(archive)).game(0))
    empty = GameRecord(game.game_settings, SIZE, SIZE)
    people = HumanPolicy(StandInEvaluator())
    assert judged_moves(empty, lambda _: 0.0, people, 2.0) == []
