"""How often a game's recorded result is the one that another program counts.

Knows recorded games of Go and a player that counts them. Does not know who played them, nor how
they are shown.
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
    """One game that was played to its last pass, counted twice."""

    row: Row
    result: str  # as the match recorded it: B+3.5, W+12 or 0
    other: str  # as the other program counts it

    @property
    def same_winner(self) -> bool:
        """Whether both name the same winner, or none."""
        return self.result[0] == self.other[0]

    @property
    def same_margin(self) -> bool:
        """Whether both have the same winner by the same points."""
        return self.result == self.other


@dataclass(frozen=True, slots=True)
class Agreement:
    """All games of one player against the others."""

    player: str
    recounts: tuple[Recount, ...]
    uncounted: int  # games that ended otherwise: resigned, too long, by a fault

    @property
    def winners(self) -> int:
        """The number of games whose winner agrees."""
        return sum(recount.same_winner for recount in self.recounts)

    @property
    def margins(self) -> int:
        """The number of games whose winner and margin agree."""
        return sum(recount.same_margin for recount in self.recounts)

    @property
    def differing(self) -> tuple[Recount, ...]:
        """The games of which the two counts differ."""
        return tuple(recount for recount in self.recounts if not recount.same_margin)

    def values(self) -> dict[str, object]:
        """Everything, as JSON values."""
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
    """The recorded results of these games beside the counter's.

    A game that the counter cannot count is uncounted. Raises EngineRefusedError, EngineLostError.
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
