"""GTP commands that read and write game records."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from engine.errors import RecordError
from engine.formats import ggf, sgf, transcript
from engine.games.game import Game
from engine.games.game_record import GameRecord
from engine.games.game_settings import GameInFile, go_settings
from engine.games.rules import rules_name
from engine.play.results import score_text
from engine.play.session import Session
from engine.util.paths import is_no_file
from protocols.gtp.arguments import integer_or_none
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler

log = logging.getLogger(__name__)

T = TypeVar("T")


def loadsgf(context: Context, command: GtpCommand) -> str:
    """Loads the game of a file, up to before the move of the given number.

    Like Edax, it reads the format of the present game: SGF, GGF, PGN or a line of moves.
    """
    words = list(command.arguments)
    number = integer_or_none(words[-1]) if len(words) > 1 else None
    if number is not None:
        words.pop()
        if number < 1:
            raise GtpError(f"Invalid value for moveNumber for loadsgf: {number}")
    path = file_named(context, " ".join(words), command)
    if is_no_file(path):  # a pipe would be waited for
        raise GtpError(f"cannot load file: no file {quoted(str(path))}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror} {quoted(str(path))}") from error
    try:
        record = READERS[context.game.name](data, context.game, number)
    except RecordError as error:
        raise GtpError(f"cannot load file: {error}") from error
    context.session.load(record)
    return ""


def read_sgf(data: bytes, game: Game, until: int | None) -> GameInFile:
    """Reads a game of Go from SGF; by the present game's rules if the file names none."""
    rules = go_settings(game.game_settings).rules
    record = sgf.read(data, rules, until=until)
    for warning in record.warnings:
        log.warning("%s", warning)
    if record.rules != rules:
        log.info("rules are now %s", rules_name(record.rules) or record.rules)
    return record


def read_ggf(data: bytes, game: Game, until: int | None) -> GameInFile:
    """Reads the first game of a GGF file, or a game from one line of moves."""
    text = data.decode("utf-8", "replace")
    if "(;" not in text:
        return read_line(data, game, until)
    record = ggf.read(text)[0]
    moves = ggf.replay(record)[1]
    return GameRecord.from_start(game.game_settings, record.start(), before(moves, until))


def read_line(data: bytes, game: Game, until: int | None) -> GameInFile:
    """Reads a game from one line of moves, on a board of the present size."""
    start = game.game_settings.begin(game.width, game.height)
    moves = transcript.read(game.name, data.decode("utf-8", "replace"), start)
    return GameRecord.from_start(game.game_settings, start, before(moves, until))


def read_pgn(data: bytes, _game: Game, until: int | None) -> GameInFile:
    """Reads the first game of a PGN file."""
    from engine.formats import pgn  # noqa: PLC0415 (python-chess is an optional module)

    record = GameRecord.of(pgn.read(data.decode("utf-8", "replace"))[0])
    return replace(record, moves=tuple(before(record.moves, until)))


def before(moves: Sequence[T], until: int | None) -> Sequence[T]:
    """Returns the moves before the `until`th, counted from 1; all moves for None."""
    return moves if until is None else moves[: until - 1]


READERS: dict[str, Callable[[bytes, Game, int | None], GameInFile]] = {
    "go": read_sgf,
    "othello": read_ggf,
    "connect4": read_line,
    "chess": read_pgn,
    "darkchess": read_line,
    "einstein": read_line,
}


def printsgf(context: Context, command: GtpCommand) -> str:
    """Answers the game as SGF, or writes it to the named file."""
    data = sgf.write(record_of(context.session))
    if command.text in {"", "-"}:
        return data.decode()
    path = file_named(context, command.text, command)
    if is_no_file(path):
        raise GtpError(f"Could not open or write to file: no file {quoted(str(path))}")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise GtpError(
            f"Could not open or write to file: {error.strerror} {quoted(str(path))}"
        ) from error
    return ""


def file_named(context: Context, name: str, command: GtpCommand) -> Path:
    """Returns the path of a name; raises GtpError without one, SettingError for a guest."""
    if not name:
        raise GtpError(f"Expected a file name for {command.name}")
    return context.rights.file(name)


def record_of(session: Session) -> sgf.SgfGame:
    """Returns the session's game as a record, with its result if it has one."""
    game, result = session.game, ""
    if game.resigned is not None:
        result = f"{'BW'[1 - game.resigned]}+R"
    elif game.position.is_over:
        result = score_text(session)
    game_settings = go_settings(game.game_settings)
    return sgf.SgfGame(
        game.width,
        game.height,
        game_settings.rules,
        game_settings.komi,
        game.setup,
        game.first_to_move,
        game.moves,
        result,
    )


COMMANDS: dict[str, Handler] = {"loadsgf": loadsgf}
GO_COMMANDS: dict[str, Handler] = {"printsgf": printsgf}
