"""Estimates of opponents: how they are graded, how the truth is found, and the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import UsageError
from engine.games.table import Board
from engine.lab.estimation import WAYS, accuracy, after, estimates
from engine.lab.held_out import CHANGE, HELD_OUT, SHAM, STEADY, Stranger, stranger, strangers
from engine.lab.placing import LadderPlace, Placing, levels_of
from engine.match.game_spec import GameSpec, board_of
from engine.match.match import Schedule
from engine.match.players import check_player
from engine.match.record import Row
from engine.match.summary import pair_of
from engine.opponents.posterior import Posterior
from engine.strength.level import RANDOM, Level
from engine.strength.rating_ladder import RatingLadder, Rung
from engine.training.opponents.calibration_players import calibration_players
from protocols.cli.estimate import Meetings
from protocols.cli.main import dispatch
from tests.support.strength.rows import row

CONNECT4 = GameSpec("connect4", 7, 6)
LADDER = RatingLadder(
    Board("connect4", 7, 6),
    "stand-in",
    (Rung(-350, 20, Level(worst_share=0.5)), Rung(0, 0, RANDOM), Rung(1250, 30, Level(visits=99))),
)


def known(posterior: Posterior) -> list[dict[str, Any] | None]:
    return [{"opponent": {"posterior": posterior.to_json()}}, None]


def place(elo: float) -> LadderPlace:
    return LadderPlace(elo, (elo - 50, elo + 50), 60)


# ---- Grades


def test_estimates_are_held_against_who_played_last() -> None:
    sandbagger = Stranger("sandbagger", "random", "mcts1", change=1)
    posterior = Posterior.of_stranger(-350, 1250, mean_elo=400, deviation_elo=100)
    rows = [row(number, 0) | {"known": known(posterior)} for number in range(2)]
    places = {"random": place(0), "mcts1": place(900)}
    found = estimates(sandbagger, 0, rows, places, LADDER)
    both = [each for each in found if each.way == "both"]
    assert [each.games for each in both] == [1, 2]
    assert [each.truth for each in both] == [0, 900]
    assert [round(each.error) for each in both] == [400, -500]
    assert not any(each.covers for each in both)


def test_results_and_moves_are_distinguished() -> None:
    nobody = Posterior.of_stranger(LADDER.lowest, LADDER.highest)
    grid = nobody.grid
    strong_moves = nobody.after_move(-0.5 * ((grid[None] - 1200) / 100) ** 2)
    won = strong_moves.after_results(100, 0.0).after_results(100, 0.0)
    rows = [row(0, 0) | {"known": known(won)}]
    found = estimates(stranger("random"), 0, rows, {"random": place(0)}, LADDER)
    elos = {each.way: each.elo for each in found}
    assert set(elos) == set(WAYS)
    assert elos["results"] < nobody.mean
    assert elos["moves"] > 900
    assert elos["results"] < elos["both"] < elos["moves"]


def test_each_way_hears_of_nothing_else() -> None:
    believed = results = Posterior.of_stranger(LADDER.lowest, LADDER.highest)
    moves = -0.5 * ((believed.grid[None] - 800) / 90) ** 2
    rows, direct = [], []
    for number in range(15):
        if number:
            believed, results = believed.drifted(), results.drifted()
        points = 0.0 if number % 3 else 1.0
        believed = believed.after_move(moves).after_results(500, points)
        results = results.after_results(500, points)
        rows.append(row(number, 0) | {"known": known(believed)})
        direct.append((results.mean, believed.mean))
    found = estimates(stranger("random"), 0, rows, {"random": place(0)}, LADDER)
    told = {way: [each.elo for each in found if each.way == way] for way in WAYS}
    assert told["results"] == pytest.approx([one for one, _ in direct], abs=1)
    assert told["both"] == pytest.approx([both for _, both in direct], abs=1)


def test_accuracy_counts_errors_and_intervals() -> None:
    first = estimates(
        stranger("random"),
        0,
        [row(0, 0) | {"known": known(Posterior.of_stranger(-350, 1250))}],
        {"random": place(0)},
        LADDER,
    )[-1]
    found = [replace(first, elo=elo, interval=(elo - 100, elo + 100)) for elo in (50, -90, 250, 10)]
    grade = accuracy(found)
    assert grade is not None
    assert (grade.count, grade.distance, grade.bias, grade.width) == (4, 100, 55, 100)
    assert grade.covered.rate == 0.75
    assert accuracy(after(found, 2, "both")) is None


def test_a_player_without_estimates_is_refused() -> None:
    with pytest.raises(ValueError, match="keeps no estimate"):
        estimates(stranger("random"), 0, [row(0, 0) | {"known": [None, None]}], {}, LADDER)


# ---- The truth


def test_levels_reach_from_one_end_of_the_ladder_to_the_other() -> None:
    levels = levels_of(LADDER)
    assert (levels[0], levels[-1]) == (-350, 1250)
    assert levels[1:-1] == list(range(-300, 1201, 100))


@pytest.mark.parametrize("truth", [-200, 430, 1500])
def test_strangers_are_placed_where_they_win_half(truth: float) -> None:
    placing = Placing(LADDER, tuple(levels_of(LADDER)), strangers=2, games=120)
    schedule = Schedule((), 120, seed=1)
    series, rng = placing.series(schedule, CONNECT4, 1, []), np.random.default_rng(4)
    rows: list[Row] = []
    while (pairing := series.following(rows)) is not None:
        assert pairing.pair[0] == 1
        level = placing.levels[pairing.pair[1] - 2]
        won = rng.random() < 1 / (1 + 10 ** ((level - truth) / 400))
        rows.append(
            row(
                pairing.number,
                pairing.pair[0 if won else 1],
                pair=pairing.pair,
                black=pairing.black,
            )
        )
    assert len(rows) == len({each["game"] for each in rows}) == 120
    twos = [(rows[at], rows[at + 1]) for at in range(0, 120, 2)]
    assert all(pair_of(one) == pair_of(two) for one, two in twos)
    assert all({one["black"], two["black"]} == set(pair_of(one)) for one, two in twos)
    found = placing.place(rows)
    # The interval holds 95%: with 40 seeds each the truth was outside 5 times in 120, and then by
    # a tenth of its half width at most.
    low, high = found.interval
    assert abs(truth - (low + high) / 2) < high - low
    assert found.error < 130
    assert placing.of(1, [*rows, row(3, 0, pair=(0, 4))]) == rows
    late = [placing.levels[pair_of(each)[1] - 2] for each in rows[60:]]
    assert abs(np.mean(late) - min(truth, 1250)) < 150, "where games tell most"


# ---- Who is estimated


@pytest.mark.parametrize("name", [*HELD_OUT, "othello10"])
def test_all_strangers_play_their_game(name: str) -> None:
    board = GameSpec(*board_of(name)).board
    found = strangers(name)
    assert len({each.name for each in found}) == len(found)
    for each in found:
        for text in (each.before, each.after):
            check_player(text, board)
    if name in HELD_OUT:
        assert {each.kind for each in found} == {STEADY, CHANGE, SHAM}
        assert not set(HELD_OUT[name]) & set(calibration_players(board)), (
            "tables are fitted to them"
        )


def test_a_changing_stranger_is_somebody_else_from_then_on() -> None:
    two = Stranger("two", "random", "mcts1", change=2)
    assert [two.player(game) for game in range(4)] == ["random", "random", "mcts1", "mcts1"]
    meetings = Meetings([stranger("mcts1"), two], ["mcts1", "random"], Schedule((), 4, 1), CONNECT4)
    series, rows = meetings.series(1, 3, []), list[Row]()
    pairs = []
    while (pairing := series.following(rows)) is not None:
        pairs.append(pairing.pair)
        assert pairing.known == (({"games": len(rows)} if rows else None), None)
        told = [{"games": len(rows) + 1}, None]
        rows.append(row(pairing.number, 0, pair=pairing.pair) | {"known": told})
    assert pairs == [(0, 2), (0, 2), (0, 1), (0, 1)]
    assert meetings.of(1, 3, [row(5, 0), *rows]) == rows


# ---- The command


def words(folder: Path, *more: str) -> Sequence[str]:
    return (
        *("lab", "estimate", "connect4", "--strangers", "random", "first-legal", "--visits=4"),
        *("--quiet", f"--output={folder}", *more),
    )


def test_an_estimate_that_was_stopped_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(words(tmp_path, "--placing=2", "--games=2", "--series=1"))
    kept = {}
    for name in ("placing.jsonl", "games.jsonl"):
        path = tmp_path / name
        kept[name] = path.read_text().splitlines()[:3]
        path.write_text("\n".join(kept[name])[:-20])
    capsys.readouterr()
    dispatch(words(tmp_path, "--placing=4", "--games=3", "--series=1", "--json"))
    told = json.loads(capsys.readouterr().out)
    for name, lines in kept.items():
        assert (tmp_path / name).read_text().splitlines()[:2] == lines[:2], "played once"
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()[1:]]
    for first in (0, 1_000_000):
        series = sorted(game["game"] for game in games if first <= game["game"] < first + 1000)
        assert series == [first, first + 1, first + 2]
    learned = sorted((game["game"], game["known"][0]["opponent"]["games"]) for game in games)
    assert [count for _, count in learned] == [1, 2, 3] * 2
    assert told == json.loads((tmp_path / "estimate.json").read_text())
    assert {name: place["games"] for name, place in told["places"].items()} == {
        "random": 4,
        "first-legal": 4,
    }
    assert told["kinds"]["staying"]["both"]["3"]["count"] == 2
    with (tmp_path / "estimate.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 3 * len(WAYS)
    assert (tmp_path / "estimate.png").stat().st_size > 10_000
    assert "by moves" in (tmp_path / "estimate.txt").read_text()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--persona=full",), "'full': the persona keeps no estimate"),
        (("--persona=angry",), "'angry'"),
        (("--games=1000",), "--games and --series are below"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    tmp_path: Path, more: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        dispatch(words(tmp_path, "--placing=1", "--games=1", "--series=1", *more))
