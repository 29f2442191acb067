"""The desk of the service: packets in, stored replies out. It knows no broker.

A request is stored, carried out once, and its reply stored. A request without a reply when the
process ends is carried out after the next start.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from bots.engine_connection import EngineAwayError, EngineCommandError, GreetingRefusedError
from bots.mqtt.broker_settings import MqttSettings
from bots.mqtt.game_requests import Outcome, RequestError
from bots.mqtt.group_commit import GroupCommit
from bots.mqtt.request_reader import Fault, Incoming, Packet, WayBack, read_packet
from bots.mqtt.request_store import Arrival, RequestStore, StoredRequest, StoreFileError
from bots.mqtt.topics import Topics

log = logging.getLogger("sparring")

RETRY_SECONDS = 0.5
INTERNAL = Fault("internal", "an internal error; the log of the bot has it")
Handlers = dict[str, Callable[[dict[str, Any]], Awaitable[Outcome]]]
Sleep = Callable[[float], Awaitable[None]]


class OpenGames(Protocol):
    """The engine's conversations, as the desk ends them."""

    def drop(self, game: str) -> None:
        """Closes a conversation; the next command opens it anew."""

    async def end(self, game: str) -> None:
        """Ends a conversation for good."""


@dataclass(frozen=True)
class Receipt:
    """An arrived packet. lane: requests of one lane are carried out one after another."""

    arrival: Arrival
    number: int  # in the store
    type: str | None
    is_waiting: bool  # it is still to be carried out
    code: str = ""  # of the error of a refused request
    lane: str = ""


class RequestDesk:
    """Receives requests and carries them out. clock: time in seconds since 1970."""

    def __init__(
        self,
        settings: MqttSettings,
        *,
        topics: Topics,
        store: RequestStore,
        handlers: Handlers,
        games: OpenGames,
        clock: Callable[[], float],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._settings, self._store, self._handlers = settings, store, handlers
        self._games, self._clock, self._sleep = games, clock, sleep
        self._commits = GroupCommit(store)
        self._filters = settings.reply_filters or (topics.usual_reply_filter,)
        self._own = topics.own
        self._most_reply_bytes = settings.limits.reply_bytes

    def receive(self, packet: Packet) -> Receipt:
        """Stores a packet; raises NoWayBackError where its sender cannot be answered."""
        most_bytes = self._settings.limits.payload_bytes
        incoming = read_packet(packet, self._filters, most_bytes, self._own)
        fault: Fault | None = None

        def refuse(arrival: Arrival) -> str | None:
            nonlocal fault
            fault = fault_at(incoming, arrival)
            if fault is None:
                return None
            return self._reply(incoming.way_back, incoming.type, {"error": fault.as_json()})

        arrival, number = self._store.arrive(incoming, refuse)
        return Receipt(
            arrival,
            number,
            incoming.type,
            is_waiting=arrival is Arrival.NEW and fault is None,
            code="" if fault is None else fault.code,
            lane=lane_of(number, incoming.fields or {}),
        )

    async def carry_out(self, number: int) -> str:
        """Carries a stored request out and stores its reply.

        Returns "ok", or the code of the error. Raises StoreFileError where the disk fails; any
        other failure is logged and answered.
        """
        request = self._store.request(number)
        try:
            return await self._carry_out(request)
        except StoreFileError:
            raise
        except Exception:
            log.exception("request %d of type %s failed", number, request.type)
        self._games.drop(request.fields.get("game", ""))
        reply = self._reply(request.way_back, request.type, {"error": INTERNAL.as_json()})
        await self._commits.write(partial(self._store.answer, number, reply))
        return INTERNAL.code

    async def _carry_out(self, request: StoredRequest) -> str:
        """Carries a request out; its faults and the engine's are answered, bugs are raised."""
        code, body, outcome = "ok", dict[str, Any](), Outcome({})
        try:
            outcome = await self._patiently(request)
            body = {"result": outcome.result}
        except RequestError as error:
            code, body = error.fault.code, {"error": error.fault.as_json()}
        except (EngineCommandError, GreetingRefusedError) as error:
            fault = Fault("refused", str(error) or "the engine refused the request")
            code, body = fault.code, {"error": fault.as_json()}
            self._games.drop(request.fields.get("game", ""))
        reply, most = self._reply(request.way_back, request.type, body), self._most_reply_bytes
        if len(reply) > most:
            fault = Fault("too_large", f"the reply has {len(reply)} bytes, more than {most}")
            code, body = fault.code, {"error": fault.as_json()}
            reply = self._reply(request.way_back, request.type, body)
        await self._commits.write(partial(self._store.answer, request.number, reply, outcome.game))
        if outcome.game is not None and outcome.ended:
            await self._games.end(outcome.game.game)
        return code

    async def _patiently(self, request: StoredRequest) -> Outcome:
        """Returns the outcome of a request; waits for an engine that is away."""
        until = self._clock() + self._settings.limits.engine_wait_seconds
        while True:
            if request.expires is not None and self._clock() >= request.expires:
                raise RequestError("expired", "the request expired before it was carried out")
            try:
                return await self._handlers[str(request.type)](request.fields)
            except EngineAwayError as error:
                self._games.drop(request.fields.get("game", ""))
                if self._clock() >= until:
                    raise RequestError("engine_down", str(error)) from error
            await self._sleep(RETRY_SECONDS)

    def _reply(self, way_back: WayBack, kind: str | None, body: dict[str, Any]) -> str:
        envelope = {
            "type": "reply",
            "engine": self._settings.name,
            "correlation_id": way_back.correlation_id,
            "request": kind,
            "ok": "result" in body,
        }
        return json.dumps(envelope | body, separators=(",", ":"))


def fault_at(incoming: Incoming, arrival: Arrival) -> Fault | None:
    """Returns the reason for refusing an arrived request at once; None without one."""
    if incoming.fault is None and arrival is Arrival.REUSED:
        text = "another request had this correlation id and this response topic"
        return Fault("correlation_id_reused", text, incoming.way_back.correlation_id)
    return incoming.fault


def lane_of(number: int, fields: dict[str, Any]) -> str:
    """Returns the lane of a request: that of its game, or its own."""
    return str(fields.get("game", number))
