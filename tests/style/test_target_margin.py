"""Target margins: the possible ones, the target by uncertainty, forbidden losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.style.margins import Margins
from engine.style.target_leads import Candidate
from engine.style.target_margin import TargetMargin, given_away


@pytest.mark.parametrize(
    ("margins", "range_", "expected"),
    [
        (Margins(2, 1 - 7.5), (-3.5, 3.5), (-2.5, 3.5)),  # Black's by area with komi 7.5
        (Margins(2, 7.5 - 1), (-3.5, 3.5), (-3.5, 2.5)),  # White's
        (Margins(1, -6.5), (0.5, 3.5), (0.5, 3.5)),  # by territory
        (Margins(2, 0), (0.5, 3.5), (2, 2)),  # Othello
        (Margins(2, -0.3), (0.5, 0.6), (-0.3, -0.3)),  # none within: the nearer one
        (Margins(2, 1.2), (0.5, 0.6), (1.2, 1.2)),
        (Margins(), (-1.0, 0.3), (-1.0, 0.3)),
    ],
)
def test_only_margins_that_can_occur_are_targets(
    margins: Margins, range_: tuple[float, float], expected: tuple[float, float]
) -> None:
    assert margins.between(*range_) == pytest.approx(expected)
    target = TargetMargin(low=range_[0], high=range_[1]).at(0.0, margins)
    assert (target.low, target.high) == pytest.approx(expected)


def preferred_lead(ending: TargetMargin, score_stdev: float, leads: dict[float, float]) -> float:
    """The lead of the chosen move, from moves with leads and probabilities."""
    target = ending.at(score_stdev)
    candidates = [Candidate(0, probability, lead) for lead, probability in leads.items()]
    return max(candidates, key=target.weight).lead


def test_the_nearer_the_end_the_firmer_a_lead_is_returned() -> None:
    ending = TargetMargin(reserve=0, patience=0.5)
    moves = {6.0: 0.6, 3.0: 0.1}
    assert preferred_lead(ending, 9.0, moves) == 6.0
    assert preferred_lead(ending, 4.0, moves) == 3.0
    assert preferred_lead(ending, 5.0, moves) == 3.0
    assert preferred_lead(TargetMargin(reserve=0, patience=0.5, settled=0.0), 5.0, moves) == 6.0


def test_too_little_is_never_borne_with() -> None:
    moves = {-6.0: 0.6, -3.5: 0.1}
    for deviation in (9.0, 1.0):
        assert preferred_lead(TargetMargin(reserve=0), deviation, moves) == -3.5


def test_within_the_target_the_most_natural_move_is_played() -> None:
    assert preferred_lead(TargetMargin(), 0.5, {3.0: 0.2, 0.5: 0.3, -3.0: 0.1, -9.0: 0.4}) == 0.5


def test_early_targets_include_a_reserve() -> None:
    moves = {-3.0: 0.3, 1.0: 0.25, 5.0: 0.2}
    ending = TargetMargin(reserve=0.5)
    assert preferred_lead(ending, 12.0, moves) == 1.0
    assert preferred_lead(ending, 0.0, moves) == -3.0
    above = TargetMargin(reserve=1.0, high=0.0)
    assert preferred_lead(above, 9.0, moves) == 1.0
    assert preferred_lead(TargetMargin(high=-0.5), 0.0, moves) == -3.0


def test_settled_stones_that_fall_to_the_other_side_are_counted() -> None:
    own = np.array([True, True, True, True, False])
    before = np.array([0.9, 0.95, 0.5, 0.9, 0.9])
    after = np.array([-0.9, 0.9, -0.9, 0.0, -0.9])
    assert given_away(before, after, own) == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"low": 4.0},
        {"high": 1e6},
        {"gamma": 0.5},
        {"patience": -0.1},
        {"settled": -1.0},
        {"reserve": float("nan")},
        {"most_stones": -1},
        {"reads": -1},
        {"kept": 0},
    ],
)
def test_settings_that_cannot_be_are_quoted(settings: dict[str, Any]) -> None:
    ((name, value),) = settings.items()
    with pytest.raises(ValueError, match=f"{name} {value!r}"):
        TargetMargin(**settings)
