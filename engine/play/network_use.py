"""A network in use: its evaluator, its cache of evaluations and the number of its users."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from engine.games.evaluator import Evaluator
from engine.play.game_networks import NetworkChoice
from engine.search.meter import SearchMeter
from engine.search.tree import Cache

WEIGHT_BYTES = 8  # memory of a parameter: as read, and as the backend lays it out


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
