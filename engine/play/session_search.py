"""The search of a session: it follows the game, and runs for moves, analyses and pondering.

The tree stays as long as the game goes on from the searched position. The limits of a move and its
choice are in engine.play.session.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import GameOverError
from engine.games.game import Game
from engine.games.position import Position
from engine.play.session_settings import SessionSettings
from engine.search.search import Search, SearchSettings
from engine.values import Limit

PONDER_SECONDS = 120.0
ANALYSIS_VISITS = 1_000_000  # more visits improve little, and the tree fills the memory


class SessionSearch:
    """A search, the moves since its position, and its settings. Used by one thread at a time."""

    def __init__(self, search: Search) -> None:
        self.search = search
        # Moves since the search's position; None where the search cannot follow them.
        self.path: list[int] | None = None
        self._settings = self._analysis_settings = search.settings
        self._usual_tables = search.aids.tables

    def change_settings(self, settings: SessionSettings) -> None:
        """Replaces the settings; analyses take their own wide_root_noise."""
        self._settings = self._analysis_settings = settings.search
        if settings.analysis_wide_root_noise != settings.search.wide_root_noise:
            self._analysis_settings = settings.search.copy()
            self._analysis_settings.wide_root_noise = settings.analysis_wide_root_noise
        tables = settings.chess_tables or self._usual_tables
        if tables is not self.search.aids.tables:
            self.search.aids.tables = tables
            self.search.release()  # a tree keeps the tables of its beginning
            self.path = None

    def path_after(self, before: Position, color: int, move: int) -> list[int] | None:
        """Returns the path with a move of this color played at `before`, the game's position."""
        in_turn = color == before.to_move and not before.is_over
        return None if self.path is None or not in_turn else [*self.path, move]

    def for_analysis(self, game: Game, color: int) -> Search:
        """Returns the search, set to this color's position and to the settings of analyses.

        Raises as set_position.
        """
        self._set_position(game, color, self._analysis_settings)
        return self.search

    def ponder(self, game: Game, stop: Callable[[], bool]) -> None:
        """Searches the game's position, for at most PONDER_SECONDS."""
        self.set_position(game, game.position.to_move)
        self.search.run(Limit(visits=ANALYSIS_VISITS, max_seconds=PONDER_SECONDS), stop=stop)

    def warm_up(self, game: Game) -> None:
        """Searches one visit of the game's position."""
        self.set_position(game, game.position.to_move)
        self.search.run(Limit(visits=1))

    def set_position(self, game: Game, color: int) -> Position:
        """Sets the search to this color's position in the game, and returns that position.

        Raises GameOverError, and IllegalMoveError on the opponent's turn.
        """
        return self._set_position(game, color, self._settings)

    def _set_position(self, game: Game, color: int, settings: SearchSettings) -> Position:
        position, path = game.position, self.path
        if position.is_over:  # resume a finished game, if its rules allow
            if game.adjudication.resume is None:
                raise GameOverError("the game is over")
            position, path = game.adjudication.resume(position, color), None
        elif position.to_move != color:
            position, path = game.adjudication.at_turn_of(position, color)[0], None
        if self.search.settings is not settings:
            self.search.change_settings(settings)
        self.search.set_position(position, path)
        self.path = [] if position is game.position else None
        return position

    def clear(self) -> None:
        """Discards the search tree and the cached evaluations."""
        self.search.clear()
        if self.search.cache is not None:
            self.search.cache.clear()
