"""Game records in WTHOR, the database format of the French Othello federation.

There are three kinds of file: games of a year (.wtb), players (.JOU) and tournaments (.TRN). All
are little-endian after a header of 16 bytes. Passes are not stored. The module does not check the
legality of moves.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.errors import RecordError

# Century, year, month and day of writing; games, names, year of play; size, kind, depth.
HEADER = struct.Struct("<4BIHHBBBx")
RECORD_HEAD = struct.Struct("<HHHBB")  # tournament, Black, White, Black's discs, by best play
PLAYER_BYTES = 20  # bytes of a name, the final zero included
TOURNAMENT_BYTES = 26  # bytes of a name, the final zero included
SIZES = {0: 8, 8: 8, 10: 10}  # code in the header -> size of the board
START_DISCS = 4
MOST_GAMES = 1_000_000  # the most games of a file; the largest year has 5000


@dataclass(frozen=True, slots=True)
class ThorGame:
    """One game of the database."""

    moves: tuple[int, ...]  # cells, y * size + x; without passes
    black_score: int  # Black's discs at the end, with empty cells for the winner
    theoretical_score: int = 0  # Black's discs under best play from the file's depth on
    tournament: int = 0  # index into the names; 0 is "???" or "various" there
    black: int = 0  # index into the names of players
    white: int = 0  # index into the names of players


@dataclass(frozen=True, slots=True)
class ThorFile:
    """The games of one file."""

    games: tuple[ThorGame, ...]
    year: int  # the year of play
    size: int = 8  # cells of a side
    depth: int = 0  # empty cells at the start of theoretical_score's best play
    written: datetime.date = field(default=datetime.date(2000, 1, 1))  # date of writing


def read(data: bytes) -> ThorFile:
    """Returns the games of a .wtb file. Raises RecordError on other data."""
    if len(data) < HEADER.size:
        raise RecordError(f"not a WTHOR file: {len(data)} bytes, its header has {HEADER.size}")
    century, short_year, month, day, count, names, year, marker, _, depth = HEADER.unpack_from(data)
    if marker not in SIZES or names:
        raise RecordError(f"not WTHOR games: board size {marker}, {names} names")
    size = SIZES[marker]
    length = _record_bytes(size)
    if count > MOST_GAMES or len(data) != HEADER.size + count * length:
        raise RecordError(f"not a whole WTHOR file: {len(data)} bytes for {count} games")
    starts = range(HEADER.size, len(data), length)
    games = []
    for number, start in enumerate(starts, 1):
        try:
            games.append(_read_game(data[start : start + length], size))
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from error
    written = _date(century * 100 + short_year, month, day)
    return ThorFile(tuple(games), year, size, depth, written)


def write(file: ThorFile) -> bytes:
    """Returns the file as bytes, readable by `read`.

    Raises RecordError on a size or a move outside the format.
    """
    if file.size not in SIZES.values():
        raise RecordError(f"WTHOR has boards of 8x8 and 10x10, not {file.size}x{file.size}")
    day = file.written
    header = HEADER.pack(
        day.year // 100,
        day.year % 100,
        day.month,
        day.day,
        len(file.games),
        0,
        file.year,
        file.size,
        0,
        file.depth,
    )
    return header + b"".join(_write_game(game, file.size) for game in file.games)


def read_players(data: bytes) -> tuple[str, ...]:
    """Returns the names in a .JOU file, by index. Raises RecordError on other data."""
    return _read_names(data, PLAYER_BYTES)


def read_tournaments(data: bytes) -> tuple[str, ...]:
    """Returns the names in a .TRN file, by index. Raises RecordError on other data."""
    return _read_names(data, TOURNAMENT_BYTES)


def write_players(names: Sequence[str], written: datetime.date) -> bytes:
    """Returns the names as a .JOU file; names over 19 bytes are cut."""
    return _write_names(names, PLAYER_BYTES, written)


def write_tournaments(names: Sequence[str], written: datetime.date) -> bytes:
    """Returns the names as a .TRN file; names over 25 bytes are cut."""
    return _write_names(names, TOURNAMENT_BYTES, written)


def name_of(names: Sequence[str], index: int) -> str:
    """Returns the name at the index; "?" beyond the list, as with files of different age."""
    return names[index] if index < len(names) else "?"


def _record_bytes(size: int) -> int:
    return RECORD_HEAD.size + size * size - START_DISCS


def _read_game(record: bytes, size: int) -> ThorGame:
    tournament, black, white, score, theoretical = RECORD_HEAD.unpack_from(record)
    played = record[RECORD_HEAD.size :].rstrip(b"\0")
    if max(score, theoretical) > size * size:
        raise RecordError(f"a score of {max(score, theoretical)} discs on {size * size} cells")
    moves = tuple(_cell(code, size) for code in played)
    return ThorGame(moves, score, theoretical, tournament, black, white)


def _write_game(game: ThorGame, size: int) -> bytes:
    head = RECORD_HEAD.pack(
        game.tournament, game.black, game.white, game.black_score, game.theoretical_score
    )
    if len(game.moves) > size * size - START_DISCS:
        raise RecordError(f"{len(game.moves)} moves on a board of {size}x{size}")
    return (head + bytes(_code(move, size) for move in game.moves)).ljust(
        _record_bytes(size), b"\0"
    )


def _cell(code: int, size: int) -> int:
    """Returns the cell of a move's code: 11 is a1 at the top left, 12 is b1, 21 is a2."""
    y, x = divmod(code - 11, 10)
    if code < 11 or x >= size or y >= size:
        raise RecordError(f"{code} is not a move on a board of {size}x{size}")
    return y * size + x


def _code(move: int, size: int) -> int:
    if not 0 <= move < size * size:
        raise RecordError(f"{move} is not a cell of a board of {size}x{size}; passes are left out")
    y, x = divmod(move, size)
    return 10 * y + x + 11


def _read_names(data: bytes, length: int) -> tuple[str, ...]:
    count = HEADER.unpack_from(data)[5] if len(data) >= HEADER.size else 0
    if len(data) < HEADER.size or len(data) != HEADER.size + count * length:
        raise RecordError(f"not WTHOR names: {len(data)} bytes for {count} of {length} each")
    names = (data[start : start + length] for start in range(HEADER.size, len(data), length))
    return tuple(name.partition(b"\0")[0].decode("latin-1") for name in names)


def _write_names(names: Iterable[str], length: int, written: datetime.date) -> bytes:
    texts = [name.encode("latin-1", "replace")[: length - 1].ljust(length, b"\0") for name in names]
    century, short_year = divmod(written.year, 100)
    header = HEADER.pack(century, short_year, written.month, written.day, 0, len(texts), 0, 0, 0, 0)
    return header + b"".join(texts)


def _date(year: int, month: int, day: int) -> datetime.date:
    """Returns the date of a header; the default date if it is invalid, as in some files."""
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return ThorFile((), 0).written
