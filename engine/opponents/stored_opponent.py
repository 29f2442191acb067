"""One opponent of a store, as a value that sessions share.

It answers questions about an opponent outside a session. A session's present posterior is in
engine.opponents.tracker.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.table import Board
from engine.opponents.opponent_store import (
    EstimateAtTime,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    StoredGame,
)
from engine.opponents.server_rating import ServerRating


@dataclass(frozen=True, slots=True)
class StoredOpponent:
    """A named opponent and the store of its record. Each method raises StoreError."""

    store: OpponentStore
    name: OpponentName
    # False: the name is only presumed, and a session at full strength keeps no record of it.
    is_named: bool = True
    rating: ServerRating | None = None  # by the opponent's server; None: not stated

    def entry(self, board: Board) -> OpponentEntry | None:
        """Returns the stored strength on this kind of board; None: none is stored."""
        return self.store.recall(self.name, board)

    def history(self, board: Board) -> tuple[EstimateAtTime, ...]:
        """Returns the estimates on this kind of board over time, oldest first."""
        return self.store.history(self.name, board)

    def unfinished_games(self) -> tuple[tuple[int, StoredGame], ...]:
        """Returns the games without a result and their numbers in the store, latest first."""
        return self.store.unfinished(self.name)

    def games(self) -> tuple[tuple[int, StoredGame], ...]:
        """Returns all games and their numbers in the store, latest first."""
        return self.store.games(self.name)
