"""The networks of all sessions, each loaded once; the limits of sessions and networks.

The pool has the network of each board, the default networks of each game, and the users of each
network. Sessions on one network share its cache of evaluations. The caller passes the loader.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import Board, usual_board
from engine.opponents import OpponentStore, TransientStore
from engine.play.usual_limits import SESSIONS
from engine.search.bounds import USUAL_BOUNDS, SearchBounds
from engine.search.meter import SearchMeter
from engine.search.tree import Cache, new_cache
from engine.util.paths import is_network_place

RESERVED = 8  # sessions closed to guests
CACHED = 2**18  # evaluations a network; 1.2 kB each on 19x19
NETWORKS = 4  # beside the default ones; one more is loaded only in place of an unused one
WEIGHT_BYTES = 8  # memory of a parameter: as read, and as the backend lays it out


class BusyError(Exception):
    """All sessions or networks of this process are in use."""


@dataclass(frozen=True)
class NetworkChoice:
    """A network file, its backend and its precision."""

    path: Path | None  # None: no network, but the game's rollouts
    backend: str = "auto"
    precision: str = "auto"
    game: str = "go"  # a key of GAMES


@dataclass(frozen=True)
class GameNetworks:
    """The networks of one game, by the size of the board."""

    game: str  # a key of GAMES
    usual: Path | None = None  # network of boards without one of their own; None: rollouts
    sizes: Mapping[tuple[int, int], Path] = field(
        default_factory=dict
    )  # networks by (width, height)
    backend: str = "auto"
    precision: str = "auto"
    # Networks of human moves, by (width, height); None: on every board without one of its own.
    humans: Mapping[tuple[int, int] | None, Path] = field(default_factory=dict)
    engine: str = ""  # command line of another engine, whose values count; empty: none

    def on(self, board: Board) -> NetworkChoice:
        """Returns the network for a board of this game."""
        return self._choice(self.sizes.get((board.width, board.height), self.usual))

    def human_on(self, board: Board) -> NetworkChoice | None:
        """Returns the network of human moves on a board; None if there is none."""
        path = self.humans.get((board.width, board.height), self.humans.get(None))
        return None if path is None else self._choice(path)

    def choices(self) -> set[NetworkChoice]:
        """Returns all networks of the game."""
        paths = (self.usual, *self.sizes.values(), *self.humans.values())
        return {self._choice(path) for path in paths}

    def _choice(self, path: Path | None) -> NetworkChoice:
        if path is None:
            return NetworkChoice(None, game=self.game)  # rollouts have one backend
        return NetworkChoice(path, self.backend, self.precision, self.game)


Load = Callable[[NetworkChoice], Evaluator]


@dataclass(frozen=True)
class Network:
    """A network in use, with the cache of evaluations that its sessions share."""

    evaluator: Evaluator
    cache: Cache
    meter: SearchMeter = field(default_factory=SearchMeter)


@dataclass
class LoadedNetwork:
    """One network and the number of its users."""

    choice: NetworkChoice
    network: Future[Network] = field(default_factory=Future)
    users: int = 0
    is_replaced: bool = False  # a newer file is loaded; games under way keep this one
    version: tuple[int, int] = (0, 0)  # of the file: its time and its size

    @property
    def is_loaded(self) -> bool:
        """Whether the network is loaded without an error."""
        return self.network.done() and self.network.exception() is None


def memory_of(network: Network) -> int:
    """Returns an upper estimate of a network's memory in bytes, with its cache."""
    return WEIGHT_BYTES * network.evaluator.network.parameters + network.cache.bytes


def file_version(path: Path | None) -> tuple[int, int]:
    """Returns the time and the size of a file; zeros for a missing one."""
    try:
        status = None if path is None else path.stat()
    except OSError:
        status = None
    return (0, 0) if status is None else (status.st_mtime_ns, status.st_size)


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
