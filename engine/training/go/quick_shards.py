"""Shards of quick games: each shard is some games from their beginning, judged by a teacher.

The teacher plays the games too, or a cheaper player does: then the teacher judges only the
positions in the shard, and more games share them.
"""

from __future__ import annotations

import numpy as np
import torch

from engine.training.go.positions import BoardShare, PositionRows, QuickGoGames
from engine.training.go.samples import LEAD, POINTS, Network, label, symmetries
from engine.training.go.shards import JUDGED_ROWS, Arrays, ShardSettings, joined, packed

FEWEST_GAMES = 4  # of the teacher itself
FEWEST_PLAYED = 16  # of another player
LENGTH = 1.5  # moves a point of the board: an upper bound of most games


class QuickShards:
    """The quick games of one board; see ShardMaker."""

    def __init__(
        self,
        board: BoardShare,
        teacher: Network,
        settings: ShardSettings,
        player: Network | None = None,
    ) -> None:
        """The board's share decides the length of a shard; without a player the teacher plays."""
        self.board, self.name = board, board.name
        self._teacher, self._player, self._settings = teacher, player, settings
        self._moves = round(LENGTH * board.area)
        self.positions = settings.cells * board.share / board.area
        self._games = max(
            FEWEST_PLAYED if player else FEWEST_GAMES, round(self.positions / self._moves)
        )
        self._kept_share = min(1.0, self.positions / (self._games * self._moves))

    def make(self, number: int) -> Arrays:
        """Plays a shard's games; its positions come evenly from all their moves."""
        board, settings = self.board, self._settings
        rng = np.random.default_rng((settings.seed, board.width, board.height, number))
        games = QuickGoGames(
            board,
            self._games,
            seed=int(rng.integers(2**62)),
            threads=settings.threads,
            pinned=settings.device.type == "cuda",
        )
        pieces: list[Arrays] = []
        kept: list[PositionRows] = []  # of another player's games, in main memory
        for _ in range(self._moves):
            turns = self._turns(rng)
            rows = games.rows.to(settings.device)
            mask = torch.from_numpy(rng.random(self._games) < self._kept_share)
            if self._player is None:
                samples, logits = label(self._teacher, rows, turns)
                pieces.append(packed(samples, mask.to(settings.device)))
            else:
                samples, logits = label(self._player, rows, turns[:1])
                kept.append(games.rows.at(mask))
            games.advance(logits.cpu(), (samples.scores[:, LEAD] * POINTS).cpu())
        columns = [torch.split(torch.cat(parts), JUDGED_ROWS) for parts in zip(*kept, strict=True)]
        for parts in zip(*columns, strict=True):
            rows = PositionRows(*parts).to(settings.device)
            samples, _ = label(self._teacher, rows, self._turns(rng))
            pieces.append(packed(samples, torch.ones(len(parts[0]), dtype=torch.bool)))
        return joined(pieces)

    def _turns(self, rng: np.random.Generator) -> list[int]:
        """Returns the teacher's symmetries for the next rows."""
        order = rng.permutation(symmetries(self.board.height, self.board.width))
        turns: list[int] = order[: self._settings.turns].tolist()
        return turns
