"""The delay of the engine's answers."""

from __future__ import annotations

import pytest

from bots.answer_delay import AnswerDelay
from bots.game_clocks import PlayerClock

MOVE, MAIN = PlayerClock(6.0, 1), PlayerClock(6.0)


@pytest.mark.parametrize(
    ("seconds", "thought", "clock", "delay"),
    [
        (3.0, 2.5, MOVE, 0.5),
        (3.0, 3.5, MOVE, 0.0),
        (5.9, 5.8, MOVE, 0.9),  # 5 s were its own
        (5.9, 5.8, MAIN, 0.1),
        (5.9, 5.8, None, 0.1),
        (60.0, 1.0, None, 0.0),  # the engine was away
    ],
)
def test_an_answer_late_by_either_account_is_delayed(
    seconds: float, thought: float, clock: PlayerClock | None, delay: float
) -> None:
    measured = AnswerDelay()
    measured.answered(seconds, thought, clock, 1.0)
    assert measured.reserve == pytest.approx(delay)


def test_the_largest_of_the_last_delays_is_reserved() -> None:
    measured = AnswerDelay()
    for late in (0.2, 0.7, *[0.1] * 48):
        measured.answered(1.0 + late, 1.0, None, 0.0)
    assert measured.reserve == pytest.approx(0.7)
    for _ in range(2):
        measured.answered(1.0, 1.0, None, 0.0)
    assert measured.reserve == pytest.approx(0.1)


def test_the_longest_move_of_a_minute_counts() -> None:
    measured = AnswerDelay()
    assert measured.move_seconds(0.0) == 0.0
    measured.moved(10.0, 5.0)
    measured.moved(40.0, 2.0)
    assert [measured.move_seconds(at) for at in (60.0, 90.0, 101.0)] == [5.0, 2.0, 0.0]
