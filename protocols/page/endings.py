"""The end of a game in words: the winner, and the rule or the decision that ended it.

CAUSES is the table of the games that end by several rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.games import einstein
from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.opponents import ON_TIME, RESIGNED
from protocols.page.page_game import PageGame
from protocols.page.pieces import colors_of

LOSSES = {RESIGNED: "by resignation", ON_TIME: "on time"}  # how the other player wins


def result_view(page_game: PageGame) -> dict[str, Any]:
    """Returns the winner's color and the result in a sentence."""
    game = page_game.game
    if page_game.loss is not None:
        loser, cause = page_game.loss
        text = f"{colors_of(game)[1 - loser]} wins {LOSSES[cause]}"
        return {"winner": 1 - loser, "text": text}
    score = page_game.score()
    winner = None if score == 0 else int(score < 0)
    return {"winner": winner, "text": score_sentence(game, score)}


def score_sentence(game: Game, black_score: float) -> str:
    """Returns a final score in words: "White wins by 3.5 points", "White wins by checkmate".

    black_score: of color 0.
    """
    cause = CAUSES.get(game.name, _no_cause)(game.position)
    if black_score == 0:
        return f"The game is drawn{cause}"
    winner = colors_of(game)[int(black_score < 0)]
    if not game.kind.has_ownership:
        return f"{winner} wins{cause}"
    unit = "points" if game.name == GoSettings.game else "discs"
    return f"{winner} wins by {abs(black_score):g} {unit}"


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
