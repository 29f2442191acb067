"""The starting position of self-play: in Go under rules without removal of dead stones."""

from __future__ import annotations

from engine.games.game_settings import GoSettings
from engine.games.position import Position
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES


def start_of(game: str, width: int, height: int) -> Position:
    """Returns the start of a game with a winner decided by the position itself."""
    if game == GoSettings.game:
        return GoSettings(RULE_SETS["tromp-taylor"]).begin(width, height)
    return GAMES[game].new_position(width, height)
