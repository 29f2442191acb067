"""The requests for analysis: queries of KataGo's analysis protocol within the service's limits."""

from __future__ import annotations

from typing import Any

from bots.mqtt.broker_settings import ServiceLimits
from bots.mqtt.engine_socket import QueryDoor
from bots.mqtt.game_requests import Outcome, RequestError


class QueryRequests:
    """Carries out queries."""

    def __init__(self, door: QueryDoor, limits: ServiceLimits) -> None:
        self._door, self._limits = door, limits

    async def analyze(self, fields: dict[str, Any]) -> Outcome:
        """Returns all final answers to a query."""
        query = fields["query"] if "action" in fields["query"] else self._bounded(fields["query"])
        return Outcome({"answers": await self._door.ask(query)})

    def _bounded(self, query: dict[str, Any]) -> dict[str, Any]:
        """Returns the query with its visits and seconds within the limits."""
        positions = len(query.get("analyzeTurns", "1"))
        if positions > self._limits.positions:
            text = f"a query has at most {self._limits.positions} positions, not {positions}"
            raise RequestError("refused", text)
        overrides = query.get("overrideSettings", {})
        overrides = overrides if isinstance(overrides, dict) else {}
        visits = query.get("maxVisits", overrides.get("maxVisits"))
        seconds = overrides.get("maxTime")
        return {
            **query,
            "maxVisits": at_most(visits, self._limits.visits),
            "overrideSettings": overrides | {"maxTime": at_most(seconds, self._limits.seconds)},
        }


def at_most(value: object, limit: float) -> object:
    """Returns a number within a limit, the limit without a number; other values as they are.

    >>> at_most(5, 9), at_most(50, 9), at_most(None, 9), at_most("x", 9)
    (5, 9, 9, 'x')
    """
    if value is None:
        return limit
    return min(value, limit) if isinstance(value, int | float) else value
