"""Lines of a board counted from its border, and the weights by line of the styles centre and edge.

Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for Game of Go,
JISE 37(3), 2021, for Go on 19x19 and 13x13. Line 1 is the border. The third line is for territory
and the fourth for influence on a board of any size, so that lines are not scaled: other boards have
the weights of the nearer one. Boards nearer to 9x9, where hardly anything lies beyond the third
line, have ours: the extremes of 19x19 on its sides of that line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.games.position import Position
from engine.games.table import GAMES
from engine.style.distance import Distances, stepped

SIDE_OF_LARGE = 16  # cells of the shorter side, from which a board of Go is nearer to 19x19
SIDE_OF_SMALL = 10  # up to so many it is nearer to 9x9


@dataclass(frozen=True, slots=True)
class LineWeights:
    """Factors on the policy by line."""

    limits: tuple[int, ...]  # lines, rising
    centre: tuple[float, ...]  # factors up to each of them, and farther in
    edge: tuple[float, ...]


GO_LARGE = LineWeights((2, 3, 4, 5), (0.25, 0.50, 1.50, 1.75, 2.00), (2.00, 1.50, 0.75, 0.50, 0.25))
GO_MIDDLE = LineWeights((3,), (0.50, 2.00), (2.00, 0.50))
GO_SMALL = LineWeights((2, 3), (0.25, 0.50, 2.00), (2.00, 1.50, 0.25))
# Corners and edges of Othello are line 1; line 2 gives them away, but is no part of the centre.
OTHELLO = LineWeights((1, 2), (0.50, 0.50, 2.00), (2.00, 0.50, 0.50))
CONNECT4 = LineWeights((2,), (0.50, 2.00), (2.00, 0.50))  # columns


def edge_distances(game: str, position: Position) -> Distances:
    """[move_count] the line of each move, infinite for a pass; of a column by the sides alone."""
    width, height = position.width, position.height
    found = np.full(position.move_count, np.inf)
    across = np.minimum(np.arange(width), np.arange(width)[::-1]) + 1
    if GAMES[game].by_columns:
        found[:width] = across
        return found
    down = np.minimum(np.arange(height), np.arange(height)[::-1]) + 1
    found[: width * height] = np.minimum(across[None, :], down[:, None]).ravel()
    return found


def line_weights(game: str, position: Position) -> LineWeights:
    """The table for a board."""
    if game == "go":
        side = min(position.width, position.height)
        if side >= SIDE_OF_LARGE:
            return GO_LARGE
        return GO_SMALL if side <= SIDE_OF_SMALL else GO_MIDDLE
    return OTHELLO if game == "othello" else CONNECT4


def centre(game: str, position: Position) -> Distances:
    """[move_count] factors that want the centre, 1 for a pass."""
    table = line_weights(game, position)
    return _by_line(game, position, table.limits, table.centre)


def edge(game: str, position: Position) -> Distances:
    """[move_count] factors that want the edge and the corners, 1 for a pass."""
    table = line_weights(game, position)
    return _by_line(game, position, table.limits, table.edge)


def _by_line(
    game: str, position: Position, limits: tuple[int, ...], factors: tuple[float, ...]
) -> Distances:
    found = edge_distances(game, position)
    return np.where(np.isinf(found), 1.0, stepped(found, limits, factors))
