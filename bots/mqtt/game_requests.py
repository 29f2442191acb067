"""The requests about games: each returns its result and the new state of its game.

A request that fails leaves the record of its game as it was. RequestError says that the engine is
still at the position of the record, too.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from bots.chat import ANSWERS, word_of
from bots.engine_connection import EngineCommandError
from bots.gtp_link import GtpLink
from bots.mqtt.broker_settings import MqttSettings
from bots.mqtt.conversations import Conversations, state_of
from bots.mqtt.request_reader import Fault
from bots.mqtt.request_store import RequestStore
from bots.mqtt.served_game import MqttGame, utc
from bots.mqtt.topics import Topics
from protocols.chat_words import HELP

USUAL_UNDO = 2  # moves: the engine's and the player's
ID_BYTES = 8
TOKEN_BYTES = 18
RESIGN = "resign"
Fields = dict[str, Any]


class RequestError(Exception):
    """A request is answered with an error."""

    def __init__(self, code: str, message: str, quoted: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(code, message, quoted)


@dataclass(frozen=True)
class Outcome:
    """The result of a request, and the changed game. ended: the engine's conversation ends too."""

    result: dict[str, Any]
    game: MqttGame | None = None  # None: no game changed
    ended: bool = False


@dataclass(frozen=True)
class Chance:
    """The sources of secrets: functions of a number of bytes."""

    hexadecimal: Callable[[int], str]
    url_safe: Callable[[int], str]


