"""The interface between a server's module and the service that runs its games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bots.actions import ServerAction
from bots.common_rows import ServiceSettings
from bots.configuration import BotConfiguration, ConfigurationRow
from bots.events import Event


class LineLostError(Exception):
    """The connection to the server is lost; the service connects again."""


class LoginRefusedError(Exception):
    """The server refuses the account; connecting again is of no use."""


class GameHost(Protocol):
    """The service, as a server's module uses it."""

    def now(self) -> float:
        """Returns the time of events, in seconds."""

    def connected(self) -> None:
        """Takes note of a successful login; every game hears LineBack."""

    def tell(self, game: str, event: Event) -> None:
        """Gives an event to a game; an unknown game begins, after LineBack."""

    @property
    def games(self) -> Sequence[str]:
        """The games under way, by the server's names for them."""

    @property
    def has_room(self) -> bool:
        """Whether another game may begin."""

    @property
    def move_seconds(self) -> float:
        """The longest time of a move within the last minute, over all games; 0: unknown."""

    async def warm(self, game: str, width: int, height: int) -> None:
        """Waits until the engine is ready for a game on a board; raises GreetingRefusedError."""

    def refused(self, challenger: str, reason: str) -> None:
        """Takes note of a declined challenge, for the log and the metrics."""


class OnlineServer(Protocol):
    """A server's client. One object lives through all connections."""

    @property
    def address(self) -> str:
        """The server's address, for messages."""

    async def run(self) -> None:
        """Connects, logs in, calls GameHost.connected and turns messages into events.

        Raises LineLostError once the line is lost, and LoginRefusedError.
        """

    async def act(self, game: str, action: ServerAction) -> None:
        """Carries out an action of a game; raises LineLostError."""

    async def close(self) -> None:
        """Ends what outlives a connection, once the bot stops; the games go on at the server."""

    async def rehearse(self) -> Sequence[str]:
        """Connects and checks what can be checked without playing; returns lines of a report.

        Raises LineLostError and LoginRefusedError.
        """


class BotModule(Protocol):
    """The interface of a server's Python module, bots.NAME.server."""

    ROWS: tuple[ConfigurationRow, ...]  # of its own sections

    def settings_of(self, configuration: BotConfiguration) -> ServiceSettings:
        """Returns the settings of the service, with what this server needs."""

    def open_server(
        self, configuration: BotConfiguration, settings: ServiceSettings, host: GameHost
    ) -> OnlineServer:
        """Returns the client, not yet connected; raises ConfigurationError."""
