"""The bot's own notes on its games: files that outlive a restart of the bot."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

LONGEST_NOTE = 4096  # bytes of a file that is read


@dataclass(frozen=True, slots=True)
class GameNote:
    """The notes on one game."""

    token: str = ""  # of the engine's saved conversation; empty: none
    has_greeted: bool = False
    is_set_up: bool = False  # the conversation knows the game's board


class GameMemory:
    """Notes by game. Without a folder they end with the process."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._notes: dict[str, GameNote] = {}

    def note(self, game: str) -> GameNote:
        """Returns the note of a game; an empty one if there is none."""
        if game not in self._notes:
            self._notes[game] = self._read(game)
        return self._notes[game]

    def write(self, game: str, note: GameNote) -> None:
        """Replaces the note of a game; a full disk costs only the note's life after a restart."""
        if self._notes.get(game) == note:
            return
        self._notes[game] = note
        path = self._path(game)
        if path is None:
            return
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished = path.with_suffix(".new")
            unfinished.touch(mode=0o600)
            unfinished.write_text(json.dumps(asdict(note)), encoding="utf-8")
            unfinished.replace(path)

    def discard(self, game: str) -> None:
        """Forgets a game."""
        self._notes.pop(game, None)
        path = self._path(game)
        if path is not None:
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _read(self, game: str) -> GameNote:
        path = self._path(game)
        try:
            if path is None or path.stat().st_size > LONGEST_NOTE:
                return GameNote()
            values = json.loads(path.read_text(encoding="utf-8"))
            greeted, is_set_up = values["has_greeted"], values.get("is_set_up", False)
            return GameNote(str(values["token"]), bool(greeted), bool(is_set_up))
        except (OSError, ValueError, KeyError, TypeError):
            return GameNote()

    def _path(self, game: str) -> Path | None:
        """Returns the path of a note; a server's game name may have any characters."""
        if self._folder is None:
            return None
        return self._folder / f"{hashlib.sha256(game.encode()).hexdigest()[:32]}.json"
