"""A client's rights beside playing and analysing: to name files, and to be remembered.

The kernel tells that a client of the Unix socket is this user. A client of a TCP port may be
anybody, a web page too: it is a guest. Each command asks its client's rights. Knows no protocol.
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
    "clients of TCP ports are nobody: opponents are remembered for this user's own clients alone, "
    "such as `sparring gtp`"
)


@dataclass(frozen=True)
class Rights:
    """The rights of one client; a guest's by default."""

    is_user: bool = False
    folder: Path | None = None  # where the names of its files begin; None: they are full paths
    personas: Path | None = None  # a folder of them, looked into before the user's own

    def file(self, name: str) -> Path:
        """Returns the path of a file that the client names; raises SettingError."""
        if not self.is_user:
            raise SettingError(NO_FILES)
        path = expand_home(name)
        if self.folder is None and not path.is_absolute():
            raise SettingError(f"{name!r} is no full path, and the client named no folder")
        return path if self.folder is None else self.folder / path

    def check_memory(self) -> None:
        """Raises SettingError where remembered opponents and games are not the client's."""
        if not self.is_user:
            raise SettingError(NO_MEMORY)

    def persona_folders(self) -> Sequence[Path]:
        """Returns the folders whose personas the client may see and play by."""
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
