"""Rungs laid one by one, each gap certain to be about 100 Elo."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.lab.calibrate.acceptance import Acceptance, calibrate_accepted
from engine.lab.calibrate.calibration import QUICK, ladder_of
from engine.lab.calibrate.games import CalibrationJob, Row
from engine.lab.calibrate.report import CalibrationReport
from engine.lab.calibrate.round import CalibrationEffort, CalibrationRound
from engine.match.record import RecordFileError
from tests.lab.calibrate.test_calibration import START, Pretended, calibration_of, true_elo

CALIBRATION = replace(calibration_of(40), stages=QUICK)
ACCEPTANCE = Acceptance()


def accepted(folder: Path, players: Pretended, seed: int = 1) -> list[CalibrationRound]:
    calibration = replace(CALIBRATION, seed=seed)
    return calibrate_accepted(calibration, ACCEPTANCE, folder, players, lambda *_: None)


def test_each_gap_is_certain_but_those_at_the_ends(tmp_path: Path) -> None:
    rounds = accepted(tmp_path, Pretended(), seed=5)  # other seeds use up the tries of a rung
    laid = rounds[-1]
    gaps = [tally.elo() for tally in laid.tallies()]
    assert all(low >= 70 and high <= 130 for low, _, high in gaps[1:-1])
    truth = [true_elo(level) for level in laid.levels]
    assert np.diff(truth)[1:-1] == pytest.approx(100, abs=45)
    assert (laid.places[0], laid.places[-1]) == (-600.0, 700.0)
    assert 0.0 in laid.places
    ladder = ladder_of(CALIBRATION, rounds)
    for rung in ladder.rungs:
        assert rung.elo == pytest.approx(true_elo(rung.level), abs=1.5 * rung.error + 1)
    sure = sum(ACCEPTANCE.low <= low and high <= 130 for low, _, high in gaps)
    assert f", {sure} of them for certain" in CalibrationReport(rounds, ladder).summary()


def test_a_stopped_calibration_touches_no_accepted_rung(tmp_path: Path) -> None:
    whole = accepted(tmp_path / "whole", Pretended())
    parts = tmp_path / "parts"
    for stop in (300, 2000, 2500):
        with pytest.raises(KeyboardInterrupt):
            accepted(parts, Pretended(stop_after=stop))
    texts = {path.name: path.read_text() for path in parts.glob("down01*.jsonl")}
    assert texts
    assert accepted(parts, Pretended())[-1].places == whole[-1].places
    for name, text in texts.items():
        assert (parts / name).read_text().startswith(text)
    assert ladder_of(CALIBRATION, accepted(parts, Pretended(stop_after=0))) == ladder_of(
        CALIBRATION, whole
    )


def test_another_calibrations_tries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        accepted(tmp_path, Pretended(stop_after=3000))
    header, *rows = (tmp_path / "down01-1.jsonl").read_text().splitlines()
    other = json.loads(header) | {"digest": "another"}
    (tmp_path / "down01-1.jsonl").write_text("\n".join([json.dumps(other), *rows]) + "\n")
    with pytest.raises(RecordFileError, match="digest"):
        accepted(tmp_path, Pretended())


def tried(points: float, games: int) -> CalibrationRound:
    """Two rungs, the upper one with so many points of so many games."""
    each = CalibrationRound(START, (0.0, 100.0), CalibrationEffort(games, 1.0), seed=1)
    for game in range(games):
        won = game < points
        as_first = float(not won if game % 2 == 0 else won)
        each.add({"game": game, "tags": [0, 1], "points": as_first, "seconds": 0.0})
    return each


@pytest.mark.parametrize(
    ("points", "games", "verdict"),
    [
        (38, 60, None),  # about 100, and far from certain
        (384, 600, True),  # 64%, 70..130
        (352, 550, False),  # the interval is a little too wide after all the games
        (300, 400, False),  # 191: certain to be another
        (210, 400, False),  # 17
    ],
)
def test_a_gap_is_accepted_by_wilsons_interval(
    points: float, games: int, verdict: bool | None
) -> None:
    acceptance = replace(ACCEPTANCE, most_games=550)
    assert acceptance.verdict(tried(points, games)) is verdict


class Steps:
    """Players of three strengths 300 Elo apart: no gap of 100 is there."""

    def play(self, jobs: Iterable[CalibrationJob]) -> Iterator[Row]:
        for job in jobs:
            first, second = (300.0 * np.round(np.clip(level.greed, -1, 1)) for level in job.levels)
            chance = 1 / (1 + 10 ** ((second - first) / 400))
            won = np.random.default_rng([job.seed, job.number]).random() < chance
            tags = list(job.tags)
            yield {"game": job.number, "tags": tags, "points": float(won), "seconds": 0.0}


def test_a_costly_rung_stays_without_certainty(tmp_path: Path) -> None:
    # With other seeds a rung at an end of the curve takes fewer games.
    calibration = replace(CALIBRATION, seed=7, effort=CalibrationEffort(20, 60.0))
    laid = calibrate_accepted(calibration, ACCEPTANCE, tmp_path, Pretended(0.5), lambda *_: None)[
        -1
    ]
    assert {tally.games for tally in laid.tallies()} == {120}
    assert (laid.places[0], laid.places[-1]) == (-600.0, 700.0)


@pytest.mark.parametrize(("points", "verdict"), [(300, None), (285, False), (324, False)])
def test_a_gap_near_a_limit_is_refused_before_all_games_are_played(
    points: float, verdict: bool | None
) -> None:
    # 480 games: 89, 66 and 126 Elo; none is certain to be other than 100.
    low, _, high = tried(points, 480).tallies()[0].elo()
    assert low <= 100 <= high or points == 285
    assert ACCEPTANCE.verdict(tried(points, 480)) is verdict


def test_a_step_of_the_curve_takes_the_nearest_place(tmp_path: Path) -> None:
    quick = replace(ACCEPTANCE, most_games=180, tries=5)
    laid = calibrate_accepted(CALIBRATION, quick, tmp_path, Steps(), lambda *_: None)[-1]
    assert (laid.places[0], laid.places[-1]) == (-600.0, 700.0)
    assert list(laid.places) == sorted(set(laid.places))
    assert len(laid.places) < 20
