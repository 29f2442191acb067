"""The late notes of a process in a file of this machine, in case the process is killed.

The files of an SQLite store lie beside it, those of a database server in the user's data folder.
Each process has a file of its own, locked while the process lives. The next process to open the
store takes the notes of files without a lock.
"""

from __future__ import annotations

import errno
import fcntl
import glob
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engine.games.game_settings import settings_from_dict, settings_to_dict
from engine.games.table import Board
from engine.opponents.opponent_store import LateNote, NewMoves, OpponentName, StoredGame
from engine.util.user_folders import data_folder

FIRST = b'{"number": '  # the first bytes of each line
QUOTED = 80  # bytes of a wrong line that an error repeats
SQLITE = "sqlite:///"  # of an SQLAlchemy URL that holds a file's path
DIGITS = 16  # hexadecimal digits of a hashed URL


def notes_path(place: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Returns the path beside which the late notes of a store lie.

    place: a file's path, or an SQLAlchemy URL. The name of a database server's notes is a hash of
    the URL without its password.
    """
    if place.startswith(SQLITE):
        return Path(place.removeprefix(SQLITE).partition("?")[0])
    if "://" not in place:
        return Path(place)
    url = urlsplit(place)
    user, _, host = url.netloc.rpartition("@")
    server = url._replace(netloc=f"{user.partition(':')[0]}@{host}", query="").geturl()
    digest = hashlib.sha256(server.encode()).hexdigest()[:DIGITS]
    return data_folder(environment) / f"database-{digest}"


class NotesError(ValueError):
    """A file does not hold late notes; the text quotes the first wrong line."""


class NotesFile:
    """The late notes of one process. Satisfies engine.opponents.fallback_store.LateNotes."""

    def __init__(self, store: Path) -> None:
        """store: of notes_path; no file is made before the first note."""
        self._store = store
        self._path: Path | None = None
        self._descriptor = -1
        self.is_used = False  # whether the file holds a note

    def add(self, note: LateNote) -> None:
        """Writes a note at the end of the file. Raises OSError.

        The note survives a kill of the process. It is not synced to the disk: a crash of the
        machine may lose it.
        """
        if self._path is None:
            self._make()
        line = f"{json.dumps(_plain(note))}\n".encode()
        size = os.fstat(self._descriptor).st_size
        if os.write(self._descriptor, line) < len(line):
            os.ftruncate(self._descriptor, size)  # a part would spoil the next line
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.is_used = True

    def clear(self) -> None:
        """Empties the file, after the store has taken the notes. Raises OSError."""
        if self.is_used:
            os.ftruncate(self._descriptor, 0)
            self.is_used = False

    def close(self) -> None:
        """Closes the file, and removes an empty one. Raises OSError."""
        if self._path is not None:
            if not self.is_used:
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._path, self._descriptor, self.is_used = None, -1, False

    def _make(self) -> None:
        """Makes the file under a hidden name and locks it; `left_beside` finds it only then."""
        name = f"{self._store.name}.late-{secrets.token_hex(8)}"
        new = self._store.with_name(f".{name}")
        new.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND
        self._descriptor = os.open(new, flags, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._path = self._store.with_name(name)
        new.rename(self._path)


def left_beside(store: Path) -> Sequence[Path]:
    """Returns the files of late notes beside a path of notes_path, also of living processes."""
    return sorted(store.parent.glob(f"{glob.escape(store.name)}.late-*"))


@contextmanager
def taken(path: Path) -> Iterator[Sequence[LateNote]]:
    """Yields the notes in a file of an ended process; no notes of a living one.

    Removes the file unless the block raises. Raises OSError, NotesError.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:  # another process took the notes
        yield ()
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield ()
            return
        yield tuple(_notes(file.read()))
        path.unlink(missing_ok=True)


def _notes(content: bytes) -> Iterator[LateNote]:
    """Yields the notes in a file, without a last line cut off by a kill.

    Raises NotesError.
    """
    *lines, rest = content.split(b"\n")
    if not FIRST.startswith(rest[: len(FIRST)]):
        raise NotesError(f"its end is no note: {rest[:QUOTED]!r}")
    for number, line in enumerate(lines, 1):
        try:
            yield _note_of(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise NotesError(f"line {number} is no note: {line[:QUOTED]!r}") from None


def _plain(note: LateNote) -> dict[str, Any]:
    """Returns the note as JSON values."""
    begun, new = note.begun, note.new
    return {
        "number": note.number,
        "begun": None if begun is None else _plain_game(begun),
        "new": None if new is None else [new.start, list(new.moves), list(new.reasons)],
        "result": note.result,
        "points": note.points,
    }


def _plain_game(game: StoredGame) -> dict[str, Any]:
    """Returns a game at its start as JSON values."""
    return {
        "name": game.opponent.name,
        "server": game.opponent.server,
        "board": game.board.name,
        "terms": settings_to_dict(game.game_settings),
        "color": game.color,
        "persona": game.persona,
        "setup": game.setup,
        "first_to_move": game.first_to_move,
        "moves": game.moves,
        "reasons": game.reasons,
        "started": None if game.started is None else game.started.isoformat(),
    }


def _note_of(plain: dict[str, Any]) -> LateNote:
    """Reads the values of _plain. Raises ValueError, TypeError, KeyError, AttributeError."""
    new = None
    if plain["new"] is not None:
        start, moves, reasons = plain["new"]
        new = NewMoves(int(start), _pairs(moves), tuple(map(str, reasons)))
    begun = None if plain["begun"] is None else _game_of(plain["begun"])
    number = None if plain["number"] is None else int(plain["number"])
    points = None if plain["points"] is None else float(plain["points"])
    return LateNote(number, begun, new, str(plain["result"]), points)


def _game_of(plain: dict[str, Any]) -> StoredGame:
    board = Board.of_name(plain["board"])
    return StoredGame(
        OpponentName(plain["name"], plain["server"]),
        settings_from_dict(board.game, plain["terms"]),
        board.width,
        board.height,
        color=int(plain["color"]),
        persona=str(plain["persona"]),
        setup=_pairs(plain["setup"]),
        first_to_move=int(plain["first_to_move"]),
        moves=_pairs(plain["moves"]),
        reasons=tuple(map(str, plain["reasons"])),
        started=datetime.fromisoformat(plain["started"]),
    )


def _pairs(plain: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(color), int(move)) for color, move in plain)
