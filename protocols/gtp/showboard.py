"""The GTP command showboard, with a drawing for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine._core import DarkChessPosition, EinsteinPosition, GoPosition
from engine.games.dark_chess import picture
from engine.games.dark_chess import rows as dark_chess_rows
from engine.games.einstein import next_action
from engine.games.einstein import rows as einstein_rows
from engine.games.game import Game
from engine.games.game_settings import go_settings
from engine.games.table import COLUMNS
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler
from protocols.gtp.rules import rules_with_komi

STONES = ".XO"
MARKED_MOVES = 3  # latest moves that Go's drawing numbers


def showboard(context: Context, _command: GtpCommand) -> str:
    """The board and the state of the game."""
    return "\n".join(DRAWINGS[context.game.name](context.game))


def rows(game: Game, names: Iterable[str]) -> list[str]:
    """Returns the named rows of the board, with its latest moves numbered if moves are cells."""
    marks = {
        move: str(number) for number, (_, move) in enumerate(game.moves[-MARKED_MOVES:], start=1)
    }
    lines = []
    for y, (name, row) in enumerate(zip(names, game.position.stones, strict=True)):
        cells = (STONES[stone] + marks.get(y * game.width + x, " ") for x, stone in enumerate(row))
        lines.append(f"{name:>2} " + "".join(cells))
    return lines


def go(game: Game) -> list[str]:
    """Go's board as KataGo draws it."""
    position = game.position
    if not isinstance(position, GoPosition):
        raise TypeError(f"{position!r} is not a position of Go")
    lines = [f"MoveNum: {len(game.moves)} HASH: {position.hash:016X}"]
    lines.append("   " + " ".join(COLUMNS[: game.width]))
    lines.extend(rows(game, map(str, range(game.height, 0, -1))))
    lines.append(f"Next player: {game.kind.colors[position.to_move]}")
    lines.append(f"Rules: {rules_with_komi(game)}")
    stones = position.handicap_stones
    if bonus := {"0": 0, "N": stones, "N-1": max(stones - 1, 0)}[
        go_settings(game.game_settings).rules.white_handicap_bonus
    ]:
        lines.append(f"Handicap bonus score: {bonus}")
    black, white = position.captured
    lines.append(f"B stones captured: {black}")
    lines.append(f"W stones captured: {white}")
    return lines


def othello(game: Game) -> list[str]:
    """Othello's board with its rows from the top, and the discs counted."""
    counts = discs(game)
    return [
        f"MoveNum: {len(game.moves)}",
        "   " + " ".join("abcdefghij"[: game.width]),
        *rows(game, map(str, range(1, game.height + 1))),
        next_player(game),
        f"Discs: {game.kind.colors[0]} {counts[0]}, {game.kind.colors[1]} {counts[1]}",
    ]


def connect4(game: Game) -> list[str]:
    """Connect4's board over the numbers of its columns."""
    return [
        f"MoveNum: {len(game.moves)}",
        *(" ".join(STONES[stone] for stone in row) for row in game.position.stones),
        " ".join(str(column + 1) for column in range(game.width)),
        next_player(game),
    ]


def discs(game: Game) -> tuple[int, int]:
    """Returns the numbers of stones, Black's and White's."""
    stones = game.position.stones
    return int((stones == 1).sum()), int((stones == 2).sum())


def next_player(game: Game) -> str:
    """Returns the side to move and its sign on the board."""
    position = game.position
    if position.is_over:
        return "The game is over"
    return f"Next player: {game.kind.colors[position.to_move]} ({STONES[position.to_move + 1]})"


def dark_chess(game: Game) -> list[str]:
    """The board of dark chess with its squares, and the pieces still unrevealed."""
    position = game.position
    if not isinstance(position, DarkChessPosition):
        raise TypeError(f"{position!r} is not a position of dark chess")
    color, _, hidden = picture(position).rpartition("\n")[2].partition(" ")
    return [
        f"MoveNum: {len(game.moves)}",
        *dark_chess_rows(position),
        "The game is over" if position.is_over else f"Next player: {color}",
        f"Unrevealed: {hidden or 'none'}",
    ]


def einstein(game: Game) -> list[str]:
    """The board of EinStein würfelt nicht with its squares, the side to move and its die."""
    position = game.position
    if not isinstance(position, EinsteinPosition):
        raise TypeError(f"{position!r} is not a position of EinStein würfelt nicht")
    lines = [f"MoveNum: {len(game.moves)}", *einstein_rows(position)]
    if position.is_over:
        return [*lines, "The game is over"]
    return [*lines, f"Next player: {game.kind.colors[position.to_move]}", next_action(position)]


def chess(game: Game) -> list[str]:
    """The board of chess with its squares, White's pieces as capital letters, and the FEN."""
    position: Any = game.position  # python-chess is an optional module
    lines, fen_rows = [], position.fen.split()[0].split("/")
    for rank, row in zip(range(game.height, 0, -1), fen_rows, strict=True):
        cells = "".join("." * int(each) if each.isdigit() else each for each in row)
        lines.append(f"{rank:>2} {' '.join(cells)}")
    color = game.kind.colors[position.to_move]
    return [
        f"MoveNum: {len(game.moves)}",
        *lines,
        "   " + " ".join("abcdefgh"),
        "The game is over" if position.is_over else f"Next player: {color}",
        f"FEN: {position.fen}",
    ]


DRAWINGS: dict[str, Callable[[Game], list[str]]] = {
    "go": go,
    "othello": othello,
    "connect4": connect4,
    "chess": chess,
    "darkchess": dark_chess,
    "einstein": einstein,
}

COMMANDS: dict[str, Handler] = {"showboard": showboard}
