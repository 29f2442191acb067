"""UCI as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from engine.games.table import Board
from engine.play.network_lease import Lease
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.positions import conversation, option_lines
from protocols.positions.conversation import PlayerFor
from protocols.uci.engine import BOARD, CHESS, UciEngine


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""

    def engine_for(player_for: PlayerFor) -> UciEngine:
        return UciEngine(
            player_for,
            outbox.emit,
            inbox,
            persona=request.persona_for(CHESS).name,
            opponent=request.opponent,
        )

    return conversation.opened(lease, request, engine_for)


def _board(_name: str) -> Board:
    """Returns the board of chess, whatever the name."""
    return BOARD


UCI = Protocol(opened, option_lines.note, board=BOARD, board_named=_board)
