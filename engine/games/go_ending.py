"""The end of a game of Go: when to pass, clean up and resign; engine.games.go_count counts.

The decisions follow from the position, search reports and the etiquette of players. Callers pass
searches as functions and past evaluations as values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.chains import BLACK, WHITE, liberties_of, neighbours
from engine.games.dame import connection, fillable
from engine.games.go_count import (
    as_black,
    counts_as_it_stands,
    dead_stones,
    without_history,
)
from engine.values import Report, RootStats

OWNED = 0.75  # absolute ownership; from here on a point counts as owned

# Most cost of a friendly pass.
PASS_UTILITY = 0.1
PASS_POINTS = 0.25

# A pass at this cost in points comes too early.
FORGONE_POINTS = 0.5
# The same beside a move in one's own territory: a needed protection gains more than the error of a
# short search.
FORGONE_AT_HOME_POINTS = 2.0

# The lead with which an even player answers a pass by a pass, whatever is left to gain. It is more
# than the error of a short search.
LEAD_TO_PASS_POINTS = 3.0

# Most cost of filling a dame, in points as the search sees it. Losing stones by it costs more.
FILLING_POINTS = 2.0

ShortSearch = Callable[[GoPosition], Report]  # a short search of a position, with ownership


@dataclass(frozen=True, slots=True)
class EndingSettings:
    """When to resign, and how to end a game. None follows the rules."""

    allow_resignation: bool = True
    resign_win_rate: float = 0.05  # 0..1; resign below it
    resign_consecutive_turns: int = 3  # ... in so many own turns in a row
    resign_min_score_difference: float = 9.5  # points on 19x19, less on smaller boards by side
    resign_min_moves_per_board_area: float = 0.3
    friendly_pass: bool | None = None  # answer a pass with a pass if nothing is left to gain
    cleanup_before_pass: bool | None = None  # capture dead stones before passing


@dataclass(frozen=True, slots=True)
class TurnEvaluation:
    """The evaluation of the game by the side to move, at one of its turns."""

    win_rate: float  # 0..1
    score_lead: float  # points


def with_to_move(position: GoPosition, color: int) -> GoPosition:
    """Returns the position with that color to move; Go's protocols allow moves out of turn."""
    turned = position.copy()
    turned.to_move = color
    return turned


def capturing_moves(position: GoPosition, dead: NDArray[np.bool_]) -> list[int]:
    """Returns the legal moves next to the opponent's dead stones, [H, W] bool."""
    opponent = WHITE if position.to_move == 0 else BLACK
    stones = position.stones
    prey = dead & (stones == opponent)
    return [
        int(move)
        for move in np.flatnonzero(stones == 0)
        if touches(prey, int(move)) and position.is_legal(int(move))
    ]


def touches(points: NDArray[np.bool_], move: int) -> bool:
    """Whether a marked point, [H, W] bool, is a neighbour of the move's."""
    height, width = points.shape
    return any(bool(points.flat[other]) for other in neighbours(move, width, height))


def may_pass_friendly(position: GoPosition, settings: EndingSettings) -> bool:
    """Whether the opponent has just passed, and rules or settings favor a pass in answer."""
    rules = position.rules
    by_rules = rules.friendly_pass or rules.scoring == "TERRITORY"
    allowed = by_rules if settings.friendly_pass is None else settings.friendly_pass
    return (
        allowed
        and settings.cleanup_before_pass is not True
        and not rules.button
        and position.consecutive_passes == 1
        and not position.is_over
    )


def loses_nothing_by_passing(
    position: GoPosition, move: int, report: Report, search: ShortSearch
) -> bool:
    """Whether all borders are closed and a pass is as good as the search's move.

    report: of this position, with ownership. Calls `search` twice.
    """
    own = position.to_move
    ownership = as_black(report, position.stones.shape)
    dead = dead_stones(position, ownership)
    clean = without_history(position, own, removed=dead)
    area = clean.area()
    taken = ((ownership > OWNED) & (area != 1)) | ((ownership < -OWNED) & (area != -1))
    if any(not _is_dame(clean.stones, int(point)) for point in np.flatnonzero(taken)):
        return False
    opponent = WHITE if own == 0 else BLACK
    if touches(clean.stones == opponent, move):  # a dame or a reinforcement
        return False
    after_pass, after_move = _opponent_roots(position, move, search)
    return (
        after_pass.utility < after_move.utility + PASS_UTILITY
        and after_pass.score_mean < after_move.score_mean + PASS_POINTS
        and after_pass.score_lead < after_move.score_lead + PASS_POINTS
    )


