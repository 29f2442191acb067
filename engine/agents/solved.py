"""What the perfect player found out, in memory or in a file: positions and their best moves.

Knows the file: a line a position, added when it was solved, so that several programs may use it.
A position of Connect4 and its mirror image are one. Does not know how positions are solved.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine._core import Connect4Position
from engine.games.position import Position

Key = tuple[str, str]  # what its moves keep; rows from the top, and who is to move


class SolvedAgent:
    """Positions with all their best moves."""

    def __init__(self, path: Path | None = None) -> None:
        self._moves: dict[Key, list[int]] = {}
        self._path = path
        if path is not None and path.exists():
            self._read(path)

    def __len__(self) -> int:
        return len(self._moves)

    def moves(self, goal: str, position: Position) -> list[int] | None:
        """The moves that keep `goal`, in rising order; None where it was not solved."""
        board, mirrored = _written(position)
        found = self._moves.get((goal, board))
        return None if found is None else _turned(found, position, mirrored=mirrored)

    def add(self, goal: str, position: Position, moves: list[int]) -> None:
        """Remember a position."""
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
    """The board as text, the lesser of both where it may be mirrored, and whether it was."""
    rows = ["".join("-XO"[stone] for stone in row) for row in position.stones.tolist()]
    side = "XO"[position.to_move]
    plain = f"{'/'.join(rows)} {side}"
    mirror = f"{'/'.join(row[::-1] for row in rows)} {side}"
    if isinstance(position, Connect4Position) and mirror < plain:
        return mirror, True
    return plain, False


def _turned(moves: list[int], position: Position, *, mirrored: bool) -> list[int]:
    return sorted(position.width - 1 - move for move in moves) if mirrored else moves
