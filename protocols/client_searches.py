"""One client's source of searches and networks, from its lease of the network pool.

Another module words the report of a missing network in each protocol.
"""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import GAMES, Board
from engine.networks.human_policy import HumanPolicy
from engine.play.network_lease import Lease
from engine.play.network_pool import BusyError
from engine.play.network_use import Network
from engine.search.bounds import SearchBounds
from engine.search.chess_aids import ChessAids, OpenAids, open_aids
from engine.search.meter import SearchMeter
from engine.search.search import Search
from protocols.activity import current

log = logging.getLogger("sparring")


class ClientSearches:
    """The searches of one client's sessions. A SearchSource for one thread."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._network = lease.network
        self._aids: dict[ChessAids, OpenAids] = {}
        self._search = self._search_by(lease.network)

    def search_on(self, board: Board) -> Search:
        """Returns a search for a board, the same one as before while the network is the same.

        Raises SettingError where the board's network cannot be had; the present one stays in use.
        """
        try:
            network = self._lease.change_board(board)
        except (BusyError, OSError, ValueError) as error:
            title = GAMES[board.game].title
            raise SettingError(
                f"cannot play {title} on {board.width}x{board.height}: {error}"
            ) from error
        if network is not self._network:
            self._network, self._search = network, self._search_by(network)
        return self._search

    def leave(self) -> None:
        """Discards the tree of the search and ends its engines at the end of the conversation.

        The objects of a conversation form cycles, and collections of cycles are rare.
        """
        self._search.release()
        for aids in self._aids.values():
            aids.close()

    def _search_by(self, network: Network) -> Search:
        """Returns a search with this network, and with the aids named for its game."""
        search = search_by(network, self._lease.bounds)
        game = network.evaluator.network.game
        names = self._lease.networks_of(game).aids
        if names not in self._aids:
            self._aids[names] = open_aids(names)
        search.aids = self._aids[names]
        return search

    def human_policy_on(self, board: Board) -> HumanPolicy | None:
        """Returns the model of human moves on a board; None where none can be had."""
        try:
            network = self._lease.human_network(board)
        except (BusyError, OSError, ValueError) as error:
            log.warning("the network's own policy stands in for human moves: %s", error)
            return None
        return None if network is None else HumanPolicy(network.evaluator)

    def mixed_network(self, path: Path) -> Evaluator | None:
        """Returns the network in a file, which a persona mixes in; None where it cannot be had."""
        try:
            return self._lease.biased_network(path).evaluator
        except (BusyError, OSError, ValueError) as error:
            log.warning("the persona plays without its mixed network: %s", error)
            return None


def search_by(network: Network, bounds: SearchBounds) -> Search:
    """Returns a search with this network and a random seed of its own.

    The network and the conversation of this thread count its work.
    """
    seed, meter = secrets.randbits(63), SearchMeter((network.meter, current().meter))
    return Search(network.evaluator, cache=network.cache, seed=seed, meter=meter, bounds=bounds)
