"""Recorded games in files: SGF, GGF, WTHOR, PGN, lines of moves, records of matches.

The suffix of a file determines its format. The players and the result are read too. The other games
of a file stay readable if one is not.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import RecordError, SettingError
from engine.formats import othello_files, sgf, transcript
from engine.games.chess_game import require_library
from engine.games.game_record import GameRecord
from engine.games.game_settings import PlainSettings
from engine.games.position import Position
from engine.games.ranks import recorded_rank
from engine.games.rules import customary_komi, named_rules
from engine.games.table import GAMES
from engine.match.game_spec import GameSpec, board_of
from engine.match.record import RecordFileError
from engine.match.recorded import recorded
from engine.match.summary import colors_of
from engine.networks.human_rating import LEAST_RATING, MOST_RATING
from engine.review.played import ReplayedGame, of_row, tells

log = logging.getLogger(__name__)

_RESULT = re.compile(r"([BW])\+(.*)", re.ASCII | re.I | re.S)
_DRAWN = frozenset({"0", "draw", "jigo"})
_GIVEN_UP = frozenset({"r", "resign"})
_PGN_VALUES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
_BY_PLAY = frozenset({"normal", "unterminated"})  # values of PGN's tag Termination
_COLUMNS = re.compile(r"[\s,0-9]+", re.ASCII)  # a line of Connect4's moves has no other characters


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game, with its file's statements about it."""

    name: str  # the name of the file, and the game's number if it has several
    played: ReplayedGame
    names: tuple[str, str]  # players of color 0 and 1; the color's name if the file has none
    result: str = ""  # the result as written in the file
    ranks: tuple[str, str] = ("", "")  # ranks as written in the file; empty: unknown
    # The date, the place and such of an SGF file: pairs of property and value.
    information: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """An unreadable game or file."""

    name: str
    error: str

    def __str__(self) -> str:
        return f"{self.name}: {self.error}"


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """Settings for texts that lack them: the rules of Go, the board of lines of moves."""

    rules: str = "japanese"  # rules of Go
    board: str | None = None  # the board of lines of moves; None: found from the line


Found = Iterator[ReviewedGame | Failure]


def read(text: str, reading: ReadingSettings) -> Found:
    """Yields the games of a word of the command line: a file, or moves written out."""
    path = Path(text)
    try:
        yield from _reader(path)(path, reading)
    except (OSError, RecordError, RecordFileError) as error:
        yield Failure(text, _without(text, error))


def _reader(path: Path) -> Callable[[Path, ReadingSettings], Found]:
    """Returns the reader of a file, or of moves; raises RecordError on an unknown format."""
    reader = READERS.get(path.suffix.lower())
    if reader is not None:
        return reader
    if path.exists():
        raise RecordError(f"no format for {path.suffix!r}: one of {', '.join(READERS)}")
    return _read_words


