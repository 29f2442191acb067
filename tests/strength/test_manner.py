"""How results came about: on hand-made opinions, and by a judge that solves what is late."""

from __future__ import annotations

import math
import random

import pytest

from engine.networks.bundled import human_network
from engine.records import Limit
from engine.search import Search
from protocols.match.start import Start
from protocols.strength.judging import Bench, Judge, judged
from protocols.strength.manner import manner, reversals
from tests.strength.rows import row

CONNECT4 = Start("connect4", 7, 6)
OTHELLO = Start("othello", 6, 6)


def test_losses_are_told_by_who_made_the_move() -> None:
    game = row(3, 0, pair=(2, 5), black=5, moves=["a1", "a2", "pass", "a3"], result="W+8")
    found = {
        "game": 3,
        "values": [0.5, 0.4, 0.6, 0.6, 0.3],
        "leads": [0.0, -1.0, 2.0, 2.0, -4.0],
        "exact": None,
        "likely": [0.5, 0.01, None, 0.04],
    }
    game["pair"], game["winner"] = [2, 5], 2
    how = manner(OTHELLO, [game], {3: found})
    assert how is not None
    # Player 5 is Black and made the first move, lost .1; the pass was forced; player 2 the others.
    assert how.theirs.moves == 1
    assert how.theirs.loss == pytest.approx(0.1)
    assert how.theirs.points == pytest.approx(1.0)
    assert how.ours.moves == 2
    assert how.ours.loss == pytest.approx((0.2 - 0.3) / 2)
    assert how.ours.points == pytest.approx((3.0 - 6.0) / 2)
    assert how.ours.natural == pytest.approx(math.sqrt(0.01 * 0.04))
    assert (how.ours.unnatural, how.theirs.unnatural) == (1.0, 0.0)
    assert how.margin == 8.0


@pytest.mark.parametrize(
    ("values", "changes"),
    [
        ([0.5, 0.6, 0.55, 0.7], []),
        ([0.6, 0.45, 0.4], [2]),
        ([0.9, 0.1, 0.9, 0.5, 0.1], [1, 2, 4]),
        ([0.5, 0.5], []),
    ],
)
def test_the_lead_changes_when_the_other_side_has_it(
    values: list[float], changes: list[int]
) -> None:
    assert reversals(values) == changes


def test_late_reversals_are_those_of_the_last_fifth() -> None:
    values = [0.9, 0.1, *[0.1] * 6, 0.9, 0.1, 0.9]
    game = row(0, 0, moves=["1"] * 10)
    found = {"game": 0, "values": values, "leads": values, "exact": None, "likely": [0.5] * 10}
    how = manner(CONNECT4, [game], {0: found})
    assert how is not None
    assert (how.reversals, how.late_reversals) == (4.0, 2.0)


def test_nothing_is_told_of_games_that_nobody_judged() -> None:
    assert manner(CONNECT4, [row(0, 0, moves=["1"])], {}) is None


def random_game(start: Start, seed: int) -> tuple[list[str], int]:
    """The moves of a random game, and its winner."""
    rng, position, moves = random.Random(seed), start.empty(), list[str]()
    while not position.is_over:
        move = rng.choice(position.legal_moves())
        moves.append(start.write(move))
        position.play(move)
    return moves, position.winner


@pytest.mark.parametrize("start", [CONNECT4, OTHELLO], ids=lambda start: start.game)
def test_solved_positions_are_never_improved_on(start: Start) -> None:
    rows = []
    for seed in range(3):
        moves, winner = random_game(start, seed)
        rows.append(row(seed, None if winner < 0 else winner, moves=moves, result="R+1"))
    solved = 0
    for game, found in zip(rows, judged(Bench(start, visits=2), rows, at_once=2), strict=True):
        assert len(found["values"]) == len(found["leads"]) == len(game["moves"]) + 1
        assert found["exact"] is not None
        position = start.empty()
        for number, text in enumerate(game["moves"]):
            value, after = found["values"][number : number + 2]
            if number >= found["exact"]:
                assert value in {0.0, 0.5, 1.0}
                assert (value >= after) if position.to_move == 0 else (value <= after)
                solved += 1
            assert (found["likely"][number] is None) == (len(position.legal_moves()) == 1)
            position.play(start.read(text))
    assert solved > 20


def test_human_moves_are_the_reference_where_a_network_knows_them() -> None:
    othello, go = Bench(Start("othello", 8, 8), 9), Bench(Start("go", 9, 9), 9)
    for bench, name in ((othello, "othello8-human"), (go, "go-human")):
        assert bench.reference.path is not None
        assert bench.reference.path.stem == name
        assert bench.strong.path is not None
        assert bench.strong.path.stem == name.removesuffix("-human")
    assert human_network("othello", (6, 6)) is None
    connect4 = Bench(CONNECT4, 9)
    assert connect4.reference == connect4.strong


def test_a_judge_of_human_moves_asks_the_human_network() -> None:
    start = Start("othello", 8, 8)
    game = row(0, 0, moves=["d3", "c3", "c4"], result="B+R")
    bench = Bench(start, visits=2)
    found = Judge(bench).look(game)
    assert found["leads"][-1] == found["leads"][-2], "nobody counted it"
    network = bench.networks.network(bench.reference)
    search = Search(network.evaluator)
    search.set_position(start.position())
    policy = search.run(Limit(visits=1)).policy
    assert found["likely"][0] == pytest.approx(float(policy[start.read("d3")]), abs=1e-5)
