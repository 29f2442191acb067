"""The queries of an analysis client without a final answer; see protocols.server.returning_client.

A query has one final answer for each of its turns. The turns without one are asked for again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

from protocols.server.line_memory import LineMemory


class AnalysisMemory(LineMemory):
    """The memory of a conversation in JSON analysis."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[str, dict[str, Any]] = {}  # requests by id
        self._lock = threading.Lock()

    def sent(self, lines: Sequence[bytes]) -> None:
        """Remembers the requests among these lines; malformed ones are answered at once."""
        for line in lines:
            request = values_of(line)
            if isinstance(request.get("id"), str):
                with self._lock:
                    self._waiting[request["id"]] = request

    def again(self) -> bytes:
        """Returns the requests without a final answer."""
        with self._lock:
            return b"".join(json.dumps(each).encode() + b"\n" for each in self._waiting.values())

    def is_waiting(self) -> bool:
        """Tests whether a line has no answer."""
        return bool(self._waiting)

    def note(self, line: bytes) -> None:
        """Forgets a request, or one of its turns, with this answer; keeps it at a report."""
        answer = values_of(line)
        query_id = answer.get("id")
        with self._lock:
            request = self._waiting.get(query_id) if isinstance(query_id, str) else None
            if request is None or "warning" in answer or answer.get("isDuringSearch"):
                return
            turns = request.get("analyzeTurns")
            if "turnNumber" in answer and isinstance(turns, list):
                left = [turn for turn in turns if turn != answer["turnNumber"]]
                if left:
                    self._waiting[request["id"]] = _with_turns(request, left)
                    return
            del self._waiting[request["id"]]


def _with_turns(request: dict[str, Any], turns: list[Any]) -> dict[str, Any]:
    """Returns the request for these turns, with their priorities."""
    changed = {**request, "analyzeTurns": turns}
    priorities = request.get("priorities")
    if isinstance(priorities, list) and len(priorities) == len(request["analyzeTurns"]):
        by_turn = dict(zip(request["analyzeTurns"], priorities, strict=True))
        changed["priorities"] = [by_turn[turn] for turn in turns]
    return changed


def values_of(line: bytes) -> dict[str, Any]:
    """Returns the values of a JSON object; none for another line."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
