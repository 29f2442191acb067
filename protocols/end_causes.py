"""The rule behind the end of a game, in words to follow the result.

CAUSES is the table of the games with several such rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games import einstein
from engine.games.game import Game


def cause_of(game: Game) -> str:
    """Returns the cause of the end, as " by checkmate" or ": ..."; "" without several rules."""
    return CAUSES.get(game.name, _no_cause)(game.position)


def _no_cause(_position: object) -> str:
    return ""


def _connect4_cause(position: Any) -> str:  # noqa: ANN401 (one kind of position)
    return " with four in a row" if position.winner >= 0 else ": the board is full"


def _chess_cause(position: Any) -> str:  # noqa: ANN401 (python-chess is an optional module)
    board = position.board
    if board.is_checkmate():
        return " by checkmate"
    if board.is_stalemate():
        return " by stalemate"
    if board.is_insufficient_material():
        return ": neither side can mate any more"
    if board.is_fifty_moves():
        return ": fifty moves of each side without a capture or a move of a pawn"
    return ": the same position has occurred three times"


def _dark_chess_cause(position: Any) -> str:  # noqa: ANN401 (one kind of position)
    if position.winner >= 0:
        loser = position.color_of_player(1 - position.winner)
        is_left = any(loser * 7 <= piece < (loser + 1) * 7 for piece in position.pieces.ravel())
        return ": the other side has no move" if is_left else ": every piece of the other is taken"
    if position.quiet_limit and position.quiet_moves >= position.quiet_limit:
        return f": {position.quiet_limit} moves without a capture or a flip"
    return ": the same position has occurred too often"


def _einstein_cause(position: Any) -> str:  # noqa: ANN401 (one kind of position)
    winner, pieces = position.winner, position.pieces.ravel()
    goal = pieces[-1] if winner == 0 else pieces[0]
    has_arrived = goal >= 0 and goal // einstein.NUMBERS == winner
    if has_arrived:
        return ": a piece has reached the far corner"
    return ": every piece of the other side is taken"


CAUSES: Mapping[str, Callable[[Any], str]] = {
    "connect4": _connect4_cause,
    "chess": _chess_cause,
    "darkchess": _dark_chess_cause,
    "einstein": _einstein_cause,
}
