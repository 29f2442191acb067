"""A bot with a service of its own: it has no account and no games of a server."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from prometheus_client import CollectorRegistry

from bots.configuration import BotConfiguration, ConfigurationRow, read_configuration
from bots.rehearsal import Rehearsal
from bots.server_table import SERVERS
from protocols.server import systemd
from protocols.server.metrics_port import serve_registry

log = logging.getLogger("sparring.bot")


class ServiceModule(Protocol):
    """The interface of the Python module of such a bot."""

    ROWS: tuple[ConfigurationRow, ...]  # of all sections, [connection] metrics_port among them

    async def serve(
        self,
        configuration: BotConfiguration,
        folder: Path,
        registry: CollectorRegistry,
        stop: asyncio.Event,
    ) -> None:
        """Serves until `stop`; raises ConfigurationError and LoginRefusedError.

        folder: of the bot's files. registry: of the metrics.
        """

    async def rehearse(self, configuration: BotConfiguration, folder: Path) -> Rehearsal:
        """Checks the engine and the server without serving.

        Raises ConfigurationError and LoginRefusedError.
        """


def service_module(kind: str) -> ServiceModule:
    """Returns the module of a row with a service of its own."""
    return cast("ServiceModule", import_module(SERVERS[kind].module))


class OwnServiceProgram:
    """One such bot. kind: a key of SERVERS. folder: of the files of all bots."""

    def __init__(self, kind: str, file: Path, folder: Path, environment: Mapping[str, str]) -> None:
        """Reads the configuration; raises ConfigurationError."""
        self._module, self._folder = service_module(kind), folder
        self._configuration = read_configuration(file, self._module.ROWS, environment)

    def run(self) -> None:
        """Serves until SIGINT or SIGTERM.

        Raises ConfigurationError, LoginRefusedError, and MetricsPortError.
        """
        registry = CollectorRegistry(auto_describe=False)
        port = self._configuration["connection", "metrics_port"]
        with ExitStack() as stack:
            if port is not None:
                stack.callback(serve_registry(registry, port))
            asyncio.run(self._serve(registry))

    async def _serve(self, registry: CollectorRegistry) -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        systemd.notify("READY=1")
        try:
            await self._module.serve(self._configuration, self._folder, registry, stop)
            log.info("stopping")
        finally:
            systemd.notify("STOPPING=1")

    def rehearse(self) -> Rehearsal:
        """Checks the engine and the server without serving; raises as the module does."""
        return asyncio.run(self._module.rehearse(self._configuration, self._folder))
