"""One game's stream and requests: messages become events, actions become requests.

A move is posted once. Whenever its fate is open, the stream is opened again, after the post has
ended either way: the game at the head of a new stream decides.
"""

from __future__ import annotations

import asyncio
import logging
import textwrap
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass

from bots import actions, events
from bots.actions import ServerAction
from bots.chat import cleaned
from bots.fields import WireError
from bots.lichess.api_client import RequestRefusedError, UnreachableError
from bots.lichess.bot_api import BotApi
from bots.lichess.dead_stones import StonesAnswer, answer_stones
from bots.lichess.messages import (
    ChatLine,
    GameFull,
    GameState,
    OpponentGone,
    ServerMessage,
    UnknownMessage,
    read_message,
)
from bots.lichess.server_table import BotServer
from bots.lichess.side_requests import SideRequests
from bots.lichess.wire_game import Rated, WireGame, unrated
from bots.lichess.wire_values import ServerPlayer
from bots.server import GameHost

log = logging.getLogger(__name__)

NOT_FOUND = 404
MOST_LINES = 3  # of chat for one answer


@dataclass(frozen=True, slots=True)
class LinkPolicy:
    """The conduct towards the server. Times are in seconds."""

    claims: str = "victory"  # over an opponent who left: victory, draw or none
    abort_seconds: float = 30.0  # for the opponent's first move; the game is aborted then
    retry_seconds: float = 0.5  # before a stream is opened again; doubles
    most_retry_seconds: float = 60.0
    claim_again_seconds: float = 5.0  # after a refused claim
    linger_seconds: float = 5.0  # after the end, for the last words


Profile = Callable[[ServerPlayer, GameFull], Awaitable[Rated]]


