"""A client of the service as a board has it: requests until their replies, across lost lines."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from typing import Any

import aiomqtt
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tests.bots.mqtt.messages import checked

SESSION_SECONDS = 600
NO_SUBSCRIBER = 0x10  # reason code of PUBACK


class Line(aiomqtt.Client):
    """A connection of MQTT 5 on which a request without a subscriber is not acknowledged.

    Mosquitto 2.0.11 forgets shared subscriptions at its restart until the subscriber is back.
    """

    def _on_publish(
        self,
        client: PahoClient,
        userdata: Any,
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        if reason_code.value != NO_SUBSCRIBER:
            super()._on_publish(client, userdata, mid, reason_code, properties)


class BoardClient:
    """A client with a session at the broker. patience: seconds before a further attempt."""

    def __init__(self, port: int, name: str, *, patience: float | None = None) -> None:
        self.name, self.replies_to = name, f"sparring/clients/{name}/replies"
        self.copies: dict[str, list[bytes]] = defaultdict(list)  # all replies received, by id
        self.attempts = 0  # beyond the first ones
        self.requests = 0
        self._port, self._patience = port, patience
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._unacknowledged: dict[str, tuple[str, bytes]] = {}  # topic and payload, by id
        self._client: Line | None = None
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> BoardClient:
        self._running = asyncio.create_task(self._run())
        while self._client is None:
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._running is not None
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    async def ask(self, kind: str, topic: str = "sparring/requests", **fields: Any) -> Any:
        """The reply to a request."""
        self.requests += 1
        own_id = f"{self.name}-{self.requests}"
        request = {"type": kind, "correlation_id": own_id, "reply_to": self.replies_to, **fields}
        reply = self._waiting[own_id] = asyncio.get_running_loop().create_future()
        attempt = 1
        while True:
            payload = json.dumps({**request, "attempt": attempt}).encode()
            self._unacknowledged[own_id] = (topic, payload)
            sending = asyncio.create_task(self._publish(own_id))
            try:
                return await asyncio.wait_for(asyncio.shield(reply), self._patience)
            except TimeoutError:
                attempt += 1
                self.attempts += 1
            finally:
                sending.cancel()

    async def result(self, kind: str, topic: str = "sparring/requests", **fields: Any) -> Any:
        """The result of a request."""
        reply = await self.ask(kind, topic, **fields)
        assert reply["ok"], reply
        return reply["result"]

    async def _publish(self, own_id: str) -> None:
        """Publishes a request without an acknowledgement; the next connection tries again."""
        line = self._client
        while line is not None and line is self._client and own_id in self._unacknowledged:
            topic, payload = self._unacknowledged[own_id]
            try:
                await line.publish(topic, payload, qos=1)
            except aiomqtt.MqttError:
                await asyncio.sleep(0.1)
            else:
                self._unacknowledged.pop(own_id, None)

    async def _run(self) -> None:
        while True:
            try:
                await self._connection()
            except aiomqtt.MqttError:
                self._client = None
                await asyncio.sleep(0.1)

    async def _connection(self) -> None:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = SESSION_SECONDS
        async with Line(
            "127.0.0.1",
            self._port,
            identifier=self.name,
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=False,
            properties=properties,
            timeout=2,
        ) as client:
            await client.subscribe(self.replies_to, qos=1)
            self._client = client
            again = [asyncio.create_task(self._publish(each)) for each in self._unacknowledged]
            try:
                async for message in client.messages:
                    assert isinstance(message.payload, bytes)
                    self._take(message.payload)
            finally:
                self._client = None
                for task in again:
                    task.cancel()

    def _take(self, payload: bytes) -> None:
        reply = checked(payload, "reply")
        own_id = reply["correlation_id"]
        self.copies[own_id].append(payload)
        waiting = self._waiting.get(own_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)
