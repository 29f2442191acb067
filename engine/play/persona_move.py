"""One move of a persona in a game of a record, for a client that keeps the game itself."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.game_settings import GameInFile
from engine.games.table import Board
from engine.personas import Persona
from engine.play.search_source import SearchSource
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Restriction, never
from engine.values import Choice, Limit


def persona_move(
    record: GameInFile,
    persona: Persona,
    source: SearchSource,
    limit: Limit,
    *,
    restriction: Restriction | None = None,
    stop: Callable[[], bool] = never,
    seed: int | None = None,
) -> Choice:
    """Returns the move of the persona after the moves of the record, and the reason for it.

    The opponent is a stranger, known by its last move alone. limit: of the search, unless the
    strength sets its own number of visits. seed: of all random choices; None: a random one. Raises
    ValueError if the record's moves cannot be played.
    """
    budget = Budget(visits=limit.visits, max_playouts=limit.playouts, max_seconds=limit.max_seconds)
    board = Board(record.game_settings.game, record.width, record.height)
    session = Session(
        source.search_on(board),
        SessionSettings(persona=persona, budget=budget),
        game_settings=record.game_settings,
        source=source,
        seed=seed,
    )
    session.load(record)
    color = session.game.position.to_move
    return session.genmove(color, play=False, restriction=restriction, stop=stop)
