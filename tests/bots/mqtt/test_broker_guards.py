"""The service and a real broker against mistakes, strangers and sudden ends."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from prometheus_client import CollectorRegistry

from bots.mqtt import broker_client
from bots.mqtt.broker_client import refusal
from bots.mqtt.broker_settings import BrokerAccess, MqttSettings
from bots.mqtt.mqtt_metrics import MqttMetrics
from bots.mqtt.service import MqttService
from tests.bots.mqtt.board_client import BoardClient
from tests.bots.mqtt.conftest import Serve
from tests.bots.mqtt.messages import REPLIES, checked, payload
from tests.bots.mqtt.mosquitto import Mosquitto, Served
from tests.bots.mqtt.serve_process import REFUSED

WAIT_SECONDS = 100
V5 = aiomqtt.ProtocolVersion.V5
PRESENCE = "sparring/engines/e1/presence"
REQUESTS = "sparring/requests"
Listening = Callable[[], Awaitable[tuple[str, bytes]]]


@asynccontextmanager
async def listener(
    port: int, topic: str, *, protocol: aiomqtt.ProtocolVersion = V5, **options: Any
) -> AsyncIterator[tuple[aiomqtt.Client, Listening]]:
    """A client with one subscription, and a function that waits for the next message."""
    async with (
        asyncio.timeout(WAIT_SECONDS),
        aiomqtt.Client("127.0.0.1", port, protocol=protocol, **options) as client,
    ):
        await client.subscribe(topic, qos=1)
        messages = client.messages

        async def following() -> tuple[str, bytes]:
            message = await anext(messages)
            assert isinstance(message.payload, bytes)
            return str(message.topic), message.payload

        yield client, following


def properties(**values: Any) -> Properties:
    """Properties of a PUBLISH."""
    made = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    for name, value in values.items():
        setattr(made, name, value)
    return made


BACK = {"ResponseTopic": REPLIES, "CorrelationData": b"\x00\xfe"}


def test_malformed_payloads_are_answered_with_a_quote(broker: Mosquitto, serve: Serve) -> None:
    async def test() -> None:
        async with listener(broker.port, "sparring/clients/#") as (client, following):
            for content, code, quote in (
                (b"hello <world>", "malformed", "hello <world>"),
                (b'{"type": "waltz"}', "malformed", '{"type": "waltz"}'),
                (b"x" * 10_000_000, "too_large", "x" * 200),
            ):
                own = properties(**{**BACK, "CorrelationData": code.encode() + content[:9]})
                await client.publish(REQUESTS, content, qos=1, properties=own)
                _, answer = await following()
                reply = checked(answer, "reply")
                assert reply["error"]["code"] == code
                assert reply["error"]["quoted"] == quote

    serve(broker.port).serves()
    asyncio.run(test())


def test_a_reply_has_the_properties_of_mqtt_5(broker: Mosquitto, serve: Serve) -> None:
    async def test() -> None:
        async with listener(broker.port, REPLIES) as (client, _):
            query = json.dumps({"type": "analyze", "query": {"action": "query_version"}})
            await client.publish(REQUESTS, query, qos=1, properties=properties(**BACK))
            message = await anext(client.messages)
            assert message.properties is not None
            own = message.properties.json()  # type: ignore[no-untyped-call]
            assert message.properties.CorrelationData == b"\x00\xfe"  # type: ignore[attr-defined]
            assert own["ContentType"] == "application/json"
            assert 0 < own["MessageExpiryInterval"] <= 24 * 3600
            assert (message.qos, message.retain) == (1, False)

    serve(broker.port).serves()
    asyncio.run(test())


def test_foreign_topics_get_no_reply(broker: Mosquitto, serve: Serve) -> None:
    bad = ["$SYS/broker/x", "sparring/requests", PRESENCE, "other/topic", "$share/a/b"]

    async def test() -> None:
        async with listener(broker.port, "#") as (client, following):
            await following()  # the presence
            for topic in bad:
                await client.publish(REQUESTS, payload("start", board="go9", reply_to=topic), qos=1)
                assert (await following())[0] == REQUESTS  # our own request
                topic_of_fault, content = await following()
                assert topic_of_fault == "sparring/engines/e1/faults"
                fault = checked(content, "fault")
                assert fault["error"]["code"] == "bad_reply_topic"
                assert fault["error"]["quoted"] == topic
            await client.publish(REQUESTS, b"\xff\xfe", qos=0)
            await following()
            assert checked((await following())[1], "fault")["error"]["code"] == "malformed"

    served = serve(broker.port)
    served.serves()
    asyncio.run(test())
    assert served.stop() == 0
    assert served.metric('sparring_mqtt_arrivals_total{kind="fault"}') == 6


def test_clients_of_mqtt_3_play_and_spectators_see_the_last_state(
    broker: Mosquitto, serve: Serve
) -> None:
    async def test() -> None:
        v3 = aiomqtt.ProtocolVersion.V311
        async with listener(broker.port, REPLIES, protocol=v3) as (client, following):
            await client.publish(REQUESTS, payload("start", board="connect4"), qos=1)
            result = checked((await following())[1], "reply")["result"]
            game = {"game": result["state"]["game"], "token": result["token"]}
            move = payload("play", **game, move="4", genmove=True, correlation_id="2")
            await client.publish(result["requests"], move, qos=1)
            state = checked((await following())[1], "reply")["result"]["state"]
        while True:
            async with listener(broker.port, result["states"], protocol=v3) as (_, following):
                seen = checked((await following())[1], "game_state")
            if seen["number"] == state["number"]:
                break
        assert seen == state
        assert len(seen["moves"]) == 2

    serve(broker.port).serves()
    asyncio.run(test())


def test_a_retained_request_is_carried_out_once(broker: Mosquitto, serve: Serve) -> None:
    async def test() -> None:
        async with listener(broker.port, REPLIES) as (client, following):
            await client.publish(REQUESTS, payload("start", board="connect4"), qos=1, retain=True)
            await following()

    served = serve(broker.port)
    served.serves()
    asyncio.run(test())
    assert served.stop() == 0
    assert served.metric('sparring_mqtt_arrivals_total{kind="new"}') == 1
    served.start()
    served.serves(2)
    assert served.stop() == 0
    assert served.metric('sparring_mqtt_arrivals_total{kind="new"}') == 0


def test_presence_tells_a_kill_from_an_orderly_end(broker: Mosquitto, serve: Serve) -> None:
    async def test(served: Served) -> None:
        async with listener(broker.port, PRESENCE) as (_, following):

            async def status(wanted: str) -> dict[str, Any]:
                while (seen := checked((await following())[1], "presence"))["status"] != wanted:
                    pass
                return seen

            assert (await status("online"))["requests"] == "sparring/engines/e1/requests"
            await asyncio.to_thread(served.stop, signal.SIGKILL)
            assert "since" not in await status("lost")
            served.start()
            await status("online")
            await asyncio.to_thread(served.stop, signal.SIGTERM)
            await status("offline")
        async with listener(broker.port, PRESENCE) as (_, following):
            await status("offline")  # retained

    served = serve(broker.port)
    served.serves()
    asyncio.run(test(served))


def test_two_engines_share_the_requests(broker: Mosquitto, serve: Serve) -> None:
    async def test() -> set[str]:
        async with asyncio.timeout(WAIT_SECONDS), BoardClient(broker.port, "board") as client:
            query = {"action": "query_version"}
            replies = [await client.ask("analyze", query=query) for _ in range(20)]
            started = await client.result("start", board="connect4")
            game = {"game": started["state"]["game"], "token": started["token"]}
            await client.result("play", started["requests"], **game, move="4")
            other = {"e1": "e2", "e2": "e1"}[started["state"]["engine"]]
            topic = f"sparring/engines/{other}/requests"
            refused = await client.ask("play", topic, **game, move="4")
            assert refused["error"]["code"] == "wrong_engine"
            assert all(len(copies) == 1 for copies in client.copies.values())
            return {reply["engine"] for reply in replies}

    for name in ("e1", "e2"):
        serve(broker.port, name).serves()
    assert asyncio.run(test()) == {"e1", "e2"}


def test_requests_wait_at_the_broker_for_a_service_that_is_away(
    broker: Mosquitto, serve: Serve
) -> None:
    async def test(served: Served) -> None:
        async with listener(broker.port, REPLIES) as (client, following):
            topic = "sparring/engines/e1/requests"
            expired = properties(**BACK, MessageExpiryInterval=1)
            late = payload("start", board="connect4", correlation_id="late")
            await client.publish(topic, late, qos=1, properties=expired)
            await client.publish(topic, payload("start", board="connect4"), qos=1)
            await asyncio.sleep(2)
            served.start()
            assert checked((await following())[1], "reply")["correlation_id"] == "1"

    served = serve(broker.port)
    served.serves()
    served.stop(signal.SIGKILL)
    asyncio.run(test(served))


def test_two_services_of_a_name_are_warned(broker: Mosquitto, serve: Serve) -> None:
    first = serve(broker.port)
    first.serves()
    serve(broker.port, data_folder=str(first.folder / "other"))
    first.logged("another client may have the name 'sparring-e1'")


def test_a_service_whose_session_is_taken_over_ends() -> None:
    taken, refused = (aiomqtt.MqttCodeError(code) for code in (0x8E, 0x87))
    lost = aiomqtt.MqttError("disconnected")
    assert refusal(lost, "e1", is_first=True) == ""
    lost.__cause__ = taken
    for error in (taken, lost):
        assert "has the name 'e1'" in refusal(error, "e1", is_first=False)
    assert "refuses this client" in refusal(refused, "e1", is_first=True)
    assert refusal(refused, "e1", is_first=False) == ""


def test_wrong_credentials_are_refused_and_right_ones_serve(
    broker_folder: Path, serve: Serve
) -> None:
    broker_folder.mkdir()
    passwords = broker_folder / "passwords"
    passwords.touch(0o600)
    for user in ("engine", "board"):
        subprocess.run(
            ["mosquitto_passwd", "-b", str(passwords), user, f"{user} secret"], check=True
        )
    rights = broker_folder / "rights"
    rights.write_text("user engine\ntopic readwrite sparring/#\nuser board\ntopic sparring/#\n")
    rights.chmod(0o600)
    lines = ("allow_anonymous false", f"password_file {passwords}", f"acl_file {rights}")
    broker = Mosquitto(broker_folder, *lines)
    try:
        for access in ({}, {"username": "engine", "password": "wrong"}):
            served = serve(broker.port, f"e{len(access)}", broker=access)
            assert served.process.wait(30) == REFUSED
            log = served.log.read_text()
            assert "the broker refuses this client" in log
            assert "wrong" not in log
        access = {"username": "engine", "password": "engine secret"}
        served = serve(broker.port, broker=access)
        served.serves()

        async def test() -> None:
            own: dict[str, Any] = {"username": "board", "password": "board secret"}
            async with listener(broker.port, REPLIES, **own) as (client, following):
                await client.publish(REQUESTS, payload("start", board="connect4"), qos=1)
                assert checked((await following())[1], "reply")["ok"]

        asyncio.run(test())
    finally:
        broker.stop()


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate of a name that signs itself, and its key."""
    own, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "1", "-subj", f"/CN={name}"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(own)),
        ],
        check=True,
        capture_output=True,
    )
    return own, key


