"""The source of a session's search, its human policy and the networks mixed in by personas.

The module has the interface, and a source with one search. The source by the network pool is in
protocols.client_searches.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from engine.games.evaluator import Evaluator
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.search.search import Search


class SearchSource(Protocol):
    """The searches and networks of one session."""

    def search_on(self, board: Board, /) -> Search:
        """Returns the search for a new game on this board.

        Raises SettingError if the board's network cannot be loaded.
        """

    def human_policy_on(self, board: Board, /) -> HumanPolicy | None:
        """Returns the model of human moves on this board, for a persona that needs it.

        None: the search's own network stands in.
        """

    def mixed_network(self, path: Path, /) -> Evaluator | None:
        """Returns the network in this file, to be mixed in; None: the persona plays without it."""


class OneSearch:
    """A source with the same search on every board. Satisfies SearchSource."""

    def __init__(
        self,
        search: Search,
        *,
        human_policy: Callable[[], HumanPolicy | None] = lambda: None,
        mixed_network: Callable[[Path], Evaluator | None] = lambda _path: None,
    ) -> None:
        self._search = search
        self._human_policy = human_policy
        self._mixed_network = mixed_network

    def search_on(self, _board: Board, /) -> Search:
        """Returns the one search."""
        return self._search

    def human_policy_on(self, _board: Board, /) -> HumanPolicy | None:
        """Returns the model of human moves, the same on every board."""
        return self._human_policy()

    def mixed_network(self, path: Path, /) -> Evaluator | None:
        """Returns the network in this file."""
        return self._mixed_network(path)
