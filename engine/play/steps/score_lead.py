"""Endings by score: a step before a strength's own, which decides once the endgame has begun.

Knows in which order a move is found and read out; what is made of leads, ownership and final
margins is in engine.style. The search is the turn's own, whose tree the strength goes on with where
the endgame has not begun.
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
from engine.style.target import Candidate
from engine.style.wanted_margin import WantedMargin
from engine.values import Choice, Limit, Report

HURRIED_MOVES = 3  # that are weighed when there is no time for more
NEAR = 1.5  # times the deviation of an endgame: from there on the position is searched


def end_by_score(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """The endgame's move, by the persona's ending; None before the endgame."""
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
    if isinstance(ending, WantedMargin):  # a great gain is no hindrance to who bounds what it loses
        return _by_margin(search, request, report, ending) if stdev < signs.score_stdev else None
    if not signs.has_begun(stdev, gain_of(search, position, report)):
        return None
    return _by_algorithm(search, request, report, ending)


def _by_algorithm(
    search: Search, request: MoveRequest[Position], report: Report, ending: ScoreLead
) -> Choice:
    """Algorithm 1's move, by the policy of the network that searches."""
    liked = liking(request, report.policy)
    moves = _weighable(request, ending.likely(liked))
    candidates = _candidates(search, request, report, liked, moves)
    weigh = ending.at(report.root.score_stdev).weight
    return _choice(max(ending.allowed(candidates), key=weigh), weigh, report)


def _by_margin(
    search: Search, request: MoveRequest[Position], report: Report, ending: WantedMargin
) -> Choice:
    """The move towards the wanted margin, what follows it read out; no pass, for it gains less."""
    position, reference = request.position, request.reference
    liked = liking(request, report.policy if reference is None else reference.policy(position))
    if position.pass_move >= 0:
        liked[position.pass_move] = -1.0
    best = report.moves[0].move
    moves = _weighable(request, ending.likely(liked)) if (liked >= 0).any() else [best]
    weigh = ending.at(report.root.score_stdev, margins_of(position)).weight
    if len(moves) > 1 and best not in moves:  # without it nobody knew what the others lose
        moves.append(best)
    candidates = _candidates(search, request, report, liked, moves)
    if len(candidates) == 1:
        return _choice(candidates[0], weigh, report)
    reading = Reading(search, request, report, ending, weigh)
    return _choice(reading.wanted(candidates), weigh, report)


def liking(request: MoveRequest[Position], policy: NDArray[np.floating]) -> NDArray[np.float32]:
    """[moves] how likely each is, together 1; below 0 where it may not be played.

    policy: [moves], 0 or less where not legal.
    """
    liked = request.liked(policy)
    return np.where(liked > 0, liked, -1.0).astype(np.float32)


def _weighable(request: MoveRequest[Position], moves: Sequence[int]) -> list[int]:
    """Returns the moves, the likeliest first, for whose leads there is time."""
    return list(moves[:HURRIED_MOVES] if request.limit.is_hurried else moves)


def _candidates(
    search: Search,
    request: MoveRequest[Position],
    report: Report,
    liked: NDArray[np.float32],
    moves: Sequence[int],
) -> list[Candidate]:
    """The moves with their leads; the first alone where nothing is known of any."""
    leads = leads_after(search, request.position, report, moves)
    known = [Candidate(move, float(liked[move]), leads[move]) for move in moves if move in leads]
    return known or [Candidate(moves[0], float(liked[moves[0]]), report.root.score_lead)]


def _choice(chosen: Candidate, weigh: Weigh, report: Report) -> Choice:
    """The move with the reason as a sentence."""
    reason = (
        f"In the endgame it takes the lead from {report.root.score_lead:+.1f} to "
        f"{chosen.lead:+.1f} by a move of probability {chosen.probability:.0%} and weight "
        f"{weigh(chosen):.3g}."
    )
    return Choice(chosen.move, reason, report)
