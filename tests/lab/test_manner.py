"""How results came about, on hand-made opinions."""

from __future__ import annotations

import pytest

from engine.lab.manner import manner
from engine.match.game_spec import GameSpec
from engine.review.judging import GameJudgement
from engine.style.measures import MeanEstimate
from tests.support.strength.rows import row

CONNECT4 = GameSpec("connect4", 7, 6)
OTHELLO = GameSpec("othello", 6, 6)


def value(estimate: MeanEstimate | None) -> float:
    """Returns its judgement."""
    assert estimate is not None
    return estimate.value


def test_losses_are_reported_by_who_made_the_move() -> None:
    # Player 5 is Black, and passes at move 9, where Black can do nothing else.
    texts = "e4 e5 c2 b4 e6 f6 a4 d6 pass b2".split()
    game = row(3, 2, pair=(2, 5), black=5, moves=texts, result="W+8")
    values, leads = [0.5] * 11, [0.0] * 11
    values[:3], leads[:3] = [0.6, 0.5, 0.8], [1.0, 0.0, 6.0]
    likely: list[float | None] = [0.5, 0.01, *[0.5] * 6, None, 0.5]
    how = manner(OTHELLO, [game], {3: GameJudgement(values, leads, None, likely)})
    assert how is not None
    assert (how.ours.moves, how.theirs.moves) == (5, 4)
    assert value(how.theirs.loss) == pytest.approx((0.1 + 0.3) / 4)
    assert value(how.theirs.points) == pytest.approx((1.0 + 6.0) / 4)
    assert value(how.ours.loss) == pytest.approx(0.3 / 5)
    assert value(how.ours.points) == pytest.approx(6.0 / 5)
    assert value(how.ours.natural) == pytest.approx((0.01 * 0.5**4) ** (1 / 5))
    assert (value(how.ours.unnatural), value(how.theirs.unnatural)) == (0.2, 0.0)
    assert value(how.margin) == 8.0


def test_reversals_are_counted_by_game() -> None:
    values = [0.9, 0.1, *[0.1] * 6, 0.9, 0.1, 0.9]
    games = [row(number, 0, moves=list("4444447777")) for number in (0, 1)]
    opinions = {
        0: GameJudgement(values, values, None, [0.5] * 10),
        1: GameJudgement([0.9] * 11, [0.9] * 11, None, [0.5] * 10),
    }
    how = manner(CONNECT4, games, opinions)
    assert how is not None
    assert (value(how.reversals), value(how.late_reversals)) == (2.0, 1.0)
    assert how.ours.points is None, "a lead of Connect4 is worth nothing"


def test_nothing_is_reported_of_games_that_nobody_judged() -> None:
    assert manner(CONNECT4, [row(0, 0, moves=["1"])], {}) is None
