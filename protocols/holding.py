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
from engine.games import GAMES, Board, board_named, usual_board
from engine.networks.bundled import WEIGHTS, bundled_networks, human_networks
from engine.networks.runtime import load_evaluator
from engine.playouts import KINDS, PlayoutEvaluator
from engine.records import SettingError
from engine.resident import SESSIONS, GameNetworks, NetworkChoice, Resident
from engine.terms import USUAL_GO, GoTerms, named_terms
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.speak import analysis_protocol
from protocols.gtp.speak import GTP
from protocols.nboard.speak import NBOARD
from protocols.remembering import memory_wanted
from protocols.speak import Protocols
from protocols.ugi.speak import UGI

log = logging.getLogger("sparring")

MOST_THREADS = 8
MEMORY_SECONDS = 5.0  # waited at the start for the memory of opponents


@dataclass(frozen=True)
class Holding:
    """The engine of one process."""

    resident: Resident
    protocols: Protocols
    board: Board  # what it was started for
    terms: GoTerms = USUAL_GO  # of Go, where a client names none


def bundled_network() -> Path:
    """The network of Go that comes with Sparring; raises SettingError when there is none."""
    path = networks_of("go").usual
    if path is None:
        raise SettingError("no network comes with this installation: name one with --network FILE")
    return path


def networks_of(
    game: str,
    network: str | None = None,
    backend: str = "auto",
    precision: str = "auto",
    *,
    human_network: str | None = None,
    folder: Path = WEIGHTS,
) -> GameNetworks:
    """What plays a game: the network files named, on every board, else those of the folder."""
    humans = human_networks(game, folder)
    if human_network is not None:
        humans = {None: Path(human_network).resolve()}
    if network is not None:
        return GameNetworks(game, Path(network).resolve(), {}, backend, precision, humans)
    found = bundled_networks(game, folder)
    sizes = {size: path for size, path in found.items() if size is not None}
    return GameNetworks(game, found.get(None), sizes, backend, precision, humans)


@contextmanager
def hold(options: argparse.Namespace) -> Iterator[Holding]:
    """An engine as the command line asks for it, its board's network loaded; ends it afterwards.

    Raises what loading the network raises, SettingError when there is none.
    """
    with Scheduler(analysis_threads(options)) as scheduler:
        protocols = {
            "analysis": analysis_protocol(scheduler),
            "gtp": GTP,
            "nboard": NBOARD,
            "ugi": UGI,
        }
        board = board_wanted(options, protocols)
        terms = named_terms(getattr(options, "rules", None), getattr(options, "komi", None))
        defaults = {game: default_networks(options, game, board.game) for game in GAMES}
        memory = memory_wanted(options)
        has_opponents = hasattr(options, "store")
        if has_opponents:
            memory.prepare()  # beside the network
        resident = Resident(
            load, defaults, sessions=getattr(options, "sessions", SESSIONS), memory=memory
        )
        try:
            with resident.lease(defaults[board.game], board) as seat:
                log.info("%s", described(seat.network.evaluator))
                if getattr(options, "human_network", None):
                    seat.human_network(board)  # what is wrong with it is said now
            if has_opponents:
                memory.prepare(MEMORY_SECONDS)
            yield Holding(resident, protocols, board, terms)
        finally:
            memory.close()


def board_wanted(options: argparse.Namespace, protocols: Protocols) -> Board:
    """The board that the command line names, else its protocol's; raises SettingError on none."""
    spoken = protocols.get(options.subcommand)
    if named := getattr(options, "game", None):
        return board_named(named) if spoken is None else spoken.board_named(named)
    return usual_board("go") if spoken is None else spoken.board


def default_networks(options: argparse.Namespace, game: str, wanted: str) -> GameNetworks:
    """A game's networks where nobody names one: of the game wanted, the command line's."""
    named = options if game == wanted else None
    return networks_of(
        game,
        getattr(named, "network", None),
        options.backend,
        options.precision,
        human_network=getattr(named, "human_network", None),
    )


def analysis_threads(options: argparse.Namespace) -> int:
    """How many positions are searched at once."""
    threads = getattr(options, "analysis_threads", None)
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
