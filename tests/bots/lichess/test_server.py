"""The client on the stand-in, without an engine: moves, states of games, logins."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from bots import actions, events
from bots.game_setup import OnlineMove
from bots.lichess.challenge_rules import ChallengeRules
from bots.lichess.server import LichessServer
from bots.lichess.server_table import SERVERS
from bots.server import LoginRefusedError
from tests.bots.lichess.playing import LINK
from tests.bots.lichess.stand_in.faults import FaultChances
from tests.bots.lichess.stand_in.games import Account, GameTerms
from tests.bots.lichess.stand_in.referees import ChessReferee
from tests.bots.lichess.stand_in.server import StandIn
from tests.bots.lichess.table import OTHELLO, TOKEN, Host, options_of, table


def test_a_move_is_posted_and_its_echo_heard() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            state = await at.heard(game, events.StateReceived)
            assert isinstance(state, events.StateReceived)
            assert (state.setup.opponent.deviation, state.setup.opponent.games) == (60, 40)
            await at.act(game, actions.SendMove(1, "d3"))
            echo = await at.heard(game, events.MovePlayed)
            assert isinstance(echo, events.MovePlayed)
            assert (echo.number, echo.move) == (1, OnlineMove(0, "d3"))
            assert game.moves == ["P@d6"]

    asyncio.run(run())


def test_a_pass_in_chess_claims_a_draw() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game(GameTerms("standard", limit=120.0))
            await at.heard(game, events.StateReceived)
            await at.act(game, actions.SendMove(1, "pass"))
            await at.until(lambda: at.posts("/draw/yes"))
            assert at.posts("/move/") == 0
            assert game.draws == [True, False]

    asyncio.run(run())


def test_a_request_for_the_state_is_answered_from_the_stream_while_no_move_is_out() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            await at.act(game, actions.RequestState(7))
            answer = await at.heard(game, events.StateReceived, 2)
            assert isinstance(answer, events.StateReceived)
            assert answer.answers == 7
            assert at.posts("game/stream") == 1
            await at.act(game, actions.SendMove(1, "d3"))
            await at.heard(game, events.MovePlayed)
            await at.act(game, actions.RequestState(8))
            answer = await at.heard(game, events.StateReceived, 3)
            assert isinstance(answer, events.StateReceived)
            assert (answer.answers, len(answer.moves)) == (8, 1)
            assert at.posts("game/stream") == 2

    asyncio.run(run())


def test_a_move_without_an_answer_is_not_posted_again_before_a_new_stream() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            at.stand_in.faults.chances = FaultChances(unanswered=1.0)
            await at.act(game, actions.SendMove(1, "d3"))
            await at.heard(game, events.LineLost)
            at.stand_in.faults.chances = FaultChances()
            await at.heard(game, events.LineBack)
            await at.act(game, actions.RequestState(1))
            answer = await at.heard(game, events.StateReceived, 2)
            assert isinstance(answer, events.StateReceived)
            assert [move.text for move in answer.moves] == ["d3"]
            assert at.posts("/move/") == 1

    asyncio.run(run())


def test_a_request_for_the_state_waits_for_the_head_of_the_next_stream() -> None:
    """The account of a lost stream may lack a move that the server has."""

    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            at.stand_in.faults.chances = FaultChances(unanswered=1.0, stalled=1.0)
            await at.act(game, actions.SendMove(1, "d3"))
            await at.heard(game, events.LineLost)
            await at.act(game, actions.RequestState(1))
            at.stand_in.faults.chances = FaultChances()
            answer = await at.heard(game, events.StateReceived, 2)
            assert isinstance(answer, events.StateReceived)
            assert (answer.answers, [move.text for move in answer.moves]) == (1, ["d3"])

    asyncio.run(run())


def test_a_move_after_429_waits_and_goes_before_other_requests() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            at.stand_in.faults.chances = FaultChances(limited=1.0)
            await at.act(game, actions.Say("hello"))
            await at.until(lambda: at.posts("/chat"))
            at.stand_in.faults.chances = FaultChances()
            begun = time.monotonic()
            await at.act(game, actions.Say("again"))
            await at.act(game, actions.SendMove(1, "d3"))
            await at.heard(game, events.MovePlayed)
            assert time.monotonic() - begun > 0.2
            await at.until(lambda: len(game.chat) == 2)
            posts = [line for line in at.stand_in.requests if "/move/" in line or "/chat" in line]
            assert posts.index(f"POST /api/bot/game/{game.id}/move/P@d6") <= 2

    asyncio.run(run())


def test_a_refused_move_is_told_with_the_servers_text() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            await at.act(game, actions.SendMove(1, "a1"))
            refusal = await at.heard(game, events.MoveRefused)
            assert isinstance(refusal, events.MoveRefused)
            assert "Invalid UCI" in refusal.text

    asyncio.run(run())


def test_games_under_way_are_resumed_at_the_start() -> None:
    async def run() -> None:
        async with StandIn(SERVERS["lichess"]).running() as stand_in:
            bot, ann = stand_in.register("Sparring"), stand_in.register("Ann", title="")
            games = [stand_in.start(f"game000{n}", (bot, ann), OTHELLO) for n in range(3)]
            games[1].play(0, "P@d6")
            host = Host()
            client = LichessServer(options_of(stand_in, ChallengeRules(), LINK), host)
            task = asyncio.create_task(client.run())
            async with asyncio.timeout(20):
                while len(host.events) < 3:
                    await asyncio.sleep(0.01)
            state = host.events["game0001"][0]
            assert isinstance(state, events.StateReceived)
            assert [move.text for move in state.moves] == ["d3"]
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await client.close()

    asyncio.run(run())


def test_a_game_of_chess_is_left_alone_and_the_others_go_on() -> None:
    pytest.importorskip("chess")

    async def run() -> None:
        async with table() as at:
            players = (at.bot, at.ann)
            terms = GameTerms("atomic")
            other = at.stand_in.start("game0077", players, terms, ChessReferee)
            await at.until(lambda: other.status == "aborted")
            game = at.game()
            await at.heard(game, events.StateReceived)
            assert other.id not in at.host.events

    asyncio.run(run())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda account: setattr(account, "title", ""), "no account of a bot"),
        (lambda account: setattr(account, "token", "other"), "lacks the scope|401"),
    ],
)
def test_a_wrong_account_is_refused_at_the_login(
    change: Callable[[Account], None], text: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with StandIn(SERVERS["lichess"]).running() as stand_in:
            account = stand_in.register("Sparring")
            change(account)
            stand_in.accounts = {account.token: account}
            client = LichessServer(options_of(stand_in, ChallengeRules(), LINK), Host())
            with pytest.raises(LoginRefusedError, match=text) as caught:
                await client.rehearse()
            assert TOKEN not in str(caught.value)
            assert TOKEN not in repr(options_of(stand_in, ChallengeRules(), LINK))

    with caplog.at_level(logging.DEBUG):
        asyncio.run(run())
    assert TOKEN not in caplog.text


def test_a_rehearsal_tells_the_account_and_answers_no_challenge() -> None:
    async def run() -> None:
        async with StandIn(SERVERS["lichess"]).running() as stand_in:
            bot, ann = stand_in.register("Sparring"), stand_in.register("Ann")
            stand_in.challenge(ann, bot, OTHELLO)
            client = LichessServer(options_of(stand_in, ChallengeRules(), LINK), Host())
            lines = await client.rehearse()
            assert "account Sparring, a bot" in lines
            assert any("casual games of chess960, flipello" in line for line in lines)
            assert len(stand_in.pending) == 1
            assert not [line for line in stand_in.requests if "challenge" in line]

    asyncio.run(run())


def test_pychess_hears_the_variants_of_the_bot() -> None:
    async def run() -> None:
        async with table("pychess") as at:
            assert '"version": 1' in at.stand_in.capabilities[0]
            assert '"flipello"' in at.stand_in.capabilities[0]

    asyncio.run(run())
