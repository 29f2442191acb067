"""The last moves of an Othello game with a target margin, by exact scores of all moves.

engine.style.target_margin defines the target, engine.search.solver solves. This module has the cost
of solving all moves, and chooses among them by naturalness.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.position import Position
from engine.play.steps.exact import (
    COSTS,
    MEGABYTES_A_SECOND,
    MOST_MEGABYTES,
    in_words,
    seconds_allowed,
)
from engine.play.steps.leads import after_move
from engine.play.steps.reading import margins_of
from engine.play.steps.request import MoveRequest
from engine.play.steps.score_lead import marked_policy
from engine.search.search import Search
from engine.search.solver import SOLVERS, TimedSolver
from engine.style.ending import Ending
from engine.style.score_lead import ScoreLead
from engine.style.target_leads import Candidate, outside
from engine.values import Choice, Limit

ALL_MOVES = 4.0  # time for the scores of all moves, as a multiple of the position's own


def end_exactly(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays by the persona's ending and all final scores; None without these.

    The move is the most natural one among those nearest to a target margin.
    """
    position, ending = request.position, request.persona.ending
    moves = [move for move in position.legal_moves() if request.allows(move)]
    if ending is None or not request.solve or not moves:
        return None
    scores = scores_of(search, request, moves)
    if scores is None:
        return None
    report = search.run(Limit(visits=1), restriction=request.restriction)
    reference = None if isinstance(ending, ScoreLead) else request.reference
    policy = marked_policy(
        request, report.policy if reference is None else reference.policy(position)
    )
    candidates = [
        Candidate(move, float(policy[move]), float(score))
        for move, score in zip(moves, scores, strict=True)
    ]
    chosen = best_of(candidates, ending, position)
    score, best = int(chosen.lead), max(scores)
    words = (
        f"The end is solved: it {in_words(request.game, score)} by this move, {best:+d} at best."
    )
    drawn = f"People play it with a probability of {chosen.probability:.0%}."
    return Choice(chosen.move, f"{words} {drawn}", report)


def scores_of(
    search: Search, request: MoveRequest[Position], moves: Sequence[int]
) -> list[int] | None:
    """Returns [n] the mover's final score after each move; None if there is too little time."""
    allowed = seconds_allowed(request.limit)
    empties = int((request.position.stones == 0).sum())
    expected = COSTS[request.game].seconds_for(empties) * ALL_MOVES
    if expected > allowed:
        return None
    megabytes = min(MOST_MEGABYTES, 1 + int(MEGABYTES_A_SECOND * expected))
    solver = SOLVERS[request.game](megabytes)
    solving = TimedSolver(solver, request.stop, search.now, search.now() + allowed)
    scores = [_score_of(solving, request.position, move) for move in moves]
    known = [score for score in scores if score is not None]
    return known if len(known) == len(scores) else None


def best_of(candidates: Sequence[Candidate], ending: Ending, position: Position) -> Candidate:
    """Returns the ending's choice among candidates with final scores as leads."""
    likely = [each for each in candidates if each.probability >= ending.least_probability]
    likely = likely or list(candidates)
    if isinstance(ending, ScoreLead):
        return max(ending.allowed(likely), key=ending.at(0.0).weight)
    target = ending.at(0.0, margins_of(position))
    return min(
        likely,
        key=lambda each: (outside(each.lead, target.low, target.high), -each.probability),
    )


def _score_of(solving: TimedSolver, position: Position, move: int) -> int | None:
    after = after_move(position, move)
    own = position.to_move
    if after.is_over:
        return int(after.black_score) * (1 if own == 0 else -1)
    solution = solving.solve(after)
    if solution is None:
        return None
    return solution.score if after.to_move == own else -solution.score
