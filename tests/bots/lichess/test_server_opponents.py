"""The client and its opponents on the stand-in: absence, claims, takebacks, draws, chat."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bots import actions, events
from bots.lichess.api_client import UnreachableError
from bots.lichess.bot_api import BotApi
from tests.bots.lichess.playing import LINK
from tests.bots.lichess.table import table


def test_a_game_that_never_begins_is_aborted() -> None:
    async def run() -> None:
        async with table(link=replace(LINK, abort_seconds=0.5)) as at:
            game = at.game(is_our_move=False)
            await at.until(lambda: game.status == "aborted")
            assert at.posts("/abort") == 1
            await at.heard(game, events.GameEnded)
            begun = at.game(is_our_move=False)
            begun.play(0, "P@d6")
            await at.stand_in.changed(begun)
            await asyncio.sleep(0.8)
            assert begun.status == "started"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("claims", "status"), [("victory", "timeout"), ("draw", "draw"), ("none", "started")]
)
def test_an_opponent_who_left_loses_by_a_claim(claims: str, status: str) -> None:
    async def run() -> None:
        async with table(link=replace(LINK, claims=claims)) as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            at.stand_in.push(game, {"type": "opponentGone", "gone": True, "claimWinInSeconds": 0})
            await asyncio.sleep(0.3)  # refused: the opponent is there
            assert game.status == "started"
            game.gone[1] = True
            if claims != "none":
                await at.heard(game, events.GameEnded)
            assert game.status == status

    asyncio.run(run())


def test_a_claim_that_does_not_reach_the_server_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    claim, lost = BotApi.claim_victory, ["a claim"]

    async def claim_once_lost(api: BotApi, game: str) -> None:
        if lost:
            raise UnreachableError(f"{lost.pop()} is lost")
        await claim(api, game)

    monkeypatch.setattr(BotApi, "claim_victory", claim_once_lost)

    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            game.gone[1] = True
            at.stand_in.push(game, {"type": "opponentGone", "gone": True, "claimWinInSeconds": 0})
            await at.heard(game, events.GameEnded)
            assert (game.status, lost) == ("timeout", [])

    asyncio.run(run())


def test_nothing_is_claimed_from_an_opponent_who_came_back() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            game.gone[1] = True
            at.stand_in.push(game, {"type": "opponentGone", "gone": True, "claimWinInSeconds": 1})
            at.stand_in.push(game, {"type": "opponentGone", "gone": False})
            await asyncio.sleep(1.4)
            assert (game.status, at.posts("/claim")) == ("started", 0)

    asyncio.run(run())


@pytest.mark.parametrize("is_granted", [True, False])
def test_a_takeback_is_granted_or_refused(is_granted: bool) -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game(is_our_move=False)
            game.play(0, "P@d6")
            game.offer_takeback(0, is_yes=True)
            await at.stand_in.changed(game)
            request = await at.heard(game, events.UndoRequested)
            assert isinstance(request, events.UndoRequested)
            assert request.moves_left == 0
            if is_granted:
                await at.act(game, actions.AcceptUndo(0))
                await at.heard(game, events.UndoAccepted)
                assert game.moves == []
            else:
                await at.act(game, actions.RefuseUndo(0))
                await at.until(lambda: game.takebacks == [False, False])
                assert game.moves == ["P@d6"]

    asyncio.run(run())


def test_a_draw_is_declined_once() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game(is_our_move=False)
            game.play(0, "P@d6")
            game.offer_draw(0, is_yes=True)
            await at.stand_in.changed(game)
            await at.until(lambda: at.posts("/draw/no"))
            await asyncio.sleep(0.1)
            assert (game.draws, at.posts("/draw/no")) == ([False, False], 1)

    asyncio.run(run())


def test_chat_is_cut_into_lines_that_the_server_takes() -> None:
    async def run() -> None:
        async with table() as at:
            game = at.game()
            await at.heard(game, events.StateReceived)
            line = {"type": "chatLine", "room": "player", "username": "Ann", "text": "help"}
            at.stand_in.push(game, line)
            heard = await at.heard(game, events.ChatReceived)
            assert isinstance(heard, events.ChatReceived)
            assert (heard.author, heard.text) == ("Ann", "help")
            await at.act(game, actions.Say("word " * 60 + "\x1b[2J", heard.room))
            await at.until(lambda: len(game.chat) == 3)
            assert all(len(text) <= 140 and text.isprintable() for _, _, text in game.chat)

    asyncio.run(run())
