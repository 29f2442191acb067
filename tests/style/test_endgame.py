"""The beginning of an endgame: the paper's values, and those of other boards."""

from __future__ import annotations

import pytest

from engine.style.endgame import EndgameLimits


@pytest.mark.parametrize(
    ("side", "even_lead", "gain"),
    [(13, 5, 7), (19, 12, 5), (9, 5 * 81 / 169, 7), (16, 5 + 7 * 87 / 192, 7 - 2 * 87 / 192)],
)
def test_the_signs_of_each_board(side: int, even_lead: float, gain: float) -> None:
    signs = EndgameLimits.published(side * side)
    assert (signs.even_lead, signs.gain) == pytest.approx((even_lead, gain))
    assert signs.score_stdev == 10


def test_all_signs_must_be_there_but_in_play_the_game_need_not_be_even() -> None:
    signs = EndgameLimits.published(361)
    assert signs.has_begun(9.9, 4.9)
    assert not signs.has_begun(10.0, 4.9)
    assert not signs.has_begun(9.9, 5.0)
    assert signs.is_even(-11.9)
    assert not signs.is_even(12.0)


@pytest.mark.parametrize("name", ["even_lead", "score_stdev", "gain"])
def test_signs_that_cannot_be_are_quoted(name: str) -> None:
    values = {"even_lead": 5.0, "score_stdev": 10.0, "gain": 7.0, name: -1.0}
    with pytest.raises(ValueError, match=f"{name} -1.0"):
        EndgameLimits(**values)
