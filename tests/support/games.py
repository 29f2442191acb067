"""The games that can be played here: chess needs an optional module."""

from __future__ import annotations

from importlib.util import find_spec

from engine.games.chess_game import LIBRARY
from engine.games.table import GAMES

PLAYABLE = tuple(game for game in GAMES if game != "chess" or find_spec(LIBRARY))
