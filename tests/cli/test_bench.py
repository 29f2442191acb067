from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.lab.load_report import growth_per_hour
from engine.lab.speed import BenchPosition
from engine.lab.speed_rows import stored_rows
from engine.match.gtp_client import GtpClient
from engine.networks.processor import processor_name
from protocols.cli import bench, soak
from protocols.cli.network_options import add_network_options
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.shapes import network
from tests.support.stand_in import StandInEvaluator

CommandLine = Callable[..., list[str]]

CONDITIONS = {"fp32, no cache", "fp32"}  # of a network without a faster precision
RATES = {
    "visits_per_second",
    "evaluations_per_second",
    "network_evaluations_per_second",
    "evaluations_per_cpu_second",
    "share_outside_network",
}


@pytest.fixture
def evaluator(monkeypatch: pytest.MonkeyPatch) -> StandInEvaluator:
    stand_in = StandInEvaluator()
    monkeypatch.setattr(bench, "load", lambda _: stand_in)
    return stand_in


def options_of(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    bench.configure(parser)
    add_network_options(parser)
    return parser.parse_args([*words, "--quiet", "--network", "stand-in"])


def measured(*words: str) -> dict[str, Any]:
    said: list[str] = []
    assert bench.run(options_of(*words, "--json"), said.append) == 0
    result: dict[str, Any] = json.loads(said[0])
    return result


def test_every_size_is_measured(evaluator: StandInEvaluator) -> None:
    values = measured("--rounds=2", "--seconds=0.05", "--positions=1")
    assert set(values["sizes"]) == {"9", "13", "19"}
    for conditions in values["sizes"].values():
        assert set(conditions) == CONDITIONS
        for row in conditions.values():
            assert set(row) == RATES
            low, median, high = row["visits_per_second"]
            assert 0 < low <= median <= high
            assert row["share_outside_network"][1] < 1
    assert values["memory_bytes"] > 1 << 20


def test_a_peer_is_measured_in_turn(evaluator: StandInEvaluator, scripted: CommandLine) -> None:
    peer = shlex.join(scripted())
    values = measured("--sizes=9", "--rounds=1", "--seconds=0.1", f"--peer={peer}")
    assert set(values["sizes"]["9"]) == {"as shipped"}  # its command names its own network
    row = values["sizes"]["9"]["as shipped"]
    assert set(row) == {*RATES, "peer_visits_per_second", "visits_ratio"}
    assert row["visits_ratio"][0] > 0


@pytest.mark.parametrize("weight", [1e-42, 0.5])
def test_a_peer_on_the_same_network_is_compared_under_each_condition(
    weight: float, evaluator: StandInEvaluator, scripted: CommandLine, tmp_path: Path
) -> None:
    architecture = network("version 8")
    architecture.globals.weights[:2] = weight
    path = tmp_path / "network.bin.gz"
    path.write_bytes(katago_file(architecture))
    options = options_of("--sizes=9", "--rounds=1", "--seconds=0.1", "--positions=1", "--json")
    options.network, options.seed = str(path), 5
    options.peer = shlex.join(scripted("--account", "--network", "{}"))
    said: list[str] = []
    bench.run(options, said.append)
    values = json.loads(said[0])
    is_flushed = weight < 1e-30
    assert values["flushed_weights"] == (2 * architecture.globals.outputs if is_flushed else 0)
    conditions = values["sizes"]["9"]
    assert set(conditions) == CONDITIONS | ({"as shipped"} if is_flushed else set())
    for title, row in conditions.items():
        rows = 180 if title == "fp32, no cache" else 160
        assert row["peer_visits_per_second"][1] == 200
        assert row["peer_evaluations_per_second"][1] == rows
        assert row["evaluations_ratio"][1] == row["evaluations_per_second"][1] / rows
    assert values["row"]["visits, fp32"] == f"{conditions['fp32']['visits_ratio'][1]:.2f}"
    assert (values["row"]["visits, as shipped"] == "-") == (not is_flushed)
    assert values["seed"] == 5


def test_the_table_has_the_rows_of_other_processors_too(
    evaluator: StandInEvaluator, scripted: CommandLine
) -> None:
    said: list[str] = []
    options = options_of("--sizes=9", "--rounds=1", "--seconds=0.1", "--positions=1")
    options.peer = shlex.join(scripted())
    bench.run(options, said.append)
    table = [line for line in said[0].splitlines() if line.startswith("|")]
    assert len(table) == 2 + len(stored_rows()) + 1
    assert len({line.count("|") for line in table}) == 1
    assert processor_name() in table[-1]


def test_the_report_for_people_names_what_was_measured(evaluator: StandInEvaluator) -> None:
    said: list[str] = []
    bench.run(options_of("--sizes=9", "--rounds=1", "--seconds=0.05"), said.append)
    lines = said[0].splitlines()
    assert "stand-in" in lines[0]
    assert "9x9" in lines
    assert any(line.strip().startswith("visits/s") for line in lines)


def test_one_deep_search_reaches_its_visits(evaluator: StandInEvaluator) -> None:
    values = measured("--sizes=9", "--deep=300")
    assert values["sizes"]["9"]["visits"] == 300
    assert values["sizes"]["9"]["memory_after_bytes"] > 1 << 20
    assert evaluator.rows > 100


@pytest.mark.parametrize("word", ["8", "9,", "nine"])
def test_sizes_without_positions_are_refused(evaluator: StandInEvaluator, word: str) -> None:
    with pytest.raises(UsageError, match="no positions of size"):
        measured(f"--sizes={word}")


def test_a_peer_that_cannot_analyse_is_refused(evaluator: StandInEvaluator, gnugo: str) -> None:
    with pytest.raises(UsageError, match="lists neither kata-analyze"):
        measured("--sizes=9", f"--peer={gnugo} --mode gtp")


def test_an_unreadable_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.bin.gz"
    path.write_bytes(b"no network")
    options = options_of()
    options.network = str(path)
    with pytest.raises(UsageError, match=r"broken\.bin\.gz"):
        bench.run(options, lambda _: None)


def test_stored_positions_are_legal() -> None:
    for size, rows in bench.places(options_of()).items():
        assert len(rows) >= 3
        for place in rows:
            position = place.position()
            assert position.width == size
            assert not position.is_over


def test_memory_is_watched_while_an_engine_analyses(scripted: CommandLine) -> None:
    with GtpClient(scripted()) as engine:
        readings = list(soak.watch(engine, [BenchPosition(9, ("E5", "D3"))], seconds=0.3))
    assert readings
    assert all(seconds > 0 and size > 1 << 20 for seconds, size in readings)


@pytest.mark.parametrize(
    ("sizes", "growth"),
    [
        ([100, 500, 900, 900, 900, 900], 0),  # a cache that filled
        ([100, 200, 300, 400, 500, 600], 3600 * 100),
        ([100], 0),
    ],
)
def test_growth_is_read_off_the_later_half(sizes: list[int], growth: float) -> None:
    readings = [(float(second), size) for second, size in enumerate(sizes)]
    assert growth_per_hour(readings) == pytest.approx(growth)
