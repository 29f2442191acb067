"""UGI as a row of the table of protocols: one client, from first line to last."""

from __future__ import annotations

from functools import partial

from engine.games.table import Board
from engine.play.network_pool import Lease
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.persona_list import level_warnings
from protocols.session_player import SessionPlayer
from protocols.store_options import opponent_of
from protocols.ugi import codec
from protocols.ugi.engine import UgiEngine
from protocols.ugi.variants import DEFAULT, variant


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""
    searches = ClientSearches(lease)
    players: list[SessionPlayer] = []  # one a game that was chosen

    def player_for(board: Board) -> SessionPlayer:
        player = SessionPlayer(
            searches.search_on(board),
            board.game,
            source=searches,
            opponent_named=partial(opponent_of, lease.memory, request),
            rights=request.rights,
        )
        players.append(player)
        return player

    engine = UgiEngine(
        player_for,
        outbox.emit,
        inbox,
        game=request.game or DEFAULT,
        persona=request.persona,
        opponent=request.opponent,
    )

    for warning in level_warnings(players[0].session):
        request.warn(warning)

    def answer_all() -> None:
        engine.run()
        for player in players:
            player.session.settle()

    return answer_all


UGI = Protocol(opened, codec.note, board=variant(DEFAULT), board_named=variant)
