"""The place of the store of opponents: the command line's, the environment's, else a usual file.

The import stays light: a database is imported when a store is opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
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
from engine.opponents.store.late_notes import NotesFile, notes_path
from engine.util.user_folders import data_folder
from protocols.conversation import ClientRequest
from protocols.opponent_identity import identity_of

if TYPE_CHECKING:
    from engine.opponents.store.store import DatabaseStore

VARIABLE = "SPARRING_STORE"
NOWHERE = "none"  # the place for no store: opponents are remembered until the process ends
NOBODY = "none"  # the opponent's name for nobody: this opponent is not remembered
SOMEBODY = "player"  # the opponent's name where none is given
BUSY_SECONDS = 0.5  # longest wait for another process at a time; the store tries again
FILE = "opponents.sqlite3"


def named_place(option: str | None, environment: Mapping[str, str] = os.environ) -> str | None:
    """Returns the place of --store, else of $SPARRING_STORE; None if neither is set."""
    return option or environment.get(VARIABLE) or None


def usual_place(environment: Mapping[str, str] = os.environ) -> str:
    """Returns the path of the usual file, in the user's data folder."""
    return str(data_folder(environment) / FILE)


def open_store(option: str | None) -> OpponentStore:
    """Returns the store of opponents at the place of --store, $SPARRING_STORE or the usual file.

    A named place is opened now; the usual file is opened when it is first needed. Raises
    SettingError if a named place cannot be opened.
    """
    named = named_place(option)
    if named == NOWHERE:
        return TransientStore()
    place = named or usual_place()
    late = NotesFile(notes_path(place))
    store = FallbackStore(opener(place, busy_seconds=BUSY_SECONDS), late=late)
    if named is not None:
        try:
            store.open()
        except StoreError as error:
            raise SettingError(f"opponents cannot be remembered: {error}") from None
    return store


def opponent_of(
    memory: OpponentStore, request: ClientRequest, opponent: str = ""
) -> StoredOpponent | None:
    """Returns the record of a client's opponent, or None if the client remembers nobody.

    opponent: the text given during the conversation, as protocols.opponent_identity reads it;
    empty: that of the request, else SOMEBODY.
    A guest and the name NOBODY have no record. Raises SettingError on an impossible name, and on a
    guest's name.
    """
    text = opponent or request.opponent
    if text == NOBODY or not (text or request.rights.is_user):
        return None
    request.rights.check_memory()
    if text:
        identity = identity_of(text)
        return StoredOpponent(memory, identity.name, rating=identity.rating)
    return StoredOpponent(memory, OpponentName(SOMEBODY), is_named=False)


def opener(place: str, *, busy_seconds: float | None = None) -> Callable[[], DatabaseStore]:
    """Returns a function that imports the database libraries and opens the store at a place.

    busy_seconds: longest wait for another process at an SQLite file; None: the store's default.
    """

    def opened() -> DatabaseStore:
        from engine.opponents.store.store import DatabaseStore  # noqa: PLC0415 - heavy

        return (
            DatabaseStore.open(place)
            if busy_seconds is None
            else DatabaseStore.open(place, busy_seconds=busy_seconds)
        )

    return opened
