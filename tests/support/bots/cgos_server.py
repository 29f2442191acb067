"""A stand-in for CGOS: it pairs one account with an opponent of its own that moves at random.

It keeps the traps of zakki/cgos's server-python: own moves are not echoed, the clock runs while a
player is away, a login brings the game so far, a new login ends the old one.
"""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field

from engine._core import GoPosition
from engine.games.rules import RULE_SETS
from engine.games.table import read_vertex, write_vertex
from tests.support.bots.soak_report import HUNG

SIZE, KOMI = 9, 7.0
PASSING = 10  # moves after which the opponent only passes
OPPONENT = "RandomBot(800?)"


@dataclass
class StandInGame:
    """One game and what went wrong in it."""

    number: int
    bot_color: int
    seconds: float
    position: GoPosition = field(
        default_factory=lambda: GoPosition(SIZE, SIZE, RULE_SETS["tromp-taylor"])
    )
    moves: list[tuple[str, int]] = field(default_factory=list)
    result: str = ""
    left: list[float] = field(default_factory=list)
    turn_began: float = 0.0
    answer: asyncio.TimerHandle | None = None  # the opponent's next move

    def __post_init__(self) -> None:
        self.left = [self.seconds, self.seconds]

    @property
    def to_move(self) -> int:
        """The side to move."""
        return len(self.moves) % 2


