"""The module of `sparring bot mqtt`: its configuration, its service and its rehearsal.

It has no games of a server's account, so it brings a service of its own instead of a client.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import aiomqtt
from prometheus_client import CollectorRegistry

from bots.configuration import (
    BotConfiguration,
    ConfigurationError,
    ConfigurationRow,
    flag,
    number,
    text,
    texts,
    whole,
)
from bots.engine_connection import EngineAddress
from bots.mqtt.broker_client import BrokerClient, refusal, tls_context
from bots.mqtt.broker_settings import BrokerAccess, MqttSettings, ServiceLimits
from bots.mqtt.mqtt_metrics import MqttMetrics
from bots.mqtt.request_store import StoreFileError
from bots.mqtt.service import BrokerRefusedError, MqttService
from bots.mqtt.topics import NAME, UNPRINTABLE, Topics
from bots.rehearsal import Rehearsal, rehearsal_of
from bots.server import LineLostError
from protocols.server.client import socket_path

YEAR = 8760.0  # hours
LOCAL = {"localhost", "127.0.0.1", "::1"}
LEVELS = re.compile(r"[^/+#$][^/+#]*(/[^/+#]+)*")  # of a prefix; a filter may have wildcards


def engine_name(value: object) -> str:
    """Reads the name of an engine."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise ValueError("up to 40 lower-case letters, digits and hyphens")
    return value


def levels(value: object) -> str:
    """Reads levels of a topic, without wildcards."""
    if not isinstance(value, str) or len(value) > 100 or UNPRINTABLE.search(value):
        raise ValueError("levels of a topic, such as games/go")
    if not LEVELS.fullmatch(value):
        raise ValueError("levels of a topic without wildcards and without $ at the front")
    return value


def group(value: object) -> str:
    """Reads the name of a group of engines: one level of a topic."""
    if "/" in levels(value):
        raise ValueError("one level of a topic")
    return str(value)


USUAL, OPEN = BrokerAccess(), ServiceLimits()
ROWS = (
    ConfigurationRow("engine", "socket", text, "", "The Unix socket of the running engine; "
        "empty: the usual one."),
    ConfigurationRow("broker", "host", text, USUAL.host, "The broker's host."),
    ConfigurationRow("broker", "port", whole(1, 65_535), USUAL.port, "The broker's port; 8883 is "
        "the usual one with TLS."),
    ConfigurationRow("broker", "username", text, None, "The name of this client at the broker.",
        "engine"),
    ConfigurationRow("broker", "password", text, None, "A file with the password; without it "
        "systemd's credential `password` is read.", is_secret=True),
    ConfigurationRow("broker", "tls", flag, False, "Whether the connection is encrypted; the "  # noqa: FBT003
        "broker's certificate is checked."),
    ConfigurationRow("broker", "ca_file", text, None, "A PEM file with the authorities to trust; "
        "without it those of the system.", "/etc/sparring/broker-ca.pem"),
    ConfigurationRow("broker", "certificate_file", text, None, "A PEM file with a certificate of "
        "this client.", "/etc/sparring/engine.pem"),
    ConfigurationRow("broker", "key_file", text, None, "A PEM file with the certificate's key.",
        "/etc/sparring/engine.key"),
    ConfigurationRow("broker", "keepalive_seconds", whole(5, 3600), USUAL.keepalive_seconds,
        "A broker without a word for 1.5 times as long counts as lost."),
    ConfigurationRow("broker", "session_hours", number(0.01, YEAR), USUAL.session_hours,
        "The broker holds requests so long for an engine that is away."),
    ConfigurationRow("service", "name", engine_name, None, "The name of this engine among those of "
        "the broker.", "e1", is_required=True),
    ConfigurationRow("service", "prefix", levels, "sparring", "The first levels of all topics."),
    ConfigurationRow("service", "group", group, "sparring", "Engines of one group share the "
        "requests of PREFIX/requests."),
    ConfigurationRow("service", "reply_topics", texts, (), "Filters of the topics for replies; "
        "empty: PREFIX/clients/#."),
    ConfigurationRow("service", "will_delay_seconds", whole(0, 3600), 5, "The broker waits so long "
        "before it declares this engine lost."),
    ConfigurationRow("service", "data_folder", text, "", "The folder of the store of requests; "
        "empty: sparring/bots in the user's data folder."),
    ConfigurationRow("limits", "payload_bytes", whole(100, 2**24), OPEN.payload_bytes,
        "The most bytes of a request."),
    ConfigurationRow("limits", "packet_bytes", whole(1000, 2**28 - 1), OPEN.packet_bytes,
        "The broker discards longer packets without a word."),
    ConfigurationRow("limits", "waiting_requests", whole(1, 100_000), OPEN.waiting_requests,
        "Requests without a reply; the broker holds further ones."),
    ConfigurationRow("limits", "games", whole(0, 10**6), OPEN.games, "The most games under way."),
    ConfigurationRow("limits", "idle_days", number(0.01, 3650), OPEN.idle_days,
        "A game without a move ends after so many days."),
    ConfigurationRow("limits", "visits", whole(1, 10**9), OPEN.visits,
        "The most visits of a position of a query."),
    ConfigurationRow("limits", "seconds", number(0.01, 86_400), OPEN.seconds,
        "The most seconds of a position of a query."),
    ConfigurationRow("limits", "positions", whole(1, 100_000), OPEN.positions,
        "The most positions of a query."),
    ConfigurationRow("limits", "engine_wait_seconds", number(0, 86_400), OPEN.engine_wait_seconds,
        "A request waits so long for an engine that is down."),
    ConfigurationRow("limits", "answers_hours", number(0.01, 10 * YEAR), OPEN.answers_hours,
        "Replies are remembered so long; longer than session_hours."),
    ConfigurationRow("limits", "reply_bytes", whole(10_000, 2**28 - 10_000), OPEN.reply_bytes,
        "The most bytes of a reply; the broker's own limit (max_packet_size) must be above it."),
    ConfigurationRow("limits", "reply_hours", number(0.01, YEAR), OPEN.reply_hours,
        "The broker holds a reply so long for its client."),
    ConfigurationRow("connection", "metrics_port", whole(1, 65_535), None, "A port of this machine "
        "for Prometheus; without it no metrics are served.", 9102),
)  # fmt: skip


