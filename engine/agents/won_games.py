"""Liang's alpha-beta with a hash table: it repeats the moves of its won games.

This module has the table and its file. The caller passes the rule for other positions.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine.agents.agent import Think
from engine.games.position import Position
from engine.util.atomic_file import atomic_write
from engine.values import Choice

Key = tuple[int, int]  # (hash of the discs, color to move)


class WonGames:
    """The moves of won games by position; a later win replaces an earlier move.

    path: a file, read at once and rewritten after each won game; None: no file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._moves: dict[Key, int] = {}
        self._path = path
        if path is not None and path.exists():
            self._moves = self._read(path)

    def __len__(self) -> int:
        return len(self._moves)

    def move_for(self, position: Position) -> int | None:
        """Returns the stored legal move of this position; None without one."""
        move = self._moves.get((position.hash, position.to_move))
        return move if move is not None and position.is_legal(move) else None

    def add(self, moves: dict[Key, int]) -> None:
        """Stores the moves of one won game."""
        self._moves.update(moves)
        if self._path is not None:
            self._write(self._path)

    @staticmethod
    def _read(path: Path) -> dict[Key, int]:
        try:
            rows = json.loads(path.read_text())
            return {(int(key), int(color)): int(move) for key, color, move in rows}
        except (ValueError, TypeError) as error:
            raise ValueError(f"{str(path)!r} is not a table of won games: {error}") from error

    def _write(self, path: Path) -> None:
        rows = [[key, color, move] for (key, color), move in self._moves.items()]
        with atomic_write(path) as unfinished:
            unfinished.write_text(json.dumps(rows))


class Rememberer:
    """An Agent with the moves of its won games, and a rule for other positions.

    As in the study, only the moves of won games are stored, and a stored move is never removed. The
    table lasts as long as the agent, over all its games.
    """

    def __init__(self, text: str, think: Think, table: WonGames, seed: int) -> None:
        self.text = text
        self.table = table
        self._think = think
        self._seed = seed
        self._played: dict[Key, int] = {}  # in this game

    def begin(self, seed: int) -> None:
        """Starts a new game, and drops the moves of an unfinished one."""
        self._seed = seed
        self._played = {}

    def choose(self, position: Position) -> Choice:
        """Returns the move of a won game, or the rule's."""
        choice = self._decide(position)
        if choice.move is not None:
            self._played[position.hash, position.to_move] = choice.move
        return choice

    def _decide(self, position: Position) -> Choice:
        move = self.table.move_for(position)
        if move is not None:
            return Choice(move, "as in a game that was won", nodes=0)
        finding = self._think(position, self._seed)
        reason = f"value {finding.value:+g}, {finding.nodes} positions"
        return Choice(finding.move, reason, nodes=finding.nodes)

    def finish(self, position: Position) -> None:
        """Stores the winner's moves of this agent's game."""
        won = {key: move for key, move in self._played.items() if key[1] == position.winner}
        if won:
            self.table.add(won)
        self._played = {}
