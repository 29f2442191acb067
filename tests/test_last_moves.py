"""The last moves of a game kept even: by a plain recursion, and what must be true of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine._core import glance
from engine._core import kept_even as looked_through
from engine.games import GAMES, Board
from engine.last_moves import LAST_MOVES, kept_even
from tests.late_positions import connect4_late, othello_late

GREED = 1.2
PERVERSE, CARELESS, GREEDY, STRONG = (tuple(map(float, row)) for row in np.eye(4))
MIXED = (0.1, 0.3, 0.4, 0.2)


LATE = {"connect4": connect4_late, "othello": othello_late}


def result(position: Any, side: int) -> float:
    return 0.5 if position.winner < 0 else float(position.winner == side)


def after_each(position: Any) -> list[Any]:
    found = []
    for move in position.legal_moves():
        found.append(position.copy())
        found[-1].play(move)
    return found


def best(position: Any, side: int) -> float:
    """The result of best play."""
    if position.is_over:
        return result(position, side)
    found = [best(after, side) for after in after_each(position)]
    return max(found) if position.to_move == side else min(found)


def prospects(position: Any, side: int, wanted: float, kinds: Sequence[float]) -> list[float]:
    """[kinds] the chances, without a table and with a fine raster of draws between two moves."""
    if position.is_over:
        return [result(position, side)] * 4
    children = np.array([prospects(a, side, wanted, kinds) for a in after_each(position)])
    if position.to_move == side:
        share = np.linspace(0, 1, 101)[:, None, None, None]
        draws = ((1 - share) * children + share * children[:, None]).reshape(-1, 4)
        nearest: list[float] = draws[((draws - wanted) ** 2 @ np.array(kinds)).argmin()].tolist()
        return nearest
    liked = np.asarray(glance(position), dtype=np.float64)[position.legal_moves()]
    results = np.array([best(after, side) for after in after_each(position)])
    weights = np.stack(
        [
            np.exp(-GREED * (liked - liked.min())),
            np.ones(len(liked)),
            np.exp(GREED * (liked - liked.max())),
            results == results.min(),
        ]
    )
    return [float(w @ children[:, kind] / w.sum()) for kind, w in enumerate(weights)]


def kept(position: Any, side: int, wanted: float, kinds: Sequence[float]) -> list[float]:
    chances = looked_through(
        position, side=side, wanted=wanted, kinds=kinds, greed=GREED, most_nodes=100_000
    )
    assert chances is not None
    return list(chances)


@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("kinds", [PERVERSE, CARELESS, GREEDY, STRONG, MIXED])
@pytest.mark.parametrize("wanted", [0.3, 0.5])
def test_chances_are_those_of_a_plain_recursion(
    game: str, side: int, kinds: tuple[float, ...], wanted: float
) -> None:
    position: Any = LATE[game]()
    expected = np.array(prospects(position, side, wanted, kinds))
    found = np.array(kept(position, side, wanted, kinds))
    counts = np.array(kinds) > 0
    assert found[counts] == pytest.approx(expected[counts], abs=0.02)


@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("side", [0, 1])
def test_who_wants_to_win_against_the_strong_plays_for_the_best_result(
    game: str, side: int
) -> None:
    position: Any = LATE[game]()
    assert kept(position, side, 1.0, STRONG)[-1] == best(position, side)


def test_a_careless_player_is_beaten_or_not_as_is_wanted() -> None:
    position = othello_late()
    low, even, high = (kept(position, 0, wanted, CARELESS)[1] for wanted in (0.0, 0.5, 1.0))
    assert low < 0.2
    assert even == pytest.approx(0.5, abs=0.1)
    assert high > 0.8


def test_nothing_is_said_where_there_is_too_much_to_look_at() -> None:
    position = othello_late()
    settings = {"side": 0, "wanted": 0.5, "kinds": CARELESS, "greed": GREED}
    assert looked_through(position, **settings, most_nodes=3) is None
    for game in LAST_MOVES:
        start = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
        assert kept_even(start, game, side=0, wanted=0.5, kinds=CARELESS) is None
    go = Board("go", 9, 9).start()
    assert kept_even(go, "go", side=0, wanted=0.5, kinds=CARELESS) is None


def test_kinds_are_probabilities() -> None:
    with pytest.raises(ValueError, match="kinds"):
        kept(othello_late(), 0, 0.5, (0.5, 0.5, 0.5, 0.5))
