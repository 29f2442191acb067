"""The service at a real broker: nothing lost, nothing done twice, whoever is killed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

import pytest

from tests.bots.mqtt.board_client import BoardClient
from tests.bots.mqtt.mosquitto import MOSQUITTO, Mosquitto, Served

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="needs mosquitto, a broker")

CLIENTS = 20
GAME = 5  # requests of a game
AT_ONCE = 4  # queries of a client
UNACKNOWLEDGED = 20  # replies at once: the maximum that Mosquitto tells when a service connects
Serve = Callable[..., Served]


async def play(client: BoardClient) -> None:
    """A game of 5 requests."""
    started = await client.result("start", board="connect4", genmove=True)
    topic, game = started["requests"], {"game": started["state"]["game"], "token": started["token"]}
    for column in "12":
        number = (await client.result("state", topic, game=game["game"]))["state"]["moves"]
        await client.result("play", topic, **game, move=column, number=len(number), genmove=True)


async def analyse(client: BoardClient, number: int) -> None:
    """A query whose answer has its own number."""
    visits = 10 + number
    result = await client.result("analyze", query={"moves": [], "maxVisits": visits})
    assert result["answers"][0]["rootInfo"]["visits"] == visits


async def all_requests(client: BoardClient, queries: int) -> None:
    """The requests of one client, a game and some queries at once."""
    free = asyncio.Semaphore(AT_ONCE)

    async def query(number: int) -> None:
        async with free:
            await analyse(client, number)

    await asyncio.gather(play(client), *(query(each) for each in range(queries)))


async def after(clients: list[BoardClient], replies: int, deed: Callable[[], None]) -> None:
    """Does something once the clients have so many replies."""
    while sum(len(client.copies) for client in clients) < replies:
        await asyncio.sleep(0.01)
    await asyncio.to_thread(deed)


async def with_clients(
    port: int, queries: int, deeds: dict[int, Callable[[], None]], patience: float | None = None
) -> list[BoardClient]:
    """A game and so many queries of each client, and deeds after so many replies."""
    clients = [BoardClient(port, f"board-{each}", patience=patience) for each in range(CLIENTS)]
    async with asyncio.timeout(90):
        for client in clients:
            await client.__aenter__()
        doing = [asyncio.create_task(after(clients, *each)) for each in deeds.items()]
        await asyncio.gather(*(all_requests(client, queries) for client in clients))
        await asyncio.gather(*doing)
        await asyncio.sleep(1)  # for replies too many
        for client in clients:
            await client.__aexit__()
    return clients


def check(clients: list[BoardClient], served: Served, requests: int) -> int:
    """Checks that each request is answered by one reply; returns the number of its deliveries.

    A reply may be delivered twice where a line is lost before its acknowledgement, with equal
    bytes: QoS 1 promises no more.
    """
    copies = [each for client in clients for each in client.copies.values()]
    assert sum(client.requests for client in clients) == len(copies) == requests
    assert all(len(set(each)) == 1 for each in copies)
    assert served.replies() == requests
    return sum(map(len, copies))


def test_1000_requests_while_the_broker_restarts(broker: Mosquitto, serve: Serve) -> None:
    def restart() -> None:
        broker.stop()
        broker.start()

    served = serve(broker.port)
    served.serves()
    clients = asyncio.run(with_clients(broker.port, 45, {300: restart, 700: restart}))
    assert served.stop() == 0
    deliveries = check(clients, served, 1000)
    assert sum(client.attempts for client in clients) == 0
    # The service repeats the replies that a restart left unacknowledged, and no others.
    assert 1000 <= broker.replies() <= 1000 + 2 * UNACKNOWLEDGED
    print("deliveries", deliveries)
    assert served.metric("sparring_mqtt_replies_total") == 1000
    assert served.metric('sparring_mqtt_arrivals_total{kind="new"}') == 1000


def test_requests_while_everything_is_killed(broker: Mosquitto, serve: Serve) -> None:
    def kill_broker() -> None:
        broker.stop(signal.SIGKILL)
        broker.start()

    def kill_service() -> None:
        served.stop(signal.SIGKILL)
        served.start()

    served = serve(broker.port)
    served.serves()
    deeds = {40: kill_broker, 80: kill_service, 120: kill_broker, 160: kill_service}
    clients = asyncio.run(with_clients(broker.port, 5, deeds, 10))
    served.stop()
    deliveries = check(clients, served, CLIENTS * (GAME + 5))
    attempts = sum(client.attempts for client in clients)
    print("deliveries", deliveries, "attempts", attempts)
