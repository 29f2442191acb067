"""Converts the options of a playing subcommand to those of an engine and of its client."""

from __future__ import annotations

import argparse

from engine.personas import USUAL
from engine.play.network_pool import SESSIONS
from protocols.server.local_engine import LocalEngineOptions
from protocols.server.standalone import ClientOptions


def local_engine_options(options: argparse.Namespace) -> LocalEngineOptions:
    """Returns the options of the engine; absent options have their defaults."""
    protocol = "" if options.subcommand == "serve" else options.subcommand
    return LocalEngineOptions(
        protocol,
        game=getattr(options, "game", None) or "",
        network=options.network,
        human_network=getattr(options, "human_network", None),
        backend=options.backend,
        precision=options.precision,
        rules=getattr(options, "rules", None),
        komi=getattr(options, "komi", None),
        store=getattr(options, "store", None),
        remembers=hasattr(options, "store"),
        sessions=getattr(options, "sessions", SESSIONS),
        analysis_threads=getattr(options, "analysis_threads", None),
    )


def client_options(options: argparse.Namespace) -> ClientOptions:
    """Returns the options of the client on stdin and stdout."""
    return ClientOptions(
        persona=getattr(options, "persona", None) or USUAL,
        personas=getattr(options, "personas", None),
        opponent=getattr(options, "opponent", None) or "",
        overrides=getattr(options, "override_config", None) or "",
        finish=not getattr(options, "quit_without_waiting", False),
        points=getattr(options, "points", False),
        as_katago=getattr(options, "as_katago", False),
    )
