"""The queries of an analysis client without a final answer; see protocols.server.returning_client.

A query has one final answer for each of its turns. The turns without one are asked for again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

from protocols.lines import END

ENDING = END.encode()


class AnalysisMemory:
    """The memory of a conversation in JSON analysis."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}  # requests by id
        self._held = b""  # bytes of an incomplete line
        self._lock = threading.Lock()

    def sent(self, lines: Sequence[bytes]) -> None:
        """Remembers the requests among these lines; malformed ones are answered at once."""
        for line in lines:
            request = values_of(line)
            if isinstance(request.get("id"), str):
                with self._lock:
                    self._waiting[request["id"]] = request

    def received(self, data: bytes) -> tuple[bytes, bool]:
        """Returns whole lines, and whether all is over."""
        *lines, self._held = (self._held + data).split(b"\n")
        output = b""
        for line in lines:
            if line == ENDING:
                return output, True
            self._note(values_of(line))
            output += line + b"\n"
        return output, False

    def lost(self) -> None:
        """Forgets the incomplete line."""
        self._held = b""

    def options(self) -> dict[str, object]:
        """Returns nothing: each query stands for itself."""
        return {}

    def again(self) -> bytes:
        """Returns the requests without a final answer."""
        with self._lock:
            return b"".join(json.dumps(each).encode() + b"\n" for each in self._waiting.values())

    def is_waiting(self) -> bool:
        """Tests whether a line has no answer."""
        return bool(self._waiting)

    def _note(self, answer: dict[str, Any]) -> None:
        """Forgets a request, or one of its turns, with this answer; keeps it at a report."""
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
