"""The measurements on a GPU, tried on the processor with small sizes; their rates mean nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.networks.raw import evaluate_raw
from tests.support.gpu import __main__ as gpu
from tests.support.gpu import rates
from tests.support.gpu.agreement import cases, differences
from tests.support.gpu.busy import Watch
from tests.support.gpu.settings import Settings
from tests.support.networks.katago_reference import reference_position

RATES = ["own rates", "flights", "eager", "busy", "learning", "teaching", "compile"]


@pytest.fixture
def settings(katago_data: Path) -> Settings:
    return Settings(katago_data, "cpu", is_tiny=True)


def rows_of(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (output / gpu.RESULTS).read_text().splitlines()]


def run(output: Path, data: Path, *words: str) -> int:
    folders = ["--data", str(data), "--output", str(output)]
    return gpu.main([*folders, "--device", "cpu", "--tiny", *words])


@pytest.mark.parametrize("part", RATES)
def test_each_part_measures_rates(part: str, settings: Settings) -> None:
    rows = list(gpu.PARTS[part].run(settings))
    assert rows
    assert all(row["rate"] > 0 for row in rows)
    if part in ("own rates", "eager", "compile"):
        assert {row["batch"] for row in rows} == set(settings.batches)
    if part == "busy":
        assert [row["games"] for row in rows] == list(settings.games)


def test_the_agreement_tells_full_from_half_precision(settings: Settings) -> None:
    rows = list(gpu.PARTS["agreement"].run(settings))
    assert {row["precision"] for row in rows} == {"fp32", "bf16"}
    for row in rows:
        assert row["within_fp32"] == (row["precision"] == "fp32")
        assert 0 < row["policy"] < 0.1


def test_a_network_without_a_file_is_passed_over(settings: Settings, tmp_path: Path) -> None:
    references = "reference-v17-variants.json"
    (tmp_path / references).write_bytes((settings.data / references).read_bytes())
    rows = list(gpu.PARTS["agreement"].run(Settings(tmp_path, "cpu", is_tiny=True)))
    assert len(rows) == 2
    assert all(row["skipped"].startswith("no file b7c96") for row in rows)


def test_an_output_that_is_no_number_never_agrees(settings: Settings) -> None:
    _, (entry, *_) = next(cases(settings))
    evaluator = settings.evaluator(settings.networks[0], "fp32")
    raw = evaluate_raw(evaluator, reference_position(entry))
    raw.policy[3] = raw.ownership[0, 0] = float("nan")
    apart = differences(raw, entry["nn"])
    assert apart["policy"] == apart["ownership"] == float("inf")


def test_a_part_without_its_program_says_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "find_spec", lambda module: None)
    assert list(rates.onnx_runtime(settings)) == [{"skipped": "onnxruntime is not installed"}]


def test_the_replies_of_nvidia_smi_are_read() -> None:
    watch = Watch()
    for reply in (
        "0, 900\n",
        "3, 1000\n",
        "90, 1234\n",
        "80, 1200\n",
        "No devices",
        "",
        "1, [N/A]",
    ):
        watch.add(reply)
    assert watch.row() == {"busy_percent": 85.0, "memory_mib": 1234.0}
    assert Watch().row() == {"busy_percent": None, "memory_mib": None}


def test_a_part_that_fails_ends_alone_and_the_rows_before_it_stay(
    katago_data: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    assert run(tmp_path, empty, "--parts", "machine", "memory", "machine") == 1
    rows = rows_of(tmp_path)
    assert [row["part"] for row in rows] == ["machine", "memory", "machine"]
    assert rows[0]["torch"]
    assert "NetworkFileError" in rows[1]["ended"]


def test_a_part_past_its_time_is_stopped(katago_data: Path, tmp_path: Path) -> None:
    assert run(tmp_path, katago_data, "--parts", "machine", "--seconds", "0.1") == 1
    assert run(tmp_path, katago_data, "--parts", "machine", "--seconds", "0") == 1
    assert [row["ended"] for row in rows_of(tmp_path)] == ["stopped after 0 s", "no time left"]
