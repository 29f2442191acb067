"""The tails of a match: margins, and losses by the lead."""

from __future__ import annotations

import pytest

from engine.lab.tails import Throwing, tails, throwing
from engine.match.game_spec import GameSpec
from engine.style.measures import MoveMeasure

START = GameSpec("go", 9, 9, "chinese", 7.5)


def move(lead: float, lost: float) -> MoveMeasure:
    return MoveMeasure(1, 0, 3, 0.5, points=lost, lead=lead)


def test_losses_are_divided_by_the_lead_before_a_move() -> None:
    moves = [move(9.0, 4.0), move(6.0, 2.0), move(5.0, 1.0), move(-4.0, 0.5), move(-20.0, 9.0)]
    found = throwing(moves)
    assert (found.ahead, found.within, found.throws) == (3.0, 0.75, 0)
    assert found.ratio == pytest.approx(4.0)


def test_a_throw_takes_a_lead_below_a_clear_loss_at_once() -> None:
    assert throwing([move(3.5, 10.5), move(3.4, 30.0), move(20.0, 26.9)]).throws == 1


def test_without_a_move_of_each_kind_there_is_no_ratio() -> None:
    assert throwing([]) == Throwing(0, None, None, 0)
    assert throwing([move(9.0, 1.0)]).ratio is None


def row(number: int, result: str, winner: int | None) -> dict[str, object]:
    return {
        "game": number,
        "pair": [0, 1],
        "black": 0,
        "winner": winner,
        "how": "score" if result[2:] != "R" else "resign",
        "result": result,
        "handicap": [],
        "opening": [],
        "moves": ["E5"],
    }


def test_margins_are_those_of_counted_games() -> None:
    rows = [row(0, "B+2.5", 0), row(1, "W+41.5", 1), row(2, "B+20.5", 0), row(3, "B+R", 0)]
    found = tails(START, rows, {})
    assert (found.games, found.points, found.median) == (4, 0.75, 20.5)
    assert (found.much, found.far_too_much, found.greatest) == (2 / 3, 1 / 3, 41.5)
