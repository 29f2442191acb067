"""Endgame tables of a stand-in: the values that a test states, in place of python-chess's files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import chess
import chess.syzygy

from engine.search.endgame_tables import EndgameTables


@dataclass
class StandInTables:
    """The values by position, without the clocks; the side to move wins at a distance above 0."""

    distances: Mapping[str, int]  # DTZ by the first four fields of a FEN
    wdl: dict[str, None] = field(default_factory=lambda: {"KRvK": None, "KvKR": None})
    dtz: dict[str, None] = field(default_factory=lambda: {"KRvK": None, "KvKR": None})

    def get_dtz(self, board: chess.Board) -> int | None:
        return self.distances.get(" ".join(board.fen().split()[:4]))

    def get_wdl(self, board: chess.Board) -> int | None:
        distance = self.get_dtz(board)
        if distance is None:
            return None
        sure = 2 if abs(distance) <= 100 else 1
        return 0 if distance == 0 else sure if distance > 0 else -sure


def tables_of(distances: Mapping[str, int]) -> EndgameTables:
    """Returns tables of up to three pieces with these values."""
    return EndgameTables(cast("chess.syzygy.Tablebase", StandInTables(distances)))
