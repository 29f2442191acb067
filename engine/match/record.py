"""The record of a match: JSON lines, first which match it is, then a game each, only added to.

Knows the file. A match that was killed goes on where its record ends: every game is handed to the
system as it ends, so a kill loses none; now and then, and at the end, it is made sure that it lies
on the disk. Two matches can't write one record at a time. Does not know what a game's row says
but its number.
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

SYNC_SECONDS = 1.0  # games of the last second may be lost with the whole machine, never by a kill


class RecordFileError(ValueError):
    """A record cannot be gone on with; the text quotes its path."""


def whole_lines(text: str) -> str:
    """The text without a last line that was cut short."""
    return text[: text.rfind("\n") + 1]


def parsed(path: Path, text: str) -> tuple[dict[str, Any], list[Row]]:
    """What a record's lines say: which match it is, and its games.

    Raises RecordFileError quoting the path where they are no record of a match.
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


def look(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Which match a record is of, and its games so far, a match writing it or not.

    Raises RecordFileError quoting the path where it is no record of a match.
    """
    try:
        text = path.read_text()
    except UnicodeDecodeError as error:
        raise RecordFileError(f"{str(path)!r} is no match record: {error}") from error
    return parsed(path, whole_lines(text))


class MatchRecord:
    """A record open for adding games; close() it, or use it in a `with`."""

    def __init__(self, path: Path, header: Mapping[str, object]) -> None:
        """Opens the record, begun where the file is absent or empty.

        A last line that a kill cut short is taken out of a record, and a warning says so. Raises
        RecordFileError, the file left as it was, where it holds something else or another match,
        or is being written already; OSError where it cannot be opened.
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
        found, rows = parsed(self.path, whole) if whole else (header, [])
        for name in sorted({*header, *found}):
            if found.get(name) != header.get(name):
                raise RecordFileError(
                    f"{str(self.path)!r} holds another match: its {name} is {found.get(name)!r}"
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
        """Adds a game; a kill of this process can't lose it when this returns."""
        self._write(row)
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        """Makes sure that all lies on the disk, and lets others write."""
        if not self._file.closed:
            self._sync()
            self._file.close()
