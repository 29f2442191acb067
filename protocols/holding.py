"""What a process that plays holds: the networks and the table of protocols over them.

Used by `serve` for all its clients, and by `gtp` and its like when they join none.
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
from engine.games import GAMES, game_named
from engine.networks.runtime import load_evaluator
from engine.playouts import KINDS, PlayoutEvaluator
from engine.records import SettingError
from engine.resident import SESSIONS, NetworkChoice, Resident
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.speak import analysis_protocol
from protocols.gtp.speak import GTP
from protocols.nboard.speak import NBOARD
from protocols.speak import Protocols
from protocols.ugi.speak import UGI

log = logging.getLogger("sparring")

MOST_THREADS = 8
NETWORK_SUFFIXES = {".safetensors", ".gz"}
WEIGHTS = Path(__file__).resolve().parents[1] / "engine" / "networks" / "weights"


@dataclass(frozen=True)
class Holding:
    """The engine of one process."""

    resident: Resident
    protocols: Protocols
    game: str  # what it was started for, a key of GAMES


def bundled_network(game: str = "go") -> Path:
    """The network of a game that comes with Sparring; raises SettingError when there is none."""
    path = bundled(game)
    if path is None:
        raise SettingError("no network comes with this installation: name one with --network FILE")
    return path


def bundled(game: str) -> Path | None:
    """The network of a game that comes with Sparring; None where there is none."""
    found = sorted(path for path in WEIGHTS.glob(f"{game}*") if path.suffix in NETWORK_SUFFIXES)
    return found[0].resolve() if found else None


@contextmanager
def hold(options: argparse.Namespace) -> Iterator[Holding]:
    """An engine as the command line asks for it, its game's network loaded; ends it afterwards.

    Raises what loading the network raises, SettingError when there is none.
    """
    with Scheduler(analysis_threads(options)) as scheduler:
        protocols = {
            "analysis": analysis_protocol(scheduler),
            "gtp": GTP,
            "nboard": NBOARD,
            "ugi": UGI,
        }
        game = game_wanted(options, protocols)
        defaults = {name: default_network(options, name, game) for name in GAMES}
        resident = Resident(load, defaults, sessions=getattr(options, "sessions", SESSIONS))
        with resident.lease(defaults[game]) as seat:
            log.info("%s", described(seat.network.evaluator))
        yield Holding(resident, protocols, game)


def game_wanted(options: argparse.Namespace, protocols: Protocols) -> str:
    """The game that the command line names, else its protocol's; raises SettingError on no game."""
    spoken = protocols.get(options.subcommand)
    if named := getattr(options, "game", None):
        return game_named(named) if spoken is None else spoken.game_named(named)
    return "go" if spoken is None else spoken.game


def default_network(options: argparse.Namespace, game: str, wanted: str) -> NetworkChoice:
    """A game's network where nobody names one: of the game wanted, the command line's."""
    path = bundled(game)
    if options.network and game == wanted:
        path = Path(options.network).resolve()
    return NetworkChoice(path, options.backend, options.precision, game)


def analysis_threads(options: argparse.Namespace) -> int:
    """How many positions are searched at once."""
    threads = options.analysis_threads
    if threads is None:
        return max(2, min(MOST_THREADS, os.cpu_count() or 2))
    if not 0 < threads <= 1024:
        raise SettingError(f"--analysis-threads is from 1 to 1024, not {threads}")
    return int(threads)


def load(choice: NetworkChoice) -> Evaluator:
    """The network of `choice`, ready to run; raises SettingError where it is another game's."""
    if choice.path is None:
        return without_network(choice.game)
    log.info("loading %s", choice.path.name)
    evaluator = load_evaluator(choice.path, backend=choice.backend, precision=choice.precision)
    if evaluator.network.game != choice.game:
        theirs, wanted = GAMES[evaluator.network.game].title, GAMES[choice.game].title
        raise SettingError(f"{choice.path.name} is a network of {theirs}, not of {wanted}")
    return evaluator


def without_network(game: str) -> Evaluator:
    """What plays a game of which no network is there; raises SettingError where nothing does."""
    if game not in KINDS:
        raise SettingError(
            f"no network of {GAMES[game].title} comes with this installation: "
            "name one with --network FILE"
        )
    return PlayoutEvaluator(game)


def described(evaluator: Evaluator) -> str:
    """The network and what runs it, in one line."""
    network = evaluator.network
    runs = f"{evaluator.backend} {evaluator.precision} on {evaluator.device}"
    return f"{network.name} ({network.trunk}), {runs}"
