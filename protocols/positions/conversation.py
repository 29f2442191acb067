"""A client's conversation in a protocol that sends positions, from its opening to its end.

It gives the protocol's engine its players, each over a session of its own. The messages are in the
protocol's own folder.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from engine.games.table import Board
from engine.play.network_lease import Lease
from engine.play.session import Session
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Conversation
from protocols.persona_list import level_warnings
from protocols.positions.player import PositionPlayer
from protocols.positions.session_adapter import SessionAdapter
from protocols.store_options import opponent_of

PlayerFor = Callable[[Board], PositionPlayer]  # a new player of the board's game


class PositionEngine(Protocol):
    """The messages of a protocol: reads lines and answers them."""

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""


def opened(
    lease: Lease, request: ClientRequest, engine_for: Callable[[PlayerFor], PositionEngine]
) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one.

    engine_for: makes the protocol's engine, with at least one player.
    """
    searches = ClientSearches(lease)
    sessions: list[Session] = []  # one a game that was chosen

    def player_for(board: Board) -> SessionAdapter:
        player = SessionAdapter(
            searches.search_on(board),
            board.game,
            source=searches,
            opponent_named=partial(opponent_of, lease.memory, request),
            rights=request.rights,
            budget=request.defaults.budget(),
        )
        sessions.append(player.session)
        return player

    engine = engine_for(player_for)
    for warning in level_warnings(sessions[0]):
        request.warn(warning)

    def answer_all() -> None:
        try:
            engine.run()
            for session in sessions:
                session.settle()
        finally:
            searches.leave()

    return answer_all
