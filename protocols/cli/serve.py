"""`sparring serve`: its options, its addresses, its start and its end."""

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

import numpy.ma  # noqa: F401 - np.unique imports it later, when no descriptor may be free
import uvloop

from engine.errors import SettingError, UsageError
from engine.networks.runtime import BackendError
from engine.strength.rating_ladder import BUNDLED, shipped_ladders
from protocols.cli.argument_types import count, port, positive
from protocols.cli.local_engine_options import local_engine_options
from protocols.cli.network_options import add_human_option
from protocols.cli.options import add_game_settings_options, add_store_option
from protocols.server import systemd
from protocols.server.client import socket_path
from protocols.server.gateway import IDLE_SECONDS, MOST_WAITING, Gateway, Limits
from protocols.server.listeners import Addresses, listen
from protocols.server.local_engine import LocalEngine, open_local_engine
from protocols.server.token import VARIABLE, required_token

MOST_IDLE_HOURS = 10_000

log = logging.getLogger("sparring")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `serve`."""
    add = parser.add_argument
    add("--socket", metavar="PATH", help=f"Unix socket to listen at; default: {socket_path()}")
    add("--host", default="127.0.0.1", help="address of the TCP ports; default: %(default)s")
    add("--gtp-port", type=port, metavar="N", help="TCP port for GTP; default: none")
    add("--websocket-port", type=port, metavar="N",
        help="TCP port for the JSON analysis protocol over WebSocket (KaTrain: ws://HOST:N); "
        "default: none")  # fmt: skip
    add("--allow-origin", action="append", default=[], metavar="URL",
        help="origin of a web page that may open the WebSocket; repeatable")  # fmt: skip
    add("--allow-host", action="append", default=[], metavar="NAME",
        help="another name of this machine for the WebSocket's address; repeatable")  # fmt: skip
    add("--token-file", metavar="FILE",
        help=f"file with the token that TCP clients must send; default: ${VARIABLE}; required "
        "where other machines reach --host")  # fmt: skip
    add("--idle-hours", type=positive, default=IDLE_SECONDS / 3600, metavar="N",
        help="hours of silence after which a TCP connection is closed; "
        "default: %(default)g")  # fmt: skip
    add("--sessions", type=count, default=64, metavar="N",
        help="most conversations at once; default: %(default)s")  # fmt: skip
    add("--analysis-threads", type=count, metavar="N",
        help="positions searched at once, over all analysis clients; default: the processor's "
        "threads, 2 to 8")  # fmt: skip
    add_human_option(parser)
    add_game_settings_options(parser)
    add_store_option(parser)


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Serves until SIGINT or SIGTERM; raises UsageError and OSError at the start."""
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
            token=required_token(options.token_file, os.environ),
            idle_seconds=3600 * options.idle_hours,
            most_waiting=min(MOST_WAITING, descriptors // 4),
        )
        with open_local_engine(local_engine_options(options)) as engine:
            uvloop.run(serve(engine, addresses, limits))
    except (BackendError, ValueError) as error:
        raise UsageError(f"cannot serve: {error}") from error
    return 0


def use_all_descriptors() -> int:
    """Raises this process's limit of open files to the system's, and returns the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft


async def serve(engine: LocalEngine, addresses: Addresses, limits: Limits) -> None:
    """Listens at `addresses` until SIGINT or SIGTERM; raises SettingError where it cannot."""
    shipped_ladders(BUNDLED)  # read now: no descriptor may be free later
    gateway = Gateway(engine.pool, engine.protocols, limits, engine.game_settings)
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
