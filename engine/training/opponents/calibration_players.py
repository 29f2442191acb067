"""The players for a ladder's tables beside its own levels, by game and style.

A style is a way of finding moves; its players differ in quality. A few broad styles are best: with
more tables, moves more often look like a much weaker player's of another style. Steady players with
the network are like levels: a table of their own overestimated them. Careless players have sound
moves for the most part and a few great mistakes: in the tables of steady players, which lose a
little with each move, they look too strong. STYLES has the players, and
CalibrationPlayer chooses their moves. The opponents for measuring estimates (engine.lab.held_out)
are not here.
"""

from __future__ import annotations

import numpy as np

from engine.agents import make_agent
from engine.agents.agent import Agent
from engine.games.position import Position
from engine.games.table import Board
from engine.play.steps.level import choose_by
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.strength.level import Level
from engine.values import Limit

LIKE_LEVELS = "levels"  # the style of players under the table of the ladder's own levels
STEADY = {  # this engine, with settings outside any ladder
    "network": Level(index=10.0),
    "search-6": Level(visits=6, index=10.0),
    "search-40": Level(visits=40, index=10.0),
}
LAX = {
    "network-careless": Level(index=3.0, random_share=0.15),
    "network-lax": Level(random_share=0.1),
    "search-careless": Level(visits=40, index=3.0, random_share=0.25),
    "search-lax": Level(visits=40, random_share=0.1),
}
DRAWN = {"network-drawn": Level(index=1.0), "search-drawn": Level(visits=20, index=1.0)}
WEAKENED = STEADY | LAX | DRAWN
PLAYOUTS = ("mcts:8", "mcts:25", "mcts:70", "mcts:150", "mcts:600")
MINIMAX = ("minimax1-published", "minimax2-published")
CARELESS = (
    *("careless:0.5:mcts:100", "careless:0.2:mcts:100", "careless:0.1:mcts:600"),
    *("careless:0.2:minimax1-published", "careless:0.5:minimax1-published"),
    *("careless:0.3:minimax2-published", *LAX, *DRAWN),
)
STYLES: dict[str, dict[str, tuple[str, ...]]] = {  # by game: style -> texts, of AGENTS or WEAKENED
    "connect4": {
        LIKE_LEVELS: ("random", "first-legal", "worst", "careless:0.5:worst", *STEADY),
        "no-network": (*PLAYOUTS, "mcts:2000", *MINIMAX),
        "careless": CARELESS,
    },
    "othello": {
        LIKE_LEVELS: ("random", "first-legal", "worst", "max-score", *STEADY),
        "no-network": (*PLAYOUTS, "mcts-roxanne:20", *MINIMAX),
        "squares": ("roxanne", "minimax:2", "alphabeta:4", "alphabeta:6"),
        "careless": CARELESS,
    },
    "go": {LIKE_LEVELS: ("random", "first-legal", *STEADY, *LAX)},
}


def calibration_players(board: Board) -> dict[str, str]:
    """Returns the style of each player of the board, by text."""
    styles = STYLES[board.game].items()
    return {text: style for style, texts in styles for text in texts if _plays(text, board)}


def _plays(text: str, board: Board) -> bool:
    """Whether the player knows boards of this size."""
    try:
        return text in WEAKENED or bool(make_agent(text, board.game, 0).choose(board.start()))
    except ValueError:
        return False


class CalibrationPlayer:
    """One of the players in one game."""

    def __init__(self, text: str, board: Board, search: Search, rng: np.random.Generator) -> None:
        """search: shared with others; a searching level uses one of its own."""
        self._board, self._search, self._rng = board, search, rng
        self._level = WEAKENED.get(text)
        self._agent: Agent | None = None
        if self._level is None:
            self._agent = make_agent(text, board.game, int(rng.integers(1 << 31)))
            self._agent.begin(int(rng.integers(1 << 31)))

    def choose(self, position: Position) -> int | None:
        """Returns the player's move; None if it has none."""
        if self._agent is not None:
            return self._agent.choose(position.copy()).move
        if self._level is None:
            raise TypeError("a player is an agent or a level")
        request = MoveRequest(position, Limit(), game=self._board.game, rng=self._rng)
        self._search.set_position(position)
        choice = choose_by(self._level, self._search, request)
        return None if choice is None else choice.move
