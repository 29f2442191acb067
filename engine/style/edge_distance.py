"""Distance of each move from the edge of the board, and the weights of the styles centre and edge.

Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for Game of Go,
JISE 37(3), 2021, for Go on 19x19 and 13x13. Line 1 is the border. The third line is for territory
and the fourth for influence on a board of any size, hence lines are not scaled: other boards take
the weights of the nearer size. Boards nearer to 9x9, with hardly anything beyond the third line,
have our own weights: the extremes of 19x19 on either side of that line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.games.position import Position
from engine.games.table import GAMES
from engine.style.distance import Distances, stepped

SIDE_OF_LARGE = 16  # cells of the shorter side: from here on a board of Go is nearer to 19x19
SIDE_OF_SMALL = 10  # cells of the shorter side: up to here it is nearer to 9x9


@dataclass(frozen=True, slots=True)
class LineWeights:
    """The factors on the policy by line."""

    limits: tuple[int, ...]  # upper limits of lines, rising
    centre: tuple[float, ...]  # the factor up to each limit, then the factor beyond the last
    edge: tuple[float, ...]


GO_LARGE = LineWeights((2, 3, 4, 5), (0.25, 0.50, 1.50, 1.75, 2.00), (2.00, 1.50, 0.75, 0.50, 0.25))
GO_MIDDLE = LineWeights((3,), (0.50, 2.00), (2.00, 0.50))
GO_SMALL = LineWeights((2, 3), (0.25, 0.50, 2.00), (2.00, 1.50, 0.25))
# Line 1 of Othello holds corners and edges; line 2 gives them away and is no part of the centre.
OTHELLO = LineWeights((1, 2), (0.50, 0.50, 2.00), (2.00, 0.50, 0.50))
CONNECT4 = LineWeights((2,), (0.50, 2.00), (2.00, 0.50))  # the line of a column


def edge_distances(game: str, position: Position) -> Distances:
    """Line of each move: [move_count], infinite for a pass.

    A Connect4 column has its distance by sides.
    """
    width, height = position.width, position.height
    lines = np.full(position.move_count, np.inf)
    across = np.minimum(np.arange(width), np.arange(width)[::-1]) + 1
    if GAMES[game].by_columns:
        lines[:width] = across
        return lines
    down = np.minimum(np.arange(height), np.arange(height)[::-1]) + 1
    lines[: width * height] = np.minimum(across[None, :], down[:, None]).ravel()
    return lines


def line_weights(game: str, position: Position) -> LineWeights:
    """Returns the table of weights for the board's game and size."""
    if game == "go":
        side = min(position.width, position.height)
        if side >= SIDE_OF_LARGE:
            return GO_LARGE
        return GO_SMALL if side <= SIDE_OF_SMALL else GO_MIDDLE
    return OTHELLO if game == "othello" else CONNECT4


def centre(game: str, position: Position) -> Distances:
    """Factors on the policy in favour of the centre: [move_count], 1 for a pass."""
    table = line_weights(game, position)
    return _by_line(game, position, table.limits, table.centre)


def edge(game: str, position: Position) -> Distances:
    """Factors on the policy in favour of the edge and the corners: [move_count], 1 for a pass."""
    table = line_weights(game, position)
    return _by_line(game, position, table.limits, table.edge)


def _by_line(
    game: str, position: Position, limits: tuple[int, ...], factors: tuple[float, ...]
) -> Distances:
    lines = edge_distances(game, position)
    return np.where(np.isinf(lines), 1.0, stepped(lines, limits, factors))
