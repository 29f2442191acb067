"""The lines of another engine about a position of chess, as values.

An engine of UCI names moves with a score in centipawns or a mate, and perhaps the chances of win,
draw and loss, as Stockfish does with its option UCI_ShowWDL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.games.chess_game import read_uci
from engine.search.pawns import MATE_PAWNS, value_at

if TYPE_CHECKING:
    from engine.games.chess_position import ChessPosition

PERMILLE = 1000
SCORE = re.compile(r"\bscore (cp|mate) (-?\d+)(?: (lowerbound|upperbound))?", re.ASCII)
CHANCES = re.compile(r"\bwdl (\d+) (\d+) (\d+)", re.ASCII)
NUMBER = re.compile(r"\bmultipv (\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class EngineLine:
    """One move with its value, as the side to move sees it."""

    move: int
    win_loss: float  # the probability of a win minus that of a loss
    draw: float  # probability; 0 if the engine states none
    pawns: float  # the lead; MATE_PAWNS or less for a mate
    variation: tuple[int, ...]  # begins with the move


def read_line(line: str, position: ChessPosition) -> tuple[int, EngineLine] | None:
    """Returns the number and the value of an `info` line; None for one without an exact score."""
    head, has_moves, moves = line.partition(" pv ")
    score = SCORE.search(head)
    if not line.startswith("info") or not has_moves or score is None or score[3]:
        return None
    variation: list[int] = []
    for word in moves.split():
        try:
            variation.append(position.read_move(word) if not variation else read_uci(word))
        except ValueError:
            break
    if not variation:
        return None
    pawns = _pawns(score[1], int(score[2]))
    win_loss, draw = value_at(pawns), 0.0
    if chances := CHANCES.search(head):
        win, draw_count, loss = map(int, chances.groups())
        win_loss, draw = (win - loss) / PERMILLE, draw_count / PERMILLE
    number = NUMBER.search(head)
    value = EngineLine(variation[0], win_loss, draw, pawns, tuple(variation))
    return int(number[1]) if number else 1, value


def _pawns(unit: str, number: int) -> float:
    """Returns the lead of a score in centipawns, or in moves to a mate; 0 is being mated."""
    if unit == "cp":
        return number / 100
    mating = number > 0
    return (1 if mating else -1) * (MATE_PAWNS - min(abs(number), MATE_PAWNS / 2))