def _without(name: str, error: Exception) -> str:
    """Returns the error as text, without a name at its start."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).removeprefix(f"{name!r} ")


# ---- Go


def _read_sgf(path: Path, reading: ReadingSettings) -> Found:
    games = sgf.read_all(path.read_bytes(), named_rules(reading.rules))
    for number, game in enumerate(games, 1):
        name = str(path) if len(games) == 1 else f"{path} game {number}"
        if isinstance(game, RecordError):
            yield Failure(name, str(game))
            continue
        for warning in game.warnings:
            log.warning("%s: %s", name, warning)
        game_record = GameRecord.of(game)
        value, margin = value_and_score(game.result)
        # The players' count, if the file has one, knows the dead stones better than the engine's.
        if margin is None and game_record.position().is_over:
            value = None
        black, white = map(recorded_rank, game.ranks)
        yield ReviewedGame(
            name,
            ReplayedGame(game_record, 0, value, margin, ranks=(black, white)),
            _names("go", game.names),
            game.result,
            game.ranks,
            game.information,
        )


def value_and_score(result: str) -> tuple[float | None, float | None]:
    """Returns Black's value and final score of an SGF result; None for a result outside play.

    >>> value_and_score("W+3.5"), value_and_score("B+Resign")
    ((0.0, -3.5), (1.0, None))
    >>> value_and_score("W+T"), value_and_score("0")
    ((None, None), (0.5, 0.0))
    """
    text = result.strip().lower()
    if text in _DRAWN:
        return 0.5, 0.0
    match = _RESULT.fullmatch(text)
    if match is None:
        return None, None
    value, how = float(match[1] == "b"), match[2].strip()
    if how in _GIVEN_UP:
        return value, None
    if not re.fullmatch(r"\d+(\.\d*)?", how, re.ASCII):
        return None, None
    return value, float(how) * (1 if value else -1)


# ---- Othello


def _read_othello(path: Path, _reading: ReadingSettings) -> Found:
    games = othello_files.read(path)
    for number, game in enumerate(games, 1):
        name = str(path) if len(games) == 1 else f"{path} game {number}"
        checked = othello_files.check(game)
        if checked.position is None:
            yield Failure(name, checked.error)
            continue
        game_record = GameRecord.from_start(PlainSettings("othello"), game.start(), checked.moves)
        value = margin = None
        if game.result is not None and not checked.position.is_over:
            given_up, agreed = game.result.ending == "r", game.result.ending in {"", "s"}
            score = game.result.black_score
            value = _sign(score) if given_up or agreed else None
            margin = score if agreed else None
        stated = "" if game.result is None else str(game.result)
        names = _names("othello", (game.black, game.white))
        yield ReviewedGame(name, ReplayedGame(game_record, 0, value, margin), names, stated)


def _sign(score: float) -> float:
    """Returns the value of a score: won, drawn or lost."""
    return 0.5 if score == 0 else float(score > 0)


# ---- Chess


def _read_pgn(path: Path, _reading: ReadingSettings) -> Found:
    try:
        require_library()
    except SettingError as error:
        raise RecordError(str(error)) from error
    from engine.formats import pgn  # noqa: PLC0415 (python-chess is an optional module)

    games = pgn.read(path.read_text("utf-8", errors="replace"))
    for number, game in enumerate(games, 1):
        name = str(path) if len(games) == 1 else f"{path} game {number}"
        record, tags = GameRecord.of(game), game.tags
        is_by_play = tags.get("Termination", "normal").lower() in _BY_PLAY
        value = _PGN_VALUES.get(game.result) if is_by_play else None
        if record.position().is_over:
            value = None  # the rules tell
        ranks = tags.get("WhiteElo", ""), tags.get("BlackElo", "")
        white, black = map(_rating, ranks)
        names = _names("chess", (_named(tags, "White"), _named(tags, "Black")))
        played = ReplayedGame(record, 0, value, ranks=(white, black))
        yield ReviewedGame(name, played, names, game.result, ranks)


def _named(tags: Mapping[str, str], color: str) -> str:
    """Returns the player of a color; empty for an unknown one."""
    return tags.get(color, "").strip("? ")


def _rating(text: str) -> float | None:
    """Returns a rating of a tag; None for an unknown one."""
    is_number = text.isascii() and text.isdecimal()
    return float(text) if is_number and LEAST_RATING <= int(text) <= MOST_RATING else None


# ---- Lines of moves


def _read_words(path: Path, reading: ReadingSettings) -> Found:
    text = str(path)
    for game in _read_line(text, text, reading):
        if isinstance(game, Failure):
            yield Failure(text, f"no such file, nor moves: {game.error}")
        else:
            yield game


def _read_lines(path: Path, reading: ReadingSettings) -> Found:
    for number, line in enumerate(path.read_text(othello_files.ENCODING).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield from _read_line(f"{path} line {number}", line, reading)


def _read_line(name: str, line: str, reading: ReadingSettings) -> Found:
    try:
        board = reading.board or ("connect4" if _COLUMNS.fullmatch(line) else "othello")
        start = GameSpec(
            *board_of(board), reading.rules, customary_komi(named_rules(reading.rules))
        )
        position = start.empty()
        game_record = GameRecord.from_start(
            start.game_settings, position, _moves(start, line, position)
        )
    except ValueError as error:
        yield Failure(name, str(error))
        return
    yield ReviewedGame(name, ReplayedGame(game_record), _names(start.game, ("", "")))


def _moves(start: GameSpec, line: str, position: Position) -> Sequence[int]:
    """Returns the moves of a line; raises ValueError for an illegal one."""
    if start.game in transcript.games():
        return transcript.read(start.game, line, position)
    board, moves = position.copy(), list[int]()
    for number, word in enumerate(line.split(), 1):
        try:
            moves.append(start.read(word))
        except ValueError as error:
            raise RecordError(f"move {number}, {word!r}: {error}") from error
        try:
            board.play(moves[-1])
        except ValueError as error:
            raise RecordError(f"move {number}, {word!r}: not a legal move") from error
    return moves


# ---- Matches


def _read_match(path: Path, _reading: ReadingSettings) -> Found:
    match = recorded(path)
    names = match.names
    for row in match.rows:
        if not tells(row):
            continue
        name = f"{path} game {row['game']}"
        try:
            played = of_row(match.start, row)
            yield ReviewedGame(name, played, colors_of(row, names), row["result"])
        except (KeyError, IndexError, TypeError, ValueError) as error:
            yield Failure(name, f"no game of this match: {error}")


def _names(game: str, names: tuple[str, str]) -> tuple[str, str]:
    """Returns the players' names, or colors if there are none."""
    black, white = GAMES[game].colors
    return names[0] or black, names[1] or white


READERS: dict[str, Callable[[Path, ReadingSettings], Found]] = {
    ".sgf": _read_sgf,
    ".ggf": _read_othello,
    ".wtb": _read_othello,
    ".pgn": _read_pgn,
    ".txt": _read_lines,
    ".jsonl": _read_match,
}
