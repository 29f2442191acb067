"""One game over MQTT as values: its terms, its moves, and its state for spectators."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

COLORS = ("black", "white")  # black moves first in every game
BOARD = re.compile(r"(go|othello|connect4)-?(?:(\d{1,2})(?:x(\d{1,2}))?)?", re.ASCII)
SECRET = ("token", "session")  # never published


@dataclass(frozen=True)
class MqttGame:
    """A game after its latest event. Moves are pairs of color and move."""

    game: str  # the id
    engine: str
    board: str
    player: str  # the player's color
    token: str  # the player's right to play
    rules: str | None = None
    komi: float | None = None
    handicap: int | None = None
    persona: str | None = None
    opponent: str | None = None
    moves: tuple[tuple[str, str], ...] = ()
    rows: tuple[str, ...] = ()  # the stones, the upper row first: X is black, O is white
    to_move: str | None = "black"
    is_over: bool = False
    result: str | None = None
    event: str = "start"
    number: int = 1  # of events
    time: str = ""  # of the event
    session: str | None = None  # the token of the engine's conversation

    @property
    def engine_color(self) -> str:
        """The engine's color."""
        return COLORS[1 - COLORS.index(self.player)]

    def public(self) -> dict[str, Any]:
        """Returns the state for spectators: a `game_state` of the schema."""
        values = asdict(self)
        lists = {"moves": [list(move) for move in self.moves], "rows": list(self.rows)}
        shown = {name: values[name] for name in values if name not in SECRET}
        return {"type": "game_state", **shown, **lists}

    def after(self, event: str, state: dict[str, Any], seconds: float) -> MqttGame:
        """Returns the game after an event.

        state: the engine's answer to `sparring-game`. seconds: time since 1970.
        """
        return replace(
            self,
            moves=moves_of(state),
            rows=tuple(state["rows"]),
            to_move=state["to_move"],
            is_over=state["is_over"],
            result=state["result"],
            event=event,
            number=self.number + 1,
            time=utc(seconds),
        )

    def ended(self, event: str, result: str | None, seconds: float) -> MqttGame:
        """Returns the game after its end by a word of the player."""
        return replace(
            self,
            to_move=None,
            is_over=True,
            result=result,
            event=event,
            number=self.number + 1,
            time=utc(seconds),
        )

    def as_json(self) -> dict[str, Any]:
        """Returns all values for the store."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> MqttGame:
        """Returns the game of `as_json`."""
        moves = tuple((color, move) for color, move in values["moves"])
        return cls(**{**values, "moves": moves, "rows": tuple(values["rows"])})


def moves_of(state: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Returns the moves of the engine's answer to `sparring-game`."""
    return tuple((color, move) for color, move in state["moves"])


def opening_lines(game: MqttGame) -> list[str]:
    """Returns the GTP commands that set a game up on an empty usual board, without its moves.

    >>> opening_lines(MqttGame("e.1", "e", "go9x7", "black", "", komi=0.5, handicap=2))
    ['boardsize 9 7', 'komi 0.5', 'fixed_handicap 2']
    """
    lines = []
    width, height = size_of(game.board)
    if width is not None:
        lines.append(f"boardsize {width} {height}")
    if game.komi is not None:
        lines.append(f"komi {game.komi:g}")
    if game.handicap is not None:
        lines.append(f"fixed_handicap {game.handicap}")
    return lines


def kind_of(board: str) -> str:
    """Returns the game of a board.

    >>> kind_of("connect4-8x7")
    'connect4'
    """
    return _match(board)[1]


def size_of(board: str) -> tuple[int | None, int | None]:
    """Returns the width and the height of a board; None for the usual ones.

    >>> size_of("go9"), size_of("connect4-8x7"), size_of("connect4")
    ((9, 9), (8, 7), (None, None))
    """
    match = _match(board)
    if match[2] is None:
        return None, None
    return int(match[2]), int(match[3] or match[2])


def _match(board: str) -> re.Match[str]:
    """Returns the parts of a board's name; the schema refuses other names."""
    match = BOARD.fullmatch(board)
    if match is None:
        raise ValueError(f"{board!r} is not a board")
    return match


def utc(seconds: float) -> str:
    """Returns a time as text in UTC.

    >>> utc(0.5)
    '1970-01-01T00:00:00.500+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
