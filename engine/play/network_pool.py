"""The networks of all sessions, each loaded once; the limits of sessions and networks.

The pool has the network of each board, the default networks of each game, and the users of each
network. Sessions on one network share its cache of evaluations. The caller passes the loader.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import Board, usual_board
from engine.opponents import OpponentStore, TransientStore
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.network_lease import Lease
from engine.play.network_use import LoadedNetwork, Network, file_version, memory_of
from engine.play.usual_limits import SESSIONS
from engine.search.bounds import USUAL_BOUNDS, SearchBounds
from engine.search.meter import SearchMeter
from engine.search.tree import new_cache
from engine.util.paths import is_network_place

RESERVED = 8  # sessions closed to guests
CACHED = 2**18  # evaluations a network; 1.2 kB each on 19x19
NETWORKS = 4  # beside the default ones; one more is loaded only in place of an unused one


class BusyError(Exception):
    """All sessions or networks of this process are in use."""


Load = Callable[[NetworkChoice], Evaluator]


class NetworkPool:
    """The networks of one process. Safe to use from several threads.

    defaults: the networks of each game, unless a client names others. memory: the store of
    opponents; None: one without a file, gone with the process. most_bytes: of all networks; beyond
    it unused ones go, the least recently used first; None: no bound. bounds: of every search.
    """

    def __init__(
        self,
        load: Load,
        defaults: Mapping[str, GameNetworks],
        *,
        sessions: int = SESSIONS,
        memory: OpponentStore | None = None,
        most_bytes: int | None = None,
        bounds: SearchBounds = USUAL_BOUNDS,
    ) -> None:
        """Reserves half of `sessions`, at most RESERVED, for clients other than guests."""
        self.defaults = defaults
        self.memory: OpponentStore = memory or TransientStore()
        self._defaults = {choice for each in defaults.values() for choice in each.choices()}
        self._load = load
        self.meter = SearchMeter()  # of all searches on these networks, dropped ones included
        self._free_sessions = sessions
        self.sessions = sessions  # the most at once
        self._reserved = min(RESERVED, sessions // 2)
        self._most_bytes = most_bytes
        self.bounds = bounds  # of new searches; may be replaced
        self._held: dict[NetworkChoice, LoadedNetwork] = {}  # the least recently used first
        self._replaced: list[LoadedNetwork] = []  # and still in use
        self._lock = threading.Lock()

    @contextmanager
    def lease(
        self,
        networks: GameNetworks | None = None,
        board: Board | None = None,
        *,
        is_guest: bool = False,
    ) -> Iterator[Lease]:
        """Leases a network to one session, loaded if necessary.

        networks: None for Go's default ones. board: None for their game's usual one. Raises
        BusyError at the limit of sessions, lower for guests, or of networks, and the loader's
        exceptions.
        """
        reserved = self._reserved if is_guest else 0
        with self._lock:
            if self._free_sessions <= reserved:
                kept = f"; {reserved} more are kept for this user's own clients"
                most = self.sessions - reserved
                raise BusyError(f"all {most} sessions are in use{kept if reserved else ''}")
            self._free_sessions -= 1
        try:
            chosen = networks or self.defaults["go"]
            lease = Lease(self, chosen, board or usual_board(chosen.game))
            try:
                yield lease
            finally:
                lease.leave()
        finally:
            with self._lock:
                self._free_sessions += 1

    def use(self, choice: NetworkChoice) -> LoadedNetwork:
        """Returns the network of `choice`, in use until `let_go`; raises like `lease`."""
        with self._lock:
            loaded, is_new = self._entry(choice)
            loaded.users += 1
            self._held[choice] = self._held.pop(choice)  # the most recently used
        try:
            if is_new:
                self._fill(choice, loaded)
            loaded.network.result()
        except BaseException:
            self.let_go(loaded)
            raise
        return loaded

    def loaded(self) -> list[LoadedNetwork]:
        """Returns the networks of now, those in use and those kept."""
        with self._lock:
            return [*self._held.values(), *self._replaced]

    def let_go(self, loaded: LoadedNetwork) -> None:
        """Ends one use of a network."""
        with self._lock:
            loaded.users -= 1
            self._replaced = [each for each in self._replaced if each.users > 0]
            self._make_room()

    def _make_room(self) -> None:
        """Drops unused networks beyond the bound of memory. Holds the lock."""
        if self._most_bytes is None:
            return
        sizes = {
            choice: memory_of(each.network.result())
            for choice, each in self._held.items()
            if each.is_loaded
        }
        total = sum(sizes.values())
        for choice, size in sizes.items():
            if total <= self._most_bytes:
                return
            if self._held[choice].users == 0:
                del self._held[choice]
                total -= size

    def replace_defaults(self, defaults: Mapping[str, GameNetworks]) -> None:
        """Puts other default networks in place, once each new one is loaded.

        Games under way keep their networks. Raises the loader's exceptions, with nothing changed.
        """
        for game, networks in defaults.items():
            if networks != self.defaults[game]:
                self.let_go(self.use(networks.on(usual_board(game))))
        with self._lock:
            self.defaults = defaults
            self._defaults = {choice for each in defaults.values() for choice in each.choices()}

    def refresh(self) -> list[Path]:
        """Loads the files anew that have changed; returns their paths.

        Games under way keep the old network, and their next games get the new one. Raises the
        loader's exceptions; the old network of such a file stays.
        """
        changed = []
        for old in self.loaded():
            path, version = old.choice.path, file_version(old.choice.path)
            if path is None or old.is_replaced or version in {old.version, (0, 0)}:
                continue
            new = LoadedNetwork(old.choice, version=version)
            new.network.set_result(self._network(old.choice))
            with self._lock:
                old.is_replaced = True
                if old.users > 0:
                    self._replaced.append(old)
                self._held[old.choice] = new
            changed.append(path)
        return changed

    def _entry(self, choice: NetworkChoice) -> tuple[LoadedNetwork, bool]:
        """Returns the entry of `choice`, and True if the caller has to load it."""
        if choice in self._held:
            return self._held[choice], False
        others = [other for other in self._held if other not in self._defaults]
        if len(others) >= NETWORKS and choice not in self._defaults:
            unused = [other for other in others if self._held[other].users == 0]
            if not unused:
                raise BusyError(f"{NETWORKS} networks beside the default ones are in use")
            del self._held[unused[0]]
        self._held[choice] = LoadedNetwork(choice, version=file_version(choice.path))
        return self._held[choice], True

    def _network(self, choice: NetworkChoice) -> Network:
        cache, meter = new_cache(choice.game, CACHED), SearchMeter((self.meter,))
        return Network(self._load(choice), cache, meter)

    def _fill(self, choice: NetworkChoice, loaded: LoadedNetwork) -> None:
        try:
            loaded.network.set_result(self._network(choice))
        except Exception as error:
            with self._lock:
                del self._held[choice]  # the file may be there or whole the next time
            loaded.network.set_exception(error)
        except BaseException:
            loaded.network.set_exception(SettingError(f"{choice.path} was not loaded"))
            raise

    def choose(
        self,
        network: str | None = None,
        backend: str | None = None,
        precision: str | None = None,
        game: str = "go",
        human_network: str | None = None,
    ) -> GameNetworks:
        """Returns the game's default networks with every argument but None in place.

        network, human_network: for every size. Raises SettingError on a missing file.
        """
        default = self.defaults[game]
        backend, precision = backend or default.backend, precision or default.precision
        chosen = replace(default, backend=backend, precision=precision)
        if human_network is not None:
            chosen = replace(chosen, humans={None: _file(human_network)})
        if network is None:
            return chosen
        return replace(chosen, usual=_file(network), sizes={})


def _file(network: str) -> Path:
    path = Path(network).resolve()
    if not is_network_place(path):
        raise SettingError(f"no network file {network!r}")
    return path