class GameLink:
    """The connection of one game."""

    def __init__(
        self,
        game: str,
        api: BotApi,
        server: BotServer,
        account: str,
        host: GameHost,
        *,
        policy: LinkPolicy,
        profile: Profile,
    ) -> None:
        self.id = game
        self._api, self._server, self._name, self._host = api, server, account, host
        self._policy, self._profile = policy, profile
        self._account: WireGame | None = None
        self._stream: asyncio.Task[None] | None = None
        self._move: asyncio.Task[None] | None = None  # the post of a move
        self._has_head = False  # the stream under way has told the server's state
        self._has_sent = False  # a move, since the stream was opened
        self._wants_stream_anew = False
        self._answers = 0  # the number of the request that the next stream answers
        self._side = SideRequests(game)
        self._retry = policy.retry_seconds
        self._stones: StonesAnswer | None = None  # the last step in this agreement
        self.is_over = False

    @property
    def opponent(self) -> ServerPlayer | None:
        """The other player; None before the stream began."""
        return None if self._account is None else self._account.opponent

    # ---- The stream

    async def run(self) -> None:
        """Follows the game to its end, through all losses of the line."""
        try:
            while not self.is_over:
                await self._settle_move()
                await self._stay_connected()
            await asyncio.sleep(self._policy.linger_seconds)  # the last words are said
            await self._side.finish()
        finally:
            self._cancel_all()

    async def _stay_connected(self) -> None:
        """Follows one stream to its end; waits before the next one unless it is wanted at once."""
        self._stream = asyncio.create_task(self._follow())
        await asyncio.wait([self._stream])
        self._has_head = False
        is_wanted, self._wants_stream_anew = self._wants_stream_anew, False
        self._note_end(self._stream)
        if self.is_over:
            return
        if self._account is not None:
            self._host.tell(self.id, events.LineLost(self._host.now()))
        if not is_wanted:
            await asyncio.sleep(self._retry)
            self._retry = min(2 * self._retry, self._policy.most_retry_seconds)

    async def _settle_move(self) -> None:
        """Waits for the end of a post under way; its answer comes within the client's limit."""
        if self._move is not None:
            self._wants_stream_anew = True  # a post that waits for its turn is not sent
            await asyncio.wait([self._move])
            self._wants_stream_anew = False

    def _note_end(self, stream: asyncio.Task[None]) -> None:
        """Logs the end of a stream; a missing game is over."""
        error = None if stream.cancelled() else stream.exception()
        if isinstance(error, RequestRefusedError) and error.status == NOT_FOUND:
            log.warning("game %s: the server does not know it", self.id)
            self.is_over = True
        elif error is not None and not isinstance(error, UnreachableError | RequestRefusedError):
            log.error("game %s: the stream failed", self.id, exc_info=error)
        elif error is not None:
            log.info("game %s: %s", self.id, error)

    async def _follow(self) -> None:
        self._has_sent = False
        async with self._api.game(self.id) as lines, aclosing(lines):
            async for line in lines:
                try:
                    message = read_message(line, self._server, self._name)
                    if message is not None:
                        await self._take(message)
                except WireError as error:
                    log.warning("game %s: %s", self.id, error)
                if self.is_over:
                    return

    async def _take(self, message: ServerMessage) -> None:
        if isinstance(message, UnknownMessage):
            log.info("game %s: a message of the type %r", self.id, message.type)
        handler = HANDLERS.get(type(message))
        if handler is not None:
            await handler(self, message)

    async def _on_full(self, full: GameFull) -> None:
        if full.id != self.id:
            raise WireError(f"another game: {full.id}")
        if self._account is None:
            self._account = await self._read_game(full)
            self._has_head = True
            self._host.tell(self.id, self._account.full_state(self._host.now()))
        else:
            self._account.replace_full(full)
            self._has_head = True
            self._host.tell(self.id, events.LineBack(self._host.now()))
        if self._answers:
            self._answer(self._answers)
        for event in self._account.takeback(self._host.now()):
            self._host.tell(self.id, event)
        self._look_at(self._account)

    async def _read_game(self, full: GameFull) -> WireGame:
        """Returns the game; one that the bot cannot play is aborted and left."""
        opponents = [each for each in full.players if not each.is_named(self._name)]
        rated = await self._profile(opponents[0], full) if opponents else unrated
        try:
            return WireGame(self._server, self._name, full, rated)
        except WireError:
            self.is_over = True
            self._side.begin(lambda: self._api.abort(self.id))
            raise

    async def _on_state(self, state: GameState) -> None:
        account = self._account
        if account is None:
            raise WireError("a state before its game")
        plays = len(account.moves)
        for event in account.follow(state, self._host.now()):
            self._host.tell(self.id, event)
        if len(account.moves) != plays:
            self._retry = self._policy.retry_seconds
        self._look_at(account)

    async def _on_chat(self, line: ChatLine) -> None:
        event = events.ChatReceived(self._host.now(), line.author, line.text, line.room)
        if self._account is not None:
            self._host.tell(self.id, event)

    async def _on_gone(self, message: OpponentGone) -> None:
        if not message.is_gone:
            self._side.stop_timer("claim")
        elif self._policy.claims != "none" and self._server.has_claims:
            self._side.start_timer("claim", lambda: self._claim(message.claim_seconds or 0.0))

    # ---- Following a state

    def _look_at(self, account: WireGame) -> None:
        """Does what a state calls for beside its events."""
        if not account.state.is_running:
            if not self.is_over:
                self.is_over = True
                self._host.tell(self.id, events.GameEnded(self._host.now(), account.result))
            return
        waits = len(account.moves) < 2 and account.to_move == 1 - account.color
        if waits and account.setup.time_control.system != "none":
            self._side.start_timer("abort", self._abort, is_kept=True)
        elif not waits:
            self._side.stop_timer("abort")
        if account.state.draw_offers[1 - account.color]:
            self._side.begin(lambda: self._api.answer_draw(self.id, is_yes=False))
        step = answer_stones(account.state.dead_stones, account.setup, account.moves)
        if step is not None and step is not self._stones:
            self._side.begin(lambda: self._agree(step))
        self._stones = step

    async def _agree(self, step: StonesAnswer) -> None:
        try:
            if step is StonesAnswer.PROPOSE_NONE:
                await self._api.propose_dead_stones(self.id, ())
            else:
                await self._api.answer_dead_stones(self.id, is_yes=step is StonesAnswer.ACCEPT)
        except UnreachableError:
            self._stones = None  # the next state repeats the question
            self._open_anew()
            raise

    async def _abort(self) -> None:
        await asyncio.sleep(self._policy.abort_seconds)
        await self._api.abort(self.id)

    async def _claim(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        while not self.is_over:
            try:
                if self._policy.claims == "draw":
                    await self._api.claim_draw(self.id)
                else:
                    await self._api.claim_victory(self.id)
            except (RequestRefusedError, UnreachableError) as error:
                log.info("game %s: no claim: %s", self.id, error)
            await asyncio.sleep(self._policy.claim_again_seconds)

    # ---- Actions

    def act(self, action: ServerAction) -> None:
        """Begins an action; its requests run beside the stream."""
        perform = ACTIONS.get(type(action))
        if perform is None:
            log.info("game %s: the server knows no %s", self.id, type(action).__name__)
        else:
            perform(self, action)

    def _send_move(self, action: actions.SendMove) -> None:
        if self._account is None or self._move is not None:
            return
        self._move = asyncio.create_task(self._post_move(self._account, action))
        self._move.add_done_callback(self._on_move_done)

    async def _post_move(self, account: WireGame, action: actions.SendMove) -> None:
        def is_wanted() -> bool:
            still = len(account.moves) + 1 == action.number and not self._wants_stream_anew
            self._has_sent = self._has_sent or still
            return still

        if account.claims_draw(action.move):
            await self._side.carry_out(lambda: self._api.claim_repetition(self.id))
            return
        try:
            await self._api.move(self.id, account.write(action.move), is_wanted)
        except RequestRefusedError as error:
            self._host.tell(self.id, events.MoveRefused(self._host.now(), str(error)))
        except (UnreachableError, WireError) as error:
            log.info("game %s: the move %s: %s", self.id, action.move, error)
            if len(account.moves) + 1 == action.number:
                self._open_anew()

    def _on_move_done(self, task: asyncio.Task[None]) -> None:
        self._move = None
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("game %s: a move failed", self.id, exc_info=error)

    def _request_state(self, action: actions.RequestState) -> None:
        """Answers from the account if no move was sent on this stream; else opens another one.

        A stream without a head yet answers by it.
        """
        self._answers = action.request
        if self._has_sent:
            self._open_anew()
        elif self._has_head and not self._wants_stream_anew:
            self._answer(action.request)

    def _answer(self, request: int) -> None:
        if self._account is not None:
            self._answers = 0
            self._host.tell(self.id, self._account.full_state(self._host.now(), request))

    def _open_anew(self) -> None:
        """Ends the stream; `run` opens it again after the post of a move has ended."""
        if self._stream is not None and not self._stream.done() and not self._wants_stream_anew:
            self._wants_stream_anew = True
            self._stream.cancel()

    def _resign(self, _action: actions.Resign) -> None:
        self._side.begin(lambda: self._api.resign(self.id))

    def _accept_undo(self, _action: actions.AcceptUndo) -> None:
        self._side.begin(lambda: self._api.answer_takeback(self.id, is_yes=True))

    def _refuse_undo(self, _action: actions.RefuseUndo) -> None:
        self._side.begin(lambda: self._api.answer_takeback(self.id, is_yes=False))

    def _offer_rematch(self, _action: actions.OfferRematch) -> None:
        account = self._account
        terms = None if account is None or not self._host.has_room else account.rematch_terms
        if account is not None and terms is not None:
            log.info("game %s: offers a rematch", self.id)
            self._side.begin(lambda: self._api.challenge(account.opponent.name, terms))

    def _say(self, action: actions.Say) -> None:
        lines = textwrap.wrap(cleaned(action.text), self._server.longest_chat)[:MOST_LINES]

        async def say() -> None:
            for line in lines:
                await self._api.chat(self.id, line, action.room)

        self._side.begin(say)

    # ---- The end

    def _cancel_all(self) -> None:
        for task in (self._stream, self._move):
            if task is not None:
                task.cancel()
        self._side.cancel()


HANDLERS: Mapping[type[ServerMessage], Callable[..., Awaitable[None]]] = {
    GameFull: GameLink._on_full,
    GameState: GameLink._on_state,
    ChatLine: GameLink._on_chat,
    OpponentGone: GameLink._on_gone,
}
ACTIONS: Mapping[type[ServerAction], Callable[..., None]] = {
    actions.SendMove: GameLink._send_move,
    actions.RequestState: GameLink._request_state,
    actions.Resign: GameLink._resign,
    actions.AcceptUndo: GameLink._accept_undo,
    actions.RefuseUndo: GameLink._refuse_undo,
    actions.Say: GameLink._say,
    actions.OfferRematch: GameLink._offer_rematch,
}
