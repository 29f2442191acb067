"""Processes that make shards ahead: the same batches as without, bounded, ended with the run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.training.go.positions import BoardShare
from engine.training.go.quick_shards import QuickShards
from engine.training.go.samples import GoSamples
from engine.training.go.shard_makers import AHEAD, ShardMakers, make_shards
from engine.training.go.shards import OPEN, Shards, ShardSettings
from tests.support.training.counting_teacher import CountingTeacher

BOARDS = (BoardShare(5, 4, 0.5), BoardShare(4, 4, 0.5))
CELLS = 20 * 8 * 4


def shards_in(folder: Path) -> list[Shards]:
    settings = ShardSettings(folder, 1, CELLS, turns=1, threads=1, device=torch.device("cpu"))
    return [
        Shards(QuickShards(board, CountingTeacher(), settings), 8, settings) for board in BOARDS
    ]


def drawn(of: Shards, batch: int) -> GoSamples:
    return of.draw(batch, np.random.default_rng(batch))


def numbers(of: Shards) -> list[int]:
    return [number for number in range(40) if of.path(number).exists()]


def equal(first: GoSamples, second: GoSamples) -> bool:
    return all(torch.equal(part, other) for part, other in zip(first, second, strict=True))


def calls(count: int) -> Callable[[], bool]:
    """Returns an is_over that is true after some calls."""
    answers = iter([False] * count)
    return lambda: next(answers, True)


def test_a_source_is_made_ahead_by_a_bounded_number(tmp_path: Path) -> None:
    shards = shards_in(tmp_path)
    make_shards(shards, [0, 9 * shards[1].batches], (0, 1), calls(100))
    ahead = OPEN + AHEAD - 1
    assert numbers(shards[0]) == list(range(ahead))
    assert numbers(shards[1]) == list(range(10 - OPEN, 10 - OPEN + ahead))


def test_each_shard_belongs_to_one_part(tmp_path: Path) -> None:
    made: list[tuple[int, int]] = []
    for index in range(3):
        shards = shards_in(tmp_path / str(index))
        make_shards(shards, [0, 0], (index, 3), calls(12))
        made += [(source, number) for source in (0, 1) for number in numbers(shards[source])]
    assert len(set(made)) == len(made)
    assert {(source, number) for source in (0, 1) for number in range(9)} <= set(made)


def test_a_run_draws_the_same_from_shards_of_other_processes(tmp_path: Path) -> None:
    alone = shards_in(tmp_path / "alone")
    makers = ShardMakers(partial(shards_in, tmp_path / "made"), [], 2)
    waiting = shards_in(tmp_path / "made")
    for each in waiting:
        each.settings = ShardSettings(**{**vars(each.settings), "wait": makers.wait})
    with makers:
        for batch in range(5 * alone[0].batches):
            for here, there in zip(alone, waiting, strict=True):
                assert equal(drawn(here, batch), drawn(there, batch))
    with pytest.raises(RuntimeError, match="no process makes"):
        makers.wait(tmp_path / "never")


def test_a_run_ends_with_its_makers_error(tmp_path: Path) -> None:
    makers = ShardMakers(partial(int, "no shards"), [], 1)  # type: ignore[arg-type]
    with makers, pytest.raises(RuntimeError, match="no process makes"):
        makers.wait(tmp_path / "never")
