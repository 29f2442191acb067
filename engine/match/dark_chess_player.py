"""A program of the dark chess tournaments as a player, by their dialect of GTP.

The player sends the outcomes of all flips; a chosen move comes back to the program as `move` or
`flip`. The dialect has no command for a limit of one move: the program's own settings decide.
"""

from __future__ import annotations

import time

from engine._core import DarkChessPosition
from engine.games.position import Position
from engine.match.game_spec import GameSpec
from engine.match.player import OWN_SETTINGS, Move, UnreadableMoveError
from engine.util.engine_process import EngineProcess, EngineRefusedError

# The ids of the commands: their numbers in the table of the course's template.
IDS = {"quit": 5, "reset_board": 7, "num_repetition": 8, "num_moves_to_draw": 9, "move": 10}
IDS |= {"flip": 11, "genmove": 12, "ready": 14, "time_settings": 15, "time_left": 16}
COLORS = ("red", "black", "unknown")  # the last one for -1
GAME_MILLISECONDS = 900_000  # of each side, by the rules


class DarkChessPlayer:
    """A Player that is a program in its own process."""

    limited_by = OWN_SETTINGS

    def __init__(self, text: str, command: str, patience: float) -> None:
        self.text = text
        self.engine = EngineProcess(command, seconds=patience)

    def _ask(self, name: str, *arguments: object) -> str:
        """Returns the text of an answer. Raises EngineRefusedError, EngineLostError."""
        command = " ".join(map(str, (IDS[name], name, *arguments)))
        self.engine.write(command)
        deadline = time.monotonic() + self.engine.seconds
        while True:
            line = self.engine.line(command, deadline)
            if line[:1] in ("=", "?"):
                break
        number, _, text = line[1:].partition(" ")
        if line[0] == "?":
            raise EngineRefusedError(f"{command!r} was answered {line!r}")
        return text if number == str(IDS[name]) else line[1:].strip()

    def begin(self, start: GameSpec, _seed: int) -> None:
        """Sets up a new game, with the time of the tournaments for each side."""
        self._start = start
        self._ask("reset_board")
        self._ask("num_repetition", 3)
        self._ask("num_moves_to_draw", 40)
        for name in COLORS[:2]:
            self._ask("time_left", name, GAME_MILLISECONDS)
        for color, move in start.opening_moves():
            self.watch(color, move)

    def watch(self, _color: int, move: int) -> None:
        """Sends a move with its outcome."""
        text = self._start.write(move)
        start, is_step, end = text.partition("-")
        if is_step:
            self._ask("move", start, end)
        else:
            self._ask("flip", text[:2], text[3])

    def reveal(self, color: int, move: int) -> None:
        """Sends the player's own flip with its outcome."""
        self.watch(color, move)

    def choose(self, position: Position) -> Move:
        """Returns the program's move; a legal one that is no flip goes back to it at once."""
        if not isinstance(position, DarkChessPosition):
            raise TypeError(f"{position!r} is no position of dark chess")
        began = time.monotonic()
        color = COLORS[position.color_of_player(position.to_move)]
        answer = self._ask("genmove", color)
        seconds = time.monotonic() - began
        squares = answer.split()
        if len(squares) != 2:
            raise UnreadableMoveError(f"{answer!r} is no move of two squares")
        start, end = squares
        try:
            move = self._start.read(f"{start}(?)" if start == end else f"{start}-{end}")
        except ValueError as error:
            raise UnreadableMoveError(str(error)) from error
        if start != end and position.is_legal(move):
            self.watch(position.to_move, move)
        return Move(move, seconds, ())

    def finish(self, position: Position, winner: int | None) -> None:
        """Does nothing: the start of the next game ends this one."""

    def final_score(self) -> str | None:
        """Returns None: the rules decide."""
        return None

    def close(self) -> None:
        """Ends the program."""
        self.engine.close()

    def kill(self) -> None:
        """Ends the program at once."""
        self.engine.kill()
