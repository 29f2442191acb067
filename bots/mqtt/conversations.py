"""The engine's conversations of the games: opened on demand, in step with each game's record.

The record of the service is the truth. The engine may be behind it after a restart, and ahead of it
after a crash between a move and its record.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

from bots.engine_connection import EngineAddress, EngineCommandError
from bots.gtp_link import GtpLink
from bots.mqtt.served_game import MqttGame, kind_of, moves_of, opening_lines

SERVER = "mqtt"  # of the players' names in the engine's store
NOBODY = "none"  # the engine remembers no player of this name
MOST_OPEN = 32  # conversations; the one without a command for the longest time is closed


class Conversations:
    """The open conversations by game. socket: of the resident engine."""

    def __init__(self, socket: str, most_open: int = MOST_OPEN) -> None:
        self._socket, self._most_open = socket, most_open
        self._open: OrderedDict[str, GtpLink] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    async def begin(self, game: MqttGame) -> GtpLink:
        """Opens the conversation of a game and plays its moves there.

        Raises EngineCommandError or GreetingRefusedError on impossible terms.
        """
        link = await self._greet(game)
        try:
            moves = [f"play {color} {move}" for color, move in game.moves]
            await link.ask_all([*opening_lines(game), *moves])
        except BaseException:
            link.drop()
            raise
        self._add(game.game, link)
        return link

    async def of(self, game: MqttGame) -> GtpLink:
        """Returns the conversation of a game at the position of its record."""
        link = self._open.get(game.game)
        if link is not None:
            self._open.move_to_end(game.game)
            return link
        link = await self._return(game)
        if link is None:
            return await self.begin(game)
        self._add(game.game, link)
        return link

    def drop(self, game: str) -> None:
        """Closes a conversation; the next command opens it anew."""
        link = self._open.pop(game, None)
        if link is not None:
            link.drop()

    async def end(self, game: str) -> None:
        """Ends a conversation for good."""
        link = self._open.pop(game, None)
        if link is not None:
            await link.end()

    def close(self) -> None:
        """Closes all conversations; saved ones stay."""
        for game in list(self._open):
            self.drop(game)

    async def _return(self, game: MqttGame) -> GtpLink | None:
        """Returns the saved conversation of a game in step; None where that is not possible."""
        if game.session is None:
            return None
        link = await self._greet(game)
        try:
            await link.ask(f"sparring-return {game.session}")
            ahead = len((await state_of(link))["moves"]) - len(game.moves)
            if ahead > 0:
                await link.ask(f"gg-undo {ahead}")
            state = await state_of(link)
        except EngineCommandError:
            link.drop()
            return None
        except BaseException:
            link.drop()
            raise
        if (moves_of(state), state["to_move"]) == (game.moves, game.to_move):
            return link
        link.drop()
        return None

    async def _greet(self, game: MqttGame) -> GtpLink:
        options: dict[str, object] = {"game": kind_of(game.board), "persona": game.persona}
        options |= {"rules": game.rules, "opponent": opponent_of(game)}
        named = {name: value for name, value in options.items() if value is not None}
        return await GtpLink.open(EngineAddress(path=self._socket), named)

    def _add(self, game: str, link: GtpLink) -> None:
        self._open[game] = link
        while len(self._open) > self._most_open:
            _, oldest = self._open.popitem(last=False)
            oldest.drop()


def opponent_of(game: MqttGame) -> dict[str, str] | str:
    """Returns the player as the engine's greeting has it: an account of this server, or nobody."""
    return NOBODY if game.opponent is None else {"server": SERVER, "name": game.opponent}


async def state_of(link: GtpLink) -> dict[str, Any]:
    """Returns the engine's state of the game."""
    state: dict[str, Any] = json.loads(await link.ask("sparring-game"))
    return state
