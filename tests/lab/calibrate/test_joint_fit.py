"""The rungs' Elo by the games of all rounds."""

from __future__ import annotations

import numpy as np
import pytest

from engine.lab.calibrate.joint_fit import joint_ratings
from engine.lab.calibrate.round import CalibrationEffort, CalibrationRound
from engine.match.game_spec import GameSpec

SLOPE = 1.5  # Elo of the pretended players a unit of the curve
LAST = tuple(float(place) for place in range(-300, 1201, 75))
FIRST = tuple(float(place) for place in range(-300, 1201, 100))


def played(places: tuple[float, ...], games: int, seed: int) -> CalibrationRound:
    """Returns a round between players whose Elo is proportional to their place."""
    each = CalibrationRound(
        GameSpec("connect4", 7, 6), places, CalibrationEffort(games, 60.0), seed
    )
    rng = np.random.default_rng(seed)
    for job in each.jobs():
        first, second = (SLOPE * places[rung] for rung in job.tags)
        swapped = job.number // len(each.pairs) % 2 == 1
        if swapped:
            first, second = second, first
        won = rng.random() < 1 / (1 + 10 ** ((second - first) / 400))
        each.add({"game": job.number, "tags": list(job.tags), "points": float(won), "seconds": 0.0})
    return each


def test_one_round_has_its_own_ratings() -> None:
    each = played(LAST, 20, seed=1)
    for joint, own in zip(joint_ratings([each]), each.ratings(), strict=True):
        assert joint.elo == pytest.approx(own.elo, abs=1e-3)
        assert joint.error == pytest.approx(own.error, abs=1e-3)


def test_games_of_earlier_rounds_make_the_last_rungs_more_certain() -> None:
    truth = SLOPE * np.array(LAST)
    alone, together = [], []
    for seed in range(12):
        earlier, last = played(FIRST, 60, seed), played(LAST, 20, 100 + seed)
        joint = joint_ratings([earlier, last])
        assert joint[LAST.index(0.0)].error == 0.0
        assert joint[-1].error < last.ratings()[-1].error
        together.append([rating.elo for rating in joint] - truth)
        alone.append([rating.elo for rating in last.ratings()] - truth)
    assert np.std(together) < 0.75 * np.std(alone)
