"""The lines of an NBoard, UGI or UCI client for an engine that was restarted; see returning_client.

The latest settings and the game are sent again, then the requests without an answer. An answer also
ends the requests before it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import NamedTuple

from protocols.server.line_memory import LineMemory

SEARCH = re.compile(rb"go\b")  # the request for a search, in all of them


class Grammar(NamedTuple):
    """The lines of a protocol, as patterns of their beginnings."""

    replaces: re.Pattern[bytes]  # a setting; the same match replaces the earlier one
    begins: re.Pattern[bytes]  # the game or position, in place of the earlier one
    extends: re.Pattern[bytes]  # a further move of the game
    asks: Sequence[tuple[re.Pattern[bytes], re.Pattern[bytes]]]  # request, its last answer
    # Lines to a search under way; they have no answer of their own. The answer ends the search.
    urges: re.Pattern[bytes] = re.compile(rb"(?!)")
    is_in_order: bool = False  # an answer ends the earlier requests too


NBOARD = Grammar(
    replaces=re.compile(rb"set (?!game\b)\w+"),
    begins=re.compile(rb"set game\b"),
    extends=re.compile(rb"move\b|([a-j](10|[1-9])|pa)\s*$", re.IGNORECASE),
    asks=(
        (re.compile(rb"nboard\b"), re.compile(rb"set myname")),
        (SEARCH, re.compile(rb"===")),
        (re.compile(rb"(hint|analyze)\b"), re.compile(rb"status .* is waiting")),
        (re.compile(rb"ping\b"), re.compile(rb"pong")),
        (re.compile(rb"learn\b"), re.compile(rb"learned")),
    ),
    is_in_order=True,
)
UGI = Grammar(
    replaces=re.compile(rb"setoption name \S+"),
    begins=re.compile(rb"position\b|uginewgame\b"),
    extends=re.compile(rb"(?!)"),  # a position has all its moves
    asks=(
        (re.compile(rb"ugi\s*$"), re.compile(rb"ugiok")),
        (re.compile(rb"isready\b"), re.compile(rb"readyok")),
        (re.compile(rb"query\b"), re.compile(rb"response")),
        (SEARCH, re.compile(rb"bestmove")),
    ),
    urges=re.compile(rb"stop\b"),
)

UCI = Grammar(
    replaces=re.compile(rb"setoption\s+name\s+.*?(?=\s+value\b|$)"),
    begins=re.compile(rb"position\b|ucinewgame\b"),
    extends=re.compile(rb"(?!)"),  # a position has all its moves
    asks=(
        (re.compile(rb"uci\s*$"), re.compile(rb"uciok")),
        (re.compile(rb"isready\b"), re.compile(rb"readyok")),
        (SEARCH, re.compile(rb"bestmove")),
    ),
    urges=re.compile(rb"(stop|ponderhit)\b"),
)


class PositionMemory(LineMemory):
    """The memory of a conversation in one of these protocols."""

    def __init__(self, grammar: Grammar) -> None:
        super().__init__()
        self._grammar = grammar
        self._settings: dict[bytes, bytes] = {}
        self._game: list[bytes] = []
        self._waiting: list[bytes] = []  # requests without an answer, and urges
        self._lock = threading.Lock()

    def sent(self, lines: Sequence[bytes]) -> None:
        """Remembers the settings, the game and the requests among these lines."""
        for line in lines:
            with self._lock:
                self._remember(line.strip())

    def _remember(self, line: bytes) -> None:
        if setting := self._grammar.replaces.match(line):
            self._settings[setting[0]] = line
        elif self._grammar.begins.match(line):
            self._game = [line]
        elif self._grammar.extends.match(line):
            self._game.append(line)
        elif any(request.match(line) for request, _ in self._grammar.asks):
            self._waiting.append(line)
        elif self._grammar.urges.match(line):
            self._waiting = self._with_searches([*self._waiting, line])

    def again(self) -> bytes:
        """Returns the settings, the game and the requests without an answer."""
        with self._lock:
            lines = [*self._settings.values(), *self._game, *self._waiting]
        return b"".join(line + b"\n" for line in lines)

    def is_waiting(self) -> bool:
        """Tests whether a request has no answer."""
        return bool(self._waiting)

    def note(self, line: bytes) -> None:
        """Forgets the first request with this answer, and the urges to it.

        In a grammar in order the answer ends the requests before it too.
        """
        for request, answer in self._grammar.asks:
            if not answer.match(line):
                continue
            with self._lock:
                for index, waiting in enumerate(self._waiting):
                    if request.match(waiting):
                        before = [] if self._grammar.is_in_order else self._waiting[:index]
                        self._waiting = self._with_searches(before + self._waiting[index + 1 :])
                        return

    def _with_searches(self, waiting: Sequence[bytes]) -> list[bytes]:
        """Returns these lines without the urges that have no search before them."""
        kept: list[bytes] = []
        has_search = False
        for line in waiting:
            has_search |= SEARCH.match(line) is not None
            if has_search or not self._grammar.urges.match(line):
                kept.append(line)
        return kept
