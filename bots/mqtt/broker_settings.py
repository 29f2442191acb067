"""The settings of the service over an MQTT broker."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

HOUR = 3600


@dataclass(frozen=True)
class BrokerAccess:
    """The way to the broker. Files are paths of PEM files."""

    host: str = "localhost"
    port: int = 1883
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca_file: Path | None = None  # authorities to trust; None: those of the system
    certificate_file: Path | None = None  # of this client; None: it has none
    key_file: Path | None = None  # of the certificate; None: the certificate's file has it
    keepalive_seconds: int = 30
    session_hours: float = 24.0  # the broker keeps requests so long for an engine that is away


@dataclass(frozen=True)
class ServiceLimits:
    """The limits of the service."""

    payload_bytes: int = 64 * 1024  # of a request; longer ones are refused
    packet_bytes: int = 32 * 2**20  # the broker discards longer packets without a word
    waiting_requests: int = 256  # stored without a reply; the broker holds further ones
    games: int = 1000  # under way; a start beyond them is refused
    idle_days: float = 7.0  # a game without requests ends after so many
    visits: int = 2000  # of each position of a query
    seconds: float = 20.0  # of each position of a query
    positions: int = 400  # of a query
    engine_wait_seconds: float = 60.0  # a request waits so long for an engine that is down
    answers_hours: float = 48.0  # replies are remembered so long; above session_hours
    reply_bytes: int = 4 * 2**20  # of a reply; the broker's own limit is above it
    reply_hours: float = 24.0  # the broker keeps a reply so long for its client


@dataclass(frozen=True)
class MqttSettings:
    """All settings of the service."""

    name: str  # of the engine: lower-case letters, digits and hyphens
    data_folder: Path  # of the store
    socket: str  # of the resident engine
    broker: BrokerAccess = field(default_factory=BrokerAccess)
    limits: ServiceLimits = field(default_factory=ServiceLimits)
    prefix: str = "sparring"  # the first level of all topics
    group: str = "sparring"  # of engines that share requests
    # Filters of the topics for replies; none: PREFIX/clients/#.
    reply_filters: tuple[str, ...] = ()
    will_delay_seconds: int = 5

    @property
    def client_id(self) -> str:
        """The identifier at the broker."""
        return f"{self.prefix}-{self.name}".replace("/", "-")
