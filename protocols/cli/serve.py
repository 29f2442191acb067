"""`sparring serve` itself: its options, where it listens, how it starts and stops."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import numpy.ma  # noqa: F401 - np.unique imports it in a game, when no descriptor may be left
import uvloop

from engine.errors import SettingError, UsageError
from engine.networks.runtime import BackendError
from engine.opponents.transfer import shipped_ladders
from engine.strength.rating_ladder import BUNDLED
from engine.util.argument_types import count, port, positive
from engine.util.network_options import add_human_option
from protocols.cli.options import add_store_option, add_terms_options
from protocols.server import systemd
from protocols.server.app import App, hold
from protocols.server.client import socket_path
from protocols.server.gateway import IDLE_SECONDS, MOST_WAITING, Gateway, Limits
from protocols.server.listeners import Addresses, listen
from protocols.server.token import VARIABLE, token_wanted

MOST_IDLE_HOURS = 10_000

log = logging.getLogger("sparring")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `serve`."""
    parser.add_argument("--socket", metavar="PATH", help=f"Unix socket; default: {socket_path()}")
    parser.add_argument("--host", default="127.0.0.1", help="for TCP; default: %(default)s")
    parser.add_argument("--gtp-port", type=port, metavar="N", help="serve GTP over TCP here too")
    parser.add_argument(
        "--websocket-port",
        type=port,
        metavar="N",
        help="serve the JSON analysis protocol over WebSocket here (KaTrain: ws://HOST:N)",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="URL",
        help="a web page's origin that may use the WebSocket; repeatable",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name of this machine that the WebSocket may be reached by; repeatable",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"holds the token that clients of TCP must give (else ${VARIABLE}); "
        "needed where other machines reach --host",
    )
    parser.add_argument(
        "--idle-hours",
        type=positive,
        default=IDLE_SECONDS / 3600,
        metavar="N",
        help="a TCP connection silent for so long is closed; default: %(default)g",
    )
    parser.add_argument(
        "--sessions", type=count, default=64, metavar="N", help="at once; default: %(default)s"
    )
    parser.add_argument(
        "--analysis-threads", type=count, metavar="N", help="positions searched at once, of all"
    )
    add_human_option(parser)
    add_terms_options(parser)
    add_store_option(parser)


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Serves until interrupted or terminated; raises UsageError or OSError: it cannot start."""
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.INFO, stream=sys.stderr)
    descriptors = use_all_descriptors()
    addresses = Addresses(
        unix=Path(options.socket or socket_path()),
        host=options.host,
        gtp_port=options.gtp_port,
        websocket_port=options.websocket_port,
        origins=frozenset(options.allow_origin),
        hosts=frozenset(name.lower() for name in options.allow_host),
        passed=systemd.passed_sockets(os.environ, os.getpid()),
    )
    try:
        if not 0 < options.idle_hours <= MOST_IDLE_HOURS:
            raise SettingError(f"--idle-hours is up to {MOST_IDLE_HOURS}, not {options.idle_hours}")
        limits = Limits(
            token=token_wanted(options.token_file, os.environ),
            idle_seconds=3600 * options.idle_hours,
            most_waiting=min(MOST_WAITING, descriptors // 4),
        )
        with hold(options) as app:
            uvloop.run(serve(app, addresses, limits))
    except (BackendError, ValueError) as error:
        raise UsageError(f"cannot serve: {error}") from error
    return 0


def use_all_descriptors() -> int:
    """Returns how many files and connections may be open, raised to what the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft


async def serve(app: App, addresses: Addresses, limits: Limits) -> None:
    """Listens at `addresses` until SIGINT or SIGTERM. Raises SettingError when it cannot."""
    shipped_ladders(BUNDLED)  # read now: in a game no descriptor may be left
    gateway = Gateway(app.pool, app.protocols, limits, app.terms)
    ending = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    async with AsyncExitStack() as listeners:
        await listen(gateway, addresses, listeners)
        systemd.notify("READY=1")
        await ending.wait()
        log.info("stopping")
        systemd.notify("STOPPING=1")
    await gateway.stop()
