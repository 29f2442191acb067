"""An engine of UGI or UCI as a player: the whole game told before each move.

Passes are told as moves too, spelt as the game spells them. An engine that plays several games is
told which by its option `Game`, where it has one.
"""

from __future__ import annotations

import time

from engine.games.position import Position
from engine.match.game_spec import GameSpec
from engine.match.player import Move, MoveBudget, read_answer
from engine.match.ugi_client import Dialect, UgiClient

GAME_OPTION = "Game"
USUAL_SECONDS = 1.0  # a move, where nobody said: the protocols know no search without a limit


class UgiPlayer:
    """A Player that is an engine of its own process."""

    def __init__(
        self, text: str, command: str, dialect: Dialect, *, budget: MoveBudget, patience: float
    ) -> None:
        self.text = text
        self.engine = UgiClient(command, dialect=dialect, seconds=patience)
        self._limits, self.limited_by = limits(budget)
        self._moves: list[str] = []

    def begin(self, start: GameSpec, _seed: int) -> None:
        """Sets up a new game."""
        self._start = start
        self._moves = [start.write(move) for move in start.opening]
        if GAME_OPTION in self.engine.options:
            self.engine.set_option(GAME_OPTION, start.name)
        self.engine.new_game()

    def watch(self, _color: int, move: int) -> None:
        """Keeps a move, to be told with the next question."""
        self._moves.append(self._start.write(move))

    def choose(self, _position: Position) -> Move:
        """The engine's move, with the nodes that it tells of."""
        began = time.monotonic()
        answer = self.engine.best_move(self._moves, self._limits)
        seconds = time.monotonic() - began
        move = read_answer(self._start, answer.move)
        if move is not None:
            self._moves.append(self._start.write(move))
        return Move(move, seconds, () if answer.nodes is None else (answer.nodes,))

    def finish(self, position: Position, winner: int | None) -> None:
        """Nothing: the protocols have no word for it."""

    def final_score(self) -> str | None:
        """None: no game that these engines play is counted by agreement."""
        return None

    def close(self) -> None:
        """Asks the engine to quit."""
        self.engine.close()

    def kill(self) -> None:
        """Ends the engine at once."""
        self.engine.kill()


def limits(budget: MoveBudget) -> tuple[str, str]:
    """What follows `go`, and the same in words."""
    found = []
    if budget.visits is not None:
        found.append((f"nodes {budget.visits}", f"{budget.visits} nodes a move"))
    if budget.depth is not None:
        found.append((f"depth {budget.depth}", f"depth {budget.depth}"))
    if budget.seconds is not None:
        whole = round(budget.seconds * 1000)
        found.append((f"movetime {whole}", f"{budget.seconds:g} s a move"))
    if not found:
        return f"movetime {USUAL_SECONDS * 1000:.0f}", f"{USUAL_SECONDS:g} s a move"
    return " ".join(words for words, _ in found), ", ".join(words for _, words in found)
