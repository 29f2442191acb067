from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.opponents.opponent import SECONDS_A_DAY, Opponent
from engine.opponents.posterior import Posterior
from engine.strength.softmax_index import IndexState

NOON = 1_750_000_000.0


def somebody() -> Opponent:
    return Opponent("Ada", Posterior.of_stranger(0, 1000))


def test_a_game_moves_the_belief_toward_its_result() -> None:
    won = somebody().after_game(points=1, level_elo=500, now_seconds=NOON)
    lost = somebody().after_game(points=0, level_elo=500, now_seconds=NOON)
    assert won.posterior.mean > 600
    assert lost.posterior.mean < 400
    assert won.games == lost.games == 1
    assert won.last_game_seconds == NOON


def test_a_result_against_an_unknown_level_only_counts_as_a_game() -> None:
    before = somebody()
    after = before.after_game(points=1, level_elo=None, now_seconds=NOON)
    assert after.games == 1
    assert after.posterior is before.posterior


KINDS_OF_RESULT: tuple[dict[str, Any], ...] = ({}, {"weight": 0.5}, {"bonus_elo": 300.0})


def test_half_a_result_moves_less_and_an_advantage_discounts_a_win() -> None:
    full, half, helped = (
        somebody().after_game(points=1, level_elo=500, now_seconds=NOON, **more).posterior.mean
        for more in KINDS_OF_RESULT
    )
    assert 500 < half < full
    assert helped < full


def test_time_blurs_the_belief_but_not_before_the_first_game() -> None:
    new = somebody()
    assert new.meeting(NOON).posterior is new.posterior
    known = new.after_game(points=0.5, level_elo=500, now_seconds=NOON)
    for _ in range(30):
        known = known.after_game(points=0.5, level_elo=500, now_seconds=NOON)
    soon = known.meeting(NOON + 60)
    late = known.meeting(NOON + 400 * SECONDS_A_DAY)
    assert known.posterior.deviation < soon.posterior.deviation < late.posterior.deviation
    # A clock set back is no reason to fail, nor to know more.
    assert known.meeting(NOON - 60).posterior.density == pytest.approx(soon.posterior.density, 1e-3)


def test_another_pace_blurs_the_belief_and_the_same_pace_does_not() -> None:
    known = somebody()
    for _ in range(30):
        known = known.after_game(points=0.5, level_elo=500, now_seconds=NOON)
    paces = (math.inf, 60.0, 10.0, 1.0)
    met = [known.meeting(NOON, pace) for pace in paces]
    deviations = [each.posterior.deviation for each in met]
    assert deviations[0] == deviations[1] < deviations[2] < deviations[3] - 20
    assert met[3].posterior.mean == pytest.approx(met[0].posterior.mean, abs=1)
    fast = met[3].after_game(points=0.5, level_elo=500, now_seconds=NOON)
    again, slower = (fast.meeting(NOON, seconds).posterior.deviation for seconds in (1.0, 30.0))
    assert again < slower
    assert known.with_evidence(met[3], fast).pace_seconds == 1.0


def test_a_record_without_a_pace_had_unhurried_moves() -> None:
    told = somebody().to_json()
    del told["pace_seconds"]
    assert Opponent.from_json(told).pace_seconds == somebody().pace_seconds


def test_on_paper_and_back() -> None:
    opponent = somebody().after_game(points=1, level_elo=300, now_seconds=NOON + math.pi)
    written = json.loads(json.dumps(opponent.to_json()))
    assert Opponent.from_json(written).to_json() == written
    assert Opponent.from_json(somebody().to_json()).last_game_seconds is None
    with pytest.raises(ValueError, match="not an opponent"):
        Opponent.from_json({"name": "Ada"})


def test_the_evidence_of_two_sessions_is_merged() -> None:
    before = Opponent("Ann", Posterior.of_stranger(0, 1000), games=3)
    rising = np.linspace(-2.0, 0.0, len(before.posterior.grid))[None]
    mine = replace(before, posterior=before.posterior.after_move(rising))
    mine = mine.after_game(points=1, level_elo=400, now_seconds=50, by_index=True)
    theirs = before.after_game(points=0, level_elo=900, now_seconds=70, by_index=True)
    together = theirs.with_evidence(before, mine)
    both = replace(theirs, posterior=theirs.posterior.after_move(rising)).after_game(
        points=1, level_elo=400, now_seconds=50
    )
    assert np.allclose(together.posterior.density, both.posterior.density)
    assert (together.games, together.last_game_seconds) == (5, 70)
    assert together.index == IndexState(0.0, mine.index.step)
    other_ladder = Opponent("Ann", Posterior.of_stranger(-500, 1000))
    assert other_ladder.with_evidence(before, mine).posterior is mine.posterior


def test_the_surplus_counts_wins_above_the_target_and_fades() -> None:
    met = Opponent("Ada", Posterior.of_stranger(-200, 1600))
    won = met.after_game(points=0.0, level_elo=700, now_seconds=1.0, target=0.6)
    assert won.surplus == pytest.approx(0.4)
    assert Opponent.from_json(won.to_json()).surplus == won.surplus
    lost = won.after_game(points=1.0, level_elo=700, now_seconds=2.0, target=0.5)
    assert lost.surplus == pytest.approx(0.4 * 0.95 - 0.5)
    # A game that nobody steered leaves it as it is.
    assert lost.after_game(points=0.0, level_elo=700, now_seconds=3.0).surplus == lost.surplus
    assert won.with_evidence(met, lost).surplus == pytest.approx(won.surplus + lost.surplus)


WRONG: list[Any] = [
    None,
    True,
    "x",
    "",
    "AAAA",
    b"\x00",
    [],
    [[]],
    [None],
    {},
    {"a": 1},
    -1e300,
    1e300,
    10**400,
]
WRONG += [math.nan, math.inf, "////" * 2, "AAAA" * 9999, [1e300] * 30, [math.nan] * 30, "[" * 9999]
PATHS = [
    *((name,) for name in somebody().to_json()),
    *(("posterior", name) for name in somebody().posterior.to_json()),
    *(("posterior", "styles", 0, number) for number in range(4)),
    *(("index", name) for name in IndexState().to_json()),
]


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_a_wrong_value_is_refused_or_does_no_harm(path: tuple[str | int, ...]) -> None:
    """Whatever is read can be met, played against and written again."""
    for value in WRONG:
        told = json.loads(json.dumps(somebody().to_json()))
        inner = told
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        try:
            read = Opponent.from_json(told)
        except ValueError:
            continue
        met = read.meeting(NOON, 10.0)
        after = met.after_game(points=0.5, level_elo=300, now_seconds=NOON)
        posterior = after.with_evidence(met, after).posterior
        assert np.isfinite([posterior.mean, posterior.deviation, *posterior.interval()]).all()
        assert np.isfinite([after.index.index, after.surplus]).all()
        Opponent.from_json(json.loads(json.dumps(after.to_json())))
