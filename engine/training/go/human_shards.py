"""Shards of human games: positions of random games, judged by a teacher, with the moves played."""

from __future__ import annotations

import numpy as np
import torch

from engine.training.go.doubt import Doubt
from engine.training.go.humans import HumanMoves, draw_moves, joined_moves
from engine.training.go.positions import BoardShare
from engine.training.go.records import SIZE, GameTable
from engine.training.go.samples import Network, label, symmetries
from engine.training.go.shards import JUDGED_ROWS, Arrays, ShardSettings, joined, packed

POSITIONS_A_GAME = 3  # drawn together: a replay costs little beside a judgement
AREA_SHARE = 0.25  # share of human games shown under area rules


class HumanShards:
    """The judged positions of human games; see ShardMaker."""

    name = "human"

    def __init__(
        self,
        table: GameTable,
        share: float,
        teacher: Network,
        settings: ShardSettings,
        doubt: Doubt | None = None,
    ) -> None:
        """`share` of the settings' points are in a shard; doubt: chooses the positions of games."""
        self.board = BoardShare(SIZE, SIZE, share)
        self._table, self._teacher, self._settings, self._doubt = table, teacher, settings, doubt
        self._batches = max(1, round(settings.cells * share / self.board.area / JUDGED_ROWS))
        self.positions = float(self._batches * JUDGED_ROWS)

    def make(self, number: int) -> Arrays:
        """Draws a shard's positions and judges each in random symmetries."""
        settings = self._settings
        pieces: list[Arrays] = []
        for batch in range(self._batches):
            rng = np.random.default_rng((settings.seed, number, batch))
            drawn = self._drawn(rng)
            turns = rng.permutation(symmetries(SIZE, SIZE))[: settings.turns].tolist()
            samples, _ = label(self._teacher, drawn.rows, turns)
            every = torch.ones(JUDGED_ROWS, dtype=torch.bool)
            pieces.append(packed(samples._replace(human=drawn.moves), every))
        return joined(pieces)

    def _drawn(self, rng: np.random.Generator) -> HumanMoves:
        """Returns JUDGED_ROWS positions, the doubtful ones if there is a doubt."""
        chosen: list[HumanMoves] = []
        while sum(map(len, chosen)) < JUDGED_ROWS:
            drawn = draw_moves(
                self._table, JUDGED_ROWS, rng, a_game=POSITIONS_A_GAME, area_share=AREA_SHARE
            ).to(self._settings.device)
            if self._doubt is None:
                return drawn
            judged = rng.random(JUDGED_ROWS) < self._doubt.chances(drawn.rows)
            chosen.append(drawn.at(torch.from_numpy(judged).to(self._settings.device)))
        return joined_moves(chosen).at(slice(JUDGED_ROWS))
