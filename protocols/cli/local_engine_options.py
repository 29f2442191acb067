"""Converts the options of a playing subcommand to those of an engine and of its client."""

from __future__ import annotations

import argparse

from engine.games.table import GAMES
from engine.play.usual_limits import SESSIONS
from engine.search.chess_aids import ChessAids
from protocols.server.local_engine import LocalEngineOptions
from protocols.server.standalone import ClientOptions
from protocols.server.usual_limits import QUERY_POSITIONS


def local_engine_options(options: argparse.Namespace) -> LocalEngineOptions:
    """Returns the options of the engine; absent options have their defaults."""
    protocol = "" if options.subcommand in {"play", "serve"} else options.subcommand
    return LocalEngineOptions(
        protocol,
        game=getattr(options, "game", None) or "",
        network=options.network,
        human_network=getattr(options, "human_network", None),
        networks=by_game(options, "networks_"),
        human_networks=by_game(options, "networks_human_"),
        chess_aids=chess_aids(options),
        backend=options.backend,
        precision=options.precision,
        rules=getattr(options, "rules", None),
        komi=getattr(options, "komi", None),
        persona=getattr(options, "persona", None),
        visits=getattr(options, "visits", None),
        seconds=getattr(options, "seconds", None),
        store=getattr(options, "store", None),
        remembers=hasattr(options, "store"),
        sessions=getattr(options, "sessions", SESSIONS),
        query_positions=getattr(options, "query_positions", QUERY_POSITIONS),
        move_visits=getattr(options, "move_visits", None),
        move_seconds=getattr(options, "move_seconds", None),
        tree_megabytes=getattr(options, "tree_megabytes", None),
        network_megabytes=getattr(options, "network_megabytes", None),
        analysis_threads=getattr(options, "analysis_threads", None),
    )


def chess_aids(options: argparse.Namespace) -> ChessAids:
    """Returns the aids of chess; absent options name none.

    Raises SettingError quoting a folder or a file that is not there.
    """
    names = ("chess_engine", "chess_tables", "chess_book")
    aids = ChessAids(*(getattr(options, name, None) or "" for name in names))
    aids.check()
    return aids


def by_game(options: argparse.Namespace, prefix: str) -> dict[str, str]:
    """Returns the network files of the configuration, by game."""
    files = {game: getattr(options, f"{prefix}{game}", None) for game in GAMES}
    return {game: file for game, file in files.items() if file is not None}


def client_options(options: argparse.Namespace) -> ClientOptions:
    """Returns the options of the client on stdin and stdout."""
    return ClientOptions(
        personas=getattr(options, "personas", None),
        opponent=getattr(options, "opponent", None) or "",
        overrides=getattr(options, "override_config", None) or "",
        finish=not getattr(options, "quit_without_waiting", False),
        points=getattr(options, "points", False),
        as_katago=getattr(options, "as_katago", False),
    )
