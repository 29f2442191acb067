"""NBoard's protocol as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from engine.games.table import usual_board
from engine.play.network_lease import Lease
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.nboard import codec
from protocols.nboard.engine import NBoardEngine
from protocols.outbox import Outbox
from protocols.positions import conversation
from protocols.positions.conversation import PlayerFor


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""

    def engine_for(player_for: PlayerFor) -> NBoardEngine:
        player = player_for(NBOARD.board)
        player.set_persona(request.persona_for(NBOARD.board.game).name)
        player.meet(request.opponent)
        return NBoardEngine(player, outbox.emit, inbox)

    return conversation.opened(lease, request, engine_for)


NBOARD = Protocol(opened, codec.status, board=usual_board("othello"))
