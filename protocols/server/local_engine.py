"""The engine of one process: its pool of networks and its table of protocols.

`serve` opens one for all its clients. `gtp`, `darkchess-gtp`, `nboard`, `terminal`, `uci`, `ugi`
and `analysis` open one each where they join no running engine.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.errors import SettingError
from engine.games.game_settings import settings_from_options
from engine.games.table import GAMES, Board, board_named, usual_board
from engine.personas import USUAL
from engine.play.game_networks import GameNetworks
from engine.play.network_pool import NetworkPool
from engine.play.networks import described, load, networks_of
from engine.play.usual_limits import MEMORY_SHARE, SESSIONS
from engine.search.bounds import MOST_NODES, MOST_VISITS, NODE_BYTES, SearchBounds
from engine.search.chess_aids import NO_AIDS, ChessAids
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.speak import analysis_protocol
from protocols.conversation import ClientDefaults, Protocols
from protocols.darkchess.speak import DARK_CHESS
from protocols.gtp.speak import GTP
from protocols.nboard.speak import NBOARD
from protocols.page.lobby import Lobby
from protocols.page.speak import page_protocol
from protocols.rights import Rights
from protocols.server.usual_limits import QUERY_POSITIONS
from protocols.store_options import open_store
from protocols.terminal.speak import TERMINAL
from protocols.uci.speak import UCI
from protocols.ugi.speak import UGI

log = logging.getLogger("sparring")

CHESS: Final = "chess"
USUAL_THREADS = 8  # most positions searched at once, where no option sets the number
MOST_THREADS = 1024
STORE_SECONDS = 5.0  # longest wait at the start for the store of opponents


@dataclass(frozen=True)
class LocalEngineOptions:
    """The options of an engine, from the command line. None and "": not set there."""

    protocol: str = ""  # the one protocol of this process; empty: a server of all protocols
    game: str = ""  # the game as the user spells it
    network: str | None = None  # file
    human_network: str | None = None  # file
    networks: Mapping[str, str] = field(default_factory=dict)  # files by game, for every board
    human_networks: Mapping[str, str] = field(default_factory=dict)  # the same
    chess_aids: ChessAids = NO_AIDS
    backend: str = "auto"
    precision: str = "auto"
    rules: str | None = None  # Go
    komi: str | None = None  # Go, in points
    persona: str | None = None  # of clients that name none
    visits: int | None = None  # of a move
    seconds: float | None = None  # of a move without a clock
    store: str | None = None  # place of the store of opponents
    remembers: bool = False  # whether opponents are remembered at all
    sessions: int = SESSIONS
    query_positions: int = QUERY_POSITIONS  # of one query for analysis
    move_visits: int | None = None  # the most of any search; None: the usual number
    move_seconds: float | None = None  # the most of any search; None: no bound
    tree_megabytes: int | None = None  # of all search trees; None: the usual share
    network_megabytes: int | None = None  # of networks and caches; None: the usual share
    analysis_threads: int | None = None


@dataclass(frozen=True)
class LocalEngine:
    """The engine of one process."""

    pool: NetworkPool
    protocols: Protocols
    board: Board  # the board of `game`, else the protocol's usual one
    # The settings of play until a client sets others.
    defaults: ClientDefaults = field(default_factory=ClientDefaults)


def protocols_of(scheduler: Scheduler, query_positions: int) -> Protocols:
    """Returns every protocol of the engine, by name.

    scheduler: of analyses. query_positions: the most positions of one query of them.
    """
    return {
        "analysis": analysis_protocol(scheduler, query_positions),
        "darkchess-gtp": DARK_CHESS,
        "gtp": GTP,
        "nboard": NBOARD,
        "page": page_protocol(Lobby()),
        "terminal": TERMINAL,
        "uci": UCI,
        "ugi": UGI,
    }


@contextmanager
def open_local_engine(options: LocalEngineOptions) -> Iterator[LocalEngine]:
    """Opens an engine with the network of its board loaded; closes its store at the end.

    Raises SettingError where no network plays the board, and the errors of loading one.
    """
    with Scheduler(analysis_threads(options.analysis_threads)) as scheduler:
        protocols = protocols_of(scheduler, options.query_positions)
        board = board_of(options, protocols)
        client_defaults = client_defaults_of(options)
        defaults = all_default_networks(options, board.game)
        store = open_store(options.store)
        if options.remembers:
            store.prepare()  # in the background, while the network is loaded
        pool = NetworkPool(
            load,
            defaults,
            sessions=options.sessions,
            memory=store,
            most_bytes=network_bytes(options.network_megabytes),
            bounds=bounds_of(options),
        )
        try:
            with pool.lease(defaults[board.game], board) as lease:
                log.info("%s", described(lease.network.evaluator))
                if options.human_network is not None:
                    lease.human_network(board)  # raises now what is wrong with the file
            if options.remembers:
                store.prepare(STORE_SECONDS)
            yield LocalEngine(pool, protocols, board, client_defaults)
        finally:
            store.close()


def client_defaults_of(options: LocalEngineOptions) -> ClientDefaults:
    """Returns the settings of play for clients without their own; raises SettingError.

    The persona must play some game.
    """
    persona = options.persona or USUAL
    check_persona(persona)
    return ClientDefaults(
        persona=persona,
        game_settings=settings_from_options(options.rules, options.komi),
        visits=options.visits,
        seconds=options.seconds,
    )


def check_persona(text: str) -> None:
    """Raises SettingError unless the operator's persona plays at least one game."""
    refusals = []
    for game in GAMES:
        try:
            Rights(is_user=True, folder=Path.cwd()).persona(text, game)
        except SettingError as error:
            refusals.append(error)
        else:
            return
    raise refusals[0]


