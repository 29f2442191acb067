"""What tests remember: a count instead of a strength."""

from __future__ import annotations

from engine.games.game_settings import GoSettings
from engine.games.rules import RULE_SETS
from engine.games.table import Board
from engine.opponents.opponent_store import (
    Change,
    EloEstimate,
    OpponentEntry,
    OpponentName,
    StoredGame,
    TransientStore,
)

ANN, BOB = OpponentName("Ann"), OpponentName("Bob", "cgos")
SMALL, LARGE = Board("go", 9, 9), Board("go", 19, 19)
GAME = StoredGame(
    ANN,
    GoSettings(RULE_SETS["japanese"], 0.5),
    9,
    9,
    color=1,
    persona="even",
    setup=((0, 20), (0, 60)),
    first_to_move=1,
    moves=((1, 40),),
    reasons=("the middle",),
)


def counted(known: OpponentEntry | None) -> OpponentEntry:
    """One more than before."""
    number = 1 if known is None else known.state["number"] + 1
    return OpponentEntry(
        {"number": number}, number // 10, EloEstimate(number, number - 1.5, number + 1.5)
    )


def count_by(step: int) -> Change:
    """A change that adds this much."""

    def change(known: OpponentEntry | None) -> OpponentEntry:
        number = step if known is None else known.state["number"] + step
        return OpponentEntry({"number": number}, 0, EloEstimate(number, number, number))

    return change


class Noting(TransientStore):
    """A memory that also tells which results it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[tuple[str, float | None]] = []

    def note_result(self, game: int, result: str, points: float | None) -> None:
        super().note_result(game, result, points)
        self.results.append((result, points))
