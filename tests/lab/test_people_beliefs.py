"""Beliefs about people: judged games, sets of games, tables, and `sparring lab beliefs`."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings
from engine.games.ranks import parse_rank
from engine.games.table import Board
from engine.lab.people_beliefs import (
    HEADS,
    SET_SIZES,
    PersonBelief,
    after_game,
    beliefs,
    rank_rows,
    rows,
)
from engine.networks.human_policy import HumanPolicy
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.search.search import Search
from engine.strength.rank_scale import scale_of
from engine.values import Limit
from protocols.cli.main import dispatch
from tests.support.stand_in import StandInEvaluator, description_of

BOARD = Board("go", 19, 19)
LIMIT = Limit(visits=80)
COLUMNS = "abcdefghijklmnopqrs"
GAME = "".join(f";B[{x}{y}];W[{x}{z}]" for y, z in ("ac", "eg") for x in COLUMNS)


def record(moves: int, side: int = 19) -> GameRecord:
    pairs = tuple((number % 2, 2 * number) for number in range(moves))
    return GameRecord(GoSettings(), side, side, (), 0, pairs)


def test_each_move_of_black_is_judged_once() -> None:
    stranger = of_stranger(BOARD, description_of("go"))
    search, people = Search(StandInEvaluator(game="go"), seed=1), HumanPolicy(StandInEvaluator())
    after = after_game(stranger, search, record(9), LIMIT, people)
    assert after.updates == 5
    assert after.opponent.games == 0
    again = after_game(after, search, record(4), LIMIT, people)
    assert again.updates == 2
    with pytest.raises(ValueError, match="a game on 9x9, not on go19"):
        after_game(stranger, search, record(4, side=9), LIMIT, people)


def test_a_set_joins_the_evidence_of_its_games() -> None:
    stranger = of_stranger(BOARD, description_of("go"))
    grid = stranger.opponent.posterior.grid

    def learn(tracker: OpponentTracker, game: GameRecord) -> OpponentTracker:
        posterior = tracker.opponent.posterior.after_results(5000.0, float(len(game.moves)))
        return replace(tracker, opponent=replace(tracker.opponent, posterior=posterior))

    found = list(beliefs(stranger, {9.0: [record(1)] * 7}, learn))
    assert [each.games for each in found] == [1] * 7 + [3] * 2 + [7]
    assert found[0].elo < found[7].elo < found[9].elo < grid[-1]


def test_tables_compare_beliefs_with_ranks() -> None:
    scale = scale_of(of_stranger(BOARD, description_of("go")).ladder)
    assert scale is not None
    rank = parse_rank("5k")
    elo = scale.elo_of(rank)
    found = [
        PersonBelief(rank, 1, elo + 100.0, (elo - 50.0, elo + 150.0)),
        PersonBelief(rank, 1, elo - 300.0, (elo - 400.0, elo - 200.0)),
    ]
    (row,) = rows(found, scale)
    assert len(row) == len(HEADS)
    assert [row[0], row[1], row[2], row[4], row[5], row[6]] == "1 2 200 -100 50% 200".split()
    assert rank_rows(found[:1], scale) == [["5k", scale.text(elo + 100.0)]]
    assert SET_SIZES[0] == 1


def test_the_instrument_reads_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = f"(;GM[1]FF[4]SZ[19]KM[6.5]RU[Japanese]PB[ann]PW[bob]BR[5k]WR[6d]RE[W+R]{GAME})".encode()
    path = tmp_path / "KGS-2001.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        info = tarfile.TarInfo("0.sgf")
        info.size = len(data)
        file.addfile(info, io.BytesIO(data))
    command = ["lab", "beliefs", "5k", "--human-games", str(path), "--quiet"]
    command += ["--cache", str(tmp_path / "games.npz"), "--games", "1", "--visits", "80"]
    assert dispatch(command) == 0
    heads, row, *_ = capsys.readouterr().out.splitlines()
    assert heads.split() == " ".join(HEADS).split()
    assert row.split()[:2] == ["1", "1"]
    with pytest.raises(UsageError, match="no game with a Black player of 20k"):
        dispatch([*command[:2], "20k", *command[3:]])