def board_of(options: LocalEngineOptions, protocols: Protocols) -> Board:
    """Returns the board of the option, else the protocol's usual one; raises SettingError."""
    protocol = protocols.get(options.protocol)
    if options.game:
        named = board_named if protocol is None else protocol.board_named
        return named(options.game)
    return usual_board("go") if protocol is None else protocol.board


def bounds_of(options: LocalEngineOptions) -> SearchBounds:
    """Returns the bounds of every search."""
    nodes = options.tree_megabytes and options.tree_megabytes * 2**20 // NODE_BYTES
    return SearchBounds(
        visits=min(options.move_visits or MOST_VISITS, MOST_VISITS),
        seconds=options.move_seconds,
        nodes=nodes or MOST_NODES,
    )


def network_bytes(megabytes: int | None) -> int:
    """Returns the most memory of the networks, in bytes; None: the usual share of the machine's."""
    if megabytes is not None:
        return megabytes * 2**20
    return int(MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def all_default_networks(options: LocalEngineOptions, board_game: str) -> dict[str, GameNetworks]:
    """Returns the networks of all games for clients without a choice of their own."""
    return {game: default_networks(options, game, board_game) for game in GAMES}


def default_networks(options: LocalEngineOptions, game: str, board_game: str) -> GameNetworks:
    """Returns the networks of a game for clients without a choice of their own.

    The options `network` and `human_network` are of `board_game`.
    """
    is_own = game == board_game
    return networks_of(
        game,
        (options.network if is_own else None) or options.networks.get(game),
        options.backend,
        options.precision,
        human_network=(options.human_network if is_own else None)
        or options.human_networks.get(game),
        aids=options.chess_aids,
    )


def analysis_threads(threads: int | None) -> int:
    """Returns the number of positions searched at once; raises SettingError outside 1 to 1024."""
    if threads is None:
        return max(2, min(USUAL_THREADS, os.cpu_count() or 2))
    if not 0 < threads <= MOST_THREADS:
        raise SettingError(f"--analysis-threads is from 1 to {MOST_THREADS}, not {threads}")
    return threads
