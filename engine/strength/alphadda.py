"""AlphaDDA1, 2 and 3 as published: strength from the value of the present game alone.

Fujita, AlphaDDA, PeerJ CS 8:e1123, 2022: the equations, and the constants chosen by its grid
search, as a table. The searches are in engine.play.steps.alphadda.

A value is the network's evaluation of a position of the real game, without a search; +1 is a win of
the first player. An equation takes the mean of the last values from AlphaDDA's view, vbar c. Above
0 AlphaDDA is ahead, and plays worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any, ClassVar, TypeVar

from engine.games.table import Board

MOST_POSITIONS = 8  # the most positions of the game in a mean; a move request holds no more
LARGEST = 1e6  # the greatest constant accepted in a text
MOST_DROPPED = 0.95  # the greatest share of a layer's inputs to drop; the paper clips there
# significant digits of a number of simulations: 100.00000000000001 is not rounded up to 101
HAIR = 9
FEWEST = 1  # simulations: the paper has N_sim >= 1, and one selects a move by the policy


@dataclass(frozen=True, slots=True)
class Simulations:
    """AlphaDDA1: the number of simulations follows the value of the game."""

    positions: int  # N_h, the number of positions in the mean
    steepness: float  # A_sim
    offset: float  # B_sim0
    most: int  # N_max

    letters: ClassVar[str] = "N_H,A,B,N_MAX"

    def visits(self, own_value: float) -> int:
        """Returns N_sim = ceil(10^(-A (vbar c + B))), from 1 to N_max."""
        digits = -self.steepness * (own_value + self.offset)
        if digits >= math.log10(self.most):
            return self.most
        return max(FEWEST, math.ceil(round(math.pow(10.0, digits), HAIR)))


@dataclass(frozen=True, slots=True)
class Damage:
    """AlphaDDA2: the dropout in the network's heads follows the value of the game."""

    positions: int  # N_h
    steepness: float  # A_drop
    offset: float  # P_drop0

    letters: ClassVar[str] = "N_H,A,P"

    def dropout(self, own_value: float) -> float:
        """Returns P_drop = A (vbar c + P_drop0), from 0 to 0.95.

        The paper prints vbar + P_drop0. Without c the second player would lose its network's inputs
        while it is behind; the paper's text and AlphaDDA1's equation have c, and so has this.
        """
        return min(max(self.steepness * (own_value + self.offset), 0.0), MOST_DROPPED)


@dataclass(frozen=True, slots=True)
class Balance:
    """AlphaDDA3: a search for positions that undo the lead; engine/core/search/balance_tree.h."""

    positions: int  # N_h
    exploration: float  # C

    letters: ClassVar[str] = "N_H,C"


Constants = Simulations | Damage | Balance
K = TypeVar("K", bound=Constants)


@dataclass(frozen=True, slots=True)
class AlphaDda1:
    """Play as AlphaDDA1; without constants, with those published for the board."""

    constants: Simulations | None = None

    @classmethod
    def read(cls, text: str) -> AlphaDda1:
        """Reads the constants, the published ones from an empty text; ValueError as below."""
        return cls(read_constants(Simulations, text) if text else None)


@dataclass(frozen=True, slots=True)
class AlphaDda2:
    """Play as AlphaDDA2; without constants, with those published for the board."""

    constants: Damage | None = None

    @classmethod
    def read(cls, text: str) -> AlphaDda2:
        """Reads the constants, the published ones from an empty text; ValueError as below."""
        return cls(read_constants(Damage, text) if text else None)


@dataclass(frozen=True, slots=True)
class AlphaDda3:
    """Play as AlphaDDA3; without constants, with those published for the board."""

    constants: Balance | None = None

    @classmethod
    def read(cls, text: str) -> AlphaDda3:
        """Reads the constants, the published ones from an empty text; ValueError as below."""
        return cls(read_constants(Balance, text) if text else None)


@dataclass(frozen=True, slots=True)
class Published:
    """A row of the paper's tables of constants."""

    simulations: Simulations
    damage: Damage
    balance: Balance


CONNECT4 = "connect4"
OTHELLO6 = "othello6"
OTHELLO8 = "othello8"
PUBLISHED: dict[str, Published] = {
    CONNECT4: Published(Simulations(3, 2.0, -1.4, 200), Damage(1, 10.0, -0.2), Balance(5, 1.25)),
    OTHELLO6: Published(Simulations(4, 1.4, -1.6, 200), Damage(4, 5.0, -0.5), Balance(1, 0.75)),
    OTHELLO8: Published(Simulations(2, 2.8, -1.4, 400), Damage(4, 20.0, -0.9), Balance(5, 0.6)),
}


def row_of(board: Board) -> str:
    """Returns the key of PUBLISHED for a board: its own, or the nearest of the three.

    Connect4 of any size uses Connect4's, Othello up to 6x6 uses 6x6's, larger boards and Go use
    8x8's. None of the equations contains a number of cells; nothing is scaled.
    """
    if board.game == "connect4":
        return CONNECT4
    small = board.game == "othello" and board.width <= 6
    return OTHELLO6 if small else OTHELLO8


def published(board: Board) -> Published:
    """Returns the paper's constants for a board, or for the nearest of its three boards."""
    return PUBLISHED[row_of(board)]


def mean_value(values: Sequence[float], positions: int) -> float:
    """Returns vbar, the mean of the last `positions` values, oldest first, or of all of fewer.

    Raises ValueError for no values.
    """
    last = values[-positions:]
    if not last or positions < 1:
        raise ValueError(f"no mean of the last {positions} of {len(values)} values")
    return sum(last) / len(last)


def read_constants(kind: type[K], text: str) -> K:
    """Parses constants such as "3,2,-1.4,200". Raises ValueError, quoting a wrong text."""
    declared = fields(kind)
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    counts = [n for n, field in zip(numbers, declared, strict=False) if field.type == "int"]
    fit = len(numbers) == len(declared) and all(abs(number) <= LARGEST for number in numbers)
    if not fit or any(n < 1 or n != int(n) for n in counts) or counts[0] > MOST_POSITIONS:
        raise ValueError(
            f"constants {text!r} are not {kind.letters}, N whole numbers from 1 on, N_H at most "
            f"{MOST_POSITIONS} and all others within {LARGEST:g}"
        )
    pairs = zip(numbers, declared, strict=True)
    arguments: list[Any] = [int(n) if field.type == "int" else n for n, field in pairs]
    return kind(*arguments)


def write_constants(constants: Constants) -> str:
    """Formats constants for read_constants.

    >>> write_constants(Simulations(3, 2.0, -1.4, 200))
    '3,2,-1.4,200'
    """
    return ",".join(f"{value:g}" for value in astuple(constants))
