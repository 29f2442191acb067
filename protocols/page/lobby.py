"""The visitors of the page in one process: their tokens, their stores, and their open tabs.

A visitor without rights to the user's store has a store of its own. It lasts for some minutes after
the visitor's connection has ended, so that a page loaded again finds its game.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.games.game_record import GameRecord
from engine.opponents import OpponentStore, TransientStore
from protocols.page.guests import GuestBook
from protocols.page.lists import LiveGame
from protocols.page.review_view import FinishedGame

STAY_SECONDS = 600.0  # of a visitor without a connection
MOST_VISITORS = 256
TOKEN_BYTES = 16
LEAVING_SECONDS = 5.0  # longest wait for the end of an older connection of the same tab


@dataclass
class Visitor:
    """One tab of a browser."""

    token: str
    store: OpponentStore = field(default_factory=TransientStore)  # used without the user's own
    left: float = 0.0  # time at which its connection ended
    abandon: Callable[[], None] | None = None  # ends its connection; None: it has none
    game: LiveGame | None = None  # the game of its connection
    record: GameRecord | None = None  # of the same game
    finished: FinishedGame | None = None  # its last one with a review
    gone: threading.Event = field(default_factory=threading.Event)  # its connection has ended


class Lobby:
    """The visitors of one process. Safe to use from several threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.guests = GuestBook(now)
        self._visitors: dict[str, Visitor] = {}
        self._lock = threading.Lock()

    def enter(self, token: str, abandon: Callable[[], None]) -> Visitor:
        """Returns the visitor of a token, a new one for an unknown token.

        An older connection of the same token is ended before. abandon: ends this connection.
        """
        with self._lock:
            older = self._visitors.get(token)
            ending = None if older is None else older.abandon
        if older is not None and ending is not None:
            ending()
            older.gone.wait(LEAVING_SECONDS)
        with self._lock:
            self._forget()
            visitor = self._visitors.get(token)
            if visitor is None:
                visitor = Visitor(secrets.token_urlsafe(TOKEN_BYTES))
                self._visitors[visitor.token] = visitor
            visitor.abandon = abandon
            visitor.gone.clear()
            return visitor

    def games(self) -> list[LiveGame]:
        """Returns the games of all visitors with a connection."""
        return [visitor.game for visitor in self._connected() if visitor.game is not None]

    def records(self) -> list[GameRecord]:
        """Returns the records of the games of all visitors with a connection."""
        return [visitor.record for visitor in self._connected() if visitor.record is not None]

    def _connected(self) -> list[Visitor]:
        with self._lock:
            return [each for each in self._visitors.values() if each.abandon is not None]

    def leave(self, visitor: Visitor) -> None:
        """Notes the end of a visitor's connection."""
        with self._lock:
            visitor.abandon, visitor.left = None, self._now()
            visitor.game = visitor.record = None
            visitor.gone.set()

    def _forget(self) -> None:
        """Forgets visitors without a connection: those gone too long, and the longest gone."""
        waiting = [each for each in self._visitors.values() if each.abandon is None]
        waiting.sort(key=lambda each: each.left)
        surplus = len(self._visitors) - MOST_VISITORS + 1
        for number, each in enumerate(waiting):
            if number < surplus or self._now() - each.left > STAY_SECONDS:
                del self._visitors[each.token]
