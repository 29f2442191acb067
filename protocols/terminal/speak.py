"""Play in a terminal as a row of the table of protocols: one client from first line to last."""

from __future__ import annotations

from engine.games.game_settings import usual_settings
from engine.games.table import usual_board
from engine.play.network_lease import Lease
from engine.play.session import Session
from engine.play.session_settings import SessionSettings
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.persona_list import level_warnings
from protocols.store_options import opponent_of
from protocols.terminal.boards import board_named
from protocols.terminal.engine import Dealer, TerminalEngine


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""
    board = request.board or TERMINAL.board
    searches, dealer = ClientSearches(lease), Dealer()
    session = Session(
        searches.search_on(board),
        SessionSettings(persona=request.persona_for(board.game), budget=request.defaults.budget()),
        game_settings=usual_settings(board.game),
        source=searches,
        draw=dealer.draw,
    )
    session.start_over((board.width, board.height))
    session.meet(opponent_of(lease.memory, request))
    for warning in level_warnings(session):
        request.warn(warning)
    engine = TerminalEngine(session, dealer, outbox.emit, inbox, rights=request.rights)

    def answer_all() -> None:
        try:
            engine.run()
            session.settle()
        finally:
            searches.leave()

    return answer_all


TERMINAL = Protocol(
    opened,
    lambda text: f"{text}\n",
    board=usual_board("darkchess"),
    board_named=board_named,
)
