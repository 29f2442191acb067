"""The exact move in late positions: a step with the game's solver.

The module has the cost of solving, and the choice among equally good moves. The solvers are in
engine.search.solver.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine._core import Solution
from engine.games.position import Position
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.search.solver import SOLVERS, TimedSolver, reaches
from engine.values import Bounds, Choice, Limit, MoveStats, Report

MOST_MEGABYTES = 64  # largest size of a solver's table
MEGABYTES_A_SECOND = (
    512  # size for a second of expected solving; clearing a larger table costs time
)
TIME_SHARE = 0.5  # share of a move's time for solving
UNTIMED_SECONDS = 0.25  # time for solving without a time limit
TASTE_VISITS = 100  # visits of the search among equally good moves


@dataclass(frozen=True, slots=True)
class SolveCost:
    """The mean time of solving at a number of empty cells, measured on one core."""

    empties: int  # empty cells
    seconds: float  # time to solve a position with this number of empty cells
    growth: float  # factor of the time for one more empty cell

    def seconds_for(self, empties: int) -> float:
        """Returns the expected time to solve a position with this number of empty cells."""
        return float(self.seconds * self.growth ** (empties - self.empties))


COSTS = {  # by game; the usual boards, random positions
    "othello": SolveCost(empties=16, seconds=0.14, growth=2.0),
    "connect4": SolveCost(empties=28, seconds=0.04, growth=1.75),
}
WINS_BY: dict[str, Callable[[int], str]] = {
    "othello": lambda score: f" by {score} discs",
    "connect4": lambda score: f" with a score of {score}",
}


def play_exactly(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays an exactly best move, the most natural one of several.

    None if solving is off or too slow, or if the request's restriction bars its result.
    """
    if not request.solve or forbids_later(request):
        return None
    allowed = seconds_allowed(request.limit)
    empties = int((request.position.stones == 0).sum())
    expected = COSTS[request.game].seconds_for(empties)
    if expected > allowed:
        return None
    started = search.now()
    megabytes = min(MOST_MEGABYTES, 1 + int(MEGABYTES_A_SECOND * expected))
    solving = TimedSolver(
        SOLVERS[request.game](megabytes), request.stop, search.now, started + allowed
    )
    solution = solving.solve(request.position)
    if solution is None:
        return None
    equals = [solution.move, *_other_moves_as_good(solving, request.position, solution)]
    fair = [move for move in equals if request.allows(move)]
    if not fair:
        return None
    if request.excess is not None:
        fair = [int(move) for move in request.excess.allowed(np.array(fair))[0]]
    taste = _taste_limit(request.limit.after(search.now() - started))
    report = search.run(
        taste, stop=request.stop, options=request.options, restriction=request.restriction
    )
    searched = [move.move for move in report.moves if move.move in fair]
    move = searched[0] if searched else fair[0]
    line = tuple(solution.pv) if move == solution.move else None
    report = _exact(report, equals, move, solution.score, line)
    return Choice(move, f"The end is solved: it {in_words(request.game, solution.score)}.", report)


def forbids_later(request: MoveRequest[Position]) -> bool:
    """Returns whether moves are forbidden beyond the first one; a solver cannot respect this."""
    restriction = request.restriction
    if restriction is None:
        return False
    black = request.position.to_move == 0
    own, other = restriction.black, restriction.white
    own, other = (own, other) if black else (other, own)
    return max(own, default=0) > 1 or max(other, default=0) > 0


def seconds_allowed(limit: Limit) -> float:
    """Returns the time for solving, in seconds."""
    least = limit.least_seconds
    return UNTIMED_SECONDS if least is None else TIME_SHARE * least


def in_words(game: str, score: int) -> str:
    """Returns a final score of the side to move as words: "wins by 12 discs"."""
    if score == 0:
        return "draws"
    return ("wins" if score > 0 else "loses") + WINS_BY[game](abs(score))


def _other_moves_as_good(solving: TimedSolver, position: Position, solution: Solution) -> list[int]:
    """Returns other moves with the same score, as many as there is time to find."""

    def solve(after: Position, alpha: int, beta: int) -> int | None:
        answer = solving.solve(after, alpha, beta)
        return None if answer is None else answer.score

    others = []
    for move in position.legal_moves():
        if move == solution.move:
            continue
        is_as_good = reaches(position, move, solution.score, solve)
        if is_as_good is None:
            break
        if is_as_good:
            others.append(move)
    return others


def _taste_limit(limit: Limit) -> Limit:
    visits = TASTE_VISITS if limit.visits is None else min(TASTE_VISITS, limit.visits)
    return dataclasses.replace(limit, visits=visits)


def _unsearched(move: int, report: Report) -> MoveStats:
    """Returns a root move without a visit, with the root's values."""
    root = report.root
    return MoveStats(
        move=move,
        order=len(report.moves),
        visits=0,
        edge_visits=0,
        win_rate=root.win_rate,
        no_result=root.no_result,
        score_lead=root.score_lead,
        score_mean=root.score_mean,
        score_stdev=root.score_stdev,
        utility=root.utility,
        lcb=root.win_rate,
        utility_lcb=root.utility,
        prior=float(report.policy[move]),
        weight=0.0,
        edge_weight=0.0,
        play_selection_value=0.0,
        pv=(move,),
        pv_visits=(0,),
        pv_edge_visits=(0,),
    )


def _exact(
    report: Report, equals: list[int], chosen: int, score: int, line: tuple[int, ...] | None
) -> Report:
    """Returns the report with the exact values of the best moves, the chosen one first."""
    win_rate = 0.5 if score == 0 else float(score > 0)
    bounds = Bounds(score, score)

    def corrected(move: MoveStats) -> MoveStats:
        if move.move not in equals:
            return move
        pv, visits, edge_visits = move.pv, move.pv_visits, move.pv_edge_visits
        if line and move.move == chosen:
            unvisited = (0,) * (len(line) - 1)
            pv = line
            visits, edge_visits = (move.visits, *unvisited), (move.edge_visits, *unvisited)
        return dataclasses.replace(
            move,
            win_rate=win_rate,
            lcb=win_rate,
            no_result=0.0,
            score_lead=score,
            score_mean=score,
            score_stdev=0.0,
            bounds=bounds,
            pv=pv,
            pv_visits=visits,
            pv_edge_visits=edge_visits,
        )

    root = dataclasses.replace(
        report.root,
        win_rate=win_rate,
        no_result=0.0,
        score_lead=score,
        score_mean=score,
        score_stdev=0.0,
        bounds=bounds,
    )
    moves = report.moves
    if all(move.move != chosen for move in moves):
        moves = (*moves, _unsearched(chosen, report))
    ordered = sorted(map(corrected, moves), key=lambda m: m.move != chosen)
    moves = tuple(dataclasses.replace(move, order=i) for i, move in enumerate(ordered))
    return dataclasses.replace(report, root=root, moves=moves)
