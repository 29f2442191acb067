"""The messages to the broker: replies, states of games and the presence, each until acknowledged.

The store knows the unacknowledged ones, so a new connection begins with them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from bots.mqtt.broker_client import BrokerClient, publish_properties
from bots.mqtt.broker_settings import HOUR, MqttSettings
from bots.mqtt.mqtt_metrics import MqttMetrics
from bots.mqtt.request_store import RequestStore
from bots.mqtt.served_game import utc
from bots.mqtt.topics import Topics

DAY = 24 * HOUR
AT_ONCE = 16  # replies without an acknowledgement
VERSION = 1  # of the messages
ONLINE, WAITING, OFFLINE, LOST = "online", "waiting", "offline", "lost"


class Outgoing:
    """Sends what the store has for the broker. clock: time in seconds since 1970."""

    def __init__(
        self,
        settings: MqttSettings,
        topics: Topics,
        store: RequestStore,
        metrics: MqttMetrics,
        clock: Callable[[], float],
    ) -> None:
        self._settings, self._topics, self._store = settings, topics, store
        self._metrics, self._clock = metrics, clock
        self._work = asyncio.Event()
        self._rest = asyncio.Event()  # set while the broker has everything
        self._status = WAITING

    def wake(self) -> None:
        """Says that the store has a new reply or state."""
        self._rest.clear()
        self._work.set()

    def change_status(self, status: str) -> None:
        """Changes the presence; it is published where it is another one."""
        if status != self._status:
            self._status = status
            self.wake()

    async def all_sent(self) -> None:
        """Returns once the broker has everything."""
        await self._rest.wait()

    def will(self) -> bytes:
        """Returns the payload of the last will."""
        return presence(self._topics, LOST, None)

    async def send_all(self, client: BrokerClient) -> None:
        """Sends everything on one connection until it is lost; raises MqttError then."""
        published_status = ""
        self.wake()
        while True:
            if not self._work.is_set():
                self._rest.set()
            await self._work.wait()
            self._work.clear()
            if published_status != self._status:
                published_status = self._status
                await self.publish_presence(client, published_status)
            await self._send_replies(client)
            await self._send_states(client)

    async def publish_presence(self, client: BrokerClient, status: str) -> None:
        """Publishes the presence of this engine."""
        await client.publish(
            self._topics.presence,
            presence(self._topics, status, self._clock()),
            qos=1,
            retain=True,
            properties=publish_properties(),
        )

    async def publish_fault(self, client: BrokerClient, topic: str, error: dict[str, str]) -> None:
        """Reports a message without a way back."""
        fault = {"type": "fault", "engine": self._topics.name, "topic": topic, "error": error}
        await client.publish(
            self._topics.faults,
            json.dumps(fault, separators=(",", ":")).encode(),
            qos=1,
            properties=publish_properties(expiry_seconds=HOUR),
        )

    async def _send_replies(self, client: BrokerClient) -> None:
        """Sends the unsent replies, several at once and in their order."""
        numbers = self._store.unsent_numbers()
        for first in range(0, len(numbers), AT_ONCE):
            await asyncio.gather(
                *(self._send_reply(client, number) for number in numbers[first : first + AT_ONCE])
            )

    async def _send_reply(self, client: BrokerClient, number: int) -> None:
        request = self._store.request(number)
        await client.publish(
            request.way_back.reply_to,
            (request.reply or "").encode(),
            qos=1,
            properties=publish_properties(
                expiry_seconds=self._settings.limits.reply_hours * HOUR,
                correlation_data=request.way_back.correlation_data,
            ),
        )
        self._store.sent(number)
        self._metrics.replies.inc()

    async def _send_states(self, client: BrokerClient) -> None:
        for game_id in self._store.unpublished_games():
            game = self._store.game(game_id)
            if game is None:
                continue
            await client.publish(
                self._topics.states(game_id),
                json.dumps(game.public(), separators=(",", ":")).encode(),
                qos=1,
                retain=True,
                properties=publish_properties(expiry_seconds=self._settings.limits.idle_days * DAY),
            )
            self._store.published(game_id, game.number)


def presence(topics: Topics, status: str, seconds: float | None) -> bytes:
    """Returns the payload of a presence. seconds: time of the change since 1970; None: unknown."""
    values = {
        "type": "presence",
        "engine": topics.name,
        "status": status,
        "version": VERSION,
        "requests": topics.requests,
        "shared_requests": topics.shared_requests,
    }
    since = {} if seconds is None else {"since": utc(seconds)}
    return json.dumps(values | since, separators=(",", ":")).encode()
