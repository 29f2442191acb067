"""One client's conversation in its protocol, from the first line to the last, in one thread.

Each protocol is a row of a table, with its own text of a refusal. Stdin, a socket or a WebSocket
fill the inbox and empty the outbox.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.errors import SettingError
from engine.games.game_settings import USUAL_GO, GoSettings
from engine.games.table import Board, board_named, usual_board
from engine.personas import USUAL, Persona
from engine.play.game_networks import GameNetworks
from engine.play.network_lease import Lease
from engine.play.network_pool import BusyError, NetworkPool
from engine.play.session_settings import Budget
from engine.util.paths import is_folder
from protocols.inbox import Inbox
from protocols.lines import END
from protocols.outbox import ClientGoneError, Outbox
from protocols.rights import GUEST, Rights
from protocols.saved_sessions import SavedSession, SavedSessions

log = logging.getLogger("sparring")

EXPECTED = (BusyError, SettingError, OSError, ValueError)


class RefusedError(Exception):
    """A client cannot be served; the text is the reason. Busy: another engine may serve it."""

    def __init__(self, text: str, *, is_busy: bool = False) -> None:
        super().__init__(text)
        self.is_busy = is_busy


def _ignore(_text: str) -> None:
    """Does nothing."""


@dataclass(frozen=True)
class Returning:
    """A client with the token of a saved conversation."""

    sessions: SavedSessions
    session_token: str
    received: int  # answers that the client has

    def claim(self) -> tuple[SavedSession, dict[str, Any]]:
        """Returns the conversation and its state; raises SettingError for an unknown token."""
        return self.sessions.claim(self.session_token)


@dataclass(frozen=True)
class ClientDefaults:
    """The operator's settings of play for clients without settings of their own."""

    persona: str = USUAL  # text for make_persona
    game_settings: GoSettings = USUAL_GO
    visits: int | None = None  # of a move; None: as many as its time allows
    seconds: float | None = None  # of a move without a clock; None: the usual number

    def budget(self) -> Budget:
        """Returns the budget of a move; with a number of visits the seconds are the most."""
        seconds = Budget().default_seconds if self.seconds is None else self.seconds
        most = None if self.visits is None else self.seconds
        return Budget(visits=self.visits, default_seconds=seconds, max_seconds=most)


@dataclass(frozen=True)
class ClientRequest:
    """A client's request, before the conversation in its protocol."""

    protocol: str
    networks: GameNetworks | None = None  # None: the default ones of the protocol's usual game
    answer: bool = False  # send {"ok": true} first, and END after an orderly end
    greets: bool = False  # send {"ok": true} first
    rights: Rights = GUEST  # the client's rights; a guest's by default
    overrides: str = ""  # "name=value,name=value": settings as KataGo's -override-config has them
    finish: bool = True  # finish queued searches after the end of input (analysis)
    game: str = ""  # the client's name of the game; empty: none
    board: Board | None = None  # the board of that game; None: the protocol's usual one
    persona: str | None = None  # text for make_persona (gtp, nboard, ugi); None: the default one
    as_katago: bool = False  # answer KataGo's name and version (gtp)
    points: bool = False  # write moves as points of a board of Go (gtp)
    guest: str = ""  # the secret of a guest of the page; empty: none
    opponent: str = ""  # the opponent, as protocols.opponent_identity reads it; empty: none
    # The operator's, with the client's own in place.
    defaults: ClientDefaults = field(default_factory=ClientDefaults)
    warn: Callable[[str], None] = log.warning  # warns the person at the client
    sessions: SavedSessions | None = None  # saves conversations (gtp); None: nothing is saved
    is_saved: bool = False  # save the conversation from its start
    returning: Returning | None = None  # the client comes back to a saved conversation
    token: Callable[[str], None] = _ignore  # reports the token of a saved conversation

    def persona_for(self, game: str) -> Persona:
        """Returns the persona of the client, else the operator's, else the game's usual one.

        The operator's may be a file of theirs, and may not play every game. Raises SettingError.
        """
        if self.persona is not None:
            return self.rights.persona(self.persona, game)
        own = Rights(is_user=True)
        try:
            return own.persona(self.defaults.persona, game)
        except SettingError as error:
            self.warn(f"{error}; {USUAL} plays")
            return own.persona(USUAL, game)


def folder_named(name: str | None) -> Path | None:
    """Returns the folder of a name, None for None; raises SettingError if there is none."""
    if name is None:
        return None
    if not is_folder(Path(name)):
        raise SettingError(f"no folder {name!r}")
    return Path(name)


Conversation = Callable[[], None]  # answers a client's lines until `quit` or the end of input
Opening = Callable[[Lease, ClientRequest, Inbox, Outbox], Conversation]


@dataclass(frozen=True)
class Protocol:
    """One row of the table: the opening of a conversation, and the text of a refusal.

    `open` sends nothing, and raises SettingError on a request for a missing thing.
    """

    open: Opening
    refuse: Callable[[str], str]
    board: Board = field(default_factory=lambda: usual_board("go"))  # if the client names none
    board_named: Callable[[str], Board] = (
        board_named  # the board of a game's name as the client spells it
    )


Protocols = Mapping[str, Protocol]


def speak(
    pool: NetworkPool, protocols: Protocols, request: ClientRequest, inbox: Inbox, outbox: Outbox
) -> None:
    """Serves one client until its input ends or it has gone; closes its outbox. Raises nothing."""
    try:
        converse(pool, protocols, request, inbox, outbox)
    except RefusedError as error:
        log.warning("%s: refused: %s", request.protocol, error)
        text = json.dumps({"error": str(error), "busy": error.is_busy}) + "\n"
        is_greeted = request.answer or request.greets
        outbox.push(text if is_greeted else protocols[request.protocol].refuse(str(error)))
    except Exception:
        log.exception("%s: internal error", request.protocol)
    finally:
        outbox.close()


def converse(
    pool: NetworkPool, protocols: Protocols, request: ClientRequest, inbox: Inbox, outbox: Outbox
) -> None:
    """Serves one client until its input ends or it has gone.

    Raises RefusedError on an impossible request, before any output.
    """
    protocol = protocols[request.protocol]
    board = request.board or protocol.board
    networks = request.networks or pool.defaults[board.game]
    warnings: list[str] = []
    tokens: list[str] = []
    with ExitStack() as stack:
        try:
            is_guest = not request.rights.is_user
            lease = stack.enter_context(pool.lease(networks, board, is_guest=is_guest))
            if networks.humans != pool.defaults[board.game].humans:
                lease.human_network(board)  # the client's own: report its errors now
            recorded = replace(request, warn=warnings.append, token=tokens.append)
            conversation = protocol.open(lease, recorded, inbox, outbox)
        except EXPECTED as error:
            is_busy = isinstance(error, BusyError)
            raise RefusedError(str(error), is_busy=is_busy) from error
        for warning in warnings:
            log.warning("%s: %s", request.protocol, warning)
        with suppress(ClientGoneError):
            if request.answer or request.greets:
                greeting: dict[str, object] = {"ok": True}
                greeting |= {"warnings": warnings} if warnings else {}
                greeting |= {"session": tokens[0]} if tokens else {}
                outbox.push(json.dumps(greeting) + "\n")
            conversation()
            if request.answer and not inbox.abandoned():
                outbox.push(f"{END}\n")
