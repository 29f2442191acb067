"""The messages of the event stream and of the game streams, with their types.

A line without content, and PyChess's "ping", keep the connection alive and are no messages. Times
are milliseconds, as the server writes them. Sides are 0 and 1, see BotServer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bots import fields
from bots.fields import WireError
from bots.lichess.challenge import ReceivedChallenge, read_challenge
from bots.lichess.server_table import BotServer
from bots.lichess.wire_values import (
    USUAL_START,
    ServerPlayer,
    player_of,
    read_identity,
    read_number,
    read_text,
    read_variant,
    side_of,
    sides_of,
)

RUNNING = ("created", "started")
UNDECIDED = ("aborted", "noStart", "unknownFinish")


@dataclass(frozen=True, slots=True)
class ServerMessage:
    """One message of a stream."""


@dataclass(frozen=True, slots=True)
class ChallengeReceived(ServerMessage):
    """A challenge was sent, by us or to us."""

    challenge: ReceivedChallenge
    is_for_bots: bool = True  # the bot API may play it


@dataclass(frozen=True, slots=True)
class ChallengeGone(ServerMessage):
    """A challenge was canceled, or declined with a reason."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameAnnounced(ServerMessage):
    """A game of ours began, or goes on while the event stream opens."""

    id: str
    opponent: str = ""
    is_for_bots: bool = True
    is_our_turn: bool = True
    seconds_left: float | None = None  # on the clock of the side to move
    speed: str = ""


@dataclass(frozen=True, slots=True)
class GameFinished(ServerMessage):
    """A game of ours ended."""

    id: str


@dataclass(frozen=True, slots=True)
class DeadStones:
    """The state of the agreement on dead stones in Go on PlayStrategy."""

    status: str  # pending, offered, rejected or accepted
    squares: tuple[str, ...] = ()
    offered_by: int | None = None  # side


@dataclass(frozen=True, slots=True)
class GameState(ServerMessage):
    """The changing part of a game."""

    moves: tuple[str, ...]
    milliseconds: tuple[float, float]  # left for each side
    increments: tuple[float, float]  # milliseconds
    status: str
    winner: int | None = None  # side
    draw_offers: tuple[bool, bool] = (False, False)  # by each side
    takebacks: tuple[bool, bool] = (False, False)  # asked by each side
    first_move_milliseconds: float | None = None  # until the server aborts for want of it
    dead_stones: DeadStones | None = None
    rematch: str = ""  # identity of the next game

    @property
    def is_running(self) -> bool:
        """Whether the game is not over."""
        return self.status in RUNNING


@dataclass(frozen=True, slots=True)
class GameFull(ServerMessage):
    """A game: the first message of its stream."""

    id: str
    variant: str
    players: tuple[ServerPlayer, ServerPlayer]
    is_rated: bool
    speed: str
    start: str  # position in the variant's FEN, or USUAL_START
    state: GameState
    initial: float | None = None  # milliseconds on each clock; None: no clock
    increment: float = 0.0  # milliseconds
    period: float = 0.0  # milliseconds of a period of byoyomi
    periods: int = 0  # of byoyomi
    days: float | None = None  # a move of correspondence


@dataclass(frozen=True, slots=True)
class ChatLine(ServerMessage):
    """A line of a game's chat."""

    room: str  # player or spectator
    author: str
    text: str


@dataclass(frozen=True, slots=True)
class OpponentGone(ServerMessage):
    """The opponent left the game, or came back."""

    is_gone: bool
    claim_seconds: float | None = None  # until a claim is possible


@dataclass(frozen=True, slots=True)
class UnknownMessage(ServerMessage):
    """A message of a type without a row."""

    type: str


def read_message(line: str, server: BotServer, account: str) -> ServerMessage | None:
    """Returns the message of a line; None for one that keeps the connection alive.

    account: our name on the server. Raises WireError on a line of the wrong shape.
    """
    if not line.strip():
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a line is no JSON: {error!r:.200}") from error
    message = fields.mapping(value, "message")
    kind = fields.text(message.get("type"), "type")
    if kind == "ping":
        return None
    if kind not in READERS:
        return UnknownMessage(kind[:80])
    return READERS[kind](message, server, account)


def _read_challenge(
    message: Mapping[str, Any], server: BotServer, account: str
) -> ChallengeReceived:
    challenge = fields.mapping(message.get("challenge"), "challenge")
    return ChallengeReceived(read_challenge(challenge, server, account), _is_for_bots(message))


def _read_gone_challenge(
    message: Mapping[str, Any], _server: BotServer, _account: str
) -> ChallengeGone:
    challenge = fields.mapping(message.get("challenge"), "challenge")
    reason = read_text(challenge, "declineReasonKey") or read_text(challenge, "declineReason")
    return ChallengeGone(read_identity(challenge, "id"), reason)


