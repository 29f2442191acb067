"""The messages of the server as values, and their reading from JSON.

The names and shapes are those of online-go/goban, src/engine/protocol/ServerToClient.ts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bots.fields import integer, mapping, number, one_of, text
from bots.ogs.clock import OgsClock, read_clock
from bots.ogs.game_data import COLORS, PHASES, GameData, read_game_data, read_player

LONGEST_CHAT = 10_000  # characters of a line that are read
_GAME_EVENT = re.compile(r"game/(\d{1,15})/([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping; times in milliseconds."""

    client_ms: float
    server_ms: float


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification, a challenge among them."""

    id: str
    type: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ActiveGameMessage:
    """A game of the bot: sent after the authentication and at each change."""

    game_id: int
    phase: str
    player_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """An error for the user, outside any game."""

    text: str


@dataclass(frozen=True, slots=True)
class MoveMessage:
    """A move of either player, also the bot's own."""

    number: int  # from 1 on
    point: Any  # as sent; the board's size is needed to read it


@dataclass(frozen=True, slots=True)
class PhaseMessage:
    """The game has entered a phase, a key of PHASES."""

    phase: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A line of a game's chat."""

    id: str
    player_id: int
    username: str
    body: str
    channel: str
    sent_at: float  # seconds, server time


@dataclass(frozen=True, slots=True)
class UndoRequestMessage:
    """A player asks to take moves back."""

    move_number: int
    count: int = 1  # moves to take back
    player_id: int | None = None


@dataclass(frozen=True, slots=True)
class UndoMessage:
    """Moves were taken back; count: None where the request's count holds."""

    count: int | None = None


@dataclass(frozen=True, slots=True)
class UndoCancelMessage:
    """The request to take moves back is withdrawn."""


@dataclass(frozen=True, slots=True)
class RemovalMessage:
    """The stones marked as removed, after a change of a player or of the server."""

    letters: str


@dataclass(frozen=True, slots=True)
class RefusalMessage:
    """The server refused a command of this game."""

    text: str


OgsGameMessage = (
    GameData
    | OgsClock
    | MoveMessage
    | PhaseMessage
    | ChatMessage
    | UndoRequestMessage
    | UndoMessage
    | UndoCancelMessage
    | RemovalMessage
    | RefusalMessage
)
OgsServerMessage = Pong | Notification | ActiveGameMessage | ErrorMessage


@dataclass(frozen=True, slots=True)
class OfGame:
    """A message of one game."""

    game_id: int
    message: OgsGameMessage


def read_message(event: str, data: object) -> OgsServerMessage | OfGame | None:
    """Reads an event; None for one of no interest. Raises WireError on a bad shape."""
    match = _GAME_EVENT.fullmatch(event)
    if match is None:
        read = _SERVER_READERS.get(event)
        return None if read is None else read(data)
    read_game = _GAME_READERS.get(match[2])
    message = None if read_game is None else read_game(data)
    return None if message is None else OfGame(int(match[1]), message)


# ---- Messages of the server


def _pong(value: object) -> Pong:
    data = mapping(value, "net/pong")
    return Pong(number(data.get("client"), "client"), number(data.get("server"), "server"))


def _notification(value: object) -> Notification:
    data = mapping(value, "notification")
    return Notification(
        str(data.get("id"))[:200], text(data.get("type"), "type", longest=200), dict(data)
    )


def _active_game(value: object) -> ActiveGameMessage:
    data = mapping(value, "active_game")
    phase = one_of(data.get("phase"), "phase", PHASES)
    players = (data.get(color) for color in COLORS)
    ids = tuple(read_player(player).id for player in players if player is not None)
    return ActiveGameMessage(integer(data.get("id"), "id"), phase, ids)


def _server_error(value: object) -> ErrorMessage:
    return ErrorMessage(str(value)[:LONGEST_CHAT])


_SERVER_READERS: dict[str, Callable[[object], OgsServerMessage]] = {
    "net/pong": _pong,
    "notification": _notification,
    "active_game": _active_game,
    "ERROR": _server_error,
}

# ---- Messages of one game


def _move(value: object) -> MoveMessage:
    data = mapping(value, "move")
    return MoveMessage(integer(data.get("move_number"), "move_number"), data.get("move"))


def _phase(value: object) -> PhaseMessage:
    return PhaseMessage(one_of(value, "phase", PHASES))


def _chat(value: object) -> ChatMessage:
    """Reads a line of chat; a body that is no text (an analysis, a review) becomes empty."""
    data = mapping(value, "chat")
    line = mapping(data.get("line"), "line")
    body = line.get("body")
    channel = data.get("channel", line.get("channel", "main"))
    return ChatMessage(
        id=str(line.get("chat_id"))[:200],
        player_id=integer(line.get("player_id", 0), "player_id"),
        username=str(line.get("username", ""))[:200],
        body=body[:LONGEST_CHAT] if isinstance(body, str) else _english(body),
        channel=text(channel, "channel", longest=200),
        sent_at=number(line.get("date", 0), "date"),
    )


def _english(body: object) -> str:
    """Returns the English text of a translated line; empty for any other body."""
    if isinstance(body, dict) and body.get("type") == "translated":
        return str(body.get("en", ""))[:LONGEST_CHAT]
    return ""


def _undo_requested(value: object) -> UndoRequestMessage:
    """Reads the request: the number of the move, or an object with the count of moves."""
    if not isinstance(value, dict):
        return UndoRequestMessage(integer(value, "move_number"))
    player = value.get("requested_by")
    return UndoRequestMessage(
        integer(value.get("move_number"), "move_number"),
        _count(value.get("undo_move_count")) or 1,
        None if player is None else integer(player, "requested_by"),
    )


def _undo_accepted(value: object) -> UndoMessage:
    return UndoMessage(_count(value.get("undo_move_count")) if isinstance(value, dict) else None)


def _count(value: object) -> int | None:
    """Returns a positive count; None for anything else, as the server's own client does."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000
    return int(value) if is_count and isinstance(value, int) else None


def _undo_canceled(_: object) -> UndoCancelMessage:
    return UndoCancelMessage()


def _removed_stones(value: object) -> RemovalMessage | None:
    data = mapping(value, "removed_stones")
    letters = data.get("all_removed")
    return None if letters is None else RemovalMessage(text(letters, "all_removed"))


def _game_error(value: object) -> RefusalMessage:
    return RefusalMessage(str(value)[:LONGEST_CHAT])


_GAME_READERS: dict[str, Callable[[object], OgsGameMessage | None]] = {
    "gamedata": read_game_data,
    "clock": read_clock,
    "move": _move,
    "phase": _phase,
    "chat": _chat,
    "undo_requested": _undo_requested,
    "undo_accepted": _undo_accepted,
    "undo_canceled": _undo_canceled,
    "removed_stones": _removed_stones,
    "error": _game_error,
}
