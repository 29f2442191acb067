from __future__ import annotations

import pytest

from engine.match.tally import Tally, elo_of


# Wilson's interval as in the literature's tables.
@pytest.mark.parametrize(
    ("tally", "low", "high"),
    [
        (Tally(50, 50, 0), 0.4038, 0.5962),
        (Tally(40, 40, 20), 0.4038, 0.5962),
        (Tally(10, 0, 0), 0.7225, 1.0),
        (Tally(0, 10, 0), 0.0, 0.2775),
        (Tally(81, 182, 0), 0.2553, 0.3662),
    ],
)
def test_wilson_intervals(tally: Tally, low: float, high: float) -> None:
    assert tally.interval() == pytest.approx((low, high), abs=1e-4)


def test_elo_of_a_rate() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(0.64) == pytest.approx(100, abs=0.1)
    assert elo_of(1.0) == -elo_of(0.0) == float("inf")