def read_announced_game(game: Mapping[str, Any]) -> GameAnnounced:
    """Returns a current game, of the event stream or of the list of games."""
    seconds = game.get("secondsLeft")
    opponent = fields.mapping(game.get("opponent") or {}, "opponent")
    return GameAnnounced(
        id=read_identity(game, "gameId" if "gameId" in game else "id"),
        opponent=read_text(opponent, "username"),
        is_for_bots=_is_for_bots(game),
        is_our_turn=fields.truth(game.get("isMyTurn"), "isMyTurn"),
        seconds_left=None if seconds is None else fields.number(seconds, "secondsLeft"),
        speed=read_text(game, "speed"),
    )


def _read_start(message: Mapping[str, Any], _server: BotServer, _account: str) -> GameAnnounced:
    return read_announced_game(fields.mapping(message.get("game"), "game"))


def _read_finish(message: Mapping[str, Any], _server: BotServer, _account: str) -> GameFinished:
    game = fields.mapping(message.get("game"), "game")
    return GameFinished(read_identity(game, "gameId" if "gameId" in game else "id"))


def _is_for_bots(source: Mapping[str, Any]) -> bool:
    compatible = fields.mapping(source.get("compat") or {}, "compat")
    return fields.truth(compatible.get("bot", True), "compat")


def _read_full(message: Mapping[str, Any], server: BotServer, account: str) -> GameFull:
    clock = message.get("clock")
    clock = None if clock is None else fields.mapping(clock, "clock")
    days = message.get("daysPerTurn")
    first, second = (player_of(message.get(side), side) for side in server.sides)
    return GameFull(
        id=read_identity(message, "id"),
        variant=read_variant(message),
        players=(first, second),
        is_rated=fields.truth(message.get("rated"), "rated"),
        speed=read_text(message, "speed"),
        start=read_text(message, "initialFen") or USUAL_START,
        state=_read_state(fields.mapping(message.get("state"), "state"), server, account),
        initial=None if clock is None else read_number(clock, "initial"),
        increment=0.0 if clock is None else read_number(clock, "increment"),
        period=0.0 if clock is None else read_number(clock, "byoyomi"),
        periods=0 if clock is None else int(read_number(clock, "periods")),
        days=None if days is None else fields.number(days, "daysPerTurn"),
    )


def _read_state(message: Mapping[str, Any], server: BotServer, _account: str) -> GameState:
    expiration = message.get("expiration")
    if expiration is not None:
        waiting = fields.mapping(expiration, "expiration")
        expiration = read_number(waiting, "millisToMove") - read_number(waiting, "idleMillis")
    stones = message.get("selectedsquares")
    return GameState(
        moves=tuple(fields.text(message.get("moves"), "moves", longest=100_000).split()),
        milliseconds=(read_number(message, "wtime"), read_number(message, "btime")),
        increments=(read_number(message, "winc"), read_number(message, "binc")),
        status=fields.text(message.get("status"), "status", longest=80),
        winner=side_of(message.get("winner"), server),
        draw_offers=sides_of(message, "wdraw", "bdraw"),
        takebacks=sides_of(message, "wtakeback", "btakeback"),
        first_move_milliseconds=expiration,
        dead_stones=None if stones is None else _read_dead_stones(stones, server),
        rematch=read_text(message, "rematch"),
    )


def _read_dead_stones(value: object, server: BotServer) -> DeadStones:
    stones = fields.mapping(value, "selectedsquares")
    return DeadStones(
        status=read_text(stones, "status"),
        squares=tuple(read_text(stones, "squares").split()),
        offered_by=side_of(stones.get("playerOffering"), server),
    )


def _read_chat(message: Mapping[str, Any], _server: BotServer, _account: str) -> ChatLine:
    return ChatLine(
        room=read_text(message, "room")[:20],
        author=read_text(message, "username")[:60],
        text=read_text(message, "text"),
    )


def _read_gone(message: Mapping[str, Any], _server: BotServer, _account: str) -> OpponentGone:
    seconds = message.get("claimWinInSeconds")
    return OpponentGone(
        fields.truth(message.get("gone"), "gone"),
        None if seconds is None else max(0.0, fields.number(seconds, "claimWinInSeconds")),
    )


Reader = Callable[[Mapping[str, Any], BotServer, str], ServerMessage]

READERS: Mapping[str, Reader] = {
    "challenge": _read_challenge,
    "challengeCanceled": _read_gone_challenge,
    "challengeDeclined": _read_gone_challenge,
    "gameStart": _read_start,
    "gameFinish": _read_finish,
    "gameEnd": _read_finish,  # PyChess
    "gameFull": _read_full,
    "gameState": _read_state,
    "chatLine": _read_chat,
    "opponentGone": _read_gone,
}
