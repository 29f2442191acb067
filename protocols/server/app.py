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

from engine.errors import SettingError
from engine.games.game_settings import USUAL_GO, GoSettings, settings_from_options
from engine.games.table import GAMES, Board, board_named, usual_board
from engine.play.network_pool import SESSIONS, GameNetworks, NetworkPool
from engine.play.networks import described, load, networks_of
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.speak import analysis_protocol
from protocols.conversation import Protocols
from protocols.gtp.speak import GTP
from protocols.nboard.speak import NBOARD
from protocols.store_options import memory_wanted
from protocols.ugi.speak import UGI

log = logging.getLogger("sparring")

MOST_THREADS = 8
MEMORY_SECONDS = 5.0  # waited at the start for the memory of opponents


@dataclass(frozen=True)
class App:
    """The engine of one process."""

    pool: NetworkPool
    protocols: Protocols
    board: Board  # what it was started for
    terms: GoSettings = USUAL_GO  # of Go, where a client names none


@contextmanager
def hold(options: argparse.Namespace) -> Iterator[App]:
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
        terms = settings_from_options(
            getattr(options, "rules", None), getattr(options, "komi", None)
        )
        defaults = {game: default_networks(options, game, board.game) for game in GAMES}
        memory = memory_wanted(options)
        has_opponents = hasattr(options, "store")
        if has_opponents:
            memory.prepare()  # beside the network
        pool = NetworkPool(
            load, defaults, sessions=getattr(options, "sessions", SESSIONS), memory=memory
        )
        try:
            with pool.lease(defaults[board.game], board) as lease:
                log.info("%s", described(lease.network.evaluator))
                if getattr(options, "human_network", None):
                    lease.human_network(board)  # what is wrong with it is said now
            if has_opponents:
                memory.prepare(MEMORY_SECONDS)
            yield App(pool, protocols, board, terms)
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
