"""The table of servers: a row names the module of its client."""

from __future__ import annotations

from typing import NamedTuple


class ServerRow(NamedTuple):
    """One server, or one kind of servers."""

    help: str
    module: str  # with the interface of bots.server.BotModule


SERVERS = {
    "cgos": ServerRow("a Computer Go Server, where programs play Go", "bots.cgos.server"),
    "ogs": ServerRow("online-go.com, where people play Go", "bots.ogs.server"),
}
