"""The client on the stand-in, without an engine: the test is the game's machine."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest

from bots import actions, events
from bots.engine_connection import GreetingRefusedError
from bots.events import Event
from bots.game_setup import OnlineMove
from bots.lichess.api_client import UnreachableError
from bots.lichess.bot_api import BotApi
from bots.lichess.challenge_rules import ChallengeRules
from bots.lichess.game_link import LinkPolicy
from bots.lichess.server import LichessOptions, LichessServer
from bots.lichess.server_table import SERVERS
from bots.server import LineLostError, LoginRefusedError
from tests.bots.lichess.playing import LINK, QUICK
from tests.bots.lichess.stand_in.faults import FaultChances
from tests.bots.lichess.stand_in.games import Account, GameTerms, StandInGame
from tests.bots.lichess.stand_in.referees import ChessReferee
from tests.bots.lichess.stand_in.server import StandIn

TOKEN = "token-of-Sparring"  # noqa: S105
OTHELLO = GameTerms("flipello", limit=120.0)


class Host:
    """A service that only listens."""

    def __init__(self) -> None:
        self.events: defaultdict[str, list[Event]] = defaultdict(list)
        self.logins = 0
        self.refusals: list[tuple[str, str]] = []
        self.has_room = True
        self.is_engine_up = True
        self.move_seconds = 0.0
        self.refusal = ""  # of the engine

    def now(self) -> float:
        return time.monotonic()

    def connected(self) -> None:
        self.logins += 1

    def tell(self, game: str, event: Event) -> None:
        self.events[game].append(event)

    @property
    def games(self) -> Sequence[str]:
        return list(self.events)

    async def warm(self, game: str, width: int, height: int) -> None:
        assert (game, width, height) == ("othello", 8, 8)
        if self.refusal:
            raise GreetingRefusedError(self.refusal)
        while not self.is_engine_up:
            await asyncio.sleep(0.01)

    def refused(self, challenger: str, reason: str) -> None:
        self.refusals.append((challenger, reason))

    def kinds(self, game: str) -> list[str]:
        return [type(event).__name__ for event in self.events[game]]


class Table:
    """A stand-in, a connected client and one opponent."""

    def __init__(self, stand_in: StandIn, server: LichessServer, host: Host) -> None:
        self.stand_in, self.server, self.host = stand_in, server, host
        self.bot = stand_in.named("Sparring")
        self.ann = stand_in.register("Ann", title="", rating=1400)

    def game(self, terms: GameTerms = OTHELLO, *, is_our_move: bool = True) -> StandInGame:
        players = (self.bot, self.ann) if is_our_move else (self.ann, self.bot)
        return self.stand_in.start(self.stand_in.identity(), players, terms)

    async def act(self, game: StandInGame, action: actions.ServerAction) -> None:
        await self.server.act(game.id, action)

    async def until(self, condition: Callable[[], object], seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    async def heard(self, game: StandInGame, kind: type[Event], count: int = 1) -> Event:
        """Waits for the n-th event of a kind and returns it."""

        def found() -> list[Event]:
            return [each for each in self.host.events[game.id] if isinstance(each, kind)]

        await self.until(lambda: len(found()) >= count)
        return found()[count - 1]

    def posts(self, word: str) -> int:
        return sum(word in line for line in self.stand_in.requests)


def options_of(stand_in: StandIn, rules: ChallengeRules, link: LinkPolicy) -> LichessOptions:
    return LichessOptions(stand_in.server, stand_in.url, TOKEN, rules, 4, link, QUICK)


@asynccontextmanager
async def table(
    server: str = "lichess",
    *,
    rules: ChallengeRules | None = None,
    link: LinkPolicy = LINK,
    chances: FaultChances | None = None,
) -> AsyncIterator[Table]:
    async with StandIn(SERVERS[server], chances).running() as stand_in:
        stand_in.register("Sparring")
        host = Host()
        client = LichessServer(options_of(stand_in, rules or ChallengeRules(), link), host)

        async def run() -> None:
            while True:
                with suppress(LineLostError):
                    await client.run()
                await asyncio.sleep(0.02)

        result = Table(stand_in, client, host)
        task = asyncio.create_task(run())
        try:
            await result.until(lambda: "Sparring" in stand_in.event_streams)
            yield result
            assert stand_in.breaches == []
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await client.close()


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


def test_a_game_that_the_engine_refuses_is_declined() -> None:
    async def run() -> None:
        async with table() as at:
            at.host.refusal = "no network"
            identity = at.stand_in.challenge(at.ann, at.bot, OTHELLO)
            await at.until(lambda: identity in at.stand_in.declined)
            assert at.stand_in.declined[identity] == "variant"
            assert at.host.refusals == [("Ann", "variant")]

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


# ---- The opponent's doings


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


# ---- Challenges


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


# ---- Logging in


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
