"""A person's own records for the page: levels over time, and the latest games."""

from __future__ import annotations

from typing import Any

from engine.games.table import GAMES
from engine.opponents import StoredGame, StoredOpponent
from protocols.page.lists import level_view
from protocols.page.offers import title_of
from protocols.page.strengths import strength_of

MOST_GAMES = 50  # rows


def records_view(person: StoredOpponent) -> dict[str, Any]:
    """Returns the fields of the message `records`; raises StoreError."""
    games = [game for _, game in person.games()]
    boards = dict.fromkeys(game.board for game in games)
    known = [(board, entry) for board in boards if (entry := person.entry(board)) is not None]
    return {
        "levels": [level_view(person, board, entry) for board, entry in known],
        "games": [_row(game) for game in games[:MOST_GAMES]],
    }


def _row(game: StoredGame) -> dict[str, Any]:
    """Returns a game as a row of the list."""
    kind = GAMES[game.board.game]
    return {
        "board": title_of(game.board),
        "color": kind.colors[1 - game.color],
        "strength": strength_of(game.persona),
        "moves": len(game.moves),
        "outcome": _outcome(game),
        "result": game.result,
        "started": "" if game.started is None else game.started.isoformat(timespec="minutes"),
    }


def _outcome(game: StoredGame) -> str:
    """Returns the person's outcome in a word; empty for a game without a result."""
    if game.finished is None or game.points is None:
        return ""
    return {1.0: "lost", 0.0: "won"}.get(game.points, "drawn")
