"""Pictures of runs have a panel for each quantity, and a line for each run."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from engine.errors import SettingError, UsageError
from engine.training.common.metrics import Metrics, Row
from engine.training.curves import (
    PICTURE,
    CurveRun,
    draw,
    draw_if_possible,
    names_of,
    panels_of,
    picture,
    smoothed,
)
from protocols.cli.main import dispatch

STEPS = 20


def rows(scale: float) -> list[Row]:
    """Returns rows of a self-play run, with a match every fifth step."""
    told = []
    for step in range(STEPS):
        row: Row = {
            "step": step,
            "learning_rate": 1e-3 * (step + 1),
            "positions": 1000 * step * scale,
            "policy": scale / (step + 1),
            "value": 0.5,
            "plies": 30 + step,
            "exact": 0.4,
            "novelty": -1.0,
        }
        row |= {"unseen_policy": 2 * scale / (step + 1)} if step else {}
        row |= {"points_against_mcts1": 0.5} if step % 5 == 0 else {}
        told.append(row)
    return told


RUNS = [CurveRun("first", rows(1.0)), CurveRun("second", rows(2.0))]


def test_a_picture_has_a_panel_for_each_quantity_known_ones_first() -> None:
    figure = picture(RUNS[:1])
    titles = [panel.get_title() for panel in figure.axes]
    assert titles == [
        "policy loss (nats)",
        "result loss (nats)",
        "strength so far: points against mcts1",
        "moves a game",
        "share of exact rows",
        "learning rate",
        "novelty",
    ]
    scales = [panel.get_yscale() for panel in figure.axes]
    assert scales == ["log", "log", "linear", "linear", "linear", "log", "linear"]
    assert {panel.get_xlabel() for panel in figure.axes} == {"step"}


def test_each_run_has_a_faint_line_and_a_calm_one_in_its_color() -> None:
    figure = picture(RUNS, by="positions")
    policy, value, strength, *_ = figure.axes
    assert policy.get_xlabel() == "positions"
    assert [line.get_color() for line in value.get_lines()] == ["C0", "C0", "C1", "C1"]
    assert [np.size(line.get_xdata()) for line in strength.get_lines()] == [4] * 4
    assert [line.get_linestyle() for line in policy.get_lines()] == ["-", "-", "--", "--"] * 2
    measured, calm = value.get_lines()[2:]
    assert np.asarray(measured.get_xdata()).tolist() == [2000.0 * step for step in range(STEPS)]
    assert np.asarray(calm.get_ydata()).tolist() == pytest.approx([0.5] * STEPS)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "first",
        "first, before it is learned",
        "second",
        "second, before it is learned",
    ]


def test_what_was_chosen_is_not_averaged() -> None:
    (rate,) = (panel for panel in picture(RUNS).axes if panel.get_title() == "learning rate")
    measured, calm, *_ = rate.get_lines()
    assert np.asarray(calm.get_ydata()).tolist() == np.asarray(measured.get_ydata()).tolist()


def test_a_calm_line_follows_the_beginning_and_averages_the_latest_fifth() -> None:
    values = np.arange(100.0) ** 2
    calm = smoothed(values)
    assert list(calm[:5]) == list(values[:5])
    assert calm[99] == pytest.approx(values[80:].mean())


def test_runs_are_named_by_what_tells_their_folders_apart() -> None:
    assert names_of([Path("/a/one"), Path("/b/two")]) == ["one", "two"]
    assert names_of([Path("/a/run"), Path("/b/run")]) == ["a/run", "b/run"]
    assert names_of([Path("/a/run"), Path("/a/run")]) == ["/a/run", "/a/run"]


def test_nothing_to_show_is_said(tmp_path: Path) -> None:
    assert panels_of([CurveRun("bare", [{"step": 1, "seconds": 2.0}])], "step") == []
    with pytest.raises(SettingError, match="shown by 'hours'"):
        picture(RUNS, by="hours")
    with pytest.raises(SettingError, match=r"metrics\.jsonl"):
        draw([tmp_path], tmp_path / PICTURE)
    assert draw_if_possible(tmp_path) is None


def test_without_matplotlib_a_run_goes_without_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Metrics(tmp_path) as metrics:
        metrics.write(1, {"policy": 1.0})
    assert draw_if_possible(tmp_path) == tmp_path / PICTURE
    (tmp_path / PICTURE).unlink()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)  # as if it were not installed
    assert draw_if_possible(tmp_path) is None
    with pytest.raises(ModuleNotFoundError, match="matplotlib"):
        picture(RUNS)


def test_the_command_writes_a_picture_and_names_what_it_cannot_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, run in zip(folders, RUNS, strict=True):
        with Metrics(folder) as metrics:
            for row in run.rows:
                metrics.write(int(row["step"]), row)
    output = tmp_path / "both.png"
    assert dispatch(["curves", *map(str, folders), "--output", str(output)]) == 0
    assert output.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out == f"wrote {output}\n"
    for wrong in ([str(tmp_path)], [str(folders[0]), "--by", "x"]):
        with pytest.raises(UsageError):
            dispatch(["curves", *wrong, "--output", str(output)])
    for name in ("absent/both.png", "both.what"):
        with pytest.raises(UsageError, match=r"absent|what"):
            dispatch(["curves", str(folders[0]), "--output", str(tmp_path / name)])