def _is_dame(stones: NDArray[np.uint8], point: int) -> bool:
    """Whether the point is empty and has living neighbours of both colors."""
    both = touches(stones == BLACK, point) and touches(stones == WHITE, point)
    return bool(stones.flat[point] == 0) and both


def loses_by_passing(
    position: GoPosition, move: int, search: ShortSearch, points: float = FORGONE_POINTS
) -> bool:
    """Whether a pass costs more points than these compared with the move. Calls `search` twice."""
    after_pass, after_move = _opponent_roots(position, move, search)
    return after_pass.score_lead > after_move.score_lead + points


def wins_by_passing(position: GoPosition, search: ShortSearch, points: float) -> bool:
    """Whether the side to move leads by these points after a pass and the opponent's next move."""
    return search(without_history(position, 1 - position.to_move)).root.score_lead <= -points


def _opponent_roots(
    position: GoPosition, move: int, search: ShortSearch
) -> tuple[RootStats, RootStats]:
    """Returns the opponent's evaluations after a pass and after the move; its gain is our loss."""
    opponent = 1 - position.to_move
    moved = position.copy()
    moved.play(move)
    after_pass = search(without_history(position, opponent)).root
    return after_pass, search(without_history(moved, opponent)).root


def dame_moves(position: GoPosition, black_ownership: NDArray[np.float32]) -> list[int]:
    """Returns the legal moves on dame outside seki, with the dead stones taken off.

    In a gap of several points only those beside the opponent. A dame to be filled into atari is
    replaced by the connection needed first. Empty under territory scoring, as dame count nothing.
    black_ownership: [H, W] float32, +1 Black's.
    """
    if position.rules.scoring != "AREA":
        return []
    dead = dead_stones(position, black_ownership)
    clean = without_history(position, position.to_move, removed=dead)
    own, opponent = (BLACK, WHITE) if position.to_move == 0 else (WHITE, BLACK)
    owners = clean.area()
    moves = [
        move
        for dame in fillable(clean.stones, owners)
        for move in (dame, connection(clean.stones, owners, dame, own))
        if move is not None and _stands(position, move)
    ]
    return [move for move in moves if touches(clean.stones == opponent, move)] or moves


def _stands(position: GoPosition, move: int) -> bool:
    """Whether the move is legal and its stone captures others or has two liberties."""
    if not position.is_legal(move):
        return False
    moved = position.copy()
    moved.play(move)
    takes = int((moved.stones != 0).sum()) <= int((position.stones != 0).sum())
    return takes or len(liberties_of(moved.stones, move)) > 1


def loses_nothing_by_filling(position: GoPosition, move: int, search: ShortSearch) -> bool:
    """Whether filling a dame does no harm to the stones around it. Calls `search` twice."""
    after_pass, after_move = _opponent_roots(position, move, search)
    return after_move.score_lead < after_pass.score_lead + FILLING_POINTS


def wants_cleanup(position: GoPosition, settings: EndingSettings) -> bool:
    """Whether to capture dead stones before passing, since they would count as alive."""
    if settings.cleanup_before_pass is not None:
        return settings.cleanup_before_pass
    return counts_as_it_stands(position.rules) and settings.friendly_pass is not True


def should_resign(
    position: GoPosition, past: Sequence[TurnEvaluation], settings: EndingSettings
) -> bool:
    """Whether to resign, out of respect for the opponent's time and chances.

    past: the evaluations of this game by the side to move, the current one last.
    """
    turns = settings.resign_consecutive_turns
    area = position.width * position.height
    if not settings.allow_resignation or len(past) < turns or turns < 1:
        return False
    if position.move_number < settings.resign_min_moves_per_board_area * area:
        return False
    if any(evaluation.win_rate >= settings.resign_win_rate for evaluation in past[-turns:]):
        return False
    enough = settings.resign_min_score_difference * min(1.0, math.sqrt(area) / 19)
    behind = -past[-1].score_lead
    return behind > enough + disadvantage_to_be_expected(position, past[0])


def disadvantage_to_be_expected(position: GoPosition, first: TurnEvaluation) -> float:
    """Returns the deficit still normal for a player behind from the start, in points.

    A deficit by handicap or komi should be made up by the time the board is about half full; a part
    of it is always allowed.
    """
    area = position.width * position.height
    left = max(0.0, 1.0 - position.move_number / (0.6 * area))
    return max(0.0, -first.score_lead) * (left + 0.15)
