"""What a process that plays holds: the networks and the table of protocols over them.

Used by `serve` for all its clients, and by `gtp` and `analysis` when they join none.
"""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.evaluator import Evaluator
from engine.networks.runtime import load_evaluator
from engine.records import SettingError
from engine.resident import SESSIONS, NetworkChoice, Resident
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.speak import analysis_protocol
from protocols.gtp.speak import GTP
from protocols.speak import Protocols

log = logging.getLogger("sparring")

MOST_THREADS = 8
NETWORK_SUFFIXES = {".safetensors", ".gz"}
WEIGHTS = Path(__file__).resolve().parents[1] / "engine" / "networks" / "weights"


@dataclass(frozen=True)
class Holding:
    """The engine of one process."""

    resident: Resident
    protocols: Protocols


def bundled_network() -> Path:
    """The network that comes with Sparring; raises SettingError when there is none."""
    found = sorted(path for path in WEIGHTS.glob("go*") if path.suffix in NETWORK_SUFFIXES)
    if not found:
        raise SettingError("no network comes with this installation: name one with --network FILE")
    return found[0]


@contextmanager
def hold(options: argparse.Namespace) -> Iterator[Holding]:
    """An engine as the command line asks for it, its default network loaded; ends it afterwards.

    Raises what loading the network raises, SettingError when there is none.
    """
    path = Path(options.network) if options.network else bundled_network()
    default = NetworkChoice(path.resolve(), options.backend, options.precision)
    resident = Resident(load, default, sessions=getattr(options, "sessions", SESSIONS))
    with resident.lease() as network:
        log.info("%s", described(network.evaluator))
    with Scheduler(analysis_threads(options)) as scheduler:
        protocols = {"analysis": analysis_protocol(scheduler), "gtp": GTP}
        yield Holding(resident, protocols)


def analysis_threads(options: argparse.Namespace) -> int:
    """How many positions are searched at once."""
    threads = options.analysis_threads
    if threads is None:
        return max(2, min(MOST_THREADS, os.cpu_count() or 2))
    if not 0 < threads <= 1024:
        raise SettingError(f"--analysis-threads is from 1 to 1024, not {threads}")
    return int(threads)


def load(choice: NetworkChoice) -> Evaluator:
    """The network of `choice`, ready to run."""
    log.info("loading %s", choice.path.name)
    return load_evaluator(choice.path, backend=choice.backend, precision=choice.precision)


def described(evaluator: Evaluator) -> str:
    """The network and what runs it, in one line."""
    network = evaluator.network
    runs = f"{evaluator.backend} {evaluator.precision} on {evaluator.device}"
    return f"{network.name} ({network.trunk}), {runs}"
