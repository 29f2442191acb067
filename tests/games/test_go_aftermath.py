"""Chains in doubt at the end of a game of Go, settled by the play of scripted searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine._core import GoPosition
from engine.games import go_aftermath
from engine.games.chains import chain_at
from engine.games.go_aftermath import RULES, VISITS, Search, captured, doubtful_chains, settle
from engine.values import MoveStats, Report
from tests.support.diagrams import SEKI, position_of
from tests.support.go_reports import C2, FINISHED, report_of

# Black's stone at E2 is in atari at E1.
ATARI = """
. . . . O .
O O O O X O
. . . . . .
"""
E2, E1, F1, C1 = 10, 16, 17, 14
BEST = MoveStats(
    move=0, order=0, visits=1, edge_visits=1, win_rate=0.5, no_result=0.0, score_lead=0.0,
    score_mean=0.0, score_stdev=0.0, utility=0.0, lcb=0.0, utility_lcb=0.0, prior=1.0,
    weight=1.0, edge_weight=1.0, play_selection_value=1.0, pv=(),
)  # fmt: skip


def search_of(moves: Sequence[int], leads: Sequence[float] = ()) -> Search:
    """Returns a search with these best moves and leads in turn, then passes and leads of 0."""
    best, lead = iter(moves), iter(leads)

    def search(position: GoPosition, visits: int) -> Report:
        assert visits == VISITS
        empty = "\n".join([" ".join("." * position.width)] * position.height)
        report = report_of(position, empty, lead=next(lead, 0.0))
        return replace(report, moves=(replace(BEST, move=next(best, position.pass_move)),))

    return search


@pytest.mark.parametrize(
    ("values", "is_doubtful"),
    [
        ((0.9, 0.9), False),
        ((-0.9, -0.9), False),
        ((0.8, 0.8), True),
        ((0.1, -0.1), True),
        ((1.0, 0.75), False),
        ((1.0, 0.8, 1.0, 1.0, 1.0, 0.3), True),
    ],
)
def test_a_chain_is_in_doubt_by_its_ownership(values: Sequence[float], is_doubtful: bool) -> None:
    board = " . " + "X " * len(values) + "."
    position = position_of(f"{board}\n{board.replace('X', '.')}", RULES)
    ownership = np.zeros((2, len(values) + 2), np.float32)
    ownership[0, 1:-1] = values
    assert bool(doubtful_chains(position, ownership)) == is_doubtful


def test_pass_alive_chains_are_never_in_doubt() -> None:
    position = position_of(FINISHED, RULES)
    assert doubtful_chains(position, np.zeros((5, 8), np.float32)) == []
    assert captured(position, [[C2]], search_of([])) == [True], "it lies in certain territory"


def test_stones_that_both_sides_leave_alone_live() -> None:
    position = position_of(SEKI, RULES)
    chains = [chain_at(position.stones, 2), chain_at(position.stones, 5)]
    assert captured(position, chains, search_of([], [-99, -99])) == [False, False]


def test_stones_die_by_capture() -> None:
    position = position_of(ATARI, RULES, to_move=1)
    assert captured(position, [[E2]], search_of([E1])) == [True]


def test_a_side_takes_what_its_search_counts_on_before_it_passes() -> None:
    """White's search wants to pass, for it counts E2 as dead; on the board E2 would live."""
    position = position_of(ATARI, RULES, to_move=1)
    passing, passed, taking = 20.0, -20.0, -20.0
    assert captured(position, [[E2]], search_of([], [passing, passed, taking])) == [True]
    harmful = 20.0
    assert captured(position, [[E2]], search_of([], [passing, passed, harmful])) == [False]
    content = float(-position.area().sum())
    assert captured(position, [[E2]], search_of([], [content])) == [False]


def test_play_without_end_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(go_aftermath, "MOST_MOVES", 2)
    position = position_of(ATARI, RULES, to_move=1)
    assert captured(position, [[E2]], search_of([F1, C1])) is None
    assert captured(position, [[E2]], search_of([E1])) == [True]


@pytest.mark.parametrize(
    ("by_black", "by_white", "was_dead", "is_dead"),
    [
        ([True], [True], False, True),
        ([False], [False], True, False),
        ([True], [False], True, True),
        ([False], [True], False, False),
        (None, [True], False, False),
        (None, None, True, True),
    ],
)
def test_a_state_changes_only_where_the_play_of_both_sides_agrees(
    monkeypatch: pytest.MonkeyPatch,
    by_black: list[bool] | None,
    by_white: list[bool] | None,
    was_dead: bool,
    is_dead: bool,
) -> None:
    monkeypatch.setattr(
        go_aftermath, "captured", lambda start, *_: by_white if start.to_move else by_black
    )
    dead = np.zeros((3, 6), np.bool_)
    dead.flat[E2] = was_dead
    starts = [position_of(ATARI, RULES, to_move=side) for side in (0, 1)]
    settle(dead, [[E2]], starts, search_of([]))
    assert np.flatnonzero(dead).tolist() == ([E2] if is_dead else [])
