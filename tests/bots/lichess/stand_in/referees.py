"""The rules that the stand-in keeps, one class a game, in the notation of the wire.

They share no code with the bot's translation.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from engine._core import GoPosition, GoRules, OthelloPosition

LETTERS = "abcdefghijklmnopqrs"


class Referee(Protocol):
    """One game. A side is 0, the first to move from the usual start, or 1."""

    start: str

    @property
    def to_move(self) -> int:
        """The side to move."""

    def legal(self) -> list[str]:
        """The legal moves, as the server writes them."""

    def play(self, move: str) -> str:
        """Plays a move and returns it as the server writes it; ValueError on an illegal one."""

    def outcome(self) -> tuple[str, int | None] | None:
        """The status and the winner of a finished game."""


class FlipelloReferee:
    def __init__(self) -> None:
        self.start = "startpos"
        self.position = OthelloPosition()

    @property
    def to_move(self) -> int:
        return int(self.position.to_move)

    def _name(self, move: int) -> str:
        if move == 64:
            own = [cell for cell in range(64) if self.owner(cell) == self.to_move]
            file, rank = min((7 - cell // 8, cell % 8) for cell in own)[::-1]
            return f"{LETTERS[file]}{rank + 1}" * 2
        return f"P@{LETTERS[move % 8]}{8 - move // 8}"

    def owner(self, cell: int) -> int | None:
        return {0: None, 1: 0, 2: 1}[int(self.position.stones[cell // 8, cell % 8])]

    def legal(self) -> list[str]:
        return [self._name(move) for move in self.position.legal_moves()]

    def play(self, move: str) -> str:
        index = next((i for i in self.position.legal_moves() if self._name(i) == move), None)
        if index is None:
            raise ValueError(f"Invalid UCI: {move}")
        self.position.play(index)
        return move

    def outcome(self) -> tuple[str, int | None] | None:
        if not self.position.is_over:
            return None
        discs = [sum(self.owner(cell) == side for cell in range(64)) for side in (0, 1)]
        return "variantEnd", None if discs[0] == discs[1] else int(discs[1] > discs[0])


class GoReferee:
    """Go as PlayStrategy has it: two passes, then the players agree on the dead stones."""

    def __init__(self, size: int, komi: float = 5.5, stones: tuple[str, ...] = ()) -> None:
        self.size, self.komi = size, komi
        self.rules = GoRules(ko="POSITIONAL", suicide=False, white_handicap_bonus="0")
        self.position = GoPosition(size, size, self.rules, komi)
        self.start = self._fen(stones)
        self.stones = stones
        self.moves: list[str] = []
        self.winner: int | None = None
        self.is_counted = False
        if stones:
            self.position.setup([(0, self._index(stone)) for stone in stones], 1)

    def _fen(self, stones: tuple[str, ...]) -> str:
        rows = []
        for rank in range(self.size, 0, -1):
            row, empty = "", 0
            for file in LETTERS[: self.size]:
                if f"{file}{rank}" in stones:
                    row += (str(empty) if empty else "") + "S"
                    empty = 0
                else:
                    empty += 1
            rows.append(row + (str(empty) if empty else ""))
        turn, komi = "w" if stones else "b", int(self.komi * 10)
        pocket = "[SSSSSSSSSSssssssssss]"
        return f"{'/'.join(rows)}{pocket} {turn} - {len(stones) * 10} {komi} 0 0 {komi} 0 1"

    def _index(self, point: str) -> int:
        return (self.size - int(point[1:])) * self.size + LETTERS.index(point[0])

    def _point(self, index: int) -> str:
        return f"{LETTERS[index % self.size]}{self.size - index // self.size}"

    @property
    def to_move(self) -> int:
        return int(self.position.to_move)

    @property
    def is_counting(self) -> bool:
        """Whether two passes await an agreement; a third and a fourth pass end the game."""
        return self.moves[-2:] == ["pass", "pass"] and not self.is_counted

    def legal(self) -> list[str]:
        area = self.size * self.size
        moves = [move for move in self.position.legal_moves() if move < area]
        return [f"s@{self._point(move)}" for move in moves] + ["pass"]

    def play(self, move: str) -> str:
        if move not in self.legal():
            raise ValueError(f"Invalid UCI: {move}")
        index = self.size * self.size if move == "pass" else self._index(move[2:])
        self.position.play(index)
        self.moves.append(move)
        if self.moves[-4:] == ["pass"] * 4:
            self.count(())
        return move

    def count(self, dead: tuple[str, ...]) -> None:
        """Ends the game by area without the dead stones."""
        self.is_counted = True
        self.moves.append("ss:" + ",".join(dead))
        board = [int(cell) for cell in self.position.stones.flat]
        for point in dead:
            board[self._index(point)] = 0
        areas = [self._area(board, color) for color in (1, 2)]
        lead = areas[0] - areas[1] - self.komi
        self.winner = None if lead == 0 else int(lead < 0)

    def _area(self, board: list[int], color: int) -> int:
        total = sum(cell == color for cell in board)
        seen: set[int] = set()
        for start, cell in enumerate(board):
            if cell or start in seen:
                continue
            region, borders, stack = 0, set(), [start]
            seen.add(start)
            while stack:
                here = stack.pop()
                region += 1
                for near in self._neighbours(here):
                    if board[near]:
                        borders.add(board[near])
                    elif near not in seen:
                        seen.add(near)
                        stack.append(near)
            total += region if borders == {color} else 0
        return total

    def _neighbours(self, index: int) -> list[int]:
        x, y = index % self.size, index // self.size
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [b * self.size + a for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def outcome(self) -> tuple[str, int | None] | None:
        return ("variantEnd", self.winner) if self.is_counted else None


class ChessReferee:
    """Chess by python-chess. `castling` writes castling as "king" or "rook", or as it comes."""

    def __init__(self, fen: str = "startpos", *, is_chess960: bool = False, seed: int = 0) -> None:
        import chess  # noqa: PLC0415

        self.start = fen
        self.is_chess960 = is_chess960
        usual = fen == "startpos"
        self.board: Any = (
            chess.Board(chess960=is_chess960) if usual else chess.Board(fen, chess960=is_chess960)
        )
        self.rng = random.Random(seed)
        self.castlings = 0

    @property
    def to_move(self) -> int:
        return int(not self.board.turn)

    def _text(self, move: Any) -> str:
        """One notation of castling or the other, drawn by lot except in Chess960."""
        by_rook = self.is_chess960 or self.rng.random() < 0.5
        return str(self.board.uci(move, chess960=by_rook))

    def legal(self) -> list[str]:
        castling = list(self.board.generate_castling_moves())
        return [self._text(move) for move in (castling or self.board.legal_moves)]

    def play(self, move: str) -> str:
        parsed = self.board.parse_uci(move)  # takes both notations
        self.castlings += self.board.is_castling(parsed)
        text = self._text(parsed)
        self.board.push(parsed)
        return text

    def outcome(self) -> tuple[str, int | None] | None:
        found = self.board.outcome(claim_draw=True)
        if found is None and self.board.ply() < 160:
            return None
        if found is None or found.winner is None:
            return "draw", None
        return "mate", int(not found.winner)


CHESS960_START = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"
POSITION = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 6 8"
REFEREES: dict[str, Callable[[], Referee]] = {
    "flipello": FlipelloReferee,
    "go9x9": lambda: GoReferee(9),
    "standard": ChessReferee,
    "chess960": lambda: ChessReferee(CHESS960_START, is_chess960=True),
    "fromPosition": lambda: ChessReferee(POSITION),
}
