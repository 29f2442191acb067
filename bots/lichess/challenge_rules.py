"""The challenges accepted by the bot: one row a rule, with the API's reason for declining.

Casual games alone by default: an adaptive bot does not always try its best, and to lose rated games
on purpose is sandbagging by the servers' terms.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from bots.fields import WireError
from bots.lichess.challenge import DeclineReason, ReceivedChallenge
from bots.lichess.variant_table import VARIANTS

UNLIMITED = "unlimited"
CORRESPONDENCE = "correspondence"


@dataclass(frozen=True, slots=True)
class ChallengeRules:
    """The operator's rules. Times are in seconds, bounds are allowed values."""

    variants: frozenset[str] = frozenset(VARIANTS)
    takes_casual: bool = True
    takes_rated: bool = False
    takes_bots: bool = True
    takes_people: bool = True
    takes_custom_starts: bool = True
    limit: tuple[float, float] = (60.0, 10_800.0)  # on each clock
    increment: tuple[float, float] = (0.0, 180.0)  # a move
    days: tuple[float, float] = (1.0, 14.0)  # a move of correspondence
    takes_correspondence: bool = True
    takes_unlimited: bool = False
    rating: tuple[float, float] = (-math.inf, math.inf)  # of the challenger, where it has one
    games_per_player: int = 1  # at once
    reserved_for_people: int = 0  # of the concurrent games
    blocked: frozenset[str] = frozenset()  # names in lower case
    allowed: frozenset[str] = frozenset()  # names in lower case; empty: everybody


@dataclass(frozen=True, slots=True)
class Occupancy:
    """The games under way and those accepted."""

    most_games: int
    players: Counter[str] = field(default_factory=Counter)  # games by name in lower case
    bots: int = 0  # games against bots

    @property
    def games(self) -> int:
        """The number of games."""
        return self.players.total()


Rule = Callable[[ReceivedChallenge, ChallengeRules, Occupancy], DeclineReason | None]


def decline_reason(
    challenge: ReceivedChallenge, rules: ChallengeRules, occupancy: Occupancy
) -> DeclineReason | None:
    """Returns the reason of the first rule against a challenge; None: it is accepted."""
    reasons = (rule(challenge, rules, occupancy) for rule in RULES)
    return next((reason for reason in reasons if reason is not None), None)


def _by_player(
    challenge: ReceivedChallenge, rules: ChallengeRules, _occupancy: Occupancy
) -> DeclineReason | None:
    """Blocked players, and bots or people if they are not wanted."""
    player = challenge.challenger
    if player is None:
        return DeclineReason.GENERIC
    name = player.name.lower()
    if name in rules.blocked or (rules.allowed and name not in rules.allowed):
        return DeclineReason.GENERIC
    if player.is_bot and not rules.takes_bots:
        return DeclineReason.NO_BOT
    if not player.is_bot and not rules.takes_people:
        return DeclineReason.ONLY_BOT
    least, most = rules.rating
    if player.rating is not None and not least <= player.rating <= most:
        return DeclineReason.GENERIC
    return None


def _by_variant(
    challenge: ReceivedChallenge, rules: ChallengeRules, _occupancy: Occupancy
) -> DeclineReason | None:
    """Variants that are unknown or not wanted, and starts unknown to the variant."""
    row = VARIANTS.get(challenge.variant)
    if row is None or challenge.variant not in rules.variants:
        return DeclineReason.VARIANT
    try:
        start = row.start(challenge.start)
    except WireError:
        return DeclineReason.STANDARD
    if (start.stones or row.has_custom_start) and not rules.takes_custom_starts:
        return DeclineReason.STANDARD
    return None


def _by_mode(
    challenge: ReceivedChallenge, rules: ChallengeRules, _occupancy: Occupancy
) -> DeclineReason | None:
    """Rated games ask for casual ones, and the other way round."""
    if challenge.is_rated and not rules.takes_rated:
        return DeclineReason.CASUAL
    if not challenge.is_rated and not rules.takes_casual:
        return DeclineReason.RATED
    return None


def _by_time(
    challenge: ReceivedChallenge, rules: ChallengeRules, _occupancy: Occupancy
) -> DeclineReason | None:
    """Too fast or too slow games."""
    clock = challenge.clock
    if clock.kind == UNLIMITED:
        return None if rules.takes_unlimited else DeclineReason.TIME_CONTROL
    if clock.kind == CORRESPONDENCE:
        if not rules.takes_correspondence:
            return DeclineReason.TIME_CONTROL
        return _outside(clock.days, rules.days)
    if clock.kind != "clock":
        return DeclineReason.TIME_CONTROL
    by_limit = _outside(clock.limit, rules.limit)
    if by_limit is DeclineReason.TOO_FAST and clock.increment >= 1:
        by_limit = _outside(clock.limit + 40 * clock.increment, rules.limit)  # as servers reckon
    return by_limit or _outside(clock.increment, rules.increment)


def _by_room(
    challenge: ReceivedChallenge, rules: ChallengeRules, occupancy: Occupancy
) -> DeclineReason | None:
    """Games beyond the most at once."""
    player = challenge.challenger
    name = "" if player is None else player.name.lower()
    if occupancy.players[name] >= rules.games_per_player:
        return DeclineReason.LATER
    if occupancy.games >= occupancy.most_games:
        return DeclineReason.LATER
    room_for_bots = occupancy.most_games - rules.reserved_for_people
    if player is not None and player.is_bot and occupancy.bots >= room_for_bots:
        return DeclineReason.LATER
    return None


def _outside(value: float, bounds: tuple[float, float]) -> DeclineReason | None:
    if value < bounds[0]:
        return DeclineReason.TOO_FAST
    return DeclineReason.TOO_SLOW if value > bounds[1] else None


RULES: tuple[Rule, ...] = (_by_player, _by_variant, _by_mode, _by_time, _by_room)
