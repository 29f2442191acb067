"""Each game of a match as a file of its own, in the usual format of the game.

SGF for Go, PGN for chess, GGF for Othello, the columns in turn for Connect4, the moves with their
outcomes in turn for games of chance. The files come from the record's rows alone: a resumed match
writes the files that a killed one left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from engine.formats import ggf, sgf, transcript
from engine.games.rules import named_rules
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.summary import colors_of
from engine.util.atomic_file import atomic_write

DRAW = "0"
PGN_RESULTS = {"W": "1-0", "B": "0-1", DRAW: "1/2-1/2"}  # by the first letter of a result


@dataclass(frozen=True, slots=True)
class GameFileWriter:
    """The file format of one game."""

    suffix: str
    text: Callable[[GameSpec, tuple[str, str], Row], str]  # (start, names of color 0 and 1, row)


class GameFiles:
    """A folder with a file for each game of a match."""

    def __init__(self, folder: Path, board: GameSpec, players: Sequence[str]) -> None:
        self.folder = folder
        self._board = board
        self._players = players
        self._writer = WRITERS[board.game]
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, row: Row) -> Path:
        """Returns the path of the game's file."""
        return self.folder / f"game-{row['game']:06}{self._writer.suffix}"

    def add(self, row: Row) -> None:
        """Writes a game's file, whole or not at all."""
        start = replace(self._board, opening=tuple(map(self._board.read, row["opening"])))
        with atomic_write(self.path(row)) as unfinished:
            unfinished.write_text(self._writer.text(start, colors_of(row, self._players), row))

    def add_missing(self, rows: Sequence[Row]) -> None:
        """Writes the missing files."""
        for row in rows:
            if not self.path(row).exists():
                self.add(row)


def _colored(start: GameSpec, row: Row) -> list[tuple[int, int]]:
    """Returns all moves, the opening's included, as (color, move)."""
    position = start.empty()
    colored = []
    for move in (*start.opening, *map(start.read, row["moves"])):
        colored.append((position.to_move, move))
        position.play(move)
    return colored


def _date(row: Row) -> str:
    """Returns the start of the game in UTC; "" for rows without a time."""
    began = row.get("began")
    return "" if began is None else f"{datetime.fromtimestamp(began, UTC):%Y-%m-%d %H:%M:%S} GMT"


def _sgf(start: GameSpec, names: tuple[str, str], row: Row) -> str:
    record = sgf.SgfGame(
        start.width,
        start.height,
        named_rules(start.rules),
        start.komi,
        setup=[(0, move) for move in start.handicap],
        first_to_move=1 if start.handicap else 0,
        moves=_colored(start, row),
        result=row["result"],
        names=names,
    )
    return sgf.write(record).decode()


def _ggf(start: GameSpec, names: tuple[str, str], row: Row) -> str:
    times = [None] * len(start.opening) + row.get("times", [None] * len(row["moves"]))
    moves = tuple(
        ggf.GgfMove(color, move, seconds=seconds)
        for (color, move), seconds in zip(_colored(start, row), times, strict=True)
    )
    properties = {"PC": "Sparring", "DT": _date(row), "PB": names[0], "PW": names[1]}
    game = ggf.GgfGame(start.width, moves=moves, result=_ggf_result(row), properties=properties)
    return ggf.write([game])


def _ggf_result(row: Row) -> ggf.GgfResult:
    """Returns the discs of a counted game; a forfeited one is worth one disc, with its cause."""
    text = row["result"]
    if text == DRAW:
        return ggf.GgfResult(0.0)
    sign = 1 if text[0] == "B" else -1
    if row["how"] == "score":
        return ggf.GgfResult(sign * float(text[2:]))
    endings = {"resign": "r", "hung": "t"}
    return ggf.GgfResult(sign, endings.get(row["how"], "l"))


def _pgn(start: GameSpec, names: tuple[str, str], row: Row) -> str:
    from engine.formats import pgn  # noqa: PLC0415 (python-chess is an optional module)
    from engine.games.chess_position import ChessPosition  # noqa: PLC0415 (the same)

    result = PGN_RESULTS[row["result"][0]]
    tags = {"Event": "Sparring", "White": names[0], "Black": names[1], "Termination": row["how"]}
    if date := _date(row):
        tags["Date"] = date[:10].replace("-", ".")
    moves = tuple(move for _, move in _colored(start, row))
    return pgn.write([pgn.PgnGame(ChessPosition(), moves, result, tags)])


def _line(start: GameSpec, _names: tuple[str, str], row: Row) -> str:
    moves = [move for _, move in _colored(start, row)]
    return transcript.write(start.game, moves, start.empty()) + "\n"


WRITERS: dict[str, GameFileWriter] = {
    "go": GameFileWriter(".sgf", _sgf),
    "othello": GameFileWriter(".ggf", _ggf),
    "connect4": GameFileWriter(".txt", _line),
    "darkchess": GameFileWriter(".txt", _line),
    "einstein": GameFileWriter(".txt", _line),
    "chess": GameFileWriter(".pgn", _pgn),
}
