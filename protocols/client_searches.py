"""One client's searches: the one it has, or a new one where another network plays on the board.

Knows seats and how it is worded that a network cannot be had. Knows no protocol.
"""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import GAMES, Board
from engine.networks.human_policy import HumanPolicy
from engine.play.network_pool import BusyError, Lease, Network
from engine.search.search import Search

log = logging.getLogger("sparring")


class ClientSearches:
    """The searches of one client's sessions. For that client's thread."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._network = lease.network
        self._search = search_by(lease.network)

    def on(self, board: Board) -> Search:
        """A search for a board, the same one as before where the network stays the same.

        Raises SettingError, the network in use staying, where the board's cannot be had.
        """
        try:
            network = self._lease.change_board(board)
        except (BusyError, OSError, ValueError) as error:
            title = GAMES[board.game].title
            raise SettingError(
                f"cannot play {title} on {board.width}x{board.height}: {error}"
            ) from error
        if network is not self._network:
            self._network, self._search = network, search_by(network)
        return self._search

    def reference_on(self, board: Board) -> HumanPolicy | None:
        """What people play on a board, where a network tells that and can be had."""
        try:
            network = self._lease.human_network(board)
        except (BusyError, OSError, ValueError) as error:
            log.warning("the network's own moves are called natural: %s", error)
            return None
        return None if network is None else HumanPolicy(network.evaluator)

    def biased_by(self, path: Path) -> Evaluator | None:
        """The network of a style in that file, where it can be had."""
        try:
            return self._lease.biased_network(path).evaluator
        except (BusyError, OSError, ValueError) as error:
            log.warning("nothing is mixed in: %s", error)
            return None


def search_by(network: Network) -> Search:
    """A search with this network, its own randomness."""
    return Search(network.evaluator, cache=network.cache, seed=secrets.randbits(63))
