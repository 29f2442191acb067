"""UGI as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from functools import partial

from engine.games import Board
from engine.resident import Seat
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.remembering import acquaintance_of
from protocols.seating import Searches
from protocols.session_thinker import SessionThinker
from protocols.speak import Protocol, Request
from protocols.ugi import codec
from protocols.ugi.engine import UgiEngine
from protocols.ugi.variants import DEFAULT, variant


def speak(seat: Seat, request: Request, inbox: Inbox, outbox: Outbox) -> None:
    """Answers one client's lines until `quit` or the end of its input."""
    searches = Searches(seat)
    thinkers: list[SessionThinker] = []  # one a game that was chosen

    def thinker_for(board: Board) -> SessionThinker:
        thinker = SessionThinker(
            searches.on(board),
            board.game,
            search_for=searches.on,
            reference_for=searches.reference_on,
            acquainted=partial(acquaintance_of, seat.memory, request),
            personas=request.personas,
        )
        thinkers.append(thinker)
        return thinker

    game = request.game or DEFAULT
    UgiEngine(
        thinker_for,
        outbox.emit,
        inbox,
        game=game,
        persona=request.persona,
        opponent=request.opponent,
    ).run()
    for thinker in thinkers:
        thinker.session.settle()


UGI = Protocol(speak, codec.note, board=variant(DEFAULT), board_named=variant)
