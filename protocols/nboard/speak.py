"""NBoard's protocol as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from functools import partial

from engine.games.table import usual_board
from engine.play.network_pool import Lease
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.nboard import codec
from protocols.nboard.engine import NBoardEngine
from protocols.outbox import Outbox
from protocols.persona_list import level_warnings
from protocols.session_player import SessionPlayer
from protocols.store_options import opponent_of


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""
    searches = ClientSearches(lease)
    player = SessionPlayer(
        searches.search_on(NBOARD.board),
        NBOARD.board.game,
        source=searches,
        opponent_named=partial(opponent_of, lease.memory, request),
        rights=request.rights,
    )
    player.set_persona(request.persona)
    player.meet(request.opponent)
    for warning in level_warnings(player.session):
        request.warn(warning)
    engine = NBoardEngine(player, outbox.emit, inbox)

    def answer_all() -> None:
        engine.run()
        player.session.settle()

    return answer_all


NBOARD = Protocol(opened, codec.status, board=usual_board("othello"))
