"""The core's searches against the slow ones of plain.py: same moves, same values."""

from __future__ import annotations

import pytest

from engine import _core
from tests.support.agents import plain
from tests.support.agents.positions import new, played_at_random

SOME = 4  # positions apart
AT_MOST = {1: 1.0, 2: 0.8, 3: 0.6, 4: 0.4, 5: 0.4}  # alpha-beta's share of minimax's positions


@pytest.mark.parametrize("name", ["connect4", "othello4", "othello6", "othello8"])
def test_uct_is_the_plain_one(name: str) -> None:
    for seed, position in enumerate(list(played_at_random(name, 2))[::SOME]):
        for playouts in (7, 60, 200):
            found = _core.alphadda_tree_search(position, playouts, seed)
            move, value, _ = plain.uct(position, playouts, seed)
            assert (found.move, found.value, found.nodes) == (move, value, playouts)


def test_the_plain_one_is_as_described() -> None:
    root = plain.uct(new("connect4"), 7, 1)[2]
    assert [child.visits for child in root.children] == [1] * 7  # each once before any twice
    position = new("connect4")
    for column in (0, 1, 2, 3, 4, 5) * 3 + (1, 0, 3, 2, 5, 4) * 3:
        position.play(column)
    assert position.legal_moves() == [6]
    for playouts, opened in ((5, False), (6, True)):  # a leaf opens after its fifth visit
        (only,) = plain.uct(position, playouts, 1)[2].children
        assert bool(only.children) == opened


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("name", ["connect4", "othello6", "othello8"])
def test_alphadda_minimax_is_the_plain_one(name: str, number: int, published: bool) -> None:
    def value(position: object, color: int) -> int:
        if name == "connect4":
            return plain.connections(position, color, 100 if number == 1 else 2)
        return plain.places(position, color, weighted=number == 1)

    for position in list(played_at_random(name, 2, seed=number))[::SOME]:
        last = name != "connect4" and (position.stones == 0).sum() <= 6
        values = {}
        for move in position.legal_moves():
            child = position.copy()
            child.play(move)
            depth = 99 if last else 2
            values[move] = plain.minimax(child, depth, position.to_move, value, published=published)
        found = _core.alphadda_minimax(position, number, published)
        assert found.value == max(values.values())
        assert found.move == min(m for m, v in values.items() if v == found.value)


def test_liangs_evaluation_is_the_plain_one() -> None:
    for position in played_at_random("othello8", 20):
        for color in (0, 1):
            assert _core.liang_evaluation(position, color) == plain.liang(position, color)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_liangs_minimax_is_the_plain_one(depth: int) -> None:
    for seed, position in enumerate(list(played_at_random("othello8", 1, seed=depth))[::SOME]):
        color = position.to_move
        values = {}
        for move in position.legal_moves():
            child = position.copy()
            child.play(move)
            values[move] = plain.minimax(child, depth - 1, color, plain.liang, published=False)
        found = _core.liang_minimax(position, depth, False, seed)
        assert found.value == max(values.values()) == values[found.move]


def test_alpha_beta_plays_the_moves_of_minimax_from_fewer_positions() -> None:
    for name in ("othello6", "othello8"):
        for depth in range(1, 6 if name == "othello6" else 5):
            looked_at = [0, 0]
            for seed, position in enumerate(list(played_at_random(name, 4, seed=depth))[::2]):
                full = _core.liang_minimax(position, depth, False, seed)
                cut = _core.liang_minimax(position, depth, True, seed)
                assert (cut.move, cut.value) == (full.move, full.value)
                looked_at[0] += full.nodes
                looked_at[1] += cut.nodes
            share = looked_at[1] / looked_at[0]
            print(f"{name} depth {depth}: alpha-beta looks at {share:.1%} of minimax's positions")
            assert share <= AT_MOST[depth]


@pytest.mark.parametrize("loops", [1, 40])
def test_liangs_tree_search_is_the_plain_one(loops: int) -> None:
    for seed, position in enumerate(list(played_at_random("othello8", 2))[::SOME]):
        found = _core.liang_tree_search(position, loops, seed)
        assert (found.move, found.value) == plain.roxanne_search(position, loops, seed)
        assert found.nodes == loops
