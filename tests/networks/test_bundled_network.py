"""The networks that come with Sparring: they load everywhere, are small, and play sensibly."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import EvaluationCache, GoPosition
from engine.games.chance import drawn
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES, Board
from engine.networks.bundled import PLACES, SUFFIX, WEIGHTS
from engine.networks.runtime import BACKENDS, load_evaluator
from engine.networks.sparring import read_card
from engine.play.networks import bundled_network
from engine.search.search import Search, SearchSettings
from engine.values import Limit, Report

VISITS = 24
LARGEST_FILE, LARGEST_FOLDER = 6_000_000, 25_000_000  # bytes
FILES = sorted(WEIGHTS.glob(f"*{SUFFIX}"))
BOARDS = {  # the boards of each network, by its name
    "connect4": (Board("connect4", 7, 6),),
    "darkchess": (Board("darkchess", 4, 8),),
    "othello6": (Board("othello", 6, 6),),
    "othello8": (Board("othello", 8, 8),),
    "othello8-human": (Board("othello", 8, 8),),
    "go": (Board("go", 9, 9), Board("go", 19, 13)),
    "go-human": (Board("go", 9, 9), Board("go", 19, 19)),
}
PLAYERS = [path for path in FILES if path.stem in PLACES and path.stem != "go"]


def name_of(path: Path) -> str:
    return path.stem


@cache
def evaluator_of(path: Path, backend: str = "auto", precision: str = "auto") -> Evaluator:
    return load_evaluator(path, backend=backend, precision=precision)


def search_for(evaluator: Evaluator, seed: int) -> Search:
    return Search(evaluator, SearchSettings(), EvaluationCache(4096), seed)


def searched(path: Path, position: Position, visits: int, seed: int = 1) -> Report:
    search = search_for(evaluator_of(path), seed)
    search.set_position(position)
    return search.run(Limit(visits=visits))


# ---- Files


def test_they_are_small() -> None:
    assert bundled_network() in FILES
    assert all(path.stat().st_size < LARGEST_FILE for path in FILES)
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) < LARGEST_FOLDER


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_each_has_a_card_that_tells_of_it(path: Path) -> None:
    network = evaluator_of(path).network
    text = path.with_suffix(".md").read_text()
    assert network.game == BOARDS[path.stem][0].game
    assert text.startswith("# ")
    assert GAMES[network.game].title in text
    assert f"{network.parameters:,} parameters" in text
    assert read_card(path), "the header says nothing of how it was made"


def outputs(evaluator: Evaluator, position: Position) -> list[NDArray[np.float32]]:
    """Policy and value of a position."""
    slot = evaluator.open(position.width, position.height, 1)
    slot.spatial[0], slot.globals[0] = position.features()
    slot.start(1)
    slot.wait()
    return [slot.policy[0], slot.value[0, :2]]


@pytest.mark.parametrize("path", FILES, ids=name_of)
@pytest.mark.parametrize("backend", BACKENDS)
def test_each_runs_the_same_on_every_backend(path: Path, backend: str) -> None:
    if reason := BACKENDS[backend].missing():
        pytest.skip(f"{backend}: {reason}")
    plain = evaluator_of(path, "native", "fp32")
    precision = "fp16" if backend == "cuda" else "fp32"
    found = evaluator_of(path, backend, precision)
    for board in BOARDS[path.stem]:
        position = board.start()
        for one, other in zip(outputs(found, position), outputs(plain, position), strict=True):
            assert np.abs(one - other).max() < (0.1 if precision == "fp16" else 0.01)


# ---- Play


@pytest.mark.parametrize("path", PLAYERS, ids=name_of)
def test_it_beats_a_random_player_from_both_sides(path: Path) -> None:
    (board, *_) = BOARDS[path.stem]
    points = 0.0
    for number in range(6):
        position, rng = board.start(), random.Random(number)
        while not position.is_over:
            move = rng.choice(position.legal_moves())
            if position.to_move == number % 2:
                best = searched(path, position, VISITS, number).best
                assert best is not None
                move = best.move
            position.play(drawn(position, move, rng.randrange))
        points += {number % 2: 1.0, -1: 0.5}.get(position.winner, 0.0)
    assert points >= 5


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        ("121212", 1),  # wins
        ("12121", 1),  # stops the other from winning
        ("45464", 4),
        ("112233", 4),
        ("11223", 4),
        ("6172736", 4),  # in the middle of a row
    ],
)
def test_connect4_sees_immediate_wins_and_losses(columns: str, wanted: int) -> None:
    path = WEIGHTS / f"connect4{SUFFIX}"
    if not path.exists():
        pytest.skip("no network of Connect4 yet")
    position = GAMES["connect4"].new_position(7, 6)
    for column in columns:
        position.play(int(column) - 1)
    best = searched(path, position, 50).best
    assert best is not None
    assert best.move == wanted - 1


# ---- Go


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return evaluator_of(bundled_network())


@pytest.mark.parametrize("size", [7, 9, 13])
@pytest.mark.parametrize("rules", ["tromp-taylor", "japanese"])
def test_it_ends_its_games_with_the_board_divided(
    evaluator: Evaluator, size: int, rules: str
) -> None:
    position = GoPosition(size, size, RULE_SETS[rules], 7.5)
    search = search_for(evaluator, size)
    while not position.is_over and position.move_number < 3 * size * size:
        search.set_position(position)
        best = search.run(Limit(visits=VISITS)).best
        assert best is not None
        position.play(best.move)
    assert position.is_over
    assert (position.stones != 0).mean() > 0.3


@pytest.mark.parametrize("color", [0, 1])
def test_it_takes_the_board_from_a_random_player(evaluator: Evaluator, color: int) -> None:
    position = GoPosition(9, 9, RULE_SETS["tromp-taylor"], 7.5)
    search = search_for(evaluator, color)
    rng = random.Random(color)
    while not position.is_over and position.move_number < 200:
        if position.to_move == color:
            search.set_position(position)
            best = search.run(Limit(visits=VISITS)).best
            assert best is not None
            move = best.move
        else:
            move = rng.choice([*np.flatnonzero(position.legal_mask()[:-1]), position.pass_move])
        position.play(int(move))
    lead = position.black_score if color == 0 else -position.black_score
    assert lead > 40


def test_the_notice_names_each_network_once() -> None:
    table = (WEIGHTS / "NOTICE.md").read_text().split("| source |")[0]
    files = {path.stem for path in WEIGHTS.iterdir() if path.suffix in {SUFFIX, ".npz"}}
    assert [table.count(f"`{name}`") for name in sorted(files)] == [1] * len(files)
