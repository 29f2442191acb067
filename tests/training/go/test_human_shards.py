"""Shards of human games: the human's moves with the teacher's judgement, the same draws again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from engine.training.go.doubt import Doubt
from engine.training.go.human_shards import HumanShards
from engine.training.go.records import (
    IMITATED,
    SIZE,
    TYGEM_KOMI,
    TYGEM_RULES,
    WHITE,
    GameTable,
    RecordedGame,
    table_of,
)
from engine.training.go.samples import LEAD, GoSamples
from engine.training.go.shards import JUDGED_ROWS as ROWS
from engine.training.go.shards import OPEN, Shards, ShardSettings
from tests.support.training.counting_teacher import CountingTeacher

AREA = SIZE * SIZE
STONES = 1  # first of the two planes of stones
CELLS = 2 * ROWS * AREA
BATCH = 16


def stones(planes: torch.Tensor) -> torch.Tensor:
    """Returns the numbers of stones [n]."""
    return planes[:, STONES : STONES + 2].float().sum(dim=(1, 2, 3))


def rows_of_stones() -> GameTable:
    """Returns a game along every other row from the top; move n is on point `point(n)`."""
    numbers = [point(at) + WHITE * (at % 2) + IMITATED for at in range(150)]
    return table_of([RecordedGame(np.array(numbers, np.int16), TYGEM_RULES, TYGEM_KOMI)])


def point(number: int) -> int:
    """Returns the point of a move's number."""
    return SIZE * (2 * (number // SIZE)) + number % SIZE


def settings_in(folder: Path, *, seed: int = 1, uses: float = 4.0) -> ShardSettings:
    device = torch.device("cpu")
    return ShardSettings(folder, seed, CELLS, turns=1, threads=1, device=device, uses=uses)


def shards(folder: Path, teacher: CountingTeacher, *, seed: int = 1, uses: float = 4.0) -> Shards:
    settings = settings_in(folder, seed=seed, uses=uses)
    return Shards(HumanShards(rows_of_stones(), 1.0, teacher, settings), BATCH, settings)


def drawn(of: Shards, batch: int) -> GoSamples:
    return of.draw(batch, np.random.default_rng(batch))


def equal(first: GoSamples, second: GoSamples) -> bool:
    return all(torch.equal(part, other) for part, other in zip(first, second, strict=True))


def test_a_position_has_the_move_of_its_game_and_the_judgement_of_the_teacher(
    tmp_path: Path,
) -> None:
    samples = drawn(shards(tmp_path, CountingTeacher(stones)), 0)
    assert samples.planes.shape == (BATCH, 22, SIZE, SIZE)
    numbers = stones(samples.planes)
    assert len(set(numbers.tolist())) > 1
    assert samples.human.tolist() == [point(int(number)) for number in numbers]
    assert torch.equal(samples.scores[:, LEAD], numbers)


def test_the_teacher_judges_each_position_once(tmp_path: Path) -> None:
    teacher = CountingTeacher(stones)
    of = shards(tmp_path, teacher)
    assert of.batches == 4 * 2 * ROWS / BATCH
    for batch in range(of.batches):
        drawn(of, batch)
    assert teacher.rows == 2 * ROWS
    drawn(of, of.batches)
    assert teacher.rows == 4 * ROWS
    assert shards(tmp_path, teacher, uses=8.0).batches == 2 * of.batches


def test_a_batch_depends_on_seed_and_number_alone(tmp_path: Path) -> None:
    straight = shards(tmp_path / "a", CountingTeacher(stones))
    latest = [drawn(straight, batch) for batch in range(2 * straight.batches)][-1]
    resumed = shards(tmp_path / "b", CountingTeacher(stones))
    assert equal(drawn(resumed, 2 * resumed.batches - 1), latest)
    again = CountingTeacher(stones)
    assert equal(drawn(shards(tmp_path / "b", again), 2 * resumed.batches - 1), latest)
    assert again.rows == 0  # from the files
    other = shards(tmp_path / "c", CountingTeacher(stones), seed=2)
    assert not equal(drawn(other, 2 * other.batches - 1), latest)


def test_old_shards_leave_no_file(tmp_path: Path) -> None:
    of = shards(tmp_path, CountingTeacher(stones))
    for batch in range(0, (OPEN + 2) * of.batches, of.batches):
        drawn(of, batch)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"human-seed1-{number:05}.safetensors" for number in range(2, OPEN + 2)]


def test_the_teacher_judges_the_positions_in_doubt(tmp_path: Path) -> None:
    """The doubters agree before move 100, and disagree about 20 points of score after it."""
    teacher, settings = CountingTeacher(), settings_in(tmp_path)
    doubt = Doubt(CountingTeacher(lambda planes: (stones(planes) > 100).float()), CountingTeacher())
    maker = HumanShards(rows_of_stones(), 1.0, teacher, settings, doubt)
    doubted = drawn(Shards(maker, BATCH, settings), 0)
    usual = drawn(shards(tmp_path / "usual", CountingTeacher(), seed=1), 0)
    assert teacher.rows == 2 * ROWS
    late, usually_late = ((stones(of.planes) > 100).float().mean() for of in (doubted, usual))
    assert late > 0.75 > usually_late
    assert doubted.human.tolist() == [point(int(number)) for number in stones(doubted.planes)]
