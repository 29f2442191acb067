"""An engine of UGI or UCI as a player: each move's command holds the whole game.

Passes are sent as moves too, in the game's spelling. An engine of several games receives the game's
name by its option `Game`, if it has one.
"""

from __future__ import annotations

import time

from engine.games.position import Position
from engine.match.game_spec import GameSpec
from engine.match.player import Move, MoveBudget, read_answer
from engine.util.ugi_client import Dialect, UgiClient, with_options

GAME_OPTION = "Game"
USUAL_SECONDS = 1.0  # time of a move without a limit: the protocols have no search without one


class UgiPlayer:
    """A Player that is an engine in its own process."""

    def __init__(
        self, text: str, command: str, dialect: Dialect, *, budget: MoveBudget, patience: float
    ) -> None:
        self.text = text
        words, options = with_options(command)
        self.engine = UgiClient(words, dialect=dialect, seconds=patience)
        for name, value in options.items():
            self.engine.set_option(name, value)
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
        """Stores a move for the next question."""
        self._moves.append(self._start.write(move))

    def choose(self, _position: Position) -> Move:
        """Returns the engine's move, with its reported nodes."""
        began = time.monotonic()
        answer = self.engine.best_move(self._moves, self._limits)
        seconds = time.monotonic() - began
        move = read_answer(self._start, answer.move)
        if move is not None:
            self._moves.append(self._start.write(move))
        return Move(move, seconds, () if answer.nodes is None else (answer.nodes,))

    def finish(self, position: Position, winner: int | None) -> None:
        """Does nothing: the protocols have no command for it."""

    def final_score(self) -> str | None:
        """Returns None: these engines play no game with an agreed count."""
        return None

    def close(self) -> None:
        """Asks the engine to quit."""
        self.engine.close()

    def kill(self) -> None:
        """Ends the engine at once."""
        self.engine.kill()


def limits(budget: MoveBudget) -> tuple[str, str]:
    """Returns the words after `go`, and the limit in words."""
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
