"""The dark chess dialect as a row of the table of protocols: one client from first line to last."""

from __future__ import annotations

from engine.games.table import usual_board
from engine.play.network_lease import Lease
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.darkchess.engine import DarkChessEngine
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.positions import conversation
from protocols.positions.conversation import PlayerFor


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""

    def engine_for(player_for: PlayerFor) -> DarkChessEngine:
        player = player_for(DARK_CHESS.board)
        player.set_persona(request.persona_for(DARK_CHESS.board.game).name)
        player.meet(request.opponent)
        return DarkChessEngine(player, outbox.emit, inbox)

    return conversation.opened(lease, request, engine_for)


DARK_CHESS = Protocol(opened, lambda text: f"? {text}\n", board=usual_board("darkchess"))
