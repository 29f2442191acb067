"""Games between levels: by a job alone, wherever they are played."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine._core import EvaluationCache
from engine.lab.calibrate.games import CalibrationJob, Players, opened, play
from engine.match.game_spec import GameSpec, board_of
from engine.networks.human_policy import HumanPolicy
from engine.play.game_networks import NetworkChoice
from engine.search.chess_aids import ChessAids
from engine.strength.level import RANDOM, Level
from tests.support.networks import lc0_writer
from tests.support.paths import ROOT
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones

GREEDY, POLICY = Level(index=0.0, greed=3.0), Level(index=2.0)


def jobs_of(name: str, levels: tuple[Level, Level], count: int) -> list[CalibrationJob]:
    start = GameSpec(*board_of(name), komi=0.5)
    return [
        CalibrationJob(number, levels, opened(start, 7, number // 2), seed=7, tags=(number,))
        for number in range(count)
    ]


@pytest.mark.parametrize("name", ["connect4", "othello6", "go7"])
def test_a_game_is_the_same_again(name: str) -> None:
    evaluator = StandInEvaluator(game=board_of(name)[0])
    jobs = jobs_of(name, (GREEDY, POLICY), 3)
    first, second = (
        [play(job, evaluator, EvaluationCache(1000)) for job in jobs] for _ in range(2)
    )
    for one, other in zip(first, second, strict=True):
        assert one["moves"] == other["moves"]
        assert one["points"] == other["points"]
    assert len({tuple(row["moves"]) for row in first}) == 3


@pytest.mark.parametrize("name", ["darkchess2x4", "einstein"])
def test_both_games_of_an_opening_have_equal_chance(name: str) -> None:
    jobs = jobs_of(name, (RANDOM, RANDOM), 6)
    assert [job.start for job in jobs[::2]] == [job.start for job in jobs[1::2]]
    assert len({job.start.chance for job in jobs}) == 3
    evaluator = StandInEvaluator(game=board_of(name)[0])
    for pair in zip(jobs[::2], jobs[1::2], strict=True):
        outcomes: dict[object, str] = {}
        for job in pair:
            row = play(job, evaluator, EvaluationCache(2))
            for number, text in enumerate(row["moves"]):
                place, _, outcome = text.partition("(")
                if outcome:  # the piece on a cell, or the die of a move's number
                    key = place if name == "darkchess2x4" else number
                    assert outcomes.setdefault(key, outcome) == outcome


def test_points_are_those_of_the_first_color() -> None:
    evaluator = StandInEvaluator(game="connect4")
    sums = []
    for levels in ((GREEDY, RANDOM), (RANDOM, GREEDY)):
        rows = [play(job, evaluator, EvaluationCache(2)) for job in jobs_of("connect4", levels, 40)]
        sums.append(sum(row["points"] for row in rows))
        for row in rows:
            position = GameSpec("connect4", 7, 6).position()
            for text in [*row["opening"], *row["moves"]]:
                position.play(int(text) - 1)
            assert position.is_over
            assert row["points"] == {0: 1.0, 1: 0.0, -1: 0.5}[position.winner]
    assert sums[0] > 32
    assert sums[1] < 8


def test_processes_play_the_same_games() -> None:
    jobs = jobs_of("othello6", (GREEDY, RANDOM), 6)
    choice = NetworkChoice(None, game="othello")
    found = []
    for processes in (1, 2):
        with Players(choice, processes) as players:
            rows = sorted(players.play(jobs), key=lambda row: row["game"])
        found.append([(row["tags"], row["moves"]) for row in rows])
    assert found[0] == found[1]
    assert [tags for tags, _ in found[0]] == [[number] for number in range(6)]


def first_moves_by(human: HumanPolicy | None, level: Level) -> set[str]:
    evaluator = StandInEvaluator(game="othello")
    jobs = jobs_of("othello6", (level, level), 6)
    start = GameSpec("othello", 6, 6)
    jobs = [replace(job, start=start) for job in jobs]
    rows = [play(job, evaluator, EvaluationCache(1000), human) for job in jobs]
    return {row["moves"][0] for row in rows}


def test_people_play_the_levels_with_a_rank() -> None:
    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        slot.policy[row] = -30.0
        slot.policy[row, GameSpec("othello", 6, 6).position().legal_moves()[2]] = 0.0

    human = HumanPolicy(StandInEvaluator(evaluate, game="othello"))
    assert len(first_moves_by(human, Level(rank=20.0))) == 1
    assert len(first_moves_by(None, Level(rank=20.0))) > 1
    assert len(first_moves_by(human, Level())) > 1


def test_a_lost_engine_ends_the_calibration(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    path = lc0_writer.write(tmp_path / "net.pb.gz", lc0_writer.Shape())
    jobs = jobs_of("chess", (RANDOM, Level(visits=8, index=9.0)), 1)
    with (
        Players(
            NetworkChoice(path, game="chess"), 1, aids=ChessAids("/no/such/program")
        ) as players,
        pytest.raises(RuntimeError, match="'/no/such/program' was lost"),
    ):
        list(players.play(jobs))


HOLD = """
from multiprocessing import active_children
from engine.play.game_networks import NetworkChoice
from engine.lab.calibrate.games import Players, opened
from tests.lab.calibrate.test_games import GREEDY, RANDOM, jobs_of

if __name__ == "__main__":
    with Players(NetworkChoice(None, game="othello"), 2) as players:
        for row in players.play(jobs_of("othello6", (GREEDY, RANDOM), 20_000)):
            print(*[p.pid for p in active_children()], flush=True)
"""


def test_processes_end_with_who_started_them(tmp_path: Path) -> None:
    script = tmp_path / "hold.py"
    script.write_text(HOLD)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True
    ) as starter:
        assert starter.stdout is not None
        players = [int(pid) for pid in starter.stdout.readline().split()]
        starter.kill()
    assert players
    waits_until = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in players):
        assert time.monotonic() < waits_until
        time.sleep(0.05)
