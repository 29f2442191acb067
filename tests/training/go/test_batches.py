"""The batches of a run: a thread that draws them ahead changes none; they tell of human moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from engine.training.go.batches import Batch, Batches
from engine.training.go.positions import BoardShare, QuickGoGames
from engine.training.go.samples import GoSamples, unlabelled

CPU = torch.device("cpu")
GAMES = QuickGoGames(BoardShare(7, 7, 1.0), 4, seed=1, threads=1, pinned=False)


@dataclass
class Numbered:
    """A source: each draw has its number as the human moves, or none at all."""

    share: float
    has_moves: bool
    board: BoardShare = GAMES.board

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        samples = unlabelled(GAMES.rows)
        scores = torch.full_like(samples.scores, float(rng.random()))
        moves = torch.full_like(samples.human, drawn)
        return samples._replace(scores=scores, human=moves if self.has_moves else samples.human)


SOURCES = (Numbered(0.7, has_moves=True), Numbered(0.3, has_moves=False))


def drawn_in_order(batches: Batches, steps: int) -> list[Batch]:
    made, drawn = [], [0, 0]
    for step in range(steps):
        made.append(batches.at(step, list(drawn)))
        drawn[made[-1].source] += 1
    batches.close()
    return made


def test_a_thread_draws_the_same_batches_ahead() -> None:
    here = drawn_in_order(Batches(SOURCES, 3, CPU, draws_ahead=False), 20)
    ahead = drawn_in_order(Batches(SOURCES, 3, CPU, draws_ahead=True), 20)
    for one, other in zip(here, ahead, strict=True):
        assert (one.source, one.symmetry, one.has_moves) == other[:1] + other[2:]
        assert all(map(torch.equal, one.samples, other.samples))
    assert {batch.source for batch in here} == {0, 1}


def test_a_batch_drawn_ahead_for_other_draws_is_drawn_again() -> None:
    batches = Batches(SOURCES, 3, CPU, draws_ahead=True)
    first = batches.at(0, [0, 0])
    again = batches.at(0, [5, 5])
    assert again.source == first.source
    assert (again.samples.human == 5).all() or not again.has_moves
    batches.close()


def test_a_batch_tells_whether_a_person_moved() -> None:
    for batch in drawn_in_order(Batches(SOURCES, 4, CPU, draws_ahead=False), 10):
        assert batch.has_moves == SOURCES[batch.source].has_moves
