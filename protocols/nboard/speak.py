"""NBoard's protocol as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from engine.resident import Seat
from protocols.gtp.speak import search_by
from protocols.inbox import Inbox
from protocols.nboard import codec
from protocols.nboard.engine import NBoardEngine
from protocols.outbox import Outbox
from protocols.session_thinker import SessionThinker
from protocols.speak import Protocol, Request


def speak(seat: Seat, _request: Request, inbox: Inbox, outbox: Outbox) -> None:
    """Answers one client's lines until `quit` or the end of its input."""
    thinker = SessionThinker(search_by(seat.network), "othello")
    NBoardEngine(thinker, outbox.emit, inbox).run()


NBOARD = Protocol(speak, codec.status, game="othello")
