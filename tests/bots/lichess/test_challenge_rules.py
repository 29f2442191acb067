"""Challenges, and the reasons for declining them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bots.lichess.challenge import ChallengeClock, DeclineReason, ReceivedChallenge
from bots.lichess.challenge_rules import ChallengeRules, Occupancy, decline_reason
from bots.lichess.wire_values import ServerPlayer

PERSON = ServerPlayer("Ann", rating=1500.0)
BOT = ServerPlayer("Robot", title="BOT", rating=1500.0)
CHALLENGE = ReceivedChallenge(
    "abcd1234",
    PERSON,
    is_ours=False,
    variant="flipello",
    is_rated=False,
    speed="blitz",
    clock=ChallengeClock("clock", 300.0, 3.0),
    our_side=None,
)
RULES = ChallengeRules()
FREE = Occupancy(most_games=4)
CHESS960 = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"
HANDICAP = "9/9/6S2/9/9/9/2S6/9/9[SSss] w - 20 65 0 0 65 0 1"


def clock(kind: str, limit: float = 0.0, increment: float = 0.0, days: float = 0.0) -> object:
    return replace(CHALLENGE, clock=ChallengeClock(kind, limit, increment, days))


@pytest.mark.parametrize(
    "variant",
    ["flipello", "flipello10", "go9x9", "go13x13", "go19x19", "standard", "chess960"],
)
def test_casual_games_that_the_engine_plays_are_accepted(variant: str) -> None:
    assert decline_reason(replace(CHALLENGE, variant=variant), RULES, FREE) is None


@pytest.mark.parametrize(
    ("challenge", "reason"),
    [
        (replace(CHALLENGE, is_rated=True), DeclineReason.CASUAL),
        (replace(CHALLENGE, variant="standard", is_rated=True), DeclineReason.CASUAL),
        (replace(CHALLENGE, variant="chess960", start=CHESS960), None),
        (replace(CHALLENGE, variant="chess960", start="8/8 w"), DeclineReason.STANDARD),
        (replace(CHALLENGE, variant="crazyhouse"), DeclineReason.VARIANT),
        (replace(CHALLENGE, variant="xiangqi"), DeclineReason.VARIANT),
        (replace(CHALLENGE, start="8/8 w"), DeclineReason.STANDARD),
        (clock("clock", 30), DeclineReason.TOO_FAST),
        (clock("clock", 0, 1), DeclineReason.TOO_FAST),
        (clock("clock", 0, 2), None),
        (clock("clock", 20_000), DeclineReason.TOO_SLOW),
        (clock("clock", 300, 181), DeclineReason.TOO_SLOW),
        (clock("unlimited"), DeclineReason.TIME_CONTROL),
        (clock("correspondence", days=3), None),
        (clock("correspondence", days=30), DeclineReason.TOO_SLOW),
        (clock("hourglass"), DeclineReason.TIME_CONTROL),
        (replace(CHALLENGE, challenger=None), DeclineReason.GENERIC),
        (replace(CHALLENGE, challenger=BOT), None),
    ],
)
def test_the_usual_rules(challenge: ReceivedChallenge, reason: DeclineReason | None) -> None:
    assert decline_reason(challenge, RULES, FREE) is reason


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (replace(RULES, takes_casual=False), DeclineReason.RATED),
        (replace(RULES, takes_people=False), DeclineReason.ONLY_BOT),
        (replace(RULES, blocked=frozenset({"ann"})), DeclineReason.GENERIC),
        (replace(RULES, allowed=frozenset({"bob"})), DeclineReason.GENERIC),
        (replace(RULES, allowed=frozenset({"ann"})), None),
        (replace(RULES, rating=(1600.0, 2000.0)), DeclineReason.GENERIC),
        (replace(RULES, variants=frozenset({"go9x9"})), DeclineReason.VARIANT),
    ],
)
def test_the_operators_rules(rules: ChallengeRules, reason: DeclineReason | None) -> None:
    assert decline_reason(CHALLENGE, rules, FREE) is reason


def test_bots_are_declined_and_rated_games_accepted_where_the_operator_wants_it() -> None:
    rules = replace(RULES, takes_bots=False, takes_rated=True)
    assert decline_reason(replace(CHALLENGE, challenger=BOT), rules, FREE) is DeclineReason.NO_BOT
    assert decline_reason(replace(CHALLENGE, is_rated=True), rules, FREE) is None


def test_handicap_is_declined_where_the_operator_wants_no_custom_starts() -> None:
    handicap = replace(CHALLENGE, variant="go9x9", start=HANDICAP)
    assert decline_reason(handicap, RULES, FREE) is None
    rules = replace(RULES, takes_custom_starts=False)
    assert decline_reason(handicap, rules, FREE) is DeclineReason.STANDARD


def test_positions_of_chess_are_custom_starts_and_those_of_chess960_are_none() -> None:
    position = replace(CHALLENGE, variant="fromPosition", start="4k3/8/8/8/8/8/8/4K2R b K - 0 1")
    chess960 = replace(CHALLENGE, variant="chess960", start=CHESS960)
    assert decline_reason(position, RULES, FREE) is None
    rules = replace(RULES, takes_custom_starts=False)
    assert decline_reason(position, rules, FREE) is DeclineReason.STANDARD
    assert decline_reason(chess960, rules, FREE) is None


def test_a_full_house_declines_until_later() -> None:
    full = Occupancy(2, Counter({"x": 1, "y": 1}))
    assert decline_reason(CHALLENGE, RULES, full) is DeclineReason.LATER
    again = Occupancy(4, Counter({"ann": 1}))
    assert decline_reason(CHALLENGE, RULES, again) is DeclineReason.LATER
    assert decline_reason(CHALLENGE, replace(RULES, games_per_player=2), again) is None
    reserved = replace(RULES, reserved_for_people=3)
    busy = Occupancy(4, Counter({"x": 1}), bots=1)
    from_bot = replace(CHALLENGE, challenger=BOT)
    assert decline_reason(from_bot, reserved, busy) is DeclineReason.LATER
    assert decline_reason(CHALLENGE, reserved, busy) is None
