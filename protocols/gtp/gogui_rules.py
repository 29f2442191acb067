"""GTP commands of GoGui's referee for any game.

GoGui draws squares of points, named as on a board of Go; points outside a game's board are marked
as removed. After the first of these commands moves are written as points.
"""

from __future__ import annotations

from collections.abc import Callable

from engine._core import GoPosition
from engine.games.game import Game
from engine.play.results import score_text
from engine.play.session import Session
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler
from protocols.gtp.gogui import setup
from protocols.gtp.showboard import STONES, discs

REMOVED = "?"


def game_id(context: Context, _command: GtpCommand) -> str:
    """The name of the game: an upper case letter, then lower case ones and digits."""
    context.points = True
    return context.game.kind.title


def board_size(context: Context, _command: GtpCommand) -> str:
    """Answers the side of the smallest square around the board."""
    context.points = True
    return str(side(context.game))


def board(context: Context, _command: GtpCommand) -> str:
    """The square, its upper row first."""
    context.points = True
    game = context.game
    missing = side(game) - game.width
    rows = [
        "".join(STONES[stone] for stone in row) + REMOVED * missing for row in game.position.stones
    ]
    if context.spelling.rows_downwards:
        rows.reverse()
    above = [REMOVED * side(game)] * (side(game) - game.height)
    return "\n".join(" ".join(row) for row in [*above, *rows])


def legal_moves(context: Context, _command: GtpCommand) -> str:
    """Answers the legal moves as points and `pass`; empty when the game is over."""
    context.points = True
    position = context.game.position
    if position.is_over:
        return ""
    return context.vertex_names(tuple(position.legal_moves()))


def side_to_move(context: Context, _command: GtpCommand) -> str:
    """Answers `black`, the first color, or `white`."""
    context.points = True
    return ("black", "white")[context.game.position.to_move]


def captured_count(context: Context, _command: GtpCommand) -> str:
    """Answers the stones captured by Black and by White; 0 in games without captures."""
    context.points = True
    position = context.game.position
    if not isinstance(position, GoPosition):
        return "0 0"
    lost_by_black, lost_by_white = position.captured
    return f"{lost_by_white} {lost_by_black}"


def final_result(context: Context, _command: GtpCommand) -> str:
    """The result in words."""
    context.points = True
    game = context.game
    if game.resigned is not None:
        return f"{game.kind.colors[1 - game.resigned]} wins: the other side resigned."
    if not game.position.is_over:
        return "The game is not over."
    return RESULTS[game.name](context.session)


def go_result(session: Session) -> str:
    """The result by points."""
    return score_text(session)


def othello_result(session: Session) -> str:
    """Returns the winner and the discs of each side."""
    game = session.game
    black, white = discs(game)
    winner = game.position.winner
    names = game.kind.colors
    won = "Draw" if winner < 0 else f"{names[winner]} wins"
    return f"{won}. {names[0]} {black}, {names[1]} {white}."


def connect4_result(session: Session) -> str:
    """Returns the winner, with the color drawn by GoGui."""
    game = session.game
    winner = game.position.winner
    if winner < 0:
        return "Draw."
    return f"{game.kind.colors[winner]} ({('Black', 'White')[winner]}) wins."


def side(game: Game) -> int:
    """Returns the side of the smallest square around the board, in points."""
    return max(game.width, game.height)


RESULTS: dict[str, Callable[[Session], str]] = {
    "go": go_result,
    "othello": othello_result,
    "connect4": connect4_result,
}

COMMANDS: dict[str, Handler] = {
    "gogui-rules_game_id": game_id,
    "gogui-rules_board_size": board_size,
    "gogui-rules_board": board,
    "gogui-rules_legal_moves": legal_moves,
    "gogui-rules_side_to_move": side_to_move,
    "gogui-rules_captured_count": captured_count,
    "gogui-rules_final_result": final_result,
    "gogui-rules_setup": setup,  # its presence announces that stones may be set up
}