class CgosStandIn:
    """The server. faults: numbers of all moves of the bot after which its line is cut.

    pace: seconds of the opponent's moves. refusals: first logins after which the server holds an
    earlier line of the bot, as the server in Tcl does.
    """

    def __init__(
        self,
        games: int,
        *,
        seconds: float = 60.0,
        faults: frozenset[int] = frozenset(),
        pace: float = 0.0,
        refusals: int = 0,
    ) -> None:
        self.port = 0
        self.games: list[StandInGame] = []
        self.wrong: list[str] = []
        self.received: list[str] = []
        self.analyses = 0
        self.logins = 0
        self.cuts = 0
        self.is_finished = asyncio.Event()
        self._most, self._seconds, self._faults, self._pace = games, seconds, faults, pace
        self.bot_moves = 0
        self.refusals = refusals
        self.refusal = "Error: Sorry, password doesn't match"
        self._random = random.Random(1)
        self._writer: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listens at a free port, or again at its own."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stops as a killed server: the game under way is forgotten."""
        if self._server is not None:
            self._server.close()
        if self._writer is not None:
            self._writer.close()
        if self.games and not self.games[-1].result:
            if self._is_overdue(self.games[-1]):
                self.wrong.append(HUNG)
            self.games.pop()
        await asyncio.sleep(0)

    def cut(self) -> None:
        """Cuts the bot's line."""
        self.cuts += 1
        if self._writer is not None:
            self._writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError):
            if await self._log_in(reader, writer):
                await self._play(reader)
        writer.close()

    async def _log_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        writer.write(b"protocol genmove_analyze\n")
        self._hear(await reader.readline())
        writer.write(b"username\n")
        self._hear(await reader.readline())
        if self.refusals:
            self.refusals -= 1
            writer.write(b"Error: You are already logged on!  Closing connection.\n")
            return False
        writer.write(b"password\n")
        self._hear(await reader.readline())
        if self.received[-1] != "secret":
            writer.write(f"{self.refusal}\n".encode())
            await writer.drain()
            return False
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(b"info another login is being attempted using this user name\n")
            self._writer.close()
        self._writer = writer
        self.logins += 1
        game = self.games[-1] if self.games else None
        if game is not None and not game.result:
            self._set_up(game)
        else:
            self._begin()
        return True

    def _hear(self, line: bytes) -> None:
        if not line.endswith(b"\n"):
            raise EOFError
        self.received.append(line.decode().strip())

    async def _play(self, reader: asyncio.StreamReader) -> None:
        while not self.is_finished.is_set():
            self._hear(await reader.readline())
            line, game = self.received[-1], self.games[-1]
            if line == "ready":
                self._begin()
            elif game.result or game.to_move != game.bot_color:
                self.wrong.append(f"{line!r} out of turn")
            else:
                self._take(game, line)

    def _begin(self) -> None:
        if len(self.games) >= self._most:
            self.is_finished.set()
            return
        game = StandInGame(len(self.games) + 1, len(self.games) % 2, self._seconds)
        self.games.append(game)
        self._set_up(game)

    def _set_up(self, game: StandInGame) -> None:
        """Sends the game so far, and our turn at once."""
        white, black = ("Tester(1500)", OPPONENT)
        if game.bot_color == 0:
            white, black = black, white
        moves = "".join(f" {move} {left}" for move, left in game.moves)
        level = int(1000 * game.seconds)
        self._send(f"setup {game.number} {SIZE} {KOMI} {level} {white} {black}{moves}")
        if not game.moves:
            game.turn_began = time.monotonic()
        self._go_on(game)

    def _go_on(self, game: StandInGame) -> None:
        if game.answer is not None:
            game.answer.cancel()
            game.answer = None
        if game.to_move != game.bot_color:
            self._answer(game)
        if not game.result:
            left = game.left[game.bot_color] - (time.monotonic() - game.turn_began)
            self._send(f"genmove {'bw'[game.bot_color]} {int(1000 * left)}")

    def _take(self, game: StandInGame, line: str) -> None:
        """Carries out the bot's move, and the opponent's answer."""
        word, _, analysis = line.partition(" ")
        self.analyses += bool(analysis)
        self.bot_moves += 1
        color = game.bot_color
        game.left[color] -= max(0.0, time.monotonic() - game.turn_began - 0.25)
        if game.left[color] < 0:
            self.wrong.append("lost on time")
            self._end(game, f"{'WB'[color]}+Time")
        elif word == "resign":
            self._end(game, f"{'WB'[color]}+Resign")
        elif not self._is_played(game, word):
            self.wrong.append(f"illegal move {word}")
            self._end(game, f"{'WB'[color]}+Illegal")
        elif not self._is_over(game):
            game.turn_began = time.monotonic()
            if self._pace and self.bot_moves not in self._faults:
                loop = asyncio.get_running_loop()
                game.answer = loop.call_later(self._pace, self._go_on, game)
                return
            self._answer(game)
            if self.bot_moves in self._faults:
                self.cut()
            elif not game.result:
                self._go_on(game)

    def _is_played(self, game: StandInGame, word: str) -> bool:
        try:
            move = read_vertex(word, SIZE, SIZE)
        except ValueError:
            return False
        if not game.position.is_legal(move):
            return False
        color = game.to_move
        game.position.play(move)
        game.moves.append((word, int(1000 * game.left[color])))
        return True

    def _is_overdue(self, game: StandInGame) -> bool:
        """Tests whether the bot's clock ran out and the bot sent no move."""
        left = game.left[game.bot_color] - (time.monotonic() - game.turn_began)
        return game.to_move == game.bot_color and left < 0

    def _answer(self, game: StandInGame) -> None:
        """Plays the opponent's move."""
        position, last = game.position, SIZE * SIZE
        legal = [move for move in range(last) if position.is_legal(move)]
        is_passing = not legal or len(game.moves) >= PASSING
        word = write_vertex(last if is_passing else self._random.choice(legal), SIZE, SIZE)
        color = game.to_move
        assert self._is_played(game, word)
        self._send(f"play {'bw'[color]} {word.lower()} {int(1000 * game.left[color])}")
        game.turn_began = time.monotonic()
        self._is_over(game)

    def _is_over(self, game: StandInGame) -> bool:
        if [move.lower() for move, _ in game.moves[-2:]] == ["pass", "pass"]:
            self._end(game, "W+3.5")
        elif len(game.moves) >= 2 * PASSING:
            self._end(game, "Draw")
        return bool(game.result)

    def _end(self, game: StandInGame, result: str) -> None:
        game.result = result
        self._send(f"gameover 2026-11-23 {result} ")

    def _send(self, line: str) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(line.encode() + b"\n")
