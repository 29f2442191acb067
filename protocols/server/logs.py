"""The log of a process: text for people or lines of JSON, to stderr, a file or the journal.

Each line of a conversation carries the conversation's id.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path

from engine.errors import SettingError
from protocols.activity import CURRENT
from protocols.server.log_choices import AUTO, JOURNAL, JSON, STDERR

# Priorities of syslog(3), in angle brackets before a line on stderr: the journal's own prefix.
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3}
WORDY = ("websockets", "asyncio", "alembic")  # libraries that log each frame at "debug"


class HandshakeFilter(logging.Filter):
    """Words the failure of the WebSocket library on bytes after a refused handshake as one line.

    The library asserts that it has not yet ended the connection, and logs a traceback. Any client
    could fill the log with it.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns True: every record is kept."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, AssertionError) and record.name == "websockets.server":
            record.msg, record.args = "bytes after a refused handshake: connection closed", ()
            record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
        return True


class LineFormatter(logging.Formatter):
    """Text: the time where the log has none of its own, then the id and the message."""

    def __init__(self, *, has_time: bool, has_priority: bool) -> None:
        super().__init__(datefmt="%Y-%m-%d %H:%M:%S")
        self._has_time, self._has_priority = has_time, has_priority

    def format(self, record: logging.LogRecord) -> str:
        """Returns a record's text; a traceback follows in lines of its own."""
        activity = CURRENT.get()
        head = f"{self.formatTime(record, self.datefmt)} " if self._has_time else ""
        level = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        place = f"[{activity.id}] " if activity is not None else ""
        text = f"{head}{record.name}: {place}{level}{record.getMessage()}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        if not self._has_priority:
            return text
        prefix = f"<{PRIORITIES.get(record.levelno, 5)}>"
        return "\n".join(prefix + line for line in text.splitlines())


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns a record as JSON."""
        activity = CURRENT.get()
        values = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if activity is not None:
            values |= {"session": activity.id, "protocol": activity.protocol}
        if record.exc_info:
            values["exception"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=False)


def start_log(level: str, form: str, place: str) -> None:
    """Begins the log of this process. Raises SettingError where the file cannot be written."""
    if place == AUTO:
        place = JOURNAL if is_journal(os.environ) else STDERR
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if place not in {STDERR, JOURNAL}:
        try:
            handler = WatchedFileHandler(Path(place), encoding="utf-8")  # survives a rotation
        except OSError as error:
            raise SettingError(f"the log {place}: {error.strerror or error}") from error
    handler.addFilter(HandshakeFilter())
    is_in_journal = place == JOURNAL
    handler.setFormatter(
        JsonFormatter()
        if form == JSON
        else LineFormatter(has_time=not is_in_journal, has_priority=is_in_journal)
    )
    logging.basicConfig(handlers=[handler], force=True)
    set_level(level)


def set_level(level: str) -> None:
    """Changes the lowest level of the log: one of log_choices.LEVELS."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logging.getLogger().setLevel(number)
    for name in WORDY:
        logging.getLogger(name).setLevel(max(number, logging.WARNING))


def is_journal(environment: Mapping[str, str]) -> bool:
    """Tests whether stderr is the journal's, by $JOURNAL_STREAM of systemd.exec(5)."""
    try:
        status = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
