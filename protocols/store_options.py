"""Where this process remembers opponents: as its command line or environment says, else a file.

Knows the option, the environment variable and the default place. Imports no database before one is
opened.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SettingError
from engine.opponents import (
    FallbackStore,
    OpponentName,
    OpponentStore,
    StoredOpponent,
    StoreError,
    TransientStore,
)
from engine.opponents.store.late_notes import NotesFile
from engine.util.user_folders import data_folder
from protocols.conversation import ClientRequest

if TYPE_CHECKING:
    from engine.opponents.store.store import DatabaseStore

VARIABLE = "SPARRING_STORE"
NOWHERE = "none"  # instead of a place: what is learned is gone with the process
NOBODY = "none"  # instead of an opponent's name: nothing is remembered of this one
SOMEBODY = "player"  # whoever plays here, where no name is given
BUSY_SECONDS = 0.5  # waited for another process at a time; the memory tries again
FILE = "opponents.sqlite3"


def place_named(
    options: argparse.Namespace, environment: Mapping[str, str] = os.environ
) -> str | None:
    """The place that somebody named; None where nobody did."""
    return getattr(options, "store", None) or environment.get(VARIABLE) or None


def usual_place(environment: Mapping[str, str] = os.environ) -> str:
    """The file in the user's data folder."""
    return str(data_folder(environment) / FILE)


def memory_wanted(options: argparse.Namespace) -> OpponentStore:
    """The memory that the command line asks for.

    A place that was named is opened now, raising SettingError where it cannot be; the usual one
    when it is first needed.
    """
    named = place_named(options)
    if named == NOWHERE:
        return TransientStore()
    place = named or usual_place()
    late = None if "://" in place else NotesFile(Path(place))
    memory = FallbackStore(opener(place, busy_seconds=BUSY_SECONDS), late=late)
    if named is not None:
        try:
            memory.open()
        except StoreError as error:
            raise SettingError(f"opponents cannot be remembered: {error}") from None
    return memory


def opponent_of(
    memory: OpponentStore, request: ClientRequest, opponent: str = ""
) -> StoredOpponent | None:
    """Whom a client plays against: who it says now, said at first, else sits at this machine.

    None: NOBODY is named, or it is a guest. Raises SettingError on a name that none can have, or
    a guest's.
    """
    name = opponent or request.opponent
    if name == NOBODY or not (name or request.rights.is_user):
        return None
    request.rights.check_memory()
    if name:
        return StoredOpponent(memory, OpponentName(name))
    return StoredOpponent(memory, OpponentName(SOMEBODY), is_named=False)


def opener(place: str, *, busy_seconds: float | None = None) -> Callable[[], DatabaseStore]:
    """Returns a function that imports the database libraries and opens the store at a place.

    busy_seconds: to wait for another process that uses an SQLite file; None: the usual time.
    """

    def opened() -> DatabaseStore:
        from engine.opponents.store.store import DatabaseStore  # noqa: PLC0415 - heavy

        return (
            DatabaseStore.open(place)
            if busy_seconds is None
            else DatabaseStore.open(place, busy_seconds=busy_seconds)
        )

    return opened
