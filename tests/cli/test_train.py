"""`sparring train` finds a course by its name and leaves a picture of it."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.errors import SettingError, UsageError
from engine.training.common.metrics import Metrics
from engine.training.curves import PICTURE
from protocols.cli.main import dispatch
from protocols.cli.train.command import TRAININGS, TrainingCommand, configure, run


def configure_stub(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path)
    parser.add_argument("--steps", type=int)


def run_stub(options: argparse.Namespace, _say: object) -> int:
    with Metrics(options.output) as metrics:
        for step in range(options.steps):
            metrics.write(step, {"policy": 1 / (step + 1)})
    return 0


def test_what_a_run_refuses_is_reported_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_options: argparse.Namespace, _say: object) -> int:
        raise SettingError("no Ray cluster at '1'")

    course = SimpleNamespace(configure=configure_stub, run=refuse)
    monkeypatch.setitem(sys.modules, "stub_course", course)
    monkeypatch.setitem(TRAININGS, "stub", TrainingCommand("a stand-in", "stub_course"))
    with pytest.raises(UsageError, match="no Ray cluster at '1'"):
        dispatch(["train", "stub", "--output", str(tmp_path)])


def test_a_run_that_has_written_numbers_gets_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = SimpleNamespace(configure=configure_stub, run=run_stub)
    monkeypatch.setitem(sys.modules, "stub_course", course)
    monkeypatch.setitem(TRAININGS, "stub", TrainingCommand("a stand-in", "stub_course"))
    parser = argparse.ArgumentParser()
    configure(parser)
    said: list[str] = []
    for steps, name in (("3", "written"), ("0", "silent")):
        told = parser.parse_args(["stub", "--steps", steps, "--output", str(tmp_path / name)])
        assert run(told, said.append) == 0
    picture = tmp_path / "written" / PICTURE
    assert said == [f"drew {picture}"]
    assert picture.exists()
    assert not (tmp_path / "silent" / PICTURE).exists()


@pytest.mark.parametrize(
    ("name", "result"),
    [(name, result) for name, row in TRAININGS.items() for result in row.results],
)
def test_a_network_that_no_run_wrote_is_not_replaced(
    name: str, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = SimpleNamespace(configure=configure_stub, run=run_stub)
    monkeypatch.setitem(sys.modules, "stub_course", course)
    monkeypatch.setitem(TRAININGS, name, TRAININGS[name]._replace(module="stub_course"))
    words = ["train", name, "--steps", "1", "--output", str(tmp_path)]
    (tmp_path / result).write_bytes(b"mine")
    with pytest.raises(UsageError, match=re.escape(str(tmp_path / result))):
        dispatch(words)
    assert (tmp_path / result).read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [tmp_path / result]
    (tmp_path / result).unlink()
    assert dispatch(words) == 0
    (tmp_path / result).write_bytes(b"its own")
    assert dispatch(words) == 0
