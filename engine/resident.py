"""The networks held for all sessions, each loaded once, and how many sessions there may be.

Knows which network a session wants and who still uses which; sessions on one network share its
cache of evaluations. Does not know protocols or games, nor how a network is loaded: that is
passed in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from engine._core import EvaluationCache
from engine.evaluator import Evaluator
from engine.records import SettingError

SESSIONS = 64
CACHED = 2**18  # evaluations a network; 1.2 kB each on 19x19
NETWORKS = 4  # beside the default one; more are loaded only when one of these is free


class BusyError(Exception):
    """As many sessions or networks are in use as this process holds."""


@dataclass(frozen=True)
class NetworkChoice:
    """Which network to run, and how."""

    path: Path
    backend: str = "auto"
    precision: str = "auto"


Load = Callable[[NetworkChoice], Evaluator]


@dataclass(frozen=True)
class Network:
    """A network in use, and the evaluations by it that all its sessions share."""

    evaluator: Evaluator
    cache: EvaluationCache


@dataclass
class Holding:
    """One network and how many sessions use it."""

    network: Future[Network] = field(default_factory=Future)
    users: int = 0


class Resident:
    """What `serve` and the stdio commands hold. Safe to use from several threads."""

    def __init__(self, load: Load, default: NetworkChoice, *, sessions: int = SESSIONS) -> None:
        self.default = default
        self._load = load
        self._free_sessions = sessions
        self._sessions = sessions
        self._held: dict[NetworkChoice, Holding] = {}
        self._lock = threading.Lock()

    @contextmanager
    def lease(self, choice: NetworkChoice | None = None) -> Iterator[Network]:
        """The network of `choice` for one session, loaded if it is not there yet.

        Raises BusyError at the limit of sessions or networks, and what loading raised.
        """
        choice = choice or self.default
        with self._lock:
            if self._free_sessions == 0:
                raise BusyError(f"all {self._sessions} sessions are in use")
            holding, is_new = self._hold(choice)
            self._free_sessions -= 1
            holding.users += 1
        try:
            if is_new:
                self._fill(choice, holding)
            yield holding.network.result()
        finally:
            with self._lock:
                self._free_sessions += 1
                holding.users -= 1

    def _hold(self, choice: NetworkChoice) -> tuple[Holding, bool]:
        """The holding of `choice`, and whether the caller has to load it."""
        if choice in self._held:
            return self._held[choice], False
        others = [other for other in self._held if other != self.default]
        if len(others) >= NETWORKS and choice != self.default:
            unused = [other for other in others if self._held[other].users == 0]
            if not unused:
                raise BusyError(f"{NETWORKS} networks beside the default one are in use")
            del self._held[unused[0]]
        self._held[choice] = Holding()
        return self._held[choice], True

    def _fill(self, choice: NetworkChoice, holding: Holding) -> None:
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
        self, network: str | None = None, backend: str | None = None, precision: str | None = None
    ) -> NetworkChoice:
        """The choice that leaves what is None as the default has it."""
        path = Path(network).resolve() if network else self.default.path
        if network and not path.is_file():
            raise SettingError(f"no network file {network!r}")
        return NetworkChoice(
            path, backend or self.default.backend, precision or self.default.precision
        )
