"""What is held for all sessions: networks, each loaded once, one memory; how many there may be.

Knows which network a session wants for a board, which ones each game has where nobody names any,
and who still uses which; sessions on one network share its cache of evaluations. Does not know
protocols nor the games' rules, nor how a network is loaded: that is passed in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine._core import EvaluationCache
from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import Board, usual_board
from engine.opponents import OpponentStore, TransientStore
from engine.util.paths import is_file

SESSIONS = 64
RESERVED = 8  # sessions that guests cannot take
CACHED = 2**18  # evaluations a network; 1.2 kB each on 19x19
NETWORKS = 4  # beside the default ones; more are loaded only when one of these is free


class BusyError(Exception):
    """As many sessions or networks are in use as this process holds."""


@dataclass(frozen=True)
class NetworkChoice:
    """Which network to run, and how."""

    path: Path | None  # None: no network, the game's own playouts
    backend: str = "auto"
    precision: str = "auto"
    game: str = "go"  # a key of GAMES


@dataclass(frozen=True)
class GameNetworks:
    """Which network plays one game, by the size of the board."""

    game: str  # a key of GAMES
    usual: Path | None = None  # on every board without one of its own; None: its playouts
    sizes: Mapping[tuple[int, int], Path] = field(default_factory=dict)  # by (width, height)
    backend: str = "auto"
    precision: str = "auto"
    # What people play, by (width, height); None: on every board without one of its own.
    humans: Mapping[tuple[int, int] | None, Path] = field(default_factory=dict)

    def on(self, board: Board) -> NetworkChoice:
        """The network for a board of this game."""
        return self._choice(self.sizes.get((board.width, board.height), self.usual))

    def human_on(self, board: Board) -> NetworkChoice | None:
        """The network whose policy is what people play on it, where there is one."""
        path = self.humans.get((board.width, board.height), self.humans.get(None))
        return None if path is None else self._choice(path)

    def choices(self) -> set[NetworkChoice]:
        """All that may be used."""
        paths = (self.usual, *self.sizes.values(), *self.humans.values())
        return {self._choice(path) for path in paths}

    def _choice(self, path: Path | None) -> NetworkChoice:
        if path is None:
            return NetworkChoice(None, game=self.game)  # playouts run in one way only
        return NetworkChoice(path, self.backend, self.precision, self.game)


Load = Callable[[NetworkChoice], Evaluator]


@dataclass(frozen=True)
class Network:
    """A network in use, and the evaluations by it that all its sessions share."""

    evaluator: Evaluator
    cache: EvaluationCache


@dataclass
class LoadedNetwork:
    """One network and how many sessions use it."""

    choice: NetworkChoice
    network: Future[Network] = field(default_factory=Future)
    users: int = 0


class Lease:
    """One session's place: it uses one network at a time. For that session's thread."""

    def __init__(self, pool: NetworkPool, networks: GameNetworks, board: Board) -> None:
        self._pool = pool
        self._networks = networks  # of the game that the session came for
        self._using = pool.use(networks.on(board))
        # Beside that, once they were asked for: one of human moves, one that a persona mixes in.
        self._beside: dict[str, LoadedNetwork] = {}

    @property
    def memory(self) -> OpponentStore:
        """What all sessions remember of opponents."""
        return self._pool.memory

    @property
    def network(self) -> Network:
        """The network in use."""
        return self._using.network.result()

    def change_board(self, board: Board) -> Network:
        """Uses the network for a board, in the session's first game what it came with.

        Raises as Resident.lease does; the network in use then stays.
        """
        choice = self._networks_of(board.game).on(board)
        if choice != self._using.choice:
            using = self._pool.use(choice)
            self._pool.let_go(self._using)
            self._using = using
        return self.network

    def human_network(self, board: Board) -> Network | None:
        """The network whose policy is what people play on the board, where there is one.

        It is loaded when it is first asked for. Raises as Resident.lease does.
        """
        choice = self._networks_of(board.game).human_on(board)
        return None if choice is None else self._use_beside("human", choice)

    def biased_network(self, path: Path) -> Network:
        """The network of a style in that file, run as the session's first game is.

        It is loaded when it is first asked for. Raises as Resident.lease does.
        """
        first = self._networks
        choice = NetworkChoice(path, first.backend, first.precision)
        return self._use_beside("biased", choice)

    def leave(self) -> None:
        """Uses no network any more."""
        for holding in (self._using, *self._beside.values()):
            self._pool.let_go(holding)

    def _use_beside(self, purpose: str, choice: NetworkChoice) -> Network:
        """The network of the choice, in the place of the one that had that purpose."""
        before = self._beside.get(purpose)
        if before is None or before.choice != choice:
            self._beside[purpose] = self._pool.use(choice)
            if before is not None:
                self._pool.let_go(before)
        return self._beside[purpose].network.result()

    def _networks_of(self, game: str) -> GameNetworks:
        first = self._networks
        if game == first.game:
            return first
        return self._pool.choose(None, first.backend, first.precision, game)


class NetworkPool:
    """What `serve` and the stdio commands hold. Safe to use from several threads.

    defaults: the networks of each game where nobody names one. memory: of opponents, for all
    sessions; None: one that is gone with the process.
    """

    def __init__(
        self,
        load: Load,
        defaults: Mapping[str, GameNetworks],
        *,
        sessions: int = SESSIONS,
        memory: OpponentStore | None = None,
    ) -> None:
        """Keeps half of `sessions`, at most RESERVED, for those that are no guests."""
        self.defaults = defaults
        self.memory: OpponentStore = memory or TransientStore()
        self._defaults = {choice for each in defaults.values() for choice in each.choices()}
        self._load = load
        self._free_sessions = sessions
        self._sessions = sessions
        self._reserved = min(RESERVED, sessions // 2)
        self._held: dict[NetworkChoice, LoadedNetwork] = {}
        self._lock = threading.Lock()

    @contextmanager
    def lease(
        self,
        networks: GameNetworks | None = None,
        board: Board | None = None,
        *,
        is_guest: bool = False,
    ) -> Iterator[Lease]:
        """A place for one session on a board with one of `networks`, loaded if it is not there yet.

        Without them Go's default ones, without a board their game's usual one. Raises BusyError at
        the limit of sessions, a guest's being lower, or of networks, and what loading raised.
        """
        reserved = self._reserved if is_guest else 0
        with self._lock:
            if self._free_sessions <= reserved:
                kept = f"; {reserved} more are kept for this user's own clients" if reserved else ""
                raise BusyError(f"all {self._sessions - reserved} sessions are in use{kept}")
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
        """The network of `choice`, loaded, in use until it is let go; raises as `lease` does."""
        with self._lock:
            holding, is_new = self._hold(choice)
            holding.users += 1
        try:
            if is_new:
                self._fill(choice, holding)
            holding.network.result()
        except BaseException:
            self.let_go(holding)
            raise
        return holding

    def let_go(self, holding: LoadedNetwork) -> None:
        """Ends one use of a network."""
        with self._lock:
            holding.users -= 1

    def _hold(self, choice: NetworkChoice) -> tuple[LoadedNetwork, bool]:
        """The holding of `choice`, and whether the caller has to load it."""
        if choice in self._held:
            return self._held[choice], False
        others = [other for other in self._held if other not in self._defaults]
        if len(others) >= NETWORKS and choice not in self._defaults:
            unused = [other for other in others if self._held[other].users == 0]
            if not unused:
                raise BusyError(f"{NETWORKS} networks beside the default ones are in use")
            del self._held[unused[0]]
        self._held[choice] = LoadedNetwork(choice)
        return self._held[choice], True

    def _fill(self, choice: NetworkChoice, holding: LoadedNetwork) -> None:
        try:
            holding.network.set_result(Network(self._load(choice), EvaluationCache(CACHED)))
        except Exception as error:
            with self._lock:
                del self._held[choice]  # the file may be there or whole the next time
            holding.network.set_exception(error)
        except BaseException:
            holding.network.set_exception(SettingError(f"{choice.path} was not loaded"))
            raise

    def choose(
        self,
        network: str | None = None,
        backend: str | None = None,
        precision: str | None = None,
        game: str = "go",
        human_network: str | None = None,
    ) -> GameNetworks:
        """The game's default networks with what is not None changed; `network` plays every size.

        human_network: says what people play on every size. Raises SettingError where there is no
        such file.
        """
        default = self.defaults[game]
        chosen = replace(
            default,
            backend=backend or default.backend,
            precision=precision or default.precision,
        )
        if human_network is not None:
            chosen = replace(chosen, humans={None: _file(human_network)})
        if network is None:
            return chosen
        return replace(chosen, usual=_file(network), sizes={})


def _file(network: str) -> Path:
    path = Path(network).resolve()
    if not is_file(path):
        raise SettingError(f"no network file {network!r}")
    return path
