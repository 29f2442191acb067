"""The replay window: its growth, its rows, and files of another kind."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from engine.training.alphazero.window import Growth, Window
from engine.training.common.rows import SampleRows, read_rows
from tests.support.paths import ROOT
from tests.training.alphazero.test_learning import some_rows


def numbered(first: int, count: int) -> SampleRows:
    numbers = torch.arange(first, first + count, dtype=torch.int32)
    return some_rows("connect4", 4, 4, count)._replace(game=numbers)


@pytest.mark.parametrize(
    ("growth", "played", "rows"),
    [
        (Growth(first=1000), 400, 400),
        (Growth(first=1000), 1000, 1000),
        # 1 + 0.4 * (16 ** 0.75 - 1) / 0.75 = 4.7333...
        (Growth(first=1000), 16_000, 4733),
        (Growth(first=1000, slope=0.0), 16_000, 1000),
    ],
)
def test_windows_grow_as_katagos(growth: Growth, played: int, rows: int) -> None:
    assert growth.rows(played) == rows


def test_the_latest_rows_are_learned_from_and_the_files_of_others_go(tmp_path: Path) -> None:
    window = Window(tmp_path)
    for iteration in range(3):
        window.add(iteration, numbered(10 * iteration, 10), {"seconds": 1.5})
    assert window.latest(2, 15).game.tolist() == list(range(15, 30))
    assert window.latest(1, 15).game.tolist() == list(range(5, 20))
    assert window.latest(0, 10).game.tolist() == list(range(10))
    window.forget(2, 15)
    assert [window.holds(iteration) for iteration in range(4)] == [False, True, True, False]
    again = Window(tmp_path)
    assert again.latest(2, 15).game.tolist() == list(range(15, 30))
    assert again.rows_of(1)[1] == {"seconds": 1.5}


def test_files_of_other_kinds_are_refused_by_name(tmp_path: Path) -> None:
    network = ROOT / "engine" / "networks" / "weights" / "go.safetensors"
    (tmp_path / "rubbish.safetensors").write_bytes(b"rubbish")
    for path in (network, tmp_path / "rubbish.safetensors"):
        with pytest.raises(ValueError, match=path.name):
            read_rows(path)
