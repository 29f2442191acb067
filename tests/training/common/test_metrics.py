"""The files of a run's numbers, and their continuation after a break."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.training.common.metrics import EVENTS, NAME, Metrics, read_metrics


def events(folder: Path) -> list[tuple[str, int, float]]:
    """Returns TensorBoard's view: (name, step, value), later files in place of purged rows."""
    # The format: length, its checksum, an Event as a protocol buffer, its checksum.
    from tensorboardX.proto.event_pb2 import Event, SessionLog  # noqa: PLC0415

    shown: list[tuple[str, int, float]] = []
    for path in sorted((folder / EVENTS).iterdir()):
        data = path.read_bytes()
        while data:
            length = int.from_bytes(data[:8], "little")
            event = Event.FromString(data[12 : 12 + length])
            data = data[16 + length :]
            if event.session_log.status == SessionLog.START:
                shown = [row for row in shown if row[1] < event.step]
            shown += [(part.tag, event.step, part.simple_value) for part in event.summary.value]
    return shown


def test_rows_are_in_the_file_as_soon_as_they_are_written(tmp_path: Path) -> None:
    with Metrics(tmp_path / "run") as metrics:
        assert read_metrics(tmp_path / "run") == []
        metrics.write(1, {"loss": 0.5, "games": 20})
        metrics.write(1, {"elo": 250.0})
        assert read_metrics(tmp_path / "run") == [
            {"step": 1, "loss": 0.5, "games": 20},
            {"step": 1, "elo": 250.0},
        ]


def test_a_run_that_goes_on_replaces_the_rows_from_its_first_step_on(tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX")
    for steps, loss in (((1, 2, 3, 4), 1.0), ((3, 4), 0.5), ((4, 5), 0.25)):
        with Metrics(tmp_path) as metrics:
            for step in steps:
                metrics.write(step, {"loss": loss})
    wanted = [(1, 1.0), (2, 1.0), (3, 0.5), (4, 0.25), (5, 0.25)]
    assert [(row["step"], row["loss"]) for row in read_metrics(tmp_path)] == wanted
    assert events(tmp_path) == [("loss", step, loss) for step, loss in wanted]


def test_a_row_cut_short_by_a_kill_is_dropped(tmp_path: Path) -> None:
    with Metrics(tmp_path) as metrics:
        metrics.write(1, {"loss": 1.0})
    with (tmp_path / NAME).open("a") as lines:
        lines.write('{"step": 2, "lo')
    with Metrics(tmp_path) as metrics:
        metrics.write(2, {"loss": 0.5})
    assert [row["loss"] for row in read_metrics(tmp_path)] == [1.0, 0.5]


@pytest.mark.parametrize("line", ["rubbish", "[1]", '{"loss": 1.0}', '{"step": "one"}'])
def test_a_file_of_something_else_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / NAME).write_text('{"step": 1}\n' + line + "\n")
    with pytest.raises(ValueError, match=r"metrics\.jsonl, line 2"):
        read_metrics(tmp_path)


def test_without_tensorboard_the_rows_are_written_and_it_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)  # as if it were not installed
    said: list[str] = []
    with Metrics(tmp_path, said.append) as metrics:
        metrics.write(1, {"loss": 1.0})
        metrics.write(2, {"loss": 0.5})
    assert len(read_metrics(tmp_path)) == 2
    assert len(said) == 1
    assert "tensorboardX" in said[0]
    assert not (tmp_path / EVENTS).exists()
