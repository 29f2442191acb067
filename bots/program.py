"""A bot as a program: reads its configuration, plays until a signal, or rehearses."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from bots.common_rows import COMMON_ROWS, ServiceSettings
from bots.configuration import (
    BotConfiguration,
    ConfigurationError,
    Rows,
    example,
    read_configuration,
)
from bots.engine_connection import GreetingRefusedError
from bots.game_memory import GameMemory
from bots.metrics import BotMetrics
from bots.own_service import OwnServiceProgram, service_module
from bots.rehearsal import Rehearsal, rehearsal_of
from bots.server import LoginRefusedError
from bots.server_table import SERVERS, module_of
from bots.service import BotService
from protocols.server import systemd
from protocols.server.metrics_port import MetricsPortError, serve_registry

log = logging.getLogger("sparring.bot")

# The mistakes that the operator can mend.
FAULTS = (ConfigurationError, MetricsPortError, LoginRefusedError, GreetingRefusedError)


def kind_of(name: str) -> str:
    """Returns the server of a bot's name; raises ConfigurationError on an unknown one.

    >>> kind_of("cgos"), kind_of("cgos-9x9")
    ('cgos', 'cgos')
    """
    kind = name.partition("-")[0]
    if kind not in SERVERS:
        raise ConfigurationError(f"no server {kind!r}: one of {', '.join(SERVERS)}")
    return kind


def rows_of(kind: str) -> Rows:
    """Returns all rows of a server's configuration, its own first. kind: a key of SERVERS."""
    if SERVERS[kind].has_own_service:
        return service_module(kind).ROWS
    return (*module_of(kind).ROWS, *COMMON_ROWS)


def open_program(
    name: str, file: Path, folder: Path, environment: Mapping[str, str]
) -> BotProgram | OwnServiceProgram:
    """Returns the bot of a name with its configuration; raises ConfigurationError."""
    kind = kind_of(name)
    if SERVERS[kind].has_own_service:
        return OwnServiceProgram(kind, file, folder, environment)
    return BotProgram(name, file, folder, environment)


def example_lines(name: str) -> Iterator[str]:
    """Yields the lines of an example configuration; raises ConfigurationError."""
    kind = kind_of(name)
    head = (
        f"The configuration of `sparring bot {name}`, for {SERVERS[kind].help}. A key behind a # "
        "has its default. Passwords stand in files of their own, readable by the bot alone, or in "
        "systemd's credentials."
    )
    yield from example(head, rows_of(kind))


class BotProgram:
    """One bot. name: a server, or a server and a suffix. folder: of the notes on its games."""

    def __init__(self, name: str, file: Path, folder: Path, environment: Mapping[str, str]) -> None:
        """Reads the configuration; raises ConfigurationError."""
        kind = kind_of(name)
        self._module = module_of(kind)
        self._configuration: BotConfiguration = read_configuration(file, rows_of(kind), environment)
        self._settings: ServiceSettings = self._module.settings_of(self._configuration)
        self._service = BotService(self._settings, GameMemory(folder / name), BotMetrics())
        self._server = self._module.open_server(self._configuration, self._settings, self._service)
        self._closing: asyncio.Future[None] | None = None  # it waits for the games under way

    def run(self) -> None:
        """Plays until SIGINT or SIGTERM; raises one of FAULTS."""
        with ExitStack() as stack:
            if self._settings.metrics_port is not None:
                registry = self._service.metrics.registry
                stack.callback(serve_registry(registry, self._settings.metrics_port))
            asyncio.run(self._play())

    async def _play(self) -> None:
        loop = asyncio.get_running_loop()
        playing = asyncio.create_task(self._service.run(self._server))
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop, playing)
        systemd.notify("READY=1")
        try:
            await playing
        except asyncio.CancelledError:
            log.info("stopping")
        finally:
            systemd.notify("STOPPING=1")

    def _stop(self, playing: asyncio.Task[None]) -> None:
        """Takes a signal: stops at once, or after the games under way if the operator wants so."""
        if self._closing is not None or not self._settings.finishes_games:
            playing.cancel()
            return
        self._closing = asyncio.ensure_future(self._service.close())
        self._closing.add_done_callback(lambda _: playing.cancel())

    def rehearse(self) -> Rehearsal:
        """Checks the engine and the server without playing; raises one of FAULTS."""
        return asyncio.run(
            rehearsal_of(
                self._settings.address,
                self._settings.play.greeting,
                f"the server at {self._server.address}",
                self._server.rehearse,
            )
        )
