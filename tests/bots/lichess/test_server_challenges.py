"""The client and challenges on the stand-in: answers, the engine's readiness, rematches."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bots import actions, events
from tests.bots.lichess.stand_in.games import GameTerms
from tests.bots.lichess.table import OTHELLO, table


def test_a_game_that_the_engine_refuses_is_declined() -> None:
    async def run() -> None:
        async with table() as at:
            at.host.refusal = "no network"
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            await at.until(lambda: identity in at.stand_in.declined)
            assert at.stand_in.declined[identity] == "variant"
            assert at.host.refusals == [("Ann", "variant")]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (replace(OTHELLO, is_rated=True), "casual"),
        (GameTerms("xiangqi"), "variant"),
        (GameTerms("flipello", limit=15.0), "tooFast"),
        (GameTerms("flipello", limit=None), "timeControl"),
        (OTHELLO, None),
    ],
)
def test_challenges_get_the_right_answer(terms: GameTerms, reason: str | None) -> None:
    async def run() -> None:
        async with table() as at:
            identity = at.stand_in.challenge(at.ann, at.bot, terms)
            await at.until(lambda: identity not in at.stand_in.pending)
            assert at.stand_in.declined.get(identity) == reason
            assert (identity in at.stand_in.games) == (reason is None)
            assert at.host.refusals == ([] if reason is None else [("Ann", reason)])

    asyncio.run(run())


def test_a_bot_that_is_about_to_stop_declines_until_later() -> None:
    async def run() -> None:
        async with table() as at:
            at.host.has_room = False
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            await at.until(lambda: identity not in at.stand_in.pending)
            assert at.stand_in.declined[identity] == "later"

    asyncio.run(run())


def test_a_challenge_too_fast_for_the_engine_is_declined_until_later() -> None:
    async def run() -> None:
        async with table() as at:
            at.host.move_seconds = 1.9  # of 3.75 seconds a move
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            await at.until(lambda: identity not in at.stand_in.pending)
            assert at.stand_in.declined[identity] == "later"
            at.host.move_seconds = 1.8
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            await at.until(lambda: identity in at.stand_in.games)

    asyncio.run(run())


def test_a_challenge_is_accepted_once_the_engine_is_ready_and_games_go_on_meanwhile() -> None:
    async def run() -> None:
        async with table() as at:
            at.host.is_engine_up = False
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            game = at.game()
            await at.heard(game, events.StateReceived)
            assert identity in at.stand_in.pending
            at.host.is_engine_up = True
            await at.until(lambda: identity in at.stand_in.games)

    asyncio.run(run())


def test_a_challenge_missed_without_a_line_is_answered_after_it() -> None:
    async def run() -> None:
        async with table() as at:
            at.stand_in.event_streams.pop("Sparring").put_nowait(None)
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            await at.until(lambda: identity in at.stand_in.games)

    asyncio.run(run())


@pytest.mark.parametrize("server", ["lichess", "playstrategy"])
def test_a_rematch_is_a_challenge_with_the_sides_exchanged(server: str) -> None:
    async def run() -> None:
        async with table(server) as at:
            game = at.game(replace(OTHELLO, increment=2.0))
            await at.heard(game, events.StateReceived)
            await at.act(game, actions.Resign())
            await at.heard(game, events.GameEnded)
            await at.act(game, actions.OfferRematch())
            await at.until(lambda: at.stand_in.pending)
            ((challenger, opponent, terms, side),) = at.stand_in.pending.values()
            assert (challenger, opponent, side) == (at.bot, at.ann, 1)
            assert terms == game.terms
            identity = next(iter(at.stand_in.pending))
            at.stand_in.begin(identity)
            await at.until(lambda: at.host.events[identity])

    asyncio.run(run())
