"""Endgame balancing against a plain recursion, and its invariants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine._core import balanced_win_rates as balance_endgame
from engine._core import one_ply_heuristic
from engine.games.table import GAMES, Board
from engine.search.endgame_balance import ENDGAMES, balanced_win_rates
from tests.support.late_positions import connect4_late, othello_late

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


def prospects(position: Any, side: int, target: float, kinds: Sequence[float]) -> list[float]:
    """[kinds] the chances, without a table and with a fine raster of draws between two moves."""
    if position.is_over:
        return [result(position, side)] * 4
    children = np.array([prospects(a, side, target, kinds) for a in after_each(position)])
    if position.to_move == side:
        share = np.linspace(0, 1, 101)[:, None, None, None]
        draws = ((1 - share) * children + share * children[:, None]).reshape(-1, 4)
        nearest: list[float] = draws[((draws - target) ** 2 @ np.array(kinds)).argmin()].tolist()
        return nearest
    liked = np.asarray(one_ply_heuristic(position), dtype=np.float64)[position.legal_moves()]
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


def kept(position: Any, side: int, target: float, kinds: Sequence[float]) -> Any:
    """[moves, kinds] the chances after each move."""
    return balance_endgame(
        position,
        position.legal_moves(),
        side=side,
        target=target,
        kinds=kinds,
        greed=GREED,
        most_nodes=100_000,
    )


@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("kinds", [PERVERSE, CARELESS, GREEDY, STRONG, MIXED])
@pytest.mark.parametrize("target", [0.3, 0.5])
def test_chances_are_those_of_a_plain_recursion(
    game: str, side: int, kinds: tuple[float, ...], target: float
) -> None:
    position: Any = LATE[game]()
    expected = np.array([prospects(a, side, target, kinds) for a in after_each(position)])
    found = np.array(kept(position, side, target, kinds))
    counts = np.array(kinds) > 0
    assert found[:, counts] == pytest.approx(expected[:, counts], abs=0.02)


@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("side", [0, 1])
def test_a_target_above_the_odds_plays_for_the_best_result(game: str, side: int) -> None:
    position: Any = LATE[game]()
    strong = np.array(kept(position, side, 1.0, STRONG))[:, -1]
    assert strong.tolist() == [best(after, side) for after in after_each(position)]


def test_a_careless_player_is_beaten_or_not_as_is_wanted() -> None:
    position = othello_late()
    ours = position.to_move
    low, even, high = (
        np.array(kept(position, ours, target, CARELESS))[:, 1] for target in (0.0, 0.5, 1.0)
    )
    assert (low < even).all()
    assert (even < high).all()
    assert low.min() < 0.1
    assert np.abs(even - 0.5).min() < 0.15
    assert high.max() > 0.9


SETTINGS: dict[str, Any] = {"target": 0.5, "kinds": MIXED, "greed": GREED}


def looked(position: Any, moves: list[int], side: int, most_nodes: int) -> Any:
    return balance_endgame(position, moves, side=side, most_nodes=most_nodes, **SETTINGS)


@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("side", [0, 1])
def test_looking_at_all_moves_at_once_finds_the_very_chances_of_each(game: str, side: int) -> None:
    position: Any = LATE[game]()
    moves = position.legal_moves()
    alone = [looked(position, [move], side, 1000)[0] for move in moves]
    assert None not in alone
    assert looked(position, moves, side, 1000) == alone


def test_transpositions_are_searched_once() -> None:
    position: Any = connect4_late()
    moves = position.legal_moves()

    def taken(moves: list[int]) -> int:
        """The fewest nodes per move without a refusal."""
        return next(nodes for nodes in range(1000) if None not in looked(position, moves, 0, nodes))

    alone = [taken([move]) for move in moves]
    assert taken(moves) * len(moves) < 0.9 * sum(alone)


def test_no_move_is_refused_for_the_nodes_of_others() -> None:
    position: Any = connect4_late()
    moves = position.legal_moves()
    for nodes in (1, 20, 60, 100):
        together = looked(position, moves, 0, nodes)
        for move, chances in zip(moves, together, strict=True):
            assert looked(position, [move], 0, nodes)[0] in (None, chances)
    assert looked(position, moves, 0, 3) == [None] * len(moves)


def test_nothing_is_said_where_there_is_too_much_to_look_at() -> None:
    for game in ENDGAMES:
        start: Any = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
        moves = np.array(start.legal_moves())
        assert balanced_win_rates(start, game, moves, target=0.5, kinds=CARELESS) == [None] * len(
            moves
        )
    go = Board("go", 9, 9).start()
    assert balanced_win_rates(go, "go", np.arange(2), target=0.5, kinds=CARELESS) == [None, None]


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ValueError, match="kinds"):
        kept(othello_late(), 0, 0.5, (0.5, 0.5, 0.5, 0.5))
    with pytest.raises(ValueError, match="move 99 is not one"):
        looked(othello_late(), [99], 0, 1)
