"""The solved 2x4 board of dark chess as fractions: values, best moves and distributions.

A value is the expected result of best play for the side to move: 1 won, 0 drawn, -1 lost. The
solver is engine/core/solvers/solve_darkchess.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine._core import DarkChessPosition, SolvedDarkChess
from engine.games.dark_chess import new_position, read_action, set_up, write_action

WIDTH, HEIGHT = 2, 4


@dataclass(frozen=True, slots=True)
class DarkChessProblem:
    """A position of the 2x4 board with its material, and the text that it came from."""

    text: str
    material: str
    position: DarkChessPosition

    @property
    def is_start(self) -> bool:
        """Whether no piece is revealed yet."""
        return sum(self.position.pool) == WIDTH * HEIGHT


def read_problem(text: str) -> DarkChessProblem:
    """Returns the position of a text: a material, and perhaps moves or a board after a colon.

    Examples are "KGGP", "PPPP:a1(p),b3(P),a1-a2" and "KGGP:-g/XX/KX/-X red GGkp": rows from the
    top, the color to move, the unrevealed pieces. Raises ValueError quoting another text.
    """
    material, _, rest = text.partition(":")
    position = new_position(WIDTH, HEIGHT, material, quiet_limit=0, repetitions=0)
    if "/" in rest:
        board, _, side = rest.partition(" ")
        set_up(position, "\n".join([*board.split("/"), side]))
        return DarkChessProblem(text, material.upper(), position)
    for word in filter(None, rest.split(",")):
        try:
            position.play(read_action(word, WIDTH, HEIGHT))
        except ValueError as error:
            raise ValueError(f"{word!r} in {text!r}: {error}") from error
    return DarkChessProblem(text, material.upper(), position)


def value_of(solution: SolvedDarkChess, position: DarkChessPosition) -> Fraction:
    """Returns the value of a position of the solved material."""
    return Fraction(solution.value(position), solution.whole)


def action_values(solution: SolvedDarkChess, position: DarkChessPosition) -> dict[int, Fraction]:
    """Returns the value of each legal move for its side; none after the end."""
    pairs = solution.action_values(position)
    return {move: Fraction(value, solution.whole) for move, value in pairs}


def best_moves(solution: SolvedDarkChess, position: DarkChessPosition) -> list[int]:
    """Returns the moves with the greatest value, in rising order."""
    values = solution.action_values(position)
    most = max((value for _, value in values), default=0)
    return sorted(move for move, value in values if value == most)


def spelled_values(solution: SolvedDarkChess, position: DarkChessPosition) -> dict[str, Fraction]:
    """Returns the value of each legal move as text, the best first."""
    values = action_values(solution, position)
    order = sorted(values, key=lambda move: (-values[move], move))
    return {write_action(move, WIDTH, HEIGHT): values[move] for move in order}


@dataclass(frozen=True, slots=True)
class ValueDistribution:
    """The numbers of positions that play reaches from the start, by value for the side to move."""

    counts: dict[Fraction, int]

    @classmethod
    def of(cls, solution: SolvedDarkChess) -> ValueDistribution:
        """Returns the distribution of a solved material; takes up to 10 seconds."""
        return cls(
            {Fraction(value, solution.whole): count for value, count in solution.distribution()}
        )

    @property
    def positions(self) -> int:
        """The number of positions."""
        return sum(self.counts.values())

    def share(self, low: Fraction, high: Fraction) -> float:
        """Returns the share of the positions with values from low to high, both included."""
        inside = sum(count for value, count in self.counts.items() if low <= value <= high)
        return inside / self.positions

    def histogram(self, bins: int) -> list[float]:
        """Returns the shares of equal parts of -1..1, from the lowest; the last includes 1."""
        sums = [0] * bins
        for value, count in self.counts.items():
            sums[min(int((value + 1) * bins / 2), bins - 1)] += count
        return [count / self.positions for count in sums]
