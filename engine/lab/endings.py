"""Compares the recorded results of games with another program's count.

The input is recorded games of Go and a player that counts final positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.match.game_spec import GameSpec
from engine.match.player import Player
from engine.match.record import Row
from engine.match.referee import counted_by


@dataclass(frozen=True, slots=True)
class Recount:
    """One game, played to its last pass and counted twice."""

    row: Row
    result: str  # the result in the match's record: B+3.5, W+12 or 0
    other: str  # the result by the other program

    @property
    def same_winner(self) -> bool:
        """Whether both counts name the same winner, or none."""
        return self.result[0] == self.other[0]

    @property
    def same_margin(self) -> bool:
        """Whether both counts name the same winner and points."""
        return self.result == self.other


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement over all games of one player against the others."""

    player: str
    recounts: tuple[Recount, ...]
    uncounted: int  # games that ended otherwise: resigned, too long, or by a fault

    @property
    def winners(self) -> int:
        """The number of games with the same winner."""
        return sum(recount.same_winner for recount in self.recounts)

    @property
    def margins(self) -> int:
        """The number of games with the same winner and margin."""
        return sum(recount.same_margin for recount in self.recounts)

    @property
    def differing(self) -> tuple[Recount, ...]:
        """The games with different counts."""
        return tuple(recount for recount in self.recounts if not recount.same_margin)

    def values(self) -> dict[str, object]:
        """Returns JSON values."""
        return {
            "player": self.player,
            "games": len(self.recounts) + self.uncounted,
            "counted": len(self.recounts),
            "same_winner": self.winners,
            "same_margin": self.margins,
            "differing": [
                {
                    "game": recount.row["game"],
                    "result": recount.result,
                    "other": recount.other,
                    "moves": [*recount.row["opening"], *recount.row["moves"]],
                }
                for recount in self.differing
            ],
        }


def agreement(player: str, rows: Sequence[Row], board: GameSpec, counter: Player) -> Agreement:
    """Compares the recorded results of these games with the counter's.

    Games without a count of the counter are uncounted. Raises EngineRefusedError, EngineLostError.
    """
    recounts = []
    for row in rows:
        if row["how"] != "score":
            continue
        start = replace(board, opening=tuple(map(board.read, row["opening"])))
        other = counted_by(counter, start, tuple(map(board.read, row["moves"])))
        if other is not None:
            recounts.append(Recount(row, row["result"], other))
    return Agreement(player, tuple(recounts), len(rows) - len(recounts))
