"""UGI as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from engine.play.network_lease import Lease
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.positions import conversation, option_lines
from protocols.positions.conversation import PlayerFor
from protocols.ugi.engine import UgiEngine
from protocols.ugi.variants import DEFAULT, variant


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""

    def engine_for(player_for: PlayerFor) -> UgiEngine:
        return UgiEngine(
            player_for,
            outbox.emit,
            inbox,
            game=request.game or DEFAULT,
            persona=request.persona_for((request.board or UGI.board).game).name,
            opponent=request.opponent,
        )

    return conversation.opened(lease, request, engine_for)


UGI = Protocol(opened, option_lines.note, board=variant(DEFAULT), board_named=variant)
