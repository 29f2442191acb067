"""NBoard's protocol, versions 1 and 2, as a conversation about one game of Othello.

COMMANDS is the table of commands. Unknown lines are ignored; a known line with a fault changes
nothing and is named in the status line. Text goes to `emit`, and lines come from an inbox.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine._core import OthelloPosition
from engine.errors import RecordError, SettingError
from engine.formats import ggf, transcript
from engine.formats.ggf import GgfMove
from engine.games.position import Position
from engine.opponents import FORFEITED, ON_TIME, RESIGNED
from protocols.command_queue import CommandQueue, Input, Urgency
from protocols.lines import LONGEST_LINE, OverlongLine
from protocols.nboard import codec
from protocols.nboard.clock import clock_of
from protocols.nboard.codec import NBoardCommand, NBoardError, quoted
from protocols.outbox import ClientGoneError
from protocols.positions import search_depth
from protocols.positions.player import (
    OnAnalysis,
    PositionAnalysis,
    PositionPlayer,
    ThinkingLimits,
    forced_move,
)

log = logging.getLogger(__name__)

WAITING: Final = "is waiting"
CONTEMPT_OF_A_WIN = 100  # discs; as much contempt makes a draw a win for Black
WON_BY = {"r": RESIGNED, "t": ON_TIME, "l": FORFEITED}  # as GGF says it: "l" left the game
ENDING = {"ping", "quit"}  # commands that end thinking


class NBoardEngine:
    """One conversation. emit: sends text, always whole lines."""

    def __init__(
        self,
        player: PositionPlayer,
        emit: Callable[[str], None],
        inbox: Input,
        *,
        name: str = "Sparring",
    ) -> None:
        self._player = player
        self._emit = emit
        self._name = name
        self._depth = search_depth.DEFAULT_DEPTH
        self._start: Position = OthelloPosition(8)
        self._moves: list[int] = []  # passes included
        self._record = ggf.GgfGame()
        self._ggf_moves: list[GgfMove] = []  # with their times
        self._queue = CommandQueue(inbox, _urgency, at_once=_ignore)
        self._follow(self._start, [])

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        while (line := self._queue.next()) is not None:
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Answers one line; False when it was `quit`."""
        if isinstance(line, OverlongLine):
            self._emit(codec.status(f"ignored a line of more than {LONGEST_LINE} bytes"))
            return True
        command = codec.read(line)
        if command is None:
            return True
        if command.name == "quit":
            return False
        handler = COMMANDS.get(command.name)
        if handler is None:
            return True
        try:
            handler(self, command)
        except (NBoardError, RecordError, SettingError) as error:
            self._emit(codec.status(f"ignored {command.name}: {error}"))
        except ClientGoneError:
            raise
        except Exception:
            log.exception("%s %s failed", command.name, quoted(command.text))
            self._emit(codec.status(f"internal error at {command.name}"))
        return True

    # ---- Settings and the game

    def greet(self, command: NBoardCommand) -> None:
        """Answers the name; both versions of the protocol are supported."""
        codec.integer(command)
        self._emit(codec.my_name(self._name))

    def set_depth(self, command: NBoardCommand) -> None:
        """Sets the depth, and answers the name with the depth, as other engines do."""
        self._depth = search_depth.within(codec.integer(command))
        self._emit(codec.my_name(f"{self._name}{self._depth}"))

    def set_contempt(self, command: NBoardCommand) -> None:
        """Sets the value of a draw, in discs for Black."""
        share = codec.integer(command) / CONTEMPT_OF_A_WIN
        self._player.set_draw_value((1 + max(-1.0, min(share, 1.0))) / 2)

    def meet(self, command: NBoardCommand) -> None:
        """Names the opponent; without a name it is the usual one."""
        self._player.meet(command.text)

    def set_game(self, command: NBoardCommand) -> None:
        """Takes the position at the end of a game in GGF."""
        record = ggf.read(command.text)[0]
        _, moves = ggf.replay(record)
        self._follow(record.start(), moves)
        self._record, self._ggf_moves = record, list(record.moves)
        if record.result is not None:
            score = record.result.black_score
            winner = None if score == 0 else int(score < 0)
            self._player.finish(winner, WON_BY.get(record.result.ending, ""))

    def move(self, command: NBoardCommand) -> None:
        """Plays a move, after a pass that the move implies."""
        position = self._player.position
        made = ggf.read_move(command.text, position.to_move, position.width)
        board = position.copy()
        try:
            played = transcript.play(board, made.move)
        except ValueError as error:
            raise NBoardError(f"{quoted(command.text)}: {error}") from error
        self._follow(self._start, [*self._moves, *played])
        if len(played) > 1:
            made = replace(made, color=1 - made.color)
        self._ggf_moves.append(made)

    def learn(self, _command: NBoardCommand) -> None:
        """Answers that the game was learned; the engine has no book."""
        self._emit(codec.LEARNED)

    def ping(self, command: NBoardCommand) -> None:
        """Answers a ping. All thinking has ended by now."""
        self._emit(codec.pong(codec.integer(command)))

    # ---- Thinking

    def go(self, _command: NBoardCommand) -> None:
        """Answers the engine's move without playing it."""
        position = self._player.position
        if position.is_over:
            raise NBoardError("the game is over")
        size = position.width
        only = forced_move(position)
        if only is not None:
            self._emit(codec.answer(codec.move_name(only, size), None, 0.0))
            return
        self._emit(codec.status(f"{self._name} is thinking"))
        clock = clock_of(self._record.properties, self._ggf_moves, position.to_move)
        analysis = self._player.choose(
            ThinkingLimits(visits=search_depth.visits(self._depth), clock=clock),
            stop=self._queue.interrupted,
            on_analysis=lambda so_far: self._send(so_far, 1),
        )
        self._send(analysis, 1)
        best = analysis.lines[0]
        move = codec.move_name(best.variation[0], size)
        self._emit(codec.answer(move, best.score, analysis.seconds))
        self._emit(codec.status(f"{self._name} {WAITING}"))

    def hint(self, command: NBoardCommand) -> None:
        """Reports the best moves repeatedly until the depth is reached."""
        most = codec.integer(command)
        if most < 1:
            raise NBoardError(f"hint needs a number from 1, not {quoted(command.text)}")
        if self._player.position.is_over:
            raise NBoardError("the game is over")
        self._emit(codec.status(f"{self._name} is analyzing"))
        analysis = self._analyze(lambda so_far: self._send(so_far, most))
        self._send(analysis, most)
        self._emit(codec.status(f"{self._name} {WAITING}"))

    def analyze(self, _command: NBoardCommand) -> None:
        """Reports the score of each position of the game, from the last back to the first."""
        start, moves = self._start, list(self._moves)
        self._emit(codec.status(f"{self._name} is analyzing the game"))
        try:
            for made in range(len(moves), -1, -1):
                if self._queue.interrupted():
                    break
                self._player.follow(start, moves[:made])
                self._emit(codec.analysis(made, self._score()))
        finally:
            self._player.follow(start, moves)
        self._emit(codec.status(f"{self._name} {WAITING}"))

    def _score(self) -> float:
        """Returns the score of the present position, in discs from Black's view."""
        position = self._player.position
        if position.is_over:
            return position.black_score
        score = self._analyze(_ignore).lines[0].score
        return score if position.to_move == 0 else -score

    def _analyze(self, on_analysis: OnAnalysis) -> PositionAnalysis:
        limits = ThinkingLimits(
            visits=search_depth.visits(self._depth),
            exact_empties=search_depth.exact_empties("othello", self._depth),
        )
        return self._player.analyze(limits, stop=self._queue.interrupted, on_analysis=on_analysis)

    def _send(self, analysis: PositionAnalysis, most: int) -> None:
        """Sends the lines of so many moves, in one piece."""
        size = self._player.position.width
        depth = str(search_depth.depth_of(analysis.nodes))
        parts = [codec.node_statistics(analysis.nodes, analysis.seconds)]
        for line in analysis.lines[:most]:
            if not math.isfinite(line.score):
                continue
            names = [codec.move_name(move, size) for move in line.variation]
            text = f"{line.win_rate:.1%}" + (f" {line.visits} visits" if line.visits else "")
            shown = codec.EXACT if line.is_exact else depth
            parts.append(codec.search(names, line.score, shown, text))
        self._emit("".join(parts))

    def _follow(self, start: Position, moves: list[int]) -> None:
        self._player.follow(start, moves)
        self._start, self._moves = start, moves


def _urgency(line: str) -> Urgency:
    command = codec.read(line)
    return Urgency.STOP_ALL if command is not None and command.name in ENDING else Urgency.LATER


def _ignore(_: object) -> None:
    """Nothing."""


COMMANDS: dict[str, Callable[[NBoardEngine, NBoardCommand], None]] = {
    "nboard": NBoardEngine.greet,
    "set depth": NBoardEngine.set_depth,
    "set game": NBoardEngine.set_game,
    "set contempt": NBoardEngine.set_contempt,
    "set opponent": NBoardEngine.meet,
    "move": NBoardEngine.move,
    "hint": NBoardEngine.hint,
    "go": NBoardEngine.go,
    "ping": NBoardEngine.ping,
    "learn": NBoardEngine.learn,
    "analyze": NBoardEngine.analyze,
}
