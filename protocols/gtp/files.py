"""GTP commands that read and write game records."""

from __future__ import annotations

import logging
from pathlib import Path

from engine import sgf
from engine.records import RecordError
from engine.rules import rules_name
from engine.session import Session
from engine.terms import go_terms
from protocols.gtp.arguments import integer_or_none
from protocols.gtp.codec import Command, GtpError, quoted
from protocols.gtp.context import Context, Handler
from protocols.gtp.score import score_text

log = logging.getLogger(__name__)


def loadsgf(context: Context, command: Command) -> str:
    """Sets up the game of a file, up to before the move of the number given."""
    words = list(command.arguments)
    number = integer_or_none(words[-1]) if len(words) > 1 else None
    if number is not None:
        words.pop()
        if number < 1:
            raise GtpError(f"Invalid value for moveNumber for loadsgf: {number}")
    path = file_named(context, " ".join(words), command)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror} {quoted(str(path))}") from error
    try:
        rules = go_terms(context.session.terms).rules
        record = sgf.read(data, rules, until=number)
    except RecordError as error:
        raise GtpError(f"cannot load file: {error}") from error
    if record.rules != rules:
        log.info("rules are now %s", rules_name(record.rules) or record.rules)
    context.session.load(record)
    return ""


def printsgf(context: Context, command: Command) -> str:
    """The game as SGF, or nothing after writing it to the file named."""
    data = sgf.write(record_of(context.session))
    if command.text in {"", "-"}:
        return data.decode()
    path = file_named(context, command.text, command)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise GtpError(
            f"Could not open or write to file: {error.strerror} {quoted(str(path))}"
        ) from error
    return ""


def file_named(context: Context, name: str, command: Command) -> Path:
    """The path that a name means here; raises GtpError where files are out of reach."""
    if not name:
        raise GtpError(f"Expected a file name for {command.name}")
    if context.folder is None:
        raise GtpError("cannot load file: files are not open to clients of this port")
    return context.folder / name


def record_of(session: Session) -> sgf.GameRecord:
    """The session's game as a record, with its result where it has one."""
    result = ""
    if session.resigned is not None:
        result = f"{'BW'[1 - session.resigned]}+R"
    elif session.position.is_over:
        result = score_text(session)
    terms = go_terms(session.terms)
    return sgf.GameRecord(
        session.width,
        session.height,
        terms.rules,
        terms.komi,
        session.setup,
        session.first_to_move,
        session.moves,
        result,
    )


COMMANDS: dict[str, Handler] = {"loadsgf": loadsgf, "printsgf": printsgf}
