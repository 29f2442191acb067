"""The agreement on dead stones in Go on PlayStrategy, as pure decisions.

The engine passes only once the opponent's dead stones are off the board (its rules say so), and the
bot proposes none. It accepts the opponent's own stones as dead, and rejects any other list; then
the game goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from bots.game_setup import GameSetup, OnlineMove
from bots.lichess.messages import DeadStones
from bots.lichess.notation import point_of


class StonesAnswer(Enum):
    """The bot's next step in an agreement."""

    PROPOSE_NONE = auto()
    ACCEPT = auto()
    REJECT = auto()


def answer_stones(
    stones: DeadStones | None, setup: GameSetup, moves: Sequence[OnlineMove]
) -> StonesAnswer | None:
    """Returns the step that is due; None: none, or the opponent's turn."""
    if stones is None:
        return None
    if stones.status == "offered" and stones.offered_by == 1 - setup.color:
        owners = _owners(setup, moves)
        is_theirs = all(owners.get(point) == 1 - setup.color for point in stones.squares)
        return StonesAnswer.ACCEPT if is_theirs else StonesAnswer.REJECT
    if stones.status == "pending" and (setup.first_to_move + len(moves)) % 2 == setup.color:
        return StonesAnswer.PROPOSE_NONE
    return None


def _owners(setup: GameSetup, moves: Sequence[OnlineMove]) -> dict[str, int]:
    """Returns the color of the last stone on each point; a stone there now is of this color."""
    played = [move for move in (*setup.stones, *moves) if move.text != "pass"]
    return {point_of(move.text): move.color for move in played}
