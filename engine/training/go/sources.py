"""The sources of batches: quick games by a teacher, and human games.

A source draws by batch number and random generator: equal ones give the same batch, whatever was
drawn before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import torch

from engine.errors import SettingError
from engine.training.go.doubt import Doubt
from engine.training.go.human_shards import AREA_SHARE, POSITIONS_A_GAME, HumanShards
from engine.training.go.humans import draw_moves
from engine.training.go.positions import BoardShare, rows_for
from engine.training.go.quick_shards import QuickShards
from engine.training.go.ranked_games import RankedGames
from engine.training.go.records import SIZE, GameTable
from engine.training.go.samples import GoSamples, Network, unlabelled
from engine.training.go.shards import Shards, ShardSettings

# 19x19's part of the quick games beside human games, since these are all 19x19.
BIG_BOARD_SHARE = 0.10


class Source(Protocol):
    """One kind of samples."""

    share: float  # of all batches, before scaling to 1
    board: BoardShare

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        """Returns a batch [rows], after `drawn` earlier ones from this source."""
        ...


class ShardedSource:
    """Samples of one kind of shards."""

    def __init__(self, share: float, shards: Shards) -> None:
        self.board, self.share, self.shards = shards.maker.board, share, shards

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:
        """See Source."""
        return self.shards.draw(drawn, rng)


class HumanGames:
    """Samples of human games without a teacher: they have the moves alone."""

    def __init__(self, table: GameTable, share: float, rows: int, device: torch.device) -> None:
        self.board, self.share = BoardShare(SIZE, SIZE, share), share
        self._table, self._rows, self._device = table, rows, device

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:  # noqa: ARG002 - see Source
        """See Source; every batch has other positions."""
        moves = draw_moves(
            self._table, self._rows, rng, a_game=POSITIONS_A_GAME, area_share=AREA_SHARE
        ).to(self._device)
        return unlabelled(moves.rows)._replace(human=moves.moves)


def sources_of(
    teacher: Network | None,
    table: GameTable | None,
    *,
    boards: Sequence[BoardShare],
    human_share: float,
    cells: int,
    settings: ShardSettings,
    player: Network | None = None,
    doubt: Doubt | None = None,
    ranked: bool = False,
) -> list[Source]:
    """Returns a run's sources: quick games if it has a teacher, human ones if it has a table.

    `cells` are the points of a batch, `human_share` the share of human batches beside a teacher's.
    `player` plays the quick games in the teacher's place. `doubt` chooses the positions of human
    games for the teacher. `ranked`: the human games of known ranks alone, without a teacher. Raises
    SettingError for neither source.
    """
    sources: list[Source] = []
    if ranked and table is not None:
        rows = rows_for(BoardShare(SIZE, SIZE, 1.0), cells)
        return [RankedGames(table, 1.0, rows, settings.device)]
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
        if teacher is None:
            sources.append(HumanGames(table, human_share, rows, settings.device))
        else:
            human = HumanShards(table, human_share, teacher, settings, doubt)
            sources.append(ShardedSource(human_share, Shards(human, rows, settings)))
    if teacher is not None:
        shares = sum(board.share for board in boards)
        for board in boards:
            scaled = replace(board, share=board.share / shares)
            quick = QuickShards(scaled, teacher, settings, player)
            shards = Shards(quick, rows_for(board, cells), settings)
            sources.append(ShardedSource(scaled.share * (1 - human_share), shards))
    if not sources:
        raise SettingError("neither a teacher nor human games to learn from")
    return sources
