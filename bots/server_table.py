"""The table of servers: a row names the module of its client."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, cast

from bots.server import BotModule


class ServerRow(NamedTuple):
    """One server, or one kind of servers."""

    help: str
    module: str  # with the interface of bots.server.BotModule
    has_own_service: bool = False  # with that of bots.own_service.ServiceModule instead


SERVERS = {
    "cgos": ServerRow("a Computer Go Server, where programs play Go", "bots.cgos.server"),
    "ogs": ServerRow("online-go.com, where people play Go", "bots.ogs.server"),
    "lichess": ServerRow(
        "Lichess, PlayStrategy or PyChess, by their bot API", "bots.lichess.server"
    ),
    "mqtt": ServerRow(
        "an MQTT broker, where clients ask for moves, games and analysis",
        "bots.mqtt.server",
        has_own_service=True,
    ),
}


def module_of(name: str) -> BotModule:
    """Returns the module of a server; importing it costs time."""
    return cast("BotModule", import_module(SERVERS[name].module))
