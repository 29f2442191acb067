"""A client's rights beside playing and analysing: files, and stored opponents.

The kernel reports the user of a Unix socket's client. A client of a TCP port may be anybody, a web
page too: it is a guest. Each command checks its client's rights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import SettingError
from engine.personas import Persona, files, make_persona
from engine.util.paths import expand_home

NO_FILES = "files are not open to clients of TCP ports"
NO_MEMORY = (
    "clients of TCP ports are guests: opponents are remembered for this user's own clients alone, "
    "such as `sparring gtp`"
)


@dataclass(frozen=True)
class Rights:
    """The rights of one client; a guest's by default."""

    is_user: bool = False
    folder: Path | None = None  # folder of relative file names; None: names are full paths
    personas: Path | None = None  # a folder of personas, searched before the user's own

    def file(self, name: str) -> Path:
        """Returns the path of the client's file; raises SettingError."""
        if not self.is_user:
            raise SettingError(NO_FILES)
        path = expand_home(name)
        if self.folder is None and not path.is_absolute():
            raise SettingError(f"{name!r} is no full path, and the client named no folder")
        return path if self.folder is None else self.folder / path

    def check_memory(self) -> None:
        """Raises SettingError for a guest: stored opponents and games are the user's."""
        if not self.is_user:
            raise SettingError(NO_MEMORY)

    def persona_folders(self) -> Sequence[Path]:
        """Returns the folders of the client's personas."""
        if not self.is_user:
            return (files.SHIPPED,)
        usual = files.persona_folders()
        return usual if self.personas is None else (self.personas, *usual)

    def persona(self, text: str, game: str) -> Persona:
        """Returns the persona of a text, for a game of GAMES; raises SettingError."""
        try:
            return make_persona(text, game, self.persona_folders(), self.file)
        except ValueError as error:
            raise SettingError(str(error)) from error


GUEST = Rights()
