"""Openings for matches: a few seeded random moves, without any engine.

Go's openings take usual first points, those of chess are lines of a table. In the other games the
moves are random legal ones; the game then goes on, without a win at once. Each opening is played
twice with colors exchanged, so it need not be even.
"""

from __future__ import annotations

import random

from engine.games.chance import drawn, outcomes
from engine.games.position import Position
from engine.match import chess_openings
from engine.match.game_spec import GameSpec

# boards of this side or more have corners of their own, smaller ones are one fight
CORNER_BOARD = 12
CORNER_POINTS = ((3, 3), (3, 3), (2, 3), (3, 2), (2, 2), (4, 2), (2, 4))  # 0 is the first line

CELLS_PER_PLY = 8  # an opening leaves most of a small board's game
MOST_PLIES = {"othello": 8, "connect4": 4, "einstein": 2, "chess": chess_openings.PLIES}
ATTEMPTS = 1000


def usual_plies(start: GameSpec) -> int:
    """Returns the usual number of an opening's moves: 8 in Othello (6x6 4, 4x4 2), 4 in Connect4.

    In chess it is 8. In EinStein würfelt nicht it is 2, the placings. In Go it is 0: openings have
    their own shapes.
    """
    return min(MOST_PLIES.get(start.game, 0), start.width * start.height // CELLS_PER_PLY)


def opening(start: GameSpec, rng: random.Random, plies: int | None = None) -> tuple[int, ...]:
    """Returns moves in turn from an empty board.

    plies: their number; ignored in Go. Raises ValueError if no such opening is found.
    """
    if start.game == "go":
        return stones(start.width, start.height, rng)
    plies = usual_plies(start) if plies is None else plies
    if start.game == "chess":
        return tuple(map(start.read, rng.choice(chess_openings.LINES).split()[:plies]))
    return legal_moves(start.empty(), rng, plies) if plies else ()


def legal_moves(position: Position, rng: random.Random, plies: int) -> tuple[int, ...]:
    """Returns `plies` random moves, forced passes included, with no win at once after them."""
    for _ in range(ATTEMPTS):
        board = position.copy()
        moves: list[int] = []
        while len(moves) < plies and not board.is_over:
            moves.append(drawn(board, rng.choice(board.legal_moves()), rng.randrange))
            board.play(moves[-1])
        if not board.is_over and not wins_at_once(board) and not loses_at_once(board):
            return tuple(moves)
    raise ValueError(f"no opening of {plies} moves leaves a game to play")


def wins_at_once(position: Position) -> bool:
    """Whether some move wins the game for the side to move."""
    return any(after.is_over and after.winner == position.to_move for after in _followers(position))


def loses_at_once(position: Position) -> bool:
    """Whether the opponent wins at once after every move."""
    return all(not after.is_over and wins_at_once(after) for after in _followers(position))


def _followers(position: Position) -> list[Position]:
    """Returns the positions after each legal move, with each outcome."""
    followers = []
    for move in position.legal_moves():
        for played, _ in outcomes(position, move):
            followers.append(position.copy())
            followers[-1].play(played)
    return followers


def stones(width: int, height: int, rng: random.Random) -> tuple[int, ...]:
    """Returns moves of Go in turn: one a corner on large boards, else two off the edges.

    Every point is on the third line or higher, if the board has one; no two stones touch.
    """
    if min(width, height) >= CORNER_BOARD:
        points = _corners(width, height, rng)
    else:
        points = _inner_pair(width, height, rng)
    return tuple(y * width + x for x, y in points)


def _corners(width: int, height: int, rng: random.Random) -> list[tuple[int, int]]:
    points = []
    for right in (False, True):
        for bottom in (False, True):
            x, y = rng.choice(CORNER_POINTS)
            points.append((width - 1 - x if right else x, height - 1 - y if bottom else y))
    rng.shuffle(points)
    return points


def _inner_pair(width: int, height: int, rng: random.Random) -> list[tuple[int, int]]:
    inner = [
        (x, y)
        for x in range(min(2, width // 3), width - min(2, width // 3))
        for y in range(min(2, height // 3), height - min(2, height // 3))
    ]
    first = rng.choice(inner)
    apart = [point for point in inner if _distance(first, point) > 1]
    return [first, rng.choice(apart)]


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
