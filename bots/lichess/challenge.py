"""A challenge as the event stream tells it, and the reasons for declining one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bots import fields
from bots.game_setup import NO_LIMIT, OnlineTimeControl
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
)


class DeclineReason(Enum):
    """The API's reasons for declining a challenge. Servers send them back in lower case."""

    GENERIC = "generic"
    LATER = "later"
    TOO_FAST = "tooFast"
    TOO_SLOW = "tooSlow"
    TIME_CONTROL = "timeControl"
    RATED = "rated"  # "please send a rated challenge instead"
    CASUAL = "casual"  # "please send a casual challenge instead"
    STANDARD = "standard"
    VARIANT = "variant"
    NO_BOT = "noBot"
    ONLY_BOT = "onlyBot"


@dataclass(frozen=True, slots=True)
class ChallengeClock:
    """The time control of a challenge."""

    kind: str  # clock, correspondence or unlimited
    limit: float = 0.0  # seconds on the clock
    increment: float = 0.0  # seconds a move
    days: float = 0.0  # a move of correspondence

    @property
    def control(self) -> OnlineTimeControl:
        """The clock as a time control; no limit in games over days."""
        return OnlineTimeControl.fischer(self.limit, self.increment) if self.limit else NO_LIMIT


@dataclass(frozen=True, slots=True)
class ReceivedChallenge:
    """One challenge, ours or to us."""

    id: str
    challenger: ServerPlayer | None  # None: not registered
    is_ours: bool  # we sent it
    variant: str  # key
    is_rated: bool
    speed: str
    clock: ChallengeClock
    our_side: int | None  # None: drawn by lot
    start: str = USUAL_START  # position in the variant's FEN
    rematch_of: str = ""  # the game before; empty: none


def read_challenge(
    challenge: Mapping[str, Any], server: BotServer, account: str
) -> ReceivedChallenge:
    """Returns the challenge of a message; account: our name. Raises WireError on a wrong shape."""
    value = challenge.get("challenger")
    challenger = None if value is None else player_of(value, "challenger")
    is_ours = challenger is not None and challenger.is_named(account)
    side = side_of(challenge.get(server.final_side_field), server)
    if side is None:
        side = side_of(challenge.get(server.side_field), server)
    if side is not None and not is_ours:
        side = 1 - side
    return ReceivedChallenge(
        id=read_identity(challenge, "id"),
        challenger=challenger,
        is_ours=is_ours,
        variant=read_variant(challenge),
        is_rated=fields.truth(challenge.get("rated"), "rated"),
        speed=read_text(challenge, "speed"),
        clock=_read_clock(fields.mapping(challenge.get("timeControl") or {}, "timeControl")),
        our_side=side,
        start=read_text(challenge, "initialFen") or USUAL_START,
        rematch_of=read_text(challenge, "rematchOf"),
    )


def _read_clock(control: Mapping[str, Any]) -> ChallengeClock:
    return ChallengeClock(
        kind=read_text(control, "type") or "unlimited",
        limit=read_number(control, "limit"),
        increment=read_number(control, "increment"),
        days=read_number(control, "daysPerTurn"),
    )
