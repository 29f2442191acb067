"""An NBoard engine as a player of Othello: it receives the moves of both sides.

The protocol limits moves by depth alone; without a depth the engine's own command line decides.
Forced passes are sent as moves, PA.
"""

from __future__ import annotations

import time

from engine.formats import ggf
from engine.games.position import Position
from engine.match.game_spec import GameSpec
from engine.match.nboard_client import NBoardClient
from engine.match.player import OWN_SETTINGS, Move, MoveBudget, read_answer


class NBoardPlayer:
    """A Player that is an engine in its own process."""

    def __init__(self, text: str, command: str, budget: MoveBudget, patience: float) -> None:
        self.text = text
        self.engine = NBoardClient(command, seconds=patience)
        self.limited_by = OWN_SETTINGS
        if budget.depth is not None:
            self.engine.set_depth(budget.depth)
            self.limited_by = f"depth {budget.depth}"

    def begin(self, start: GameSpec, _seed: int) -> None:
        """Sets up a new game."""
        self._start = start
        game = ggf.GgfGame(start.width, properties={"PC": "Sparring", "RE": "?"})
        self.engine.set_game(ggf.write_game(game))
        for color, move in start.opening_moves():
            self.watch(color, move)

    def watch(self, _color: int, move: int) -> None:
        """Tells the engine a move."""
        self.engine.play(self._spelt(move))

    def _spelt(self, move: int) -> str:
        text = self._start.write(move)
        return "PA" if text == "pass" else text.upper()

    def choose(self, position: Position) -> Move:
        """Returns the engine's move, with its reported nodes."""
        began = time.monotonic()
        answer = self.engine.go()
        seconds = time.monotonic() - began
        move = read_answer(self._start, answer.move)
        if move is not None and position.is_legal(move):
            self.engine.play(self._spelt(move))
        return Move(move, seconds, () if answer.nodes is None else (answer.nodes,))

    def finish(self, position: Position, winner: int | None) -> None:
        """Does nothing: the start of the next game ends this one."""

    def final_score(self) -> str | None:
        """Returns None: the rules count Othello."""
        return None

    def close(self) -> None:
        """Asks the engine to quit."""
        self.engine.close()

    def kill(self) -> None:
        """Ends the engine at once."""
        self.engine.kill()
