"""A calibration measures its players' strengths, and resumes after a stop."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.lab.calibrate.calibration import QUICK, QUICK_AGAIN, Calibration, calibrate, ladder_of
from engine.lab.calibrate.games import CalibrationJob, Row
from engine.lab.calibrate.report import CalibrationReport
from engine.lab.calibrate.round import (
    FEWEST_GAMES,
    CalibrationEffort,
    CalibrationRound,
)
from engine.match.game_spec import GameSpec
from engine.match.record import RecordFileError
from engine.strength.level import RANDOM, Level
from engine.strength.settings_curve import level_at
from tests.support.stand_in import description_of

START = GameSpec("connect4", 7, 6)


def true_elo(level: Level) -> float:
    """Returns a level's true strength among the pretended players, unlike the chain's guess."""
    return float(250.0 * np.tanh(level.greed) + 150.0 * level.greed + 400.0 * level.index)


class Pretended:
    """Players with random results by their true strengths."""

    def __init__(self, seconds: float = 0.0, stop_after: int = 10**9) -> None:
        self.left = stop_after
        self.seconds = seconds

    def play(self, jobs: Iterable[CalibrationJob]) -> Iterator[Row]:
        for job in jobs:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            first, second = map(true_elo, job.levels)
            chance = 1 / (1 + 10 ** ((second - first) / 400))
            won = np.random.default_rng([job.seed, job.number]).random() < chance
            yield {
                "game": job.number,
                "tags": list(job.tags),
                "points": float(won),
                "seconds": self.seconds,
            }


def calibration_of(games: int) -> Calibration:
    effort = CalibrationEffort(games, seconds=60.0)
    return Calibration(START, description_of("connect4"), effort, lowest=-600.0, highest=700.0)


def played(folder: Path, players: Pretended, games: int) -> list[CalibrationRound]:
    return calibrate(calibration_of(games), folder, players, lambda *_: None)


def test_the_strengths_are_found_and_rungs_are_evenly_spaced(tmp_path: Path) -> None:
    rounds = played(tmp_path, Pretended(), games=300)
    ladder = ladder_of(calibration_of(300), rounds)
    assert ladder.games == sum(len(each.rows) for each in rounds)
    for rung in ladder.rungs:
        assert rung.elo == pytest.approx(true_elo(rung.level), abs=max(1.5 * rung.error, 1.0))
    truth = np.array([true_elo(rung.level) for rung in ladder.rungs])
    assert truth[0] == pytest.approx(true_elo(Level(index=0.0, greed=-1.0)))
    assert np.diff(truth) == pytest.approx(100, abs=60)
    assert np.diff(truth).std() < 30
    assert [rung.error for rung in ladder.rungs if rung.level == RANDOM] == [0.0]


def test_a_ladder_that_is_there_saves_the_rounds_that_find_the_curve(tmp_path: Path) -> None:
    first = calibration_of(300)
    ladder = ladder_of(first, played(tmp_path / "first", Pretended(), games=300))
    again = replace(first, stages=QUICK_AGAIN, former=ladder, seed=2)
    rounds = calibrate(again, tmp_path / "again", Pretended(), lambda *_: None)
    assert len(rounds) == 1
    truth = np.array([true_elo(level) for level in rounds[0].levels])
    assert np.diff(truth) == pytest.approx(200, abs=60)
    assert (truth[0], truth[-1]) == (true_elo(ladder.rungs[0].level), truth.max())


def test_what_was_stopped_goes_on_to_the_same_ladder(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole", Pretended(), games=20)
    for stop in (5, 150):
        with pytest.raises(KeyboardInterrupt):
            played(tmp_path / "parts", Pretended(stop_after=stop), games=20)
    parts = played(tmp_path / "parts", Pretended(), games=20)
    assert [each.places for each in parts] == [each.places for each in whole]
    calibration = calibration_of(20)
    assert ladder_of(calibration, parts) == ladder_of(calibration, whole)


def test_another_calibrations_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        played(tmp_path, Pretended(stop_after=3), games=20)
    with pytest.raises(RecordFileError, match="games"):
        played(tmp_path, Pretended(), games=60)


def test_a_record_tells_its_levels(tmp_path: Path) -> None:
    rounds = played(tmp_path, Pretended(), games=20)
    header = json.loads((tmp_path / "round3.jsonl").read_text().splitlines()[0])
    assert [Level.from_json(values) for values in header["levels"]] == rounds[2].levels


@pytest.mark.parametrize(("seconds", "games"), [(0.1, 30), (2.0, 10), (50.0, FEWEST_GAMES)])
def test_costly_pairs_play_less(seconds: float, games: int) -> None:
    each = CalibrationRound(
        START, (0.0, 100.0, 200.0), CalibrationEffort(games=30, seconds=20.0), seed=1
    )
    for row in Pretended(seconds).play(each.jobs()):
        each.add(row)
    assert [meeting.games for meeting in each.meetings()] == [games] * 3


def test_the_ladder_names_the_network_of_human_moves(tmp_path: Path) -> None:
    people = replace(description_of("connect4"), name="people", digest="0123")
    calibration = replace(calibration_of(4), human=people)
    rounds = calibrate(calibration, tmp_path, Pretended(), lambda *_: None)
    ladder = ladder_of(calibration, rounds)
    assert (ladder.human_network, ladder.human_digest) == ("people", "0123")
    # The games belong to these people: another network's calibration refuses them.
    with pytest.raises(RecordFileError, match="human"):
        calibrate(replace(calibration, human=None), tmp_path, Pretended(), lambda *_: None)


def test_openings_are_played_by_both_colors() -> None:
    each = CalibrationRound(START, (0.0, 100.0), CalibrationEffort(games=4, seconds=1.0), seed=1)
    jobs = list(each.jobs())
    low, high = (level_at(START.board, elo) for elo in (0.0, 100.0))
    assert [job.levels for job in jobs] == [(low, high), (high, low)] * 2
    assert jobs[0].start == jobs[1].start != jobs[2].start == jobs[3].start
    assert len({job.number for job in jobs}) == 4


def test_points_are_the_upper_rungs() -> None:
    each = CalibrationRound(START, (0.0, 100.0), CalibrationEffort(games=4, seconds=1.0), seed=1)
    # The upper one has color 1, then 0: it wins twice, loses one, draws one.
    for game, points in enumerate((0.0, 1.0, 1.0, 0.5)):
        each.add({"game": game, "tags": [0, 1], "points": points, "seconds": 0.0})
    (meeting,) = each.meetings()
    assert (meeting.first, meeting.points, meeting.games) == (1, 2.5, 4)
    assert each.ratings()[0].elo == 0.0
    assert each.ratings()[1].elo > 0.0
    assert each.gaps()[0].elo == pytest.approx(each.ratings()[1].elo)


def test_rungs_whose_order_is_chance_are_merged() -> None:
    calibration = Calibration(
        START, description_of("connect4"), CalibrationEffort(4, 1.0), stages=QUICK
    )
    each = CalibrationRound(
        START, (-200.0, -100.0, 0.0, 100.0, 200.0), CalibrationEffort(4, 1.0), seed=1
    )
    lower_points = {(0, 1): 0.0, (1, 2): 0.0, (2, 3): 0.0, (3, 4): 1.0}
    for number, (pair, points) in enumerate(lower_points.items()):
        for lap in range(4):
            game = lap * len(each.pairs) + number
            row = {"game": game, "tags": list(pair), "seconds": 0.0}
            each.add(row | {"points": points if lap % 2 == 0 else 1 - points})
    ladder = ladder_of(calibration, [each])
    assert [rung.level for rung in ladder.rungs] == [*each.levels[:3], each.levels[4]]
    assert ladder.highest == pytest.approx(sum(r.elo for r in each.ratings()[3:]) / 2, abs=0.1)
    assert "1 merged" in CalibrationReport([each], ladder).summary()
