"""All stored data of one opponent as JSON values, for a file readable by people.

Moves are spelled as people write them. The state of a strength is copied unread.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.games.game_settings import settings_to_dict
from engine.games.table import GAMES, Board
from engine.opponents.opponent_store import EloEstimate, OpponentName, StoredGame
from engine.opponents.store.store import DatabaseStore

FORMAT = 1  # raised with each incompatible change


def exported(store: DatabaseStore, opponent: OpponentName) -> dict[str, Any]:
    """Returns all stored data of an opponent. Raises StoreError."""
    return {
        "format": FORMAT,
        "name": opponent.name,
        "server": opponent.server,
        "alias": opponent.alias,
        "strengths": [_strength(store, opponent, board) for board in store.boards(opponent)],
        "games": [_game(game) for _, game in reversed(store.games(opponent))],
    }


def _strength(store: DatabaseStore, opponent: OpponentName, board: Board) -> dict[str, Any]:
    known = store.recall(opponent, board)
    if known is None:  # it was deleted just now
        return {"board": board.name}
    moments = store.history(opponent, board)
    return {
        "board": board.name,
        "games": known.games,
        **_estimate(known.estimate),
        "history": [
            {"time": _time(moment.time), **_estimate(moment.estimate)} for moment in moments
        ],
        "state": dict(known.state),
    }


def _estimate(estimate: EloEstimate) -> dict[str, float]:
    return {
        "elo": round(estimate.mean, 1),
        "from": round(estimate.low, 1),
        "to": round(estimate.high, 1),
    }


def _game(game: StoredGame) -> dict[str, Any]:
    kind = GAMES[game.game_settings.game]

    def move(number: int, color: int, played: int) -> dict[str, str]:
        spelt = kind.write_move(played, game.width, game.height)
        values = {"color": kind.colors[color], "move": spelt}
        reason = game.reasons[number]
        return values | ({"reason": reason} if reason else {})

    return {
        "board": game.board.name,
        "terms": settings_to_dict(game.game_settings),
        "our color": kind.colors[game.color],
        "persona": game.persona,
        "started": _time(game.started),
        "finished": _time(game.finished),
        "result": game.result,
        "our points": game.points,
        "setup": [
            [kind.colors[color], kind.write_move(cell, game.width, game.height)]
            for color, cell in game.setup
        ],
        "moves": [move(number, *played) for number, played in enumerate(game.moves)],
    }


def _time(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat(timespec="seconds")
