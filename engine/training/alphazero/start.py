"""The position that self-play begins at: of Go under rules that count stones as they stand."""

from __future__ import annotations

from engine.games.game_settings import GoSettings
from engine.games.position import Position
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES


def start_of(game: str, width: int, height: int) -> Position:
    """The beginning of a game whose winner the position itself tells."""
    if game == GoSettings.game:
        return GoSettings(RULE_SETS["tromp-taylor"]).begin(width, height)
    return GAMES[game].new_position(width, height)
