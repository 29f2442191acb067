"""The service: connects to the broker again and again, stores requests, carries them out.

A request is acknowledged to the broker once it is stored. Everything else follows from the store,
so the service may end at any moment.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import aiomqtt

from bots.engine_connection import EngineAwayError, GreetingRefusedError
from bots.mqtt.broker_client import (
    BrokerClient,
    packet_of,
    refusal,
    subscription,
    will_of,
)
from bots.mqtt.broker_settings import HOUR, MqttSettings
from bots.mqtt.conversations import Conversations
from bots.mqtt.engine_socket import EngineSocket, QueryDoor
from bots.mqtt.game_requests import Chance, GameRequests
from bots.mqtt.lanes import Lanes
from bots.mqtt.mqtt_metrics import MqttMetrics
from bots.mqtt.outgoing import DAY, OFFLINE, ONLINE, WAITING, Outgoing
from bots.mqtt.queries import QueryRequests
from bots.mqtt.request_desk import Receipt, RequestDesk
from bots.mqtt.request_reader import NoWayBackError
from bots.mqtt.request_store import Arrival, RequestStore, StoreFileError
from bots.mqtt.topics import Topics
from bots.server import LoginRefusedError

log = logging.getLogger("sparring")

STORE = "mqtt-{name}.sqlite3"
WORKERS = 16  # requests carried out at once
STOP_SECONDS = 5.0  # for requests under way at the end
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds between connections
SHORT_CONNECTIONS = 2  # before a warning
ENGINE_CHECK_SECONDS = 5.0
SWEEP_SECONDS = 600.0


class BrokerRefusedError(LoginRefusedError):
    """The broker refuses this client: wrong credentials, or another client has its name."""


@dataclass(frozen=True)
class Surroundings:
    """The sources of time and of randomness."""

    clock: Callable[[], float] = time.time  # seconds since 1970
    random: Callable[[], float] = secrets.SystemRandom().random  # from 0 to 1
    chance: Chance = field(default_factory=lambda: Chance(secrets.token_hex, secrets.token_urlsafe))


class MqttService:
    """One engine as a service of a broker. The store belongs to it from `run` to its end."""

    def __init__(
        self, settings: MqttSettings, metrics: MqttMetrics, around: Surroundings | None = None
    ) -> None:
        around = around or Surroundings()
        self._settings, self._metrics, self._around = settings, metrics, around
        self._topics = Topics(settings.prefix, settings.name, settings.group)
        self._store = RequestStore(
            Path(settings.data_folder) / STORE.format(name=settings.name), around.clock
        )
        self._conversations = Conversations(settings.socket)
        self._queries = QueryDoor(settings.socket)
        games = GameRequests(
            settings,
            topics=self._topics,
            store=self._store,
            conversations=self._conversations,
            clock=around.clock,
            chance=around.chance,
        )
        queries = QueryRequests(self._queries, settings.limits)
        self._desk = RequestDesk(
            settings,
            topics=self._topics,
            store=self._store,
            handlers={**games.handlers, "analyze": queries.analyze},
            games=self._conversations,
            clock=around.clock,
        )
        self._lanes = Lanes(settings.limits.waiting_requests, WORKERS)
        self._outgoing = Outgoing(settings, self._topics, self._store, metrics, around.clock)
        self._connections = 0  # made so far

    async def run(self, stop: asyncio.Event) -> None:
        """Serves until `stop`. Raises BrokerRefusedError where the broker refuses it for good."""
        await self._check_engine()
        self._resume()
        background = [
            asyncio.create_task(every(ENGINE_CHECK_SECONDS, self._check_engine)),
            asyncio.create_task(every(SWEEP_SECONDS, self._sweep)),
        ]
        try:
            await self._connect_until(stop)
        finally:
            for task in background:
                task.cancel()
            await self._lanes.stop(STOP_SECONDS)
            self._conversations.close()
            self._queries.close()
            self._store.close()

    # ---- Requests

    def _resume(self) -> None:
        """Begins the requests that the last process left without a reply."""
        waiting = self._store.unanswered()
        for request in waiting:
            self._begin(request.number, str(request.fields.get("game", request.number)), "resumed")
        if waiting:
            log.info("mqtt: %d requests were left without a reply", len(waiting))

    def _begin(self, number: int, lane: str, kind: str) -> None:
        self._lanes.add(lane, partial(self._carry_out, number, kind, self._around.clock()))
        self._metrics.waiting.set(len(self._lanes))

    async def _carry_out(self, number: int, kind: str, begun: float) -> None:
        """Carries a request out; again while its reply cannot be stored."""
        while True:
            try:
                code = await self._desk.carry_out(number)
                break
            except StoreFileError as error:
                log.error("mqtt: %s", error)  # noqa: TRY400 - the disk's fault
                await asyncio.sleep(FIRST_PAUSE)
            except Exception:
                log.exception(
                    "mqtt: %s %d stays without a reply until the next start", kind, number
                )
                return
        seconds = self._around.clock() - begun
        log.info("mqtt: %s %d: %s after %.3f s", kind, number, code, seconds)
        self._metrics.requests.labels(kind, code).inc()
        self._metrics.seconds.labels(kind).observe(max(0.0, seconds))
        self._metrics.waiting.set(max(0, len(self._lanes) - 1))
        self._metrics.games.set(self._store.games_under_way())
        self._outgoing.wake()

    async def _receive(self, client: BrokerClient, group: Sequence[aiomqtt.Message]) -> None:
        """Stores messages together, then acknowledges each."""
        found: list[Receipt | NoWayBackError] = []
        with self._store.together():
            for message in group:
                try:
                    found.append(self._desk.receive(packet_of(message)))
                except NoWayBackError as error:
                    found.append(error)
        for message, receipt in zip(group, found, strict=True):
            if isinstance(receipt, NoWayBackError):
                await self._report(client, str(message.topic), receipt)
            client.acknowledge(message)
            if isinstance(receipt, Receipt):
                self._admit(receipt)

    async def _report(self, client: BrokerClient, topic: str, error: NoWayBackError) -> None:
        """Reports a message without a way back."""
        log.warning("mqtt: no way back on %s: %s", topic, error)
        self._metrics.arrivals.labels("fault").inc()
        await self._outgoing.publish_fault(client, topic, error.fault.as_json())

    def _admit(self, receipt: Receipt) -> None:
        """Begins a stored request, or lets its stored reply be sent."""
        self._metrics.arrivals.labels(receipt.arrival.value).inc()
        kind = receipt.type or "unknown"
        if receipt.is_waiting:
            self._begin(receipt.number, receipt.lane, kind)
        elif receipt.arrival is not Arrival.DUPLICATE:
            if receipt.code:
                log.warning("mqtt: %s %d: refused: %s", kind, receipt.number, receipt.code)
                self._metrics.requests.labels(kind, receipt.code).inc()
            self._outgoing.wake()

    # ---- The broker

    async def _connect_until(self, stop: asyncio.Event) -> None:
        """Holds a connection, and makes a new one after each loss, until `stop`."""
        pause, name = FIRST_PAUSE, self._settings.client_id
        while not stop.is_set():
            begun, connections = self._around.clock(), self._connections
            try:
                await self._serve(stop)
            except (aiomqtt.MqttError, OSError, StoreFileError) as error:
                if text := refusal(error, name, is_first=not self._connections):
                    raise BrokerRefusedError(text) from error
                log.warning("mqtt: the broker is away: %s", error)
            finally:
                self._metrics.is_connected.set(0)
            if self._around.clock() - begun > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            elif self._connections > max(connections, SHORT_CONNECTIONS):
                log.warning("mqtt: connections end soon; another client may have the name %r", name)
            await wait_for(stop, pause * (0.5 + self._around.random()))
            pause = min(LONGEST_PAUSE, 2 * pause)

    async def _serve(self, stop: asyncio.Event) -> None:
        """Serves on one connection until it is lost or `stop`."""
        topics = self._topics
        will = will_of(topics.presence, self._outgoing.will(), self._settings.will_delay_seconds)
        client = BrokerClient(self._settings, will)
        try:
            await self._serve_on(client, stop)
        finally:
            client.abandon()

    async def _serve_on(self, client: BrokerClient, stop: asyncio.Event) -> None:
        """Serves on a client that is yet to connect."""
        topics = self._topics
        async with client:
            self._metrics.connections.inc()
            self._metrics.is_connected.set(1)
            for topic_filter in (topics.requests, topics.shared_subscription):
                await subscribe(client, topic_filter)
            self._connections += 1
            log.info("mqtt: serves %s and %s", topics.requests, topics.shared_requests)
            receiving = asyncio.create_task(self._receive_all(client))
            sending = asyncio.create_task(self._outgoing.send_all(client))
            stopping = asyncio.create_task(stop.wait())
            tasks = (receiving, sending, stopping)
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if stopping not in done:
                    for task in done:
                        task.result()
                receiving.cancel()
                await self._lanes.stop(STOP_SECONDS)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._outgoing.all_sent(), STOP_SECONDS)
                await self._outgoing.publish_presence(client, OFFLINE)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive_all(self, client: BrokerClient) -> None:
        messages = client.messages
        async for message in messages:
            group = [message]
            room = await self._lanes.room()
            while len(messages) and len(group) < room:
                group.append(await anext(messages))
            await self._receive(client, group)

    # ---- In the background

    async def _check_engine(self) -> None:
        """Brings the presence in step with the engine."""
        is_up = await is_there(self._settings.socket)
        self._metrics.is_engine_up.set(int(is_up))
        self._outgoing.change_status(ONLINE if is_up else WAITING)

    async def _sweep(self) -> None:
        """Removes old replies, and ends idle games."""
        limits = self._settings.limits
        self._store.forget(limits.answers_hours * HOUR)
        for game_id in self._store.idle_games(limits.idle_days * DAY):
            game = self._store.game(game_id)
            if game is not None:
                self._store.write_game(game.ended("end", None, self._around.clock()))
                await self._conversations.end(game_id)
        self._metrics.games.set(self._store.games_under_way())
        self._outgoing.wake()


async def every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Does some work again and again, and logs its failures."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("mqtt: work in the background failed")
        await asyncio.sleep(seconds)


async def subscribe(client: BrokerClient, topic_filter: str) -> None:
    """Subscribes to a filter; raises MqttError where the broker refuses."""
    for code in await client.subscribe(topic_filter, options=subscription()):
        number = code if isinstance(code, int) else code.value
        if number >= 0x80:
            raise aiomqtt.MqttError(
                f"the broker refuses the subscription to {topic_filter}: {code}"
            )


async def wait_for(stop: asyncio.Event, seconds: float) -> None:
    """Waits for `stop`, or so long."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


async def is_there(socket: str) -> bool:
    """Tests whether an engine answers at the socket."""
    try:
        connection = await EngineSocket.open(socket, "status")
    except GreetingRefusedError:
        return True
    except EngineAwayError:
        return False
    connection.close()
    return True
