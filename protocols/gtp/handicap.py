"""GTP commands about the komi and the handicap of Go."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import SetupError
from engine.games import handicap
from engine.games.game_settings import go_settings
from protocols.gtp.arguments import expect, integer_or_none, number_or_none
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler


def komi(context: Context, command: GtpCommand) -> str:
    """Sets the komi, a whole or half number of points."""
    value = number_or_none(command.arguments[0]) if len(command.arguments) == 1 else None
    if value is None:
        raise GtpError(f"Expected single float argument for komi but got {quoted(command.text)}")
    context.session.agree(replace(go_settings(context.game.game_settings), komi=value))
    return ""


def get_komi(context: Context, _command: GtpCommand) -> str:
    """The komi."""
    return f"{go_settings(context.game.game_settings).komi:g}"


def fixed_handicap(context: Context, command: GtpCommand) -> str:
    """Puts Black's handicap stones on the usual points."""
    number = handicap_number(context, command)
    game = context.game
    try:
        moves = handicap.fixed(game.width, game.height, number)
    except ValueError as error:
        raise GtpError(f"invalid number of stones: {error}, try place_free_handicap") from error
    return place(context, moves)


def place_free_handicap(context: Context, command: GtpCommand) -> str:
    """Puts Black's handicap stones on the engine's choice of points, perhaps fewer."""
    number = handicap_number(context, command)
    game = context.game
    return place(context, handicap.free(game.width, game.height, number))


def set_free_handicap(context: Context, command: GtpCommand) -> str:
    """Puts Black's handicap stones on the points given."""
    game = context.game
    if not game.is_empty:
        raise GtpError("board not empty")
    moves = [context.vertex(word) for word in command.arguments]
    points = game.width * game.height
    if not 2 <= len(moves) < points or points in moves or len(set(moves)) < len(moves):
        raise GtpError(f"bad vertex list: {quoted(command.text)}")
    place(context, moves)
    return ""


def handicap_number(context: Context, command: GtpCommand) -> int:
    """The number of stones asked for, the board being empty."""
    expect(command.arguments, 1, "one argument", command.name)
    number = integer_or_none(command.text)
    if number is None:
        raise GtpError(f"Could not parse number of handicap stones: {quoted(command.text)}")
    if number < 2:
        raise GtpError(f"invalid number of stones: {number} is less than 2")
    if not context.game.is_empty:
        raise GtpError("board not empty")
    return number


def place(context: Context, moves: list[int]) -> str:
    """Begins a game from Black's stones, White to move; their vertices."""
    try:
        context.session.set_up(((0, move) for move in moves), to_move=1)
    except SetupError as error:
        raise GtpError(f"bad vertex list: {error}") from error
    return context.vertex_names(tuple(moves))


COMMANDS: dict[str, Handler] = {
    "komi": komi,
    "get_komi": get_komi,
    "fixed_handicap": fixed_handicap,
    "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap,
}
