"""Shards of quick games: their length, the same draws again, no file of an old shard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file

from engine.networks.torch_model import Outputs
from engine.training.go.positions import BoardShare
from engine.training.go.quick_shards import FEWEST_GAMES, FEWEST_PLAYED, LENGTH, QuickShards
from engine.training.go.samples import GoSamples, Network
from engine.training.go.shards import OPEN, Shards, ShardSettings
from tests.support.training.counting_teacher import CountingTeacher

BOARD = BoardShare(5, 4, 1.0)
ROWS = 8


def settings_in(folder: Path, cells: int, *, seed: int = 1, uses: float = 4.0) -> ShardSettings:
    device = torch.device("cpu")
    return ShardSettings(folder, seed, cells, turns=1, threads=1, device=device, uses=uses)


def shards(
    folder: Path,
    cells: int,
    teacher: Network | None = None,
    *,
    seed: int = 1,
    uses: float = 4.0,
    player: Network | None = None,
) -> Shards:
    settings = settings_in(folder, cells, seed=seed, uses=uses)
    return Shards(
        QuickShards(BOARD, teacher or CountingTeacher(), settings, player), ROWS, settings
    )


def drawn(of: Shards, batch: int) -> GoSamples:
    return of.draw(batch, np.random.default_rng(batch))


def equal(first: GoSamples, second: GoSamples) -> bool:
    return all(torch.equal(part, other) for part, other in zip(first, second, strict=True))


def test_a_batch_depends_on_seed_and_number_alone(tmp_path: Path) -> None:
    straight = shards(tmp_path / "a", 2000)
    latest = [drawn(straight, batch) for batch in range(2 * straight.batches)][-1]
    other = shards(tmp_path / "b", 2000)
    assert equal(drawn(other, 2 * other.batches - 1), latest)
    assert equal(drawn(other, 2 * other.batches - 1), latest)  # from the files
    strange = shards(tmp_path / "c", 2000, seed=2)
    assert not equal(drawn(strange, 2 * strange.batches - 1), latest)


def test_rows_come_back_from_the_file_as_the_teacher_saw_them(tmp_path: Path) -> None:
    seen: list[torch.Tensor] = []

    def watching(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
        seen.append(planes.clone())
        return CountingTeacher()(planes, globals_)

    first = drawn(shards(tmp_path, 4000, watching), 0)
    shown = {rows.numpy().tobytes() for batch in seen for rows in turned(batch)}
    assert first.planes.shape == (ROWS, 22, BOARD.height, BOARD.width)
    assert all(rows.numpy().tobytes() in shown for rows in first.planes)
    on_board = first.planes[:, 0].flatten(1)
    empty = (first.planes[:, 1] + first.planes[:, 2]).flatten(1) == 0
    assert on_board.all()
    assert not (first.legal[:, :-1].bool() & ~empty).any()  # no move on a stone
    assert first.legal[:, -1].all()


def test_a_shard_of_an_earlier_release_has_players_of_unknown_rank(tmp_path: Path) -> None:
    before = drawn(shards(tmp_path, 2000), 0)
    path = shards(tmp_path, 2000).path(0)
    save_file({name: part for name, part in load_file(path).items() if name != "ranks"}, path)
    assert equal(drawn(shards(tmp_path, 2000), 0), before)
    assert not before.ranks.any()


def turned(batch: torch.Tensor) -> list[torch.Tensor]:
    """The rows of a batch in each symmetry of a rectangle."""
    flips: list[list[int]] = [[], [-1], [-2], [-1, -2]]
    return [rows.flip(axes).contiguous() for rows in batch for axes in flips]


def test_a_shard_is_as_long_as_its_share_and_no_dearer(tmp_path: Path) -> None:
    teacher = CountingTeacher()
    long = shards(tmp_path / "long", 8000, teacher)
    drawn(long, 0)
    assert abs(teacher.rows - 8000 / BOARD.area) <= LENGTH * BOARD.area / 2
    assert long.batches == 4 * 8000 / BOARD.area / ROWS
    few = CountingTeacher()
    short = shards(tmp_path / "short", 500, few)
    drawn(short, 0)
    assert few.rows == FEWEST_GAMES * LENGTH * BOARD.area


def test_shards_that_are_through_leave_no_file(tmp_path: Path) -> None:
    of = shards(tmp_path, 2000)
    for batch in range(0, (OPEN + 3) * of.batches, of.batches):
        drawn(of, batch)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"5x4-seed1-{number:05}.safetensors" for number in range(3, OPEN + 3)]


def test_every_board_has_its_share() -> None:
    settings = settings_in(Path(), 100_000)
    half = QuickShards(replace(BOARD, share=0.5), CountingTeacher(), settings)
    assert 2 * half.positions == QuickShards(BOARD, CountingTeacher(), settings).positions


def test_positions_are_drawn_as_often_as_wished(tmp_path: Path) -> None:
    once, often = (shards(tmp_path / str(uses), 8000, uses=uses) for uses in (1.0, 8.0))
    assert often.batches == 8 * once.batches
    of = shards(tmp_path / "drawn", 8000, uses=3.0)
    rows = sum(len(drawn(of, batch).globals) for batch in range(6 * of.batches))
    positions = 6 * 8000 / BOARD.area
    assert rows == 3 * positions


def test_a_player_plays_and_the_teacher_judges_positions_of_the_shard_alone(
    tmp_path: Path,
) -> None:
    teacher, player = CountingTeacher(), CountingTeacher()
    of = shards(tmp_path, 2000, teacher, player=player)
    first = drawn(of, 0)
    assert player.rows == FEWEST_PLAYED * LENGTH * BOARD.area
    assert 0 < teacher.rows < player.rows / 3
    assert abs(teacher.rows - 2000 / BOARD.area) < 40
    assert equal(drawn(shards(tmp_path / "again", 2000, player=CountingTeacher()), 0), first)
