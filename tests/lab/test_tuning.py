"""AlphaDDA's grid search: its grids and metric, and `sparring lab tune` on the command line."""

from __future__ import annotations

import csv
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import UsageError
from engine.games.table import Board
from engine.lab.tuning import grades
from engine.match.record import Row
from engine.strength.alphadda import PUBLISHED, read_constants, write_constants
from engine.strength.alphadda_grids import GRIDS, KINDS, OPPONENTS, grid
from protocols.cli.main import dispatch
from protocols.cli.tune import constants_published, lines, picture
from tests.support.strength.rows import row

BOARDS = {
    "connect4": Board("connect4", 7, 6),
    "othello6": Board("othello", 6, 6),
    "othello8": Board("othello", 8, 8),
}
SIZES = {  # of the paper's grids: AlphaDDA1, 2, 3
    "connect4": (180, 120, 25),
    "othello6": (240, 80, 30),
    "othello8": (160, 80, 30),
}


@pytest.mark.parametrize("name", BOARDS)
def test_the_grids_are_the_papers_and_hold_what_it_chose(name: str) -> None:
    for persona, size in zip(GRIDS, SIZES[name], strict=True):
        points = grid(persona, BOARDS[name])
        assert len(set(points)) == len(points) == size
        chosen = constants_published(persona, BOARDS[name])
        assert chosen in points
        assert all(read_constants(KINDS[persona], write_constants(p)) == p for p in points)
    published = PUBLISHED[name]
    assert constants_published("alphadda2", BOARDS[name]) is published.damage


def games(point: int, opponent: int, first: tuple[int, int], second: tuple[int, int]) -> list[Row]:
    """Games won and lost by the point with the first color, and with the second."""
    found = []
    for color, (won, lost) in enumerate((first, second)):
        black = (point, opponent)[color]
        winners = [point] * won + [opponent] * lost
        found += [row(0, winner, pair=(point, opponent), black=black) for winner in winners]
    return found


def test_the_metric_counts_each_color_by_itself() -> None:
    rows = [
        *games(0, 2, (20, 0), (0, 20)),  # even in all, and as far as may be from it by colors
        *games(0, 3, (12, 8), (7, 13)),
        *games(1, 2, (10, 10), (11, 9)),
        *games(1, 3, (20, 0), (3, 1)),
        row(0, None, pair=(1, 3), black=1),
    ]
    best, other = grades(rows, ["a", "b"], ["alphazero", "random"])
    assert (best.text, best.metric, best.games) == ("b", 0 + 2 + 20 + 2, 65)
    assert (other.text, other.metric) == ("a", 20 + 20 + 4 + 6)
    assert other.values()["opponents"] == {"alphazero": [20, -20], "random": [4, -6]}
    assert other.by_chance == pytest.approx(4 * (2 / 3.14159265 * 20) ** 0.5)
    shown = list(lines([best, other], "a"))
    assert shown[2].split()[:4] == ["2", "a*", "50", "14"]


@pytest.mark.parametrize("persona", GRIDS)
def test_the_grid_is_drawn_with_its_best_point_and_the_papers(persona: str) -> None:
    pytest.importorskip("matplotlib")
    points = [write_constants(constants) for constants in grid(persona, BOARDS["connect4"])]
    tried = [*points[:5], points[-1]]  # a search may be of some points alone
    rows = [
        found
        for number in range(len(tried))
        for found in games(number, len(tried), (10 + number, 10), (10, 10))
    ]
    found = grades(rows, tried, ["random"])
    axes, bar = picture(persona, found, tried[3], "a title").axes
    table = axes.images[0].get_array()
    assert table is not None
    drawn = sorted(table[np.isfinite(table)].tolist())
    assert drawn == [0, 1, 2, 3, 4, 5]
    labels = [text.get_text() for text in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    told = KINDS[persona].letters.split(",")
    assert f"{axes.get_ylabel()},{axes.get_xlabel()}".split(",") == told
    assert all(label.count(",") < len(told) for label in labels)
    best, theirs = ([float(np.asarray(at)[0]) for at in line.get_data()] for line in axes.lines)
    assert table[int(best[1]), int(best[0])] == 0
    assert table[int(theirs[1]), int(theirs[0])] == 3
    assert bar.get_ylabel() == "D"


POINTS = ("1,2,-2,5", "2,2,-2,9")
WORDS = ("lab", "tune", "alphadda1", "connect4", "--quiet", "--points", *POINTS)


def tuned(folder: Path, *words: str) -> Any:
    """Returns the search's result."""
    assert dispatch([*WORDS, f"--output={folder}", *words]) == 0
    return json.loads((folder / "tune.json").read_text())


def test_a_search_that_was_stopped_goes_on(tmp_path: Path) -> None:
    games, folder = tmp_path / "games.jsonl", tmp_path
    tuned(folder, "--games=1")
    record = games.read_text().splitlines()
    games.write_text("\n".join(record[:8]) + "\n" + record[8][:40])
    found = tuned(folder, "--games=1")
    assert (folder / "tune.png").is_file() == (find_spec("matplotlib") is not None)
    again = games.read_text().splitlines()
    assert again[:8] == record[:8]
    assert sorted(json.loads(line)["game"] for line in again[1:]) == list(range(20))
    assert {told["constants"] for told in found} == set(POINTS)
    assert [told["games"] for told in found] == [2 * len(OPPONENTS)] * 2
    assert found[0]["D"] <= found[1]["D"]
    with (folder / "tune.csv").open(newline="") as file:
        first, _ = csv.DictReader(file)
    assert first["constants"] == found[0]["constants"]
    assert int(first["random_first"]) == found[0]["opponents"]["random"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("alphadda2", "go9"), "plays othello and connect4"),
        (("alphadda1", "chess"), "chess"),
        (("alphadda1", "connect4", "--points", "1,2"), "'1,2' are not N_H,A,B,N_MAX"),
        (("alphadda3", "connect4", "--points", "1,2", "1,2.0"), "names constants twice"),
    ],
)
def test_what_cannot_be_tuned_is_said(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dispatch(["lab", "tune", *words])
