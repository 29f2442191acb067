"""The lease of a session: its right to use the pool's networks, one at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.games.table import Board
from engine.opponents import OpponentStore
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.network_use import LoadedNetwork, Network
from engine.search.bounds import SearchBounds

if TYPE_CHECKING:
    from engine.play.network_pool import NetworkPool


class Lease:
    """One session's right to use the pool: one network at a time. For the session's thread."""

    def __init__(self, pool: NetworkPool, networks: GameNetworks, board: Board) -> None:
        self._pool = pool
        self._networks = networks  # of the session's first game
        self._using = pool.use(networks.on(board))
        # Loaded on demand beside it: one of human moves, one mixed in by a persona.
        self._beside: dict[str, LoadedNetwork] = {}

    @property
    def memory(self) -> OpponentStore:
        """The store of opponents, shared by all sessions."""
        return self._pool.memory

    @property
    def bounds(self) -> SearchBounds:
        """The operator's bounds of a search, as they are now."""
        return self._pool.bounds

    @property
    def network(self) -> Network:
        """The network in use."""
        return self._using.network.result()

    def choice_on(self, board: Board) -> NetworkChoice:
        """Returns the network for a board, by the session's choice in its first game."""
        return self.networks_of(board.game).on(board)

    def change_board(self, board: Board) -> Network:
        """Changes to the network for a board, by the session's choice in its first game.

        Raises like NetworkPool.lease; the present network then stays in use.
        """
        choice = self.choice_on(board)
        if choice != self._using.choice or self._using.is_replaced:
            using = self._pool.use(choice)
            self._pool.let_go(self._using)
            self._using = using
        return self.network

    def human_network(self, board: Board) -> Network | None:
        """Returns the network of human moves on the board, loaded on demand; None without one.

        Raises like NetworkPool.lease.
        """
        choice = self.networks_of(board.game).human_on(board)
        return None if choice is None else self._use_beside("human", choice)

    def biased_network(self, path: Path) -> Network:
        """Returns the network of a style in this file, loaded on demand.

        Its backend and precision are those of the session's first game. Raises like
        NetworkPool.lease.
        """
        first = self._networks
        choice = NetworkChoice(path, first.backend, first.precision)
        return self._use_beside("biased", choice)

    def leave(self) -> None:
        """Ends all uses of networks."""
        for loaded in (self._using, *self._beside.values()):
            self._pool.let_go(loaded)

    def _use_beside(self, purpose: str, choice: NetworkChoice) -> Network:
        """Returns the network of the choice, in place of the last one of this purpose."""
        before = self._beside.get(purpose)
        if before is None or before.choice != choice or before.is_replaced:
            self._beside[purpose] = self._pool.use(choice)
            if before is not None:
                self._pool.let_go(before)
        return self._beside[purpose].network.result()

    def networks_of(self, game: str) -> GameNetworks:
        """Returns the networks of a game by the session's choice in its first game."""
        first = self._networks
        if game == first.game:
            return first
        return self._pool.choose(None, first.backend, first.precision, game)
