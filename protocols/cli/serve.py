"""`sparring serve`: its options, its addresses, its start and its end."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy.ma  # noqa: F401 - np.unique imports it later, when no descriptor may be free
import uvloop

from engine.errors import SettingError, UsageError
from engine.networks.processor import cores
from engine.networks.runtime import BackendError
from engine.strength.rating_ladder import BUNDLED, shipped_ladders
from engine.util.user_folders import data_folder
from protocols.cli.local_engine_options import local_engine_options
from protocols.cli.reload import Reloader
from protocols.saved_sessions import SavedSessions
from protocols.server import allocator, systemd
from protocols.server.client import socket_path
from protocols.server.end_signals import end_event
from protocols.server.gateway import MOST_WAITING, Gateway, Limits
from protocols.server.listeners import Addresses, listen
from protocols.server.local_engine import LocalEngine, open_local_engine
from protocols.server.logs import start_log
from protocols.server.metrics import EngineCollector, serve_metrics
from protocols.server.metrics_port import HOST
from protocols.server.statistics import SAMPLE_SECONDS, ErrorCounter
from protocols.server.tls import server_context
from protocols.server.token import required_token

MOST_IDLE_HOURS = 10_000
TRIM_SECONDS = 60.0  # between two returns of free memory
SWITCH_SECONDS = 0.0005  # of one thread's turn at the interpreter while others wait for it

log = logging.getLogger("sparring")


def configure(_parser: argparse.ArgumentParser) -> None:
    """Adds nothing: every option of `serve` is a setting."""


def run(options: argparse.Namespace, _say: Callable[[str], None]) -> int:
    """Serves until SIGINT or SIGTERM; raises UsageError and OSError at the start."""
    descriptors = use_all_descriptors()
    sys.setswitchinterval(SWITCH_SECONDS)
    allocator.limit_pools(cores())  # so many threads search at once
    addresses = Addresses(
        unix=Path(options.socket or socket_path()),
        host=options.host,
        gtp_port=options.gtp_port,
        websocket_port=options.websocket_port,
        origins=frozenset(options.allow_origin),
        hosts=frozenset(name.lower() for name in options.allow_host),
        passed=systemd.passed_sockets(os.environ, os.getpid()),
    )
    files = (options.certificate, options.certificate_key)
    try:
        if options.certificate is not None:
            addresses = replace(addresses, tls=server_context(*files))
        start_log(options.log_level, options.log_format, options.log_to)
        limits = limits_of(options, descriptors)
        with open_local_engine(local_engine_options(options)) as engine:
            uvloop.run(serve(engine, addresses, limits, options))
    except (BackendError, ValueError) as error:
        raise UsageError(f"cannot serve: {error}") from error
    return 0


def limits_of(options: argparse.Namespace, descriptors: int) -> Limits:
    """Returns the limits of the options; raises SettingError. descriptors: most open files."""
    if options.idle_hours > MOST_IDLE_HOURS:
        raise SettingError(f"--idle-hours is up to {MOST_IDLE_HOURS}, not {options.idle_hours}")
    return Limits(
        token=required_token(options.token_file, os.environ),
        idle_seconds=3600 * options.idle_hours,
        most_waiting=min(MOST_WAITING, descriptors // 4),
        client_sessions=options.client_sessions,
    )


def use_all_descriptors() -> int:
    """Raises this process's limit of open files to the system's, and returns the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft


async def serve(
    engine: LocalEngine, addresses: Addresses, limits: Limits, options: argparse.Namespace
) -> None:
    """Listens at `addresses` until SIGINT or SIGTERM; raises SettingError where it cannot."""
    shipped_ladders(BUNDLED)  # read now: no descriptor may be free later
    sessions = SavedSessions(data_folder() / "sessions", options.return_minutes)
    gateway = Gateway(engine.pool, engine.protocols, limits, engine.defaults, sessions)
    ending, loop = end_event(), asyncio.get_running_loop()
    async with AsyncExitStack() as listeners:
        listeners.enter_context(watched(gateway, engine, sessions, options.metrics_port))
        await listen(gateway, addresses, listeners)
        reloader = Reloader(gateway, engine.pool, options, limits_of, addresses.tls)
        loop.add_signal_handler(signal.SIGHUP, loop.run_in_executor, None, reloader.reload)
        systemd.notify("READY=1")
        await ending.wait()
        log.info("stopping")
        systemd.notify("STOPPING=1")
    await gateway.stop()


@contextmanager
def watched(
    gateway: Gateway, engine: LocalEngine, sessions: SavedSessions, port: int | None
) -> Iterator[None]:
    """Samples the work for the rates, and serves the metrics at a port, None: nowhere.

    Removes the expired saved sessions and returns free memory too.
    """
    statistics, errors = gateway.statistics, ErrorCounter()

    async def sample() -> None:
        while True:
            statistics.sample(engine.pool.meter.work(), time.monotonic())
            sessions.sweep()
            await asyncio.sleep(SAMPLE_SECONDS)

    async def trim() -> None:
        while True:
            await asyncio.sleep(TRIM_SECONDS)
            await asyncio.to_thread(allocator.return_free_pages)

    tasks = [
        asyncio.create_task(sample(), name="sampling"),
        asyncio.create_task(trim(), name="trimming"),
    ]
    if (seconds := systemd.watchdog_seconds(os.environ, os.getpid())) is not None:
        tasks.append(asyncio.create_task(systemd.show_life(seconds), name="watchdog"))
    logging.getLogger().addHandler(errors)
    with ExitStack() as stack:
        stack.callback(logging.getLogger().removeHandler, errors)
        for task in tasks:
            stack.callback(task.cancel)
        if port is not None:
            stack.callback(serve_metrics(EngineCollector(engine.pool, statistics, errors), port))
            log.info("metrics at http://%s:%d/metrics", HOST, port)
        yield
