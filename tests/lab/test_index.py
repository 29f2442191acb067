"""Elo against the softmax index: from games of known ratings, and on the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from engine.errors import UsageError
from engine.lab.index import IndexRung, against_full, curves, pairs_of, rungs_of
from engine.match.record import Row
from protocols.cli.main import dispatch
from tests.support.strength.rows import row

INDICES = (-2.0, -1.0, 0.0, 1.0, 2.0)


def games(rungs: list[IndexRung], elos: Mapping[IndexRung, float], each: int) -> list[Row]:
    """Returns games with results by the ratings."""
    rng, rows = np.random.default_rng(11), list[Row]()
    for first, second in pairs_of(rungs):
        chance = 1 / (1 + 10 ** ((elos[rungs[second]] - elos[rungs[first]]) / 400))
        for won in rng.random(each) < chance:
            pair = (first, second)
            rows.append(row(len(rows), pair[0] if won else pair[1], pair=pair, black=first))
    return rows


def test_the_players_and_who_meets_whom() -> None:
    rungs = rungs_of([1.0, -0.5], [0.0, 0.1], "sparring:full")
    assert [rung.text for rung in rungs] == [
        "sparring:softmax:-0.5:0",
        "sparring:softmax:1:0",
        "sparring:softmax:-0.5:0.1",
        "sparring:softmax:1:0.1",
        "sparring:full",
    ]
    assert set(pairs_of(rungs)) == {(0, 1), (2, 3), (0, 4), (1, 4), (2, 4), (3, 4)}


def test_lines_are_found_again_in_games() -> None:
    rungs = rungs_of(INDICES, [0.0, 0.1], "sparring:full")
    slopes = {0.0: 150.0, 0.1: 60.0}
    elos = {rung: -200 + slopes[rung.threshold] * (rung.index or 0) for rung in rungs[:-1]}
    elos[rungs[-1]] = 0.0
    found = curves(rungs, games(rungs, elos, each=400))
    assert [curve.threshold for curve in found] == [0.0, 0.1]
    for curve in found:
        slope = slopes[curve.threshold]
        assert abs(curve.slope.value - slope) < 1.5 * curve.slope.error < 30
        assert abs(curve.at_zero.value + 200) < 1.5 * curve.at_zero.error < 60
        assert abs(curve.span.value - 4 * slope) < 1.5 * curve.span.error < 150
        assert curve.misses < 40
        for point in curve.points:
            assert abs(point.elo + 200 - slope * point.index) < 2 * point.error < 120
        (low, at_low), (high, at_high) = curve.ends()
        assert (low, high) == (-2.0, 2.0)
        assert at_high - at_low == pytest.approx(4 * curve.slope.value)


def test_a_bend_is_reported_as_missing_the_line() -> None:
    rungs = rungs_of(INDICES, [0.0], "sparring:full")
    elos = {rung: -100 * (rung.index or 0) ** 2 for rung in rungs}
    (curve,) = curves(rungs, games(rungs, elos, each=400))
    assert curve.misses > 100


def test_who_took_no_point_has_an_elo_all_the_same() -> None:
    counts = np.array([[0, 0, 10], [5, 0, 5]])
    elos = against_full(3, [(0, 2), (1, 2)], counts)
    assert elos[0] < -300
    assert elos[1] == pytest.approx(0, abs=1)
    with pytest.raises(ValueError, match="not every player"):
        curves(rungs_of(INDICES, [0.0], "sparring:full"), [row(0, 0)])


def test_the_index_of_some_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("lab", "index", "connect4", "--indices", "-1", "1", "--thresholds", "0", "--visits=6")
    more = ("--quiet", f"--output={tmp_path}")
    assert dispatch([*words, "--games=2", *more]) == 0
    capsys.readouterr()
    assert dispatch([*words, "--games=4", *more, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads((tmp_path / "index.json").read_text())
    assert [point["index"] for point in told["curves"][0]["points"]] == [-1, 1]
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 1 + 3 * 4
    with (tmp_path / "index.csv").open(newline="") as file:
        assert [float(each["index"]) for each in csv.DictReader(file)] == [-1, 1]
    assert (tmp_path / "index.png").stat().st_size > 10_000
    assert "830" in (tmp_path / "index.txt").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("connect4", "--indices", "1"), "--indices are 2 different ones"),
        (("connect4", "--thresholds", "0", "0"), "--thresholds are 1 different ones"),
        (("chess",), "no network of Chess"),
    ],
)
def test_what_cannot_be_measured_is_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dispatch(["lab", "index", *words])
