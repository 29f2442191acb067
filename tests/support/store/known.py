"""What tests remember: a count instead of a strength."""

from __future__ import annotations

from engine.games.game_settings import GoTerms
from engine.games.rules import RULE_SETS
from engine.games.table import Board
from engine.opponents.opponent_store import (
    Change,
    Estimate,
    InMemory,
    KeptGame,
    Known,
    OpponentName,
)

ANN, BOB = OpponentName("Ann"), OpponentName("Bob", "cgos")
SMALL, LARGE = Board("go", 9, 9), Board("go", 19, 19)
GAME = KeptGame(
    ANN,
    GoTerms(RULE_SETS["japanese"], 0.5),
    9,
    9,
    color=1,
    persona="even",
    setup=((0, 20), (0, 60)),
    first_to_move=1,
    moves=((1, 40),),
    reasons=("the middle",),
)


def counted(known: Known | None) -> Known:
    """One more than before."""
    number = 1 if known is None else known.state["number"] + 1
    return Known({"number": number}, number // 10, Estimate(number, number - 1.5, number + 1.5))


def count_by(step: int) -> Change:
    """A change that adds this much."""

    def change(known: Known | None) -> Known:
        number = step if known is None else known.state["number"] + step
        return Known({"number": number}, 0, Estimate(number, number, number))

    return change


class Noting(InMemory):
    """A memory that also tells which results it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[tuple[str, float | None]] = []

    def note_result(self, game: int, result: str, points: float | None) -> None:
        super().note_result(game, result, points)
        self.results.append((result, points))
