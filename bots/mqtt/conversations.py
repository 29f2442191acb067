"""The engine's conversations of the games: opened on demand, in step with each game's record.

The record of the service is the truth. The engine may be behind it after a restart, and ahead of it
after a crash between a move and its record.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

from bots.mqtt.engine_socket import EngineSocket, GtpTalk, TalkRefusedError
from bots.mqtt.served_game import ServedGame, kind_of, moves_of, opening_lines

SERVER = "mqtt"  # of the players' names in the engine's store
NOBODY = "none"  # the engine remembers no player of this name
MOST_OPEN = 32  # conversations; the one without a command for the longest time is closed


class Conversations:
    """The open conversations by game. socket: of the resident engine."""

    def __init__(self, socket: str, most_open: int = MOST_OPEN) -> None:
        self._socket, self._most_open = socket, most_open
        self._open: OrderedDict[str, GtpTalk] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    async def begin(self, game: ServedGame) -> GtpTalk:
        """Opens the conversation of a game and plays its moves there.

        Raises TalkRefusedError on impossible terms.
        """
        talk = await self._greet(game)
        try:
            for line in (*opening_lines(game), *(f"play {c} {m}" for c, m in game.moves)):
                await talk.say(line)
        except BaseException:
            talk.close()
            raise
        self._add(game.game, talk)
        return talk

    async def of(self, game: ServedGame) -> GtpTalk:
        """Returns the conversation of a game at the position of its record."""
        talk = self._open.get(game.game)
        if talk is not None:
            self._open.move_to_end(game.game)
            return talk
        talk = await self._return(game)
        if talk is None:
            return await self.begin(game)
        self._add(game.game, talk)
        return talk

    def drop(self, game: str) -> None:
        """Closes a conversation; the next command opens it anew."""
        talk = self._open.pop(game, None)
        if talk is not None:
            talk.close()

    async def end(self, game: str) -> None:
        """Ends a conversation for good."""
        talk = self._open.pop(game, None)
        if talk is not None:
            await talk.leave()

    def close(self) -> None:
        """Closes all conversations; saved ones stay."""
        for game in list(self._open):
            self.drop(game)

    async def _return(self, game: ServedGame) -> GtpTalk | None:
        """Returns the saved conversation of a game in step; None where that is not possible."""
        if game.session is None:
            return None
        talk = await self._greet(game)
        try:
            await talk.say(f"sparring-return {game.session}")
            ahead = len((await state_of(talk))["moves"]) - len(game.moves)
            if ahead > 0:
                await talk.say(f"gg-undo {ahead}")
            state = await state_of(talk)
        except TalkRefusedError:
            talk.close()
            return None
        except BaseException:
            talk.close()
            raise
        if (moves_of(state), state["to_move"]) == (game.moves, game.to_move):
            return talk
        talk.close()
        return None

    async def _greet(self, game: ServedGame) -> GtpTalk:
        options: dict[str, object] = {"game": kind_of(game.board), "persona": game.persona}
        options |= {"rules": game.rules, "opponent": opponent_of(game)}
        named = {name: value for name, value in options.items() if value is not None}
        return GtpTalk(await EngineSocket.open(self._socket, "gtp", {**named, "saved": True}))

    def _add(self, game: str, talk: GtpTalk) -> None:
        self._open[game] = talk
        while len(self._open) > self._most_open:
            _, oldest = self._open.popitem(last=False)
            oldest.close()


def opponent_of(game: ServedGame) -> dict[str, str] | str:
    """Returns the player as the engine's greeting has it: an account of this server, or nobody."""
    return NOBODY if game.opponent is None else {"server": SERVER, "name": game.opponent}


async def state_of(talk: GtpTalk) -> dict[str, Any]:
    """Returns the engine's state of the game."""
    state: dict[str, Any] = json.loads(await talk.say("sparring-game"))
    return state
