"""NBoard's protocol as a conversation about one game of Othello, version 2 and 1.

Knows the table of commands and when thinking ends. Unknown lines are ignored; known ones that make
no sense change nothing and are named in the status line. Reads and writes nothing itself.
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
from protocols import search_depth
from protocols.command_queue import CommandQueue, Input, Urgency
from protocols.lines import LONGEST_LINE, OverlongLine
from protocols.nboard import codec
from protocols.nboard.clock import clock_of
from protocols.nboard.codec import NBoardCommand, NBoardError, quoted
from protocols.outbox import ClientGoneError
from protocols.thinker import Effort, Thinker, Thought, forced

log = logging.getLogger(__name__)

WAITING: Final = "is waiting"
CONTEMPT_OF_A_WIN = 100  # discs; as much contempt makes a draw a win for Black
WON_BY = {"r": RESIGNED, "t": ON_TIME, "l": FORFEITED}  # as GGF says it: "l" left the game
ENDING = {"ping", "quit"}  # commands that end thinking


class NBoardEngine:
    """One conversation. emit: given text to send, always whole lines."""

    def __init__(
        self, thinker: Thinker, emit: Callable[[str], None], inbox: Input, *, name: str = "Sparring"
    ) -> None:
        self._thinker = thinker
        self._emit = emit
        self._name = name
        self._depth = search_depth.DEFAULT_DEPTH
        self._start: Position = OthelloPosition(8)
        self._moves: list[int] = []  # passes included
        self._record = ggf.GgfGame()
        self._told: list[GgfMove] = []  # with their times
        self._attention = CommandQueue(inbox, _urgency, at_once=_ignore)
        self._follow(self._start, [])

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        while (line := self._attention.next()) is not None:
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
        """Tells the name; both versions of the protocol are understood."""
        codec.integer(command)
        self._emit(codec.my_name(self._name))

    def set_depth(self, command: NBoardCommand) -> None:
        """Sets how hard to think, and tells the name with the depth, as other engines do."""
        self._depth = search_depth.within(codec.integer(command))
        self._emit(codec.my_name(f"{self._name}{self._depth}"))

    def set_contempt(self, command: NBoardCommand) -> None:
        """Sets what a draw is worth, in discs for Black."""
        share = codec.integer(command) / CONTEMPT_OF_A_WIN
        self._thinker.value_draws((1 + max(-1.0, min(share, 1.0))) / 2)

    def meet(self, command: NBoardCommand) -> None:
        """Plays against the one of that name from now on; without a name whoever sits there."""
        self._thinker.meet(command.text)

    def set_game(self, command: NBoardCommand) -> None:
        """Takes the position at the end of a game in GGF."""
        record = ggf.read(command.text)[0]
        _, moves = ggf.replay(record)
        self._follow(record.start(), moves)
        self._record, self._told = record, list(record.moves)
        if record.result is not None:
            score = record.result.black_score
            winner = None if score == 0 else int(score < 0)
            self._thinker.end(winner, WON_BY.get(record.result.ending, ""))

    def move(self, command: NBoardCommand) -> None:
        """Plays a move; a pass that it leaves out is put in."""
        position = self._thinker.position
        made = ggf.read_move(command.text, position.to_move, position.width)
        board = position.copy()
        try:
            played = transcript.play(board, made.move)
        except ValueError as error:
            raise NBoardError(f"{quoted(command.text)}: {error}") from error
        self._follow(self._start, [*self._moves, *played])
        if len(played) > 1:
            made = replace(made, color=1 - made.color)
        self._told.append(made)

    def learn(self, _command: NBoardCommand) -> None:
        """Says that the game was learned; there is no book to put it into."""
        self._emit(codec.LEARNED)

    def ping(self, command: NBoardCommand) -> None:
        """Answers a ping. What was being thought has ended by now."""
        self._emit(codec.pong(codec.integer(command)))

    # ---- Thinking

    def go(self, _command: NBoardCommand) -> None:
        """Answers the engine's move, which it does not play."""
        position = self._thinker.position
        if position.is_over:
            raise NBoardError("the game is over")
        size = position.width
        only = forced(position)
        if only is not None:
            self._emit(codec.answer(codec.move_name(only, size), None, 0.0))
            return
        self._emit(codec.status(f"{self._name} is thinking"))
        clock = clock_of(self._record.properties, self._told, position.to_move)
        thought = self._thinker.choose(
            Effort(visits=search_depth.visits(self._depth), clock=clock),
            stop=self._attention.interrupted,
            tell=lambda so_far: self._tell(so_far, 1),
        )
        self._tell(thought, 1)
        best = thought.lines[0]
        move = codec.move_name(best.variation[0], size)
        self._emit(codec.answer(move, best.score, thought.seconds))
        self._emit(codec.status(f"{self._name} {WAITING}"))

    def hint(self, command: NBoardCommand) -> None:
        """Tells what is thought of the best moves, again and again until the depth is reached."""
        most = codec.integer(command)
        if most < 1:
            raise NBoardError(f"hint needs a number from 1, not {quoted(command.text)}")
        if self._thinker.position.is_over:
            raise NBoardError("the game is over")
        self._emit(codec.status(f"{self._name} is analyzing"))
        thought = self._look(lambda so_far: self._tell(so_far, most))
        self._tell(thought, most)
        self._emit(codec.status(f"{self._name} {WAITING}"))

    def analyze(self, _command: NBoardCommand) -> None:
        """Tells the worth of each position of the game, from the last one back to the first."""
        start, moves = self._start, list(self._moves)
        self._emit(codec.status(f"{self._name} is analyzing the game"))
        try:
            for made in range(len(moves), -1, -1):
                if self._attention.interrupted():
                    break
                self._thinker.follow(start, moves[:made])
                self._emit(codec.analysis(made, self._worth()))
        finally:
            self._thinker.follow(start, moves)
        self._emit(codec.status(f"{self._name} {WAITING}"))

    def _worth(self) -> float:
        """What the present position is worth, in discs by Black's view."""
        position = self._thinker.position
        if position.is_over:
            return position.black_score
        score = self._look(_ignore).lines[0].score
        return score if position.to_move == 0 else -score

    def _look(self, tell: Callable[[Thought], None]) -> Thought:
        asked = Effort(
            visits=search_depth.visits(self._depth),
            exact_empties=search_depth.exact_empties("othello", self._depth),
        )
        return self._thinker.look(asked, stop=self._attention.interrupted, tell=tell)

    def _tell(self, thought: Thought, most: int) -> None:
        """Sends what is thought of so many moves, in one piece."""
        size = self._thinker.position.width
        depth = str(search_depth.depth_of(thought.nodes))
        parts = [codec.node_statistics(thought.nodes, thought.seconds)]
        for line in thought.lines[:most]:
            if not math.isfinite(line.score):
                continue
            names = [codec.move_name(move, size) for move in line.variation]
            text = f"{line.win_rate:.1%}" + (f" {line.visits} visits" if line.visits else "")
            shown = codec.EXACT if line.is_exact else depth
            parts.append(codec.search(names, line.score, shown, text))
        self._emit("".join(parts))

    def _follow(self, start: Position, moves: list[int]) -> None:
        self._thinker.follow(start, moves)
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