class GameRequests:
    """Carries out requests about games. clock: time in seconds since 1970."""

    def __init__(
        self,
        settings: MqttSettings,
        *,
        topics: Topics,
        store: RequestStore,
        conversations: Conversations,
        clock: Callable[[], float],
        chance: Chance,
    ) -> None:
        self._settings, self._topics = settings, topics
        self._store, self._conversations = store, conversations
        self._clock, self._chance = clock, chance
        self.handlers: dict[str, Callable[[Fields], Awaitable[Outcome]]] = {
            "start": self.start,
            "play": self.play,
            "genmove": self.genmove,
            "undo": self.undo,
            "chat": self.chat,
            "resign": self.resign,
            "end": self.end,
            "state": self.state,
        }

    async def start(self, fields: Fields) -> Outcome:
        """Starts a game; the result has its token and its topics."""
        if self._store.games_under_way() >= self._settings.limits.games:
            raise RequestError("busy", f"{self._settings.limits.games} games are under way")
        game = MqttGame(
            game=f"{self._settings.name}.{self._chance.hexadecimal(ID_BYTES)}",
            engine=self._settings.name,
            board=fields["board"],
            player=fields.get("color", "black"),
            token=self._chance.url_safe(TOKEN_BYTES),
            rules=fields.get("rules"),
            komi=fields.get("komi"),
            handicap=fields.get("handicap"),
            persona=fields.get("persona"),
            opponent=fields.get("opponent"),
            time=utc(self._clock()),
        )
        move = None
        try:
            link = await self._conversations.begin(game)
            state = await state_of(link)
            game = replace(
                game,
                to_move=state["to_move"],
                rows=tuple(state["rows"]),
                persona=await link.ask("sparring-persona"),
                session=await session_of(link),
            )
            if wants_move(fields, game):
                game, move = await self._engine_move(link, game)
        except BaseException:
            self._conversations.drop(game.game)
            raise
        topics = {"requests": self._topics.requests, "states": self._topics.states(game.game)}
        return Outcome({"state": game.public(), "token": game.token, "move": move, **topics}, game)

    async def play(self, fields: Fields) -> Outcome:
        """Plays the player's move, and the engine's if wanted."""
        game = self._game_of(fields)
        check_turn(game, game.player)
        number = fields.get("number", len(game.moves))
        if number != len(game.moves):
            text = f"the game has {len(game.moves)} moves, not {number}"
            raise RequestError("out_of_step", text)
        link = await self._conversations.of(game)
        try:
            await link.ask(f"play {game.player} {fields['move']}")
        except EngineCommandError as error:
            raise RequestError("illegal_move", str(error), fields["move"]) from error
        game = game.after("move", await state_of(link), self._clock())
        move = None
        if wants_move(fields, game):
            game, move = await self._engine_move(link, game)
        return Outcome({"state": game.public(), "move": move}, game, ended=game.is_over)

    async def genmove(self, fields: Fields) -> Outcome:
        """Plays the engine's move."""
        game = self._game_of(fields)
        check_turn(game, game.engine_color)
        game, move = await self._engine_move(await self._conversations.of(game), game)
        return Outcome({"state": game.public(), "move": move}, game, ended=game.is_over)

    async def undo(self, fields: Fields) -> Outcome:
        """Takes moves back."""
        game, number = self._game_of(fields), fields.get("moves", USUAL_UNDO)
        if number > len(game.moves):
            text = f"the game has {len(game.moves)} moves, fewer than {number}"
            raise RequestError("refused", text)
        link = await self._conversations.of(game)
        await link.ask(f"gg-undo {number}")
        game = game.after("undo", await state_of(link), self._clock())
        return Outcome({"state": game.public()}, game)

    async def chat(self, fields: Fields) -> Outcome:
        """Answers a word of the player; the engine's words change its persona too."""
        game = self._game_of(fields, may_be_over=True)
        answer = ANSWERS[word_of(fields["text"]) or HELP]
        if not answer.question:
            return Outcome({"text": answer.text})
        if game.is_over:
            return Outcome({"text": "The game is over."})
        link = await self._conversations.of(game)
        try:
            text = await link.ask(f"sparring-chat {answer.question}")
        except EngineCommandError as error:
            return Outcome({"text": str(error)})
        persona = await link.ask("sparring-persona")
        changed = None if persona == game.persona else replace(game, persona=persona)
        return Outcome({"text": text}, changed)

    async def resign(self, fields: Fields) -> Outcome:
        """Gives the game up for the player."""
        game = self._game_of(fields)
        link = await self._conversations.of(game)
        await link.ask(f"play {game.player} {RESIGN}")
        result = (await state_of(link))["result"]
        game = game.ended("resign", result, self._clock())
        return Outcome({"state": game.public()}, game, ended=True)

    async def end(self, fields: Fields) -> Outcome:
        """Ends a game without a result."""
        game = self._game_of(fields).ended("end", None, self._clock())
        return Outcome({"state": game.public()}, game, ended=True)

    async def state(self, fields: Fields) -> Outcome:
        """Returns the state of a game."""
        return Outcome({"state": self._stored(fields["game"]).public()})

    def _stored(self, game: str) -> MqttGame:
        stored = self._store.game(game)
        if stored is not None:
            return stored
        if game.partition(".")[0] != self._settings.name:
            text = f"the game is another engine's: this one is {self._settings.name}"
            raise RequestError("wrong_engine", text, game)
        raise RequestError("unknown_game", "no game has this id, or it ended long ago", game)

    def _game_of(self, fields: Fields, *, may_be_over: bool = False) -> MqttGame:
        """Returns the game of a request by its player; raises RequestError."""
        game = self._stored(fields["game"])
        if not hmac.compare_digest(game.token, fields["token"]):
            raise RequestError("wrong_token", "the token is not this game's")
        if game.is_over and not may_be_over:
            raise RequestError("game_over", "the game is over")
        return game

    async def _engine_move(self, link: GtpLink, game: MqttGame) -> tuple[MqttGame, str]:
        """Returns the game after the engine's move, and the move."""
        move = await link.ask(f"genmove {game.engine_color}")
        event = RESIGN if move.lower() == RESIGN else "move"
        return game.after(event, await state_of(link), self._clock()), move


async def session_of(link: GtpLink) -> str | None:
    """Returns the token of the engine's conversation; None where the engine saves none."""
    try:
        return (await link.ask("sparring-session")).split()[0]
    except EngineCommandError:
        return None


def wants_move(fields: Fields, game: MqttGame) -> bool:
    """Tests whether the engine moves at once."""
    return bool(fields.get("genmove")) and game.to_move == game.engine_color


def check_turn(game: MqttGame, color: str) -> None:
    """Raises RequestError unless it is the color's turn."""
    if game.to_move != color:
        raise RequestError("not_your_turn", f"{game.to_move} is to move, not {color}")
