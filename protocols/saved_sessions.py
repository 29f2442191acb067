"""Conversations that their clients may come back to: after a lost connection, or a killed engine.

A conversation has a token, known to its client alone. Its state is a file of this user, written
before each answer that changes it. An orderly end removes the file; others expire.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.errors import SettingError

log = logging.getLogger("sparring")

TOKEN_BYTES = 18
TOKEN = re.compile(r"[A-Za-z0-9_-]{24}")
MOST_SESSIONS = 10_000  # files; the oldest ones go first
LONGEST_STATE = 2**20  # bytes


def _nothing() -> None:
    """Does nothing."""


class SavedSession:
    """One conversation with a token. For the conversation's thread."""

    def __init__(self, sessions: SavedSessions, token: str) -> None:
        self.token = token
        self.on_superseded: Callable[[], None] = (
            _nothing  # called when the client is back elsewhere
        )
        self.minutes = sessions.minutes
        self._sessions = sessions

    def save(self, state: dict[str, Any]) -> None:
        """Writes the state; after the client came back elsewhere, nothing. Logs a full disk."""
        self._sessions.write(self, state)

    def discard(self) -> None:
        """Removes the state: the conversation has ended in order."""
        self._sessions.remove(self)


class SavedSessions:
    """All saved conversations of one engine. Safe to use from several threads.

    folder: of the files. minutes: after the last change of a lost conversation.
    """

    def __init__(self, folder: Path, minutes: float) -> None:
        self.minutes = minutes
        self._folder = folder
        self._live: dict[str, SavedSession] = {}  # by token
        self._lock = threading.Lock()
        self._is_failing = False

    def begin(self) -> SavedSession:
        """Returns a new conversation; it has no file before its first change."""
        saved = SavedSession(self, secrets.token_urlsafe(TOKEN_BYTES))
        with self._lock:
            self._live[saved.token] = saved
        return saved

    def claim(self, token: str) -> tuple[SavedSession, dict[str, Any]]:
        """Returns a client's conversation and its state, and ends the one under way.

        Raises SettingError for an unknown or expired token, without quoting it.
        """
        with self._lock:
            state = self._read(token)
            before = self._live.get(token)
            saved = self._live[token] = SavedSession(self, token)
        if before is not None:
            before.on_superseded()
        return saved, state

    def end(self, saved: SavedSession) -> None:
        """Ends a conversation without its client's word; the state stays for the client."""
        with self._lock:
            if self._live.get(saved.token) is saved:
                del self._live[saved.token]

    def write(self, saved: SavedSession, state: dict[str, Any]) -> None:
        """Writes the state of a conversation under way."""
        path = self._path(saved.token)
        unfinished = path.with_suffix(".unfinished")
        text = json.dumps(state, separators=(",", ":"))
        with self._lock:
            if self._live.get(saved.token) is not saved:
                return
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.write(text)
                unfinished.replace(path)
            except OSError as error:
                if not self._is_failing:
                    log.error("games cannot be saved for a restart: %s", error)  # noqa: TRY400
                self._is_failing = True
            else:
                self._is_failing = False

    def remove(self, saved: SavedSession) -> None:
        """Removes the state of a conversation under way."""
        with self._lock:
            if self._live.get(saved.token) is saved:
                del self._live[saved.token]
                self._path(saved.token).unlink(missing_ok=True)

    def sweep(self) -> int:
        """Removes expired states and those beyond MOST_SESSIONS; returns their number."""
        with self._lock:
            live = {self._path(token) for token in self._live}
            lost = [path for path in self._folder.glob("*.json") if path not in live]
            aged = sorted(((path.stat().st_mtime, path) for path in lost), reverse=True)
            oldest = time.time() - 60 * self.minutes
            gone = [path for age, path in aged[:MOST_SESSIONS] if age < oldest]
            gone += [path for _, path in aged[MOST_SESSIONS:]]
            for path in gone:
                path.unlink(missing_ok=True)
            return len(gone)

    def _read(self, token: str) -> dict[str, Any]:
        refusal = SettingError(
            f"no conversation has this token: it ended, or lay for over {self.minutes:g} minutes"
        )
        if not TOKEN.fullmatch(token):
            raise refusal
        path = self._path(token)
        try:
            status = path.stat()
            is_old = status.st_mtime < time.time() - 60 * self.minutes
            if (is_old and token not in self._live) or status.st_size > LONGEST_STATE:
                raise refusal
            state = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise refusal from error
        if not isinstance(state, dict):
            raise refusal
        return state

    def _path(self, token: str) -> Path:
        """Returns the path of a state; its name does not reveal the token."""
        return self._folder / f"{hashlib.sha256(token.encode()).hexdigest()[:32]}.json"