def mqtt_settings(configuration: BotConfiguration, folder: Path) -> MqttSettings:
    """Returns the settings of the service; raises ConfigurationError on impossible ones.

    folder: of the store, without another one in the configuration.
    """
    access = {each.name: configuration["broker", each.name] for each in fields(BrokerAccess)}
    for name in ("ca_file", "certificate_file", "key_file"):
        access[name] = None if access[name] is None else Path(access[name]).expanduser()
    if access["password"] is not None:
        access["password"] = access["password"].reveal()
    bounds = {each.name: configuration["limits", each.name] for each in fields(ServiceLimits)}
    settings = MqttSettings(
        name=configuration["service", "name"],
        data_folder=Path(configuration["service", "data_folder"] or folder).expanduser(),
        socket=configuration["engine", "socket"] or socket_path(),
        broker=BrokerAccess(**access),
        limits=ServiceLimits(**bounds),
        prefix=configuration["service", "prefix"],
        group=configuration["service", "group"],
        reply_filters=configuration["service", "reply_topics"],
        will_delay_seconds=configuration["service", "will_delay_seconds"],
    )
    if settings.limits.answers_hours <= settings.broker.session_hours:
        raise ConfigurationError(
            "[limits] answers_hours is longer than [broker] session_hours: the broker may deliver "
            "a request again until its session ends"
        )
    check_tls(settings)
    return settings


def check_tls(settings: MqttSettings) -> None:
    """Raises ConfigurationError on files that TLS cannot use, and on files without TLS."""
    broker = settings.broker
    if not broker.tls:
        if broker.ca_file or broker.certificate_file:
            raise ConfigurationError("[broker] has files of TLS, and tls = true is missing")
        return
    try:
        tls_context(settings)
    except (OSError, ssl.SSLError) as error:
        raise ConfigurationError(f"[broker] the files of TLS cannot be used: {error}") from error


async def serve(
    configuration: BotConfiguration,
    folder: Path,
    registry: CollectorRegistry,
    stop: asyncio.Event,
) -> None:
    """Serves until `stop`; raises ConfigurationError and BrokerRefusedError.

    folder: of the store. registry: of the metrics of this process.
    """
    try:
        service = MqttService(mqtt_settings(configuration, folder), MqttMetrics(registry))
    except StoreFileError as error:
        raise ConfigurationError(str(error)) from error
    await service.run(stop)


async def rehearse(configuration: BotConfiguration, folder: Path) -> Rehearsal:
    """Checks the engine and the broker; says nothing to anybody.

    Raises ConfigurationError, GreetingRefusedError and BrokerRefusedError.
    """
    settings = mqtt_settings(configuration, folder)
    place = f"the broker at {settings.broker.host}:{settings.broker.port}"
    address = EngineAddress(settings.socket)
    return await rehearsal_of(address, {}, place, lambda: _report(settings, place))


async def _report(settings: MqttSettings, place: str) -> Sequence[str]:
    """Connects to the broker and returns what the service would do.

    place: the broker in the lines. Raises LineLostError and BrokerRefusedError.
    """
    topics = Topics(settings.prefix, settings.name, settings.group)
    broker = settings.broker
    try:
        async with BrokerClient(settings, None):
            pass
    except aiomqtt.MqttError as error:
        if text := refusal(error, settings.client_id, is_first=True):
            raise BrokerRefusedError(text) from error
        raise LineLostError(str(error)) from error
    lines = [
        f"{place} takes this client as {settings.client_id}",
        f"requests come by {topics.requests} and {topics.shared_subscription}",
        f"replies go to {' and '.join(settings.reply_filters or (topics.usual_reply_filter,))}",
    ]
    if broker.password is not None and not broker.tls and broker.host not in LOCAL:
        lines.append(f"the password goes to {place} without encryption: set tls = true")
    return lines
