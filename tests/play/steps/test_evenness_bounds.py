"""The bounds of evenness in Go: which moves may become likelier, how much, and great mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from engine._core import GoPosition
from engine.games.table import Board
from engine.opponents import is_decided
from engine.personas import make_persona
from engine.play.steps.evenness_bounds import (
    USUAL_LIMIT,
    EvennessBounds,
    bounded_level,
    evenness_bounds_of,
    is_self_atari,
)
from engine.play.steps.request import MoveRequest
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search
from engine.strength.level import Level
from engine.strength.settings_curve import READ_VISITS
from engine.values import Limit, Report, Standing
from tests.support.stand_in import StandInEvaluator

MIDDLE = Standing(0.5, 0.5, 0.0)


@pytest.mark.parametrize(
    ("phase", "win_rate", "decided"),
    [(0.95, 0.99, True), (0.95, 0.01, True), (0.95, 0.5, False), (0.5, 0.99, False)],
)
def test_a_late_game_with_a_certain_result_is_decided(
    phase: float, win_rate: float, decided: bool
) -> None:
    assert is_decided(replace(MIDDLE, phase=phase), win_rate) is decided


def bounds(may_rise: Sequence[bool]) -> EvennessBounds:
    return EvennessBounds(np.array(may_rise), USUAL_LIMIT.most_factor)


def test_no_move_becomes_much_likelier_than_its_level_makes_it() -> None:
    natural = np.array([0.70, 0.20, 0.09, 0.01])
    drawn = bounds([True] * 4).applied(np.array([0.0, 0.0, 0.0, 1.0]), natural)
    assert drawn.sum() == pytest.approx(1)
    most = USUAL_LIMIT.most_factor**2
    assert drawn[3] / drawn[0] == pytest.approx(most * natural[3] / natural[0])


def test_a_move_that_may_not_rise_keeps_at_most_its_natural_probability() -> None:
    natural, balanced = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.1, 0.8])
    drawn = bounds([True, True, False]).applied(balanced, natural)
    assert drawn[2] == pytest.approx(0.2)
    assert drawn.sum() == pytest.approx(1)
    assert bounds([False] * 3).applied(balanced, natural) is natural


def test_an_unlikely_move_keeps_a_part_of_its_odds_and_a_left_out_one_does_not_return() -> None:
    natural, balanced = np.array([0.7, 0.3, 0.0]), np.array([0.5, 0.0, 0.5])
    drawn = bounds([True, False, True]).applied(balanced, natural)
    assert drawn[1] == pytest.approx(0.3 / USUAL_LIMIT.most_factor)
    assert drawn[2] == 0


def board_of(rows: Sequence[str], to_move: int = 0) -> GoPosition:
    """The position of a picture: X Black, O White."""
    position = cast("GoPosition", Board("go", len(rows[0]), len(rows)).start())
    cells = "".join(rows)
    position.setup([("XO".index(cell), at) for at, cell in enumerate(cells) if cell != "."])
    position.to_move = to_move
    return position


@pytest.mark.parametrize(
    ("rows", "move", "found"),
    [
        ((".X...", "OO...", ".....", ".....", "....."), 0, True),
        ((".X...", ".....", ".....", ".....", "....."), 0, False),  # two liberties
        ((".O...", ".....", ".....", ".....", "....."), 0, False),  # a single stone
        ((".XO..", "XO...", "O....", ".....", "....."), 25, False),  # a pass
        ((".XO..", "OXO..", ".O...", ".....", "....."), 10, False),  # it captures
    ],
)
def test_a_self_atari_loses_some_stones_for_nothing(
    rows: Sequence[str], move: int, found: bool
) -> None:
    assert is_self_atari(board_of(rows), move) is found


EMPTY = (".....",) * 5
SELF_ATARI = (".X...", "OO...", ".....", ".....", ".....")  # for Black at the first cell


def restrained(
    leads: Sequence[float | None],
    rows: Sequence[str] = EMPTY,
    *,
    ownership: float = 0.0,
    best: int | None = None,
    from_target: float = 1.0,
) -> EvennessBounds:
    """The bounds of the first moves of a board, with these leads after them.

    ownership: of each point, for Black. best: the search's best move, if any.
    """
    position = board_of(rows)
    search = Search(StandInEvaluator(game="go"), seed=3)
    search.set_position(position)
    report: Report = search.run(Limit(visits=8), options=WITH_OWNERSHIP)
    ranked = tuple(replace(stats, move=best) for stats in report.moves[:1] if best is not None)
    report = replace(report, moves=ranked, ownership=np.full(len(rows) ** 2, ownership, np.float32))
    request = MoveRequest(position, Limit(visits=8), persona=make_persona("even", "go"))
    known = np.array([np.nan if lead is None else lead for lead in leads])
    return evenness_bounds_of(
        request, report, np.arange(len(leads)), known, from_target=from_target
    )


def test_a_move_that_gives_back_more_than_the_lead_or_much_at_once_may_not_rise() -> None:
    found = restrained([4.0, 1.0, 0.0, -0.5, -9.0, None])
    assert found.may_rise.tolist() == [True, True, True, False, False, False]
    assert restrained([6.0, 1.5, 0.5]).may_rise.tolist() == [True, True, False]


def test_a_great_lead_may_go_mostly_at_once() -> None:
    assert restrained([24.0, 10.0, 6.0, 5.0]).may_rise.tolist() == [True, True, True, False]


def test_on_19x19_evenness_changes_little_near_the_target() -> None:
    near, on_the_way, far = (
        restrained([2.5, 0.6, 0.4], ("." * 19,) * 19, from_target=apart)
        for apart in (0.0, 0.15, 0.3)
    )
    assert far.may_rise.tolist() == [True, True, False]
    assert near.most_factor == pytest.approx(1.0)
    assert on_the_way.most_factor == pytest.approx(far.most_factor**0.5)
    assert far.most_factor == restrained([1.0], from_target=0.0).most_factor


def test_behind_only_the_best_moves_may_rise() -> None:
    assert restrained([-12.0, -12.4, -14.0]).may_rise.tolist() == [True, True, False]


def test_a_self_atari_may_rise_only_as_the_best_move() -> None:
    assert restrained([3.0], SELF_ATARI).may_rise.tolist() == [False]
    assert restrained([3.0], SELF_ATARI, best=0).may_rise.tolist() == [True]


def test_a_move_in_own_territory_may_rise_only_as_the_best_move() -> None:
    assert restrained([3.0, 3.0], ownership=0.9, best=1).may_rise.tolist() == [False, True]
    assert restrained([3.0, 3.0], ownership=-0.9, best=1).may_rise.tolist() == [True, True]


READER = Level(reading=12, most_loss=16.0)
PERSON = Level(rank=14.0)
BLIND = Level(greed=1.0, index=0.0)


@pytest.mark.parametrize(
    ("level", "lead", "most_loss"),
    [
        (READER, 20.0, 10.0),
        (READER, 0.0, 10.0),
        (READER, -4.0, 6.0),
        (READER, -30.0, 3.0),
        (PERSON, 50.0, 8.0),
        (PERSON, 0.0, 8.0),
        (PERSON, -30.0, 5.0),
        (BLIND, 15.0, 35.0),
        (BLIND, 0.0, 20.0),
        (BLIND, -30.0, 10.0),
    ],
)
def test_a_level_that_reads_in_even_games_bounds_its_mistakes_by_the_lead(
    level: Level, lead: float, most_loss: float
) -> None:
    bounded = bounded_level(level, replace(MIDDLE, lead=lead), Board("go", 19, 19))
    assert bounded.most_loss == most_loss
    assert bounded.reading == (READ_VISITS if level is PERSON else 3 * READ_VISITS)


@pytest.mark.parametrize(
    ("level", "game", "side"),
    [(Level(greed=1.0), "go", 19), (PERSON, "go", 13), (BLIND, "othello", 8)],
)
def test_a_level_without_a_bound_keeps_its_mistakes(level: Level, game: str, side: int) -> None:
    board = Board(game, side, side)
    assert bounded_level(level, replace(MIDDLE, lead=-30.0), board) == level
