"""The client and challenges at the stand-in: answers, refusals, rematches."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bots import actions, events
from bots.ogs.acceptance import AcceptanceRules
from bots.ogs.server import OgsServer
from tests.support.ogs.challenges import Challenge
from tests.support.ogs.client_run import (
    ANN,
    BOB,
    RULES,
    SIMPLE,
    WANTED,
    RecordingHost,
    at_stand_in,
    logged_in,
    until,
)
from tests.support.ogs.faults import Faults
from tests.support.ogs.online_game import Account
from tests.support.ogs.server import OgsStandIn


def test_a_challenge_becomes_a_game_with_the_opponents_rating() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, bot_color=1)
        await until(lambda: host.of(events.StateReceived))
        opponent = host.of(events.StateReceived)[0].setup.opponent
        assert (opponent.name, opponent.server, opponent.account) == ("ann", "ogs", "7")
        assert (opponent.rating, opponent.deviation, opponent.games) == (1500, 70, 100)
        assert not opponent.is_provisional
        await until(lambda: stand_in.journal.statuses[-1]["ongoing_live_count"] == 1)
        await until(lambda: stand_in.journal.latencies)
        stand_in.games[challenge.game_id].resign(ANN.id)
        await until(lambda: host.of(events.GameEnded))
        await until(lambda: stand_in.journal.statuses[-1]["ongoing_live_count"] == 0)

    at_stand_in(story)


@pytest.mark.parametrize(
    ("rules", "handicap", "code"),
    [
        (replace(RULES, blocked=frozenset({"ann"})), 0, "blacklisted"),
        (RULES, -1, "handicap_not_allowed"),
        (replace(RULES, decline_new_challenges=True), 0, "not_accepting_new_challenges"),
    ],
)
def test_a_refused_challenge_gets_the_code_and_the_text(
    rules: AcceptanceRules, handicap: int, code: str
) -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, handicap=handicap)
        await until(lambda: challenge.rejection)
        assert challenge.rejection is not None
        assert challenge.rejection["rejection_details"]["rejection_code"] == code
        assert challenge.rejection["message"]
        assert host.refusals == [("'ann'", code)]
        assert stand_in.games == {}

    at_stand_in(story, rules)


def test_one_game_a_player_and_so_many_in_all() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        both = [stand_in.challenge(ANN, WANTED) for _ in range(2)]
        await until(lambda: both[1].rejection)
        assert both[1].rejection is not None
        reason = both[1].rejection["rejection_details"]["rejection_code"]
        assert reason == "too_many_games_for_player"
        others = [stand_in.challenge(Account(20 + n, f"p{n}"), WANTED) for n in range(3)]
        await until(lambda: others[2].rejection)
        assert host.refusals[-1] == ("'p2'", "too_many_live_games")
        await until(lambda: len(stand_in.games) == 3)

    at_stand_in(story)


def test_a_challenge_too_fast_for_the_engine_is_refused() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        host.move_seconds = 31.0  # half of a minute is spare
        challenge = stand_in.challenge(ANN, WANTED)
        await until(lambda: challenge.rejection)
        assert host.refusals == [("'ann'", "too_many_live_games")]
        host.move_seconds = 29.0
        stand_in.challenge(ANN, WANTED)
        await until(lambda: len(stand_in.games) == 1)

    at_stand_in(story)


def test_a_challenge_is_accepted_once_the_engine_is_ready() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        host.is_engine_up = False
        challenge = stand_in.challenge(ANN, WANTED)
        refused = stand_in.challenge(BOB, replace(WANTED, width=10))
        await until(lambda: refused.rejection)
        await asyncio.sleep(0.1)
        assert not challenge.is_answered
        host.is_engine_up = True
        await until(lambda: len(stand_in.games) == 1)

    at_stand_in(story)


def test_challenges_are_answered_once_though_told_twice() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, __: RecordingHost) -> None:
        challenges = [stand_in.challenge(Account(20 + n, f"p{n}"), WANTED) for n in range(3)]
        for challenge in challenges:
            stand_in.tell("notification", challenge.notification())
        await until(lambda: len(stand_in.games) == 3)
        await asyncio.sleep(0.1)
        assert [challenge.rejection for challenge in challenges] == [None] * 3

    at_stand_in(story, faults=Faults(3, twice=0.5, late=0.2, refuse=0.3))


def test_a_challenge_from_before_the_login_is_answered() -> None:
    async def run() -> Challenge:
        async with OgsStandIn() as stand_in:
            challenge = stand_in.challenge(ANN, WANTED)
            async with logged_in(stand_in):
                await until(lambda: challenge.is_answered)
            return challenge

    assert asyncio.run(run()).rejection is None


def test_a_rematch_is_a_challenge_with_the_colors_exchanged() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, host: RecordingHost) -> None:
        wanted = replace(WANTED, rules="japanese", komi=3.5)
        challenge = stand_in.challenge(ANN, wanted, bot_color=0)
        await until(lambda: host.of(events.StateReceived))
        game = str(challenge.game_id)
        await client.act(game, actions.OfferRematch())
        await until(lambda: stand_in.journal.commands["challenge/keepalive"])
        (offer,) = stand_in.offers
        assert (offer.challenger, offer.bot_color) == (ANN, 1)
        times = {"time_control": "simple", "pause_on_weekends": False}
        assert offer.wanted == replace(wanted, time_control=SIMPLE | times)
        stand_in.begin(offer)
        await until(lambda: str(offer.game_id) in host.games)
        await until(lambda: not client._offers)

    at_stand_in(story)


def test_a_refused_rematch_is_not_kept_up() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, bot_color=0)
        await until(lambda: host.of(events.StateReceived))
        await client.act(str(challenge.game_id), actions.OfferRematch())
        await until(lambda: client._offers)
        refusal = {"id": "r1", "type": "gameOfferRejected", "game_id": stand_in.offers[0].game_id}
        stand_in.tell("notification", refusal)
        await until(lambda: not client._offers)

    at_stand_in(story)
