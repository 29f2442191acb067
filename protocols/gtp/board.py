"""GTP commands that set up the board and play moves on it."""

from __future__ import annotations

from engine import handicap
from engine.games import COLUMNS
from engine.session import SetupError
from protocols.gtp.arguments import (
    color,
    color_or_none,
    expect,
    integer_or_none,
    number_or_none,
)
from protocols.gtp.codec import Command, GtpError, quoted
from protocols.gtp.context import Context, Handler
from protocols.gtp.rules import rules_with_komi

LARGEST_KOMI = 3.4e38  # of the 32-bit floats GTP speaks of
STONES = ".XO"
MARKED_MOVES = 3  # latest moves that showboard numbers


def boardsize(context: Context, command: Command) -> str:
    """Begins a game on a board of N, `W H` or `W:H`."""
    words = command.text.replace(":", " ").split()
    sizes = [size for word in words if (size := integer_or_none(word)) is not None]
    if len(sizes) != len(words) or len(sizes) not in {1, 2}:
        raise GtpError(
            f"Expected int argument for {command.name} or pair of ints "
            f"but got {quoted(command.text)}"
        )
    try:
        context.session.start_over((sizes[0], sizes[-1]))
    except ValueError as error:
        raise GtpError("unacceptable size") from error
    context.session.warm_up()
    return ""


def clear_board(context: Context, _command: Command) -> str:
    """Begins a new game."""
    context.session.start_over()
    return ""


def komi(context: Context, command: Command) -> str:
    """Sets the komi, any at all."""
    value = number_or_none(command.arguments[0]) if len(command.arguments) == 1 else None
    if value is None or abs(value) > LARGEST_KOMI:
        raise GtpError(f"Expected single float argument for komi but got {quoted(command.text)}")
    context.session.set_komi(value)
    return ""


def get_komi(context: Context, _command: Command) -> str:
    """The komi."""
    return f"{context.session.komi:g}"


def play(context: Context, command: Command) -> str:
    """Plays a move of either color, or notes that one resigned."""
    expect(command.arguments, 2, "two arguments", command.name)
    who = color(command.arguments[0])
    if command.arguments[1].lower() == "resign":
        context.session.resign(who)
    else:
        context.session.play(who, context.vertex(command.arguments[1]))
    return ""


def undo(context: Context, _command: Command) -> str:
    """Takes one move back."""
    context.session.undo()
    return ""


def undo_several(context: Context, command: Command) -> str:
    """Takes moves back, one where no number is given: all of them or none."""
    number = integer_or_none(command.text or "1")
    if number is None or number < 0:
        raise GtpError(f"Expected a number of moves but got {quoted(command.text)}")
    if number > len(context.session.moves):
        raise GtpError("cannot undo")
    for _ in range(number):
        context.session.undo()
    return ""


def set_position(context: Context, command: Command) -> str:
    """Begins a game from the stones given, Black to move."""
    context.session.set_up(stones(context, command))
    return ""


def stones(context: Context, command: Command) -> list[tuple[int, int]]:
    """The (color, move)s that pairs of color and vertex name."""
    words = command.arguments
    expected = (
        f"Expected a space-separated sequence of <COLOR> <VERTEX> pairs "
        f"but got {quoted(command.text)}"
    )
    if len(words) % 2:
        raise GtpError(expected)
    pairs = []
    for who, where in zip(words[::2], words[1::2], strict=True):
        if color_or_none(who) is None or where.lower() == "pass":
            raise GtpError(expected)
        pairs.append((color(who), context.vertex(where)))
    if len({move for _, move in pairs}) < len(pairs):
        raise GtpError("Illegal stone placements - overlapping stones?")
    return pairs


def fixed_handicap(context: Context, command: Command) -> str:
    """Puts Black's handicap stones on the usual points."""
    number = handicap_number(context, command)
    session = context.session
    try:
        moves = handicap.fixed(session.width, session.height, number)
    except ValueError as error:
        raise GtpError(f"invalid number of stones: {error}, try place_free_handicap") from error
    return place(context, moves)


def place_free_handicap(context: Context, command: Command) -> str:
    """Puts Black's handicap stones where the engine wants them, perhaps fewer than asked."""
    number = handicap_number(context, command)
    session = context.session
    return place(context, handicap.free(session.width, session.height, number))


def set_free_handicap(context: Context, command: Command) -> str:
    """Puts Black's handicap stones on the points given."""
    session = context.session
    if not session.is_empty:
        raise GtpError("board not empty")
    moves = [context.vertex(word) for word in command.arguments]
    points = session.width * session.height
    if not 2 <= len(moves) < points or points in moves or len(set(moves)) < len(moves):
        raise GtpError(f"bad vertex list: {quoted(command.text)}")
    place(context, moves)
    return ""


def handicap_number(context: Context, command: Command) -> int:
    """The number of stones asked for, the board being empty."""
    expect(command.arguments, 1, "one argument", command.name)
    number = integer_or_none(command.text)
    if number is None:
        raise GtpError(f"Could not parse number of handicap stones: {quoted(command.text)}")
    if number < 2:
        raise GtpError(f"invalid number of stones: {number} is less than 2")
    if not context.session.is_empty:
        raise GtpError("board not empty")
    return number


def place(context: Context, moves: list[int]) -> str:
    """Begins a game from Black's stones, White to move; their vertices."""
    try:
        context.session.set_up(((0, move) for move in moves), to_move=1)
    except SetupError as error:
        raise GtpError(f"bad vertex list: {error}") from error
    return context.vertex_names(tuple(moves))


def showboard(context: Context, _command: Command) -> str:
    """The board and the state of the game, drawn as KataGo draws it."""
    session = context.session
    position = session.position
    marks = {
        move: str(number) for number, (_, move) in enumerate(session.moves[-MARKED_MOVES:], start=1)
    }
    lines = [f"MoveNum: {len(session.moves)} HASH: {position.hash:016X}"]
    lines.append("   " + " ".join(COLUMNS[: session.width]))
    for y, row in enumerate(position.stones):
        cells = (
            STONES[stone] + marks.get(y * session.width + x, " ") for x, stone in enumerate(row)
        )
        lines.append(f"{session.height - y:2} " + "".join(cells))
    lines.append(f"Next player: {('Black', 'White')[position.to_move]}")
    lines.append(f"Rules: {rules_with_komi(session)}")
    stones = position.handicap_stones
    if bonus := {"0": 0, "N": stones, "N-1": max(stones - 1, 0)}[
        session.rules.white_handicap_bonus
    ]:
        lines.append(f"Handicap bonus score: {bonus}")
    black, white = position.captured
    lines.append(f"B stones captured: {black}")
    lines.append(f"W stones captured: {white}")
    return "\n".join(lines)


COMMANDS: dict[str, Handler] = {
    "boardsize": boardsize,
    "rectangular_boardsize": boardsize,
    "clear_board": clear_board,
    "set_position": set_position,
    "komi": komi,
    "get_komi": get_komi,
    "play": play,
    "undo": undo,
    "gg-undo": undo_several,
    "fixed_handicap": fixed_handicap,
    "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap,
    "showboard": showboard,
}
