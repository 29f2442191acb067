"""The advice of one position: the better moves by a search or a solver, and the moves of people.

engine.review.judging collects it, engine.review.lessons draws lessons from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine._core import Solution
from engine.opponents import open_points
from engine.values import Report

MOST_PEOPLE, LEAST_SHARE = 3, 0.05  # the most moves of people, and the least share of each


@dataclass(frozen=True, slots=True)
class PositionAdvice:
    """The better moves of one position, and the moves of people of the player's level."""

    best_line: tuple[int, ...] = ()  # the best move and the moves after it; empty: unknown
    # Points that each searched move loses against the best one; win rate in a game without points.
    losses: Mapping[int, float] = field(default_factory=dict)
    deviation: float = 0.0  # points, of the final score by the search
    open_points: float = 0.0  # number of points without a certain owner; Go alone
    people: tuple[tuple[int, float], ...] = ()  # (move, share of people), the greatest share first
    people_share: float | None = None  # share of people who play the played move; None: unknown

    def among(self, policy: NDArray[np.float64], played: int) -> Self:
        """Returns the advice with the moves of people. policy: [move_count] their probabilities."""
        order = np.argsort(-policy, kind="stable")[:MOST_PEOPLE]
        people = tuple(
            (int(move), float(policy[move])) for move in order if policy[move] >= LEAST_SHARE
        )
        return replace(self, people=people, people_share=float(policy[played]))


def advice_of_search(report: Report, *, has_points: bool) -> PositionAdvice:
    """Returns the advice of a searched position."""
    visited = [stats for stats in report.moves if stats.visits > 0]
    if not visited:
        return PositionAdvice()
    best = visited[0]
    return PositionAdvice(
        best_line=best.pv or (best.move,),
        losses={
            stats.move: (
                best.score_lead - stats.score_lead if has_points else best.win_rate - stats.win_rate
            )
            for stats in visited
        },
        deviation=report.root.score_stdev,
        open_points=0.0 if report.ownership is None else open_points(report.ownership),
    )


def advice_of_solution(solution: Solution, longest: int) -> PositionAdvice:
    """Returns the advice of a solved position; its line has `longest` moves at most."""
    if solution.move < 0:
        return PositionAdvice()
    line = tuple(solution.pv[:longest])
    if not line or line[0] != solution.move:
        line = (solution.move,)
    return PositionAdvice(best_line=line, losses={solution.move: 0.0})
