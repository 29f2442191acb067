"""The GTP command that draws the board, a drawing for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine._core import GoPosition
from engine.games.game_settings import go_settings
from engine.games.table import COLUMNS
from engine.play.session import Session
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler
from protocols.gtp.rules import rules_with_komi

STONES = ".XO"
MARKED_MOVES = 3  # latest moves that Go's drawing numbers


def showboard(context: Context, _command: GtpCommand) -> str:
    """The board and the state of the game."""
    return "\n".join(DRAWINGS[context.game](context.session))


def rows(session: Session, names: Iterable[str]) -> list[str]:
    """The rows of the board after their names, its latest moves numbered where moves are cells."""
    marks = {
        move: str(number) for number, (_, move) in enumerate(session.moves[-MARKED_MOVES:], start=1)
    }
    lines = []
    for y, (name, row) in enumerate(zip(names, session.position.stones, strict=True)):
        cells = (
            STONES[stone] + marks.get(y * session.width + x, " ") for x, stone in enumerate(row)
        )
        lines.append(f"{name:>2} " + "".join(cells))
    return lines


def go(session: Session) -> list[str]:
    """Go's board as KataGo draws it."""
    position = session.position
    if not isinstance(position, GoPosition):
        raise TypeError(f"{position!r} is no position of Go")
    lines = [f"MoveNum: {len(session.moves)} HASH: {position.hash:016X}"]
    lines.append("   " + " ".join(COLUMNS[: session.width]))
    lines.extend(rows(session, map(str, range(session.height, 0, -1))))
    lines.append(f"Next player: {session.kind.colors[position.to_move]}")
    lines.append(f"Rules: {rules_with_komi(session)}")
    stones = position.handicap_stones
    if bonus := {"0": 0, "N": stones, "N-1": max(stones - 1, 0)}[
        go_settings(session.terms).rules.white_handicap_bonus
    ]:
        lines.append(f"Handicap bonus score: {bonus}")
    black, white = position.captured
    lines.append(f"B stones captured: {black}")
    lines.append(f"W stones captured: {white}")
    return lines


def othello(session: Session) -> list[str]:
    """Othello's board with its rows from the top, and the discs counted."""
    counts = discs(session)
    return [
        f"MoveNum: {len(session.moves)}",
        "   " + " ".join("abcdefghij"[: session.width]),
        *rows(session, map(str, range(1, session.height + 1))),
        next_player(session),
        f"Discs: {session.kind.colors[0]} {counts[0]}, {session.kind.colors[1]} {counts[1]}",
    ]


def connect4(session: Session) -> list[str]:
    """Connect4's board over the numbers of its columns."""
    return [
        f"MoveNum: {len(session.moves)}",
        *(" ".join(STONES[stone] for stone in row) for row in session.position.stones),
        " ".join(str(column + 1) for column in range(session.width)),
        next_player(session),
    ]


def discs(session: Session) -> tuple[int, int]:
    """How many stones of each color stand."""
    stones = session.position.stones
    return int((stones == 1).sum()), int((stones == 2).sum())


def next_player(session: Session) -> str:
    """Who is to move, and their sign on the board."""
    position = session.position
    if position.is_over:
        return "The game is over"
    return f"Next player: {session.kind.colors[position.to_move]} ({STONES[position.to_move + 1]})"


DRAWINGS: dict[str, Callable[[Session], list[str]]] = {
    "go": go,
    "othello": othello,
    "connect4": connect4,
}

COMMANDS: dict[str, Handler] = {"showboard": showboard}
