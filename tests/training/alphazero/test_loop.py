"""A run broken off at any moment goes on to the same numbers and the same weights."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.networks.architecture import arrays
from engine.networks.sparring import read_sparring
from engine.training.alphazero import loop
from engine.training.alphazero.learning import NetworkLearner
from engine.training.alphazero.loop import SelfPlayRun, iterations
from engine.training.alphazero.window import Window
from engine.training.common.metrics import Metrics, read_metrics
from tests.support.paths import ROOT
from tests.support.training.tiny import (
    TINY,
    Unwatched,
    numbers,
    run_to_the_end,
    same,
    setting_in,
    weights,
)


class BrokenOffError(Exception):
    """The power is gone."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SelfPlayRun]:
    folder = tmp_path_factory.mktemp("whole")
    return folder, run_to_the_end(folder)


def network_in(folder: Path) -> dict[str, Any]:
    """The weights to play with, as bytes."""
    network = read_sparring(folder / "tiny.safetensors")
    return {name: array.tobytes() for name, array in arrays(network)}


def break_off(patched: pytest.MonkeyPatch, moment: tuple[Any, str, int, str]) -> None:
    """Lets the call of that number raise, before or after its work."""
    owner, name, call, when = moment
    calls = 0
    function = getattr(owner, name)

    def breaking(*args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call and when == "before":
            raise BrokenOffError
        found = function(*args, **options)
        if calls == call:
            raise BrokenOffError
        return found

    patched.setattr(owner, name, breaking)


MOMENTS: dict[str, tuple[Any, str, int, str]] = {
    "games played, nothing written": (Window, "add", 1, "before"),
    "games written, nothing learned": (Window, "add", 3, "after"),
    "in the midst of learning": (NetworkLearner, "_step", 30, "after"),
    "learned, nothing told": (Metrics, "write", 2, "before"),
    "told, no checkpoint yet": (loop, "write_checkpoint", 2, "before"),
    "a checkpoint, old games still there": (Window, "forget", 4, "before"),
    "the end not begun": (SelfPlayRun, "close", 1, "before"),
    "the end reached": (SelfPlayRun, "close", 1, "after"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_goes_on_as_if_not_broken_off(
    whole: tuple[Path, SelfPlayRun], tmp_path: Path, moment: str
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        break_off(patched, MOMENTS[moment])
        with pytest.raises(BrokenOffError):
            run_to_the_end(tmp_path)
    run = run_to_the_end(tmp_path)
    assert numbers(tmp_path) == numbers(whole[0])
    assert same(weights(run), weights(whole[1]))
    assert network_in(tmp_path) == network_in(whole[0])


def test_a_run_that_is_killed_goes_on_too(whole: tuple[Path, SelfPlayRun], tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.support.training import tiny; "
        "watch = tiny.Unwatched; told = lambda _self, batches: print(batches, flush=True); "
        "watch.learning = told; tiny.run_to_the_end(Path(sys.argv[1]))"
    )
    root = ROOT
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        iteration = 0
        for line in process.stdout:
            iteration += line.strip() == "1"
            if iteration == 3 and line.strip() == "3":
                process.send_signal(signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    assert len(read_metrics(tmp_path)) < TINY.iterations
    run = run_to_the_end(tmp_path)
    assert numbers(tmp_path) == numbers(whole[0])
    assert same(weights(run), weights(whole[1]))


def test_a_shorter_run_is_the_beginning_of_a_longer_one(
    whole: tuple[Path, SelfPlayRun], tmp_path: Path
) -> None:
    run_to_the_end(tmp_path, most=2)
    assert numbers(tmp_path) == numbers(whole[0])[:2]
    assert network_in(tmp_path) != network_in(whole[0])
    run = run_to_the_end(tmp_path)
    assert numbers(tmp_path) == numbers(whole[0])
    assert same(weights(run), weights(whole[1]))


def test_the_seed_decides_the_games(whole: tuple[Path, SelfPlayRun], tmp_path: Path) -> None:
    with Metrics(tmp_path) as metrics:
        row = SelfPlayRun(setting_in(tmp_path, seed=6), metrics).iterate(Unwatched())
    first = numbers(whole[0])[0]
    assert row["games"] == first["games"]
    assert {name: row[name] for name in ("positions", "policy", "value")} != {
        name: first[name] for name in ("positions", "policy", "value")
    }


def test_the_seconds_end_a_run_after_an_iteration(tmp_path: Path) -> None:
    with Metrics(tmp_path) as metrics:
        run = SelfPlayRun(
            setting_in(tmp_path), metrics
        )  # its clock ticks each time that it is read
        rows = list(iterations(run, Unwatched(), most=None, seconds=4.5))
    assert 1 < len(rows) == run.progress.iterations < 5
    assert run.progress.seconds >= 4.5
    assert run.progress.seconds - run.progress.seconds / len(rows) < 4.5


def test_other_settings_are_refused_by_name(whole: tuple[Path, SelfPlayRun]) -> None:
    recipe = replace(TINY, learning=replace(TINY.learning, batch=64))
    with (
        Metrics(whole[0]) as metrics,
        pytest.raises(ValueError, match=r"learning.batch 32, not 64"),
    ):
        SelfPlayRun(setting_in(whole[0], recipe), metrics)
    with Metrics(whole[0]) as metrics, pytest.raises(ValueError, match=r"seed 5, not 7"):
        SelfPlayRun(setting_in(whole[0], seed=7), metrics)


def test_the_network_is_written_without_the_policy_of_the_reply(
    whole: tuple[Path, SelfPlayRun],
) -> None:
    network = read_sparring(whole[0] / "tiny.safetensors")
    assert network.board_policy.channels == 1
    assert network.game == "connect4"
    assert whole[1].learner.network.architecture.board_policy.channels == 2


def test_only_the_window_stays_in_the_folder(whole: tuple[Path, SelfPlayRun]) -> None:
    files = sorted(path.name for path in (whole[0] / "window").iterdir())
    assert files == [f"{iteration:06d}.safetensors" for iteration in (1, 2, 3)]
