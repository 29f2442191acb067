"""The record of a match: JSON lines, append-only: a header, then one game a line.

A killed match resumes at the end of its record. Every game is written as it ends, so a kill loses
none; the file is synced now and then, and at the end. A lock admits one writer at a time. The
record reads only the number of a game's row.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self

log = logging.getLogger("sparring")

Row = dict[str, Any]  # one game as JSON values: see engine.match.workers.row

SYNC_SECONDS = 1.0  # a crash of the machine may lose the games of the last second, a kill none


class RecordFileError(ValueError):
    """A record does not fit the match; the text quotes its path."""


def whole_lines(text: str) -> str:
    """Returns the text without an incomplete last line."""
    return text[: text.rfind("\n") + 1]


def parsed(path: Path, text: str) -> tuple[dict[str, Any], list[Row]]:
    """Returns a record's header and its games.

    Raises RecordFileError with the path for any other text.
    """
    if not text.strip():
        raise RecordFileError(f"{str(path)!r} is no match record")
    try:
        header, *rows = [json.loads(line) for line in text.splitlines()]
        numbers = [int(row["game"]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise RecordFileError(f"{str(path)!r} is no match record: {error}") from error
    if not isinstance(header, dict):
        raise RecordFileError(f"{str(path)!r} is no match record: it begins with {header}")
    if len(set(numbers)) < len(numbers):
        raise RecordFileError(f"{str(path)!r} holds a game twice")
    return header, rows


def read_record(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Returns a record's header and its games so far, even during the match.

    Raises RecordFileError with the path for any other file.
    """
    try:
        text = path.read_text()
    except UnicodeDecodeError as error:
        raise RecordFileError(f"{str(path)!r} is no match record: {error}") from error
    return parsed(path, whole_lines(text))


class MatchRecord:
    """A record open for new games; close() it, or use it in a `with`."""

    def __init__(self, path: Path, header: Mapping[str, object]) -> None:
        """Opens the record, or begins it if the file is absent or empty.

        An incomplete last line, left by a kill, is removed with a warning. Raises RecordFileError
        with the path for another content, another match or a second writer; OSError if the file
        cannot be opened.
        """
        self.path = path
        self._file: IO[str] = path.open("a+")
        self._synced = time.monotonic()
        try:
            self._lock()
            self.rows: Sequence[Row] = self._read(header)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RecordFileError(f"{str(self.path)!r} is being written by a match") from error

    def _read(self, header: Mapping[str, object]) -> list[Row]:
        self._file.seek(0)
        try:
            text = self._file.read()
        except UnicodeDecodeError as error:
            raise RecordFileError(f"{str(self.path)!r} is no match record: {error}") from error
        whole = whole_lines(text)
        if not whole and not (json.dumps(header) + "\n").startswith(text):
            raise RecordFileError(f"{str(self.path)!r} is no match record")
        written, rows = parsed(self.path, whole) if whole else (header, [])
        for name in sorted({*header, *written}):
            if written.get(name) != header.get(name):
                raise RecordFileError(
                    f"{str(self.path)!r} holds another match: its {name} is {written.get(name)!r}"
                )
        if whole != text:
            log.warning("%s: the last line, which was cut short, is taken out", self.path)
            self._file.truncate(len(whole.encode()))
        if not whole:
            self._write(header)
        return rows

    def _write(self, value: Mapping[str, object]) -> None:
        self._file.write(json.dumps(value) + "\n")
        self._file.flush()

    def append(self, row: Row) -> None:
        """Adds a game; after the return no kill of this process loses it."""
        self._write(row)
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        """Syncs the file to the disk, and releases the lock."""
        if not self._file.closed:
            self._sync()
            self._file.close()
