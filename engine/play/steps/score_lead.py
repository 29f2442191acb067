"""Endings by score: a step before the strength's own steps, for positions of the endgame.

The step searches and reads; the rules for leads, ownership and final margins are in engine.style.
Outside the endgame the strength's own steps follow, and continue with the tree of this search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position
from engine.play.steps.leads import gain_of, leads_after
from engine.play.steps.reading import READING_TIME, Reading, Weigh, margins_of
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.style.endgame import EndgameLimits
from engine.style.score_lead import ScoreLead
from engine.style.target_leads import Candidate
from engine.style.target_margin import TargetMargin
from engine.values import Choice, Limit, Report

HURRIED_MOVES = 3  # candidates without time for more
NEAR = 1.5  # times the score deviation of an endgame: below this the position is searched


def end_by_score(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays by the persona's ending; None before the endgame.

    Raises TypeError for a persona without an ending.
    """
    ending, position = request.persona.ending, request.position
    if ending is None:
        raise TypeError(f"persona {request.persona.name!r} has no ending")
    signs = EndgameLimits.published(position.width * position.height)
    glimpse = request.searched(search, Limit(visits=1))
    if glimpse.root.raw_score_stdev >= NEAR * signs.score_stdev:
        return None
    report = request.searched(search, request.limit.part(1 - READING_TIME))
    best = report.best
    if best is None:
        return None
    if best.move == position.pass_move:
        return Choice(best.move, "The search would pass.", report)
    stdev = report.root.score_stdev
    if isinstance(ending, TargetMargin):  # it bounds losses, and needs no bound on the best gain
        return _by_margin(search, request, report, ending) if stdev < signs.score_stdev else None
    if not signs.has_begun(stdev, gain_of(search, position, report)):
        return None
    return _by_algorithm(search, request, report, ending)


def _by_algorithm(
    search: Search, request: MoveRequest[Position], report: Report, ending: ScoreLead
) -> Choice:
    """Plays by Algorithm 1 with the policy of the search's network."""
    policy = marked_policy(request, report.policy)
    moves = _weighable(request, ending.likely(policy))
    candidates = _candidates(search, request, report, policy, moves)
    weigh = ending.at(report.root.score_stdev).weight
    return _choice(max(ending.allowed(candidates), key=weigh), weigh, report)


def _by_margin(
    search: Search, request: MoveRequest[Position], report: Report, ending: TargetMargin
) -> Choice:
    """Plays towards the target margin, and reads the position after the move; never passes."""
    position, reference = request.position, request.reference
    network_or_human = report.policy if reference is None else reference.policy(position)
    policy = marked_policy(request, network_or_human)
    if position.pass_move >= 0:
        policy[position.pass_move] = -1.0  # a pass gains less than any move
    best = report.moves[0].move
    moves = _weighable(request, ending.likely(policy)) if (policy >= 0).any() else [best]
    weigh = ending.at(report.root.score_stdev, margins_of(position)).weight
    if len(moves) > 1 and best not in moves:  # the measure of the other moves' losses
        moves.append(best)
    candidates = _candidates(search, request, report, policy, moves)
    if len(candidates) == 1:
        return _choice(candidates[0], weigh, report)
    reading = Reading(search, request, report, ending, weigh)
    return _choice(reading.best(candidates), weigh, report)


def marked_policy(
    request: MoveRequest[Position], policy: NDArray[np.floating]
) -> NDArray[np.float32]:
    """Returns [moves] the policy among allowed moves, sum 1; -1 for the other moves.

    policy: [moves], at most 0 for illegal moves.
    """
    among = request.allowed_policy(policy)
    return np.where(among > 0, among, -1.0).astype(np.float32)


def _weighable(request: MoveRequest[Position], moves: Sequence[int]) -> list[int]:
    """Returns the moves with time for their leads, likeliest first; moves: likeliest first."""
    return list(moves[:HURRIED_MOVES] if request.limit.is_hurried else moves)


def _candidates(
    search: Search,
    request: MoveRequest[Position],
    report: Report,
    policy: NDArray[np.float32],
    moves: Sequence[int],
) -> list[Candidate]:
    """Returns the moves with known leads; without any, the first move with the root's lead."""
    leads = leads_after(search, request.position, report, moves)
    known = [Candidate(move, float(policy[move]), leads[move]) for move in moves if move in leads]
    return known or [Candidate(moves[0], float(policy[moves[0]]), report.root.score_lead)]


def _choice(chosen: Candidate, weigh: Weigh, report: Report) -> Choice:
    """Returns the choice of a candidate, with a sentence as its reason."""
    reason = (
        f"In the endgame it takes the lead from {report.root.score_lead:+.1f} to "
        f"{chosen.lead:+.1f} by a move of probability {chosen.probability:.0%} and weight "
        f"{weigh(chosen):.3g}."
    )
    return Choice(chosen.move, reason, report)
