"""The solved positions of the perfect player with their best moves, in memory or in a file.

The file has a line for each position, appended after solving: several programs may share it. A
position of Connect4 and its mirror image are one. The solvers are in engine.search.solver.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine._core import Connect4Position
from engine.games.position import Position

Key = tuple[str, str]  # the goal of the moves; rows from the top, and the side to move


class SolvedAgent:
    """The solved positions, each with all its best moves."""

    def __init__(self, path: Path | None = None) -> None:
        self._moves: dict[Key, list[int]] = {}
        self._path = path
        if path is not None and path.exists():
            self._read(path)

    def __len__(self) -> int:
        return len(self._moves)

    def moves(self, goal: str, position: Position) -> list[int] | None:
        """Returns the moves that keep `goal`, rising; None for an unsolved position."""
        board, mirrored = _written(position)
        moves = self._moves.get((goal, board))
        return None if moves is None else _turned(moves, position, mirrored=mirrored)

    def add(self, goal: str, position: Position, moves: list[int]) -> None:
        """Saves a position and its best moves."""
        board, mirrored = _written(position)
        turned = _turned(moves, position, mirrored=mirrored)
        self._moves[goal, board] = turned
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps([goal, board, turned]) + "\n")

    def _read(self, path: Path) -> None:
        try:
            for line in path.read_text().splitlines():
                goal, board, moves = json.loads(line)
                self._moves[str(goal), str(board)] = [int(move) for move in moves]
        except (ValueError, TypeError) as error:
            raise ValueError(f"{str(path)!r} does not hold solved positions: {error}") from error


def _written(position: Position) -> tuple[str, bool]:
    """Returns the board as text, and whether this is its mirror image.

    The text of a position of Connect4 is the lesser one of the two.
    """
    rows = ["".join("-XO"[stone] for stone in row) for row in position.stones.tolist()]
    side = "XO"[position.to_move]
    plain = f"{'/'.join(rows)} {side}"
    mirror = f"{'/'.join(row[::-1] for row in rows)} {side}"
    if isinstance(position, Connect4Position) and mirror < plain:
        return mirror, True
    return plain, False


def _turned(moves: list[int], position: Position, *, mirrored: bool) -> list[int]:
    return sorted(position.width - 1 - move for move in moves) if mirrored else moves
