"""UGI as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from engine.resident import Seat
from protocols.gtp.speak import search_by
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.session_thinker import SessionThinker
from protocols.speak import Protocol, Request
from protocols.ugi import codec
from protocols.ugi.engine import UgiEngine
from protocols.ugi.variants import DEFAULT, variant


def speak(seat: Seat, request: Request, inbox: Inbox, outbox: Outbox) -> None:
    """Answers one client's lines until `quit` or the end of its input."""

    def thinker_for(game: str) -> SessionThinker:
        network = seat.network if game == seat.game else seat.change_game(game)
        return SessionThinker(search_by(network), game)

    UgiEngine(thinker_for, outbox.emit, inbox, game=request.game or DEFAULT).run()


UGI = Protocol(
    speak, codec.note, game=variant(DEFAULT).game, game_named=lambda name: variant(name).game
)