def test_tls_serves_by_a_trusted_certificate_alone(broker_folder: Path, serve: Serve) -> None:
    broker_folder.mkdir()
    own, key = certificate(broker_folder, "broker")
    other, _ = certificate(broker_folder, "other")
    broker = Mosquitto(broker_folder, f"certfile {own}", f"keyfile {key}")
    try:
        stranger = serve(broker.port, "e2", broker={"tls": True, "ca_file": str(other)})
        stranger.logged("certificate verify failed")
        served = serve(broker.port, broker={"tls": True, "ca_file": str(own)})
        served.serves()

        async def test() -> None:
            tls = ssl.create_default_context(cafile=str(own))
            async with listener(broker.port, REPLIES, tls_context=tls) as (client, following):
                await client.publish(REQUESTS, payload("start", board="connect4"), qos=1)
                assert checked((await following())[1], "reply")["ok"]

        asyncio.run(test())
        assert served.stop() == 0
        assert "mqtt: serves" not in stranger.log.read_text()
    finally:
        broker.stop()


def test_a_broker_without_an_answer_keeps_no_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        closed = asyncio.Event()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            closed.set()
            writer.close()

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        access = BrokerAccess(host="127.0.0.1", port=port)
        stop = asyncio.Event()
        service = MqttService(
            MqttSettings("e1", tmp_path, str(tmp_path / "none"), broker=access),
            MqttMetrics(CollectorRegistry()),
        )
        serving = asyncio.create_task(service.run(stop))
        async with asyncio.timeout(20):
            await closed.wait()
            stop.set()
            await serving
        server.close()

    monkeypatch.setattr(broker_client, "ANSWER_SECONDS", 0.3)
    asyncio.run(test())


def test_a_broker_that_is_away_is_tried_again(serve: Serve) -> None:
    served = serve(1)  # nobody listens at this port
    served.logged("mqtt: the broker is away", times=2)
    assert served.stop() == 0
