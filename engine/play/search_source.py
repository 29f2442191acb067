"""Where a session gets its search, the human policy and the networks that personas mix in.

An interface, and a source with one search. Knows no pool of networks.
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
        """Returns the search for a game on this board; the session asks at each beginning.

        Raises SettingError where no network for the board can be had.
        """

    def human_policy_on(self, board: Board, /) -> HumanPolicy | None:
        """Returns the model of human moves on this board; None where there is none.

        A session asks when its persona first needs it, and uses its own network instead of None.
        """

    def mixed_network(self, path: Path, /) -> Evaluator | None:
        """Returns the network in this file, for a persona that mixes it in.

        None where it cannot be had: the persona plays without it.
        """


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
