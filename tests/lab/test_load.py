"""Many games at once on a resident engine: the measures, and a short run."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.games.table import Board
from engine.lab.load_rates import LoneRates, drawn_positions, lone_rates
from engine.lab.load_report import (
    BoardRates,
    ProcessReading,
    SessionWork,
    board_values,
    page,
    quantiles,
    reading_of,
    resource_values,
    work_by_board,
)
from engine.lab.served_games import AnswerError, PlayTally, SocketGame, check_board
from engine.networks.runtime import choose_backend
from protocols.cli.load import engine
from tests.support.paths import ROOT
from tests.support.stand_in import StandInEvaluator


def session(number: int, evaluations: int, processor: float, wait: float) -> dict[str, Any]:
    return {"id": str(number), "game": "go9", "moves": 3, "batches": evaluations // 2,
            "visits": 3 * evaluations, "evaluations": evaluations,
            "processor_seconds": processor, "wait_seconds": wait}  # fmt: skip


def test_sessions_are_compared_by_their_work_in_the_measured_time() -> None:
    before = [session(1, 20, 1.0, 1.0), session(2, 0, 0, 0), session(3, 0, 0, 0)]
    after = [session(1, 40, 2.0, 2.0), session(2, 16, 0.1, 0.3), session(3, 0, 0, 0)]
    works = work_by_board({"sessions": before}, {"sessions": after})
    assert works == {  # the third one only waits
        "go9": [SessionWork(60, 20, 10, 1.0, 1.0), SessionWork(48, 16, 8, 0.1, 0.3)]
    }
    rates = {"go9": BoardRates(bare=72.0, lone=LoneRates(visits=54.0, evaluations=36.0))}
    quick, slow = [1.0, 2.0, 4.0], [2.0, 2.5, 9.0]
    tallies = {
        "go9": [
            PlayTally(moves=4, games=1, move_seconds=quick),
            PlayTally(moves=6, move_seconds=slow),
        ]
    }
    assert board_values(works, 2.0, rates, tallies) == {
        "go9": {
            "sessions": 2,
            "games": 1,
            "moves": 10,
            "visits_per_second": 54.0,
            "evaluations_per_second": 18.0,
            "rows_per_batch": 2.0,
            "search_processor_seconds": 1.1,
            "searches_share_of_bare": pytest.approx(0.5 / 1.1),
            "bare_processor_seconds": 0.5,
            "lone_processor_seconds_by_evaluations": 1.0,
            "lone_processor_seconds_by_visits": 2.0,
            "least_to_most_evaluations": 0.8,
            "least_to_most_processor_share": 0.5,
            "least_to_most_move_seconds": 0.8,
        }
    }


def test_recorded_games_are_searched_alone() -> None:
    board, evaluator = Board("connect4", 7, 6), StandInEvaluator(game="connect4")

    def rates(records: list[list[int]]) -> LoneRates:
        rng = np.random.default_rng(0)
        return lone_rates(evaluator, board, records, playouts=12, seconds=0.01, rng=rng)

    found = rates([[], [3, 3, 2, 4]])
    assert found.visits > 0
    assert found.evaluations > 0
    assert rates([[]]) == LoneRates(0, 0)


def test_a_lost_game_is_noticed() -> None:
    position = Board("connect4", 4, 4).start()
    position.play(2)
    shown = ". . . .\n. . . .\n. . . .\n. . X ."
    check_board(shown, position)
    check_board("\n".join(reversed(shown.splitlines())) + "\n? ? ? ?", position)
    for other in (shown.replace("X", "O"), shown.replace("X", "."), ""):
        with pytest.raises(AnswerError, match="after 1 moves"):
            check_board(other, position)


def test_resources_are_those_of_the_process() -> None:
    networks = [{"cache_bytes": 3}, {"cache_bytes": 4}]
    reading = reading_of({"pid": os.getpid(), "networks": networks, "tree_nodes": 5}, 1.0)
    assert reading.memory_bytes > 10**7
    assert reading.threads >= 1
    assert reading.descriptors >= 3
    assert reading.processor_seconds > 0
    assert (reading.cache_bytes, reading.tree_nodes) == (7, 5)
    later = ProcessReading(2.0, 5, 6, 7, 8.0)
    values = resource_values([reading, later])
    assert values["threads"] == [reading.threads, 6, max(6, reading.threads)]
    filling = [ProcessReading(s, 10 + s, 1, 1, 0.0, cache_bytes=s) for s in range(4)]
    assert resource_values(filling)["growth_bytes_per_hour"] == pytest.approx(3600)
    assert resource_values(filling)["growth_bytes_per_hour_outside_caches"] == pytest.approx(0)
    assert quantiles([])["p99_seconds"] == 0
    assert quantiles([0.0, 1.0])["p50_seconds"] == 0.5


def test_drawn_positions_are_not_over() -> None:
    for board in (Board("go", 9, 9), Board("othello", 8, 8), Board("connect4", 7, 6)):
        positions = drawn_positions(board, 20, np.random.default_rng(1))
        assert len(positions) == 20
        assert not any(position.is_over for position in positions)
        assert len({position.hash for position in positions}) > 5


def test_a_refused_greeting_is_an_error(serving: Any) -> None:
    stop = threading.Event()
    with pytest.raises(AnswerError, match="visits are a whole number"):
        SocketGame(str(serving), Board("go", 9, 9), {"visits": -1}, stop)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The path of the socket of a running engine."""
    folder = tmp_path_factory.mktemp("load")
    with engine(folder, argparse.Namespace(games=4, idle=0)) as path:
        yield path


def test_a_short_run_has_no_error(tmp_path: Path) -> None:
    words = "lab load --games 6 --idle 5 --minutes 0.05 --visits 8 --boards go9,connect4 --json"
    done = subprocess.run(
        [sys.executable, "-m", "protocols.cli", *words.split()],
        cwd=ROOT, env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    assert values["errors"] == []
    assert values["log_records"] == 0
    assert [row["sessions"] for row in values["boards"].values()] == [3, 3]
    assert all(row["evaluations_per_second"] > 0 for row in values["boards"].values())
    assert values["short_commands"]["count"] == values["moves"]["count"] > 20
    assert 0 < values["share_of_bare"] < 2
    assert values["share_of_searches"] < 1.1
    # Beside a GPU the searches take next to no processor.
    assert values["share_of_searches"] > 0 or choose_backend() == "cuda"
    assert 0 < values["share_of_lone_evaluations"] < 4
    assert 0 < values["share_of_lone_visits"] < 4
    assert values["resources"]["threads"][2] >= 11
    assert any("whole games" in line for line in page(values))
