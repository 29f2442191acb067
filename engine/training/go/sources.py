"""The sources of batches: quick games by a teacher, and human games.

A source draws by batch number and random generator: equal ones give the same batch, whatever was
drawn before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from engine.errors import SettingError
from engine.training.go.humans import draw_moves
from engine.training.go.positions import BoardShare, rows_for
from engine.training.go.records import SIZE, GameTable
from engine.training.go.samples import GoSamples, Network, label, symmetries, unlabelled
from engine.training.go.shards import Shards, ShardSettings

POSITIONS_A_GAME = 3  # of human games, drawn together: a replay costs little beside learning
AREA_SHARE = 0.25  # share of human games shown under area rules
# 19x19's part of the quick games beside human games, since these are all 19x19.
BIG_BOARD_SHARE = 0.10


class Source(Protocol):
    """One kind of samples."""

    share: float  # of all batches, before scaling to 1
    board: BoardShare

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        """Returns a batch [rows], after `drawn` earlier ones from this source."""
        ...


class QuickGames:
    """Samples of quick games on one board."""

    def __init__(self, board: BoardShare, share: float, shards: Shards) -> None:
        self.board, self.share, self._shards = board, share, shards

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        """See Source."""
        return self._shards.draw(drawn, rng)


class HumanGames:
    """Samples of human games; without a teacher they have the moves alone."""

    def __init__(
        self,
        table: GameTable,
        share: float,
        rows: int,
        teacher: Network | None,
        settings: ShardSettings,
    ) -> None:
        self.board, self.share = BoardShare(SIZE, SIZE, share), share
        self._table, self._rows, self._teacher, self._kind = table, rows, teacher, settings

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:  # noqa: ARG002 - see Source
        """See Source; every batch has other positions."""
        drawn_moves = draw_moves(
            self._table, self._rows, rng, a_game=POSITIONS_A_GAME, area_share=AREA_SHARE
        ).to(self._kind.device)
        if self._teacher is None:
            samples = unlabelled(drawn_moves.rows)
        else:
            turns = rng.permutation(symmetries(SIZE, SIZE))[: self._kind.turns].tolist()
            samples, _ = label(self._teacher, drawn_moves.rows, turns)
        return samples._replace(human=drawn_moves.moves)


def sources_of(
    teacher: Network | None,
    table: GameTable | None,
    *,
    boards: Sequence[BoardShare],
    human_share: float,
    cells: int,
    settings: ShardSettings,
) -> list[Source]:
    """Returns a run's sources: quick games if it has a teacher, human ones if it has a table.

    `cells` are the points of a batch, `human_share` the share of human batches beside a teacher's.
    Raises SettingError for neither.
    """
    sources: list[Source] = []
    if teacher is None:
        human_share = 1.0
    elif table is None:
        human_share = 0.0
    else:
        boards = [
            replace(board, share=BIG_BOARD_SHARE) if board.width == board.height == SIZE else board
            for board in boards
        ]
    if table is not None:
        rows = rows_for(BoardShare(SIZE, SIZE, 1.0), cells)
        sources.append(HumanGames(table, human_share, rows, teacher, settings))
    if teacher is not None:
        shares = sum(board.share for board in boards)
        for board in boards:
            scaled = replace(board, share=board.share / shares)
            shards = Shards(scaled, rows_for(board, cells), teacher, settings)
            sources.append(QuickGames(board, scaled.share * (1 - human_share), shards))
    if not sources:
        raise SettingError("neither a teacher nor human games to learn from")
    return sources
