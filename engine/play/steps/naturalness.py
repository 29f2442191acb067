"""The naturalness budget in play: what is asked before a move is decided, and what it leaves.

Knows where the numbers come from: the reference's policy, a short search that looks at what either
policy likes, and the ladders. What is made of them is in engine.style.naturalness. Passing is no
matter of naturalness, and is never forbidden here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.position import Position, phase_of
from engine.networks.human_policy import HumanPolicy
from engine.play.steps.request import MoveRequest
from engine.play.steps.scratch import another_search
from engine.search.report import MOVES_ALONE
from engine.search.search import Restriction, Search, SearchSettings
from engine.strength.fixed_elo import FixedElo
from engine.strength.level import LEAST_PRIOR, Level
from engine.strength.target_win_rate import TargetWinRate
from engine.style.ladders import misread_ladders
from engine.style.naturalness import NEVER, Excess, Naturalness, Numbers
from engine.values import Limit, Report

TIME_SHARE = 0.25  # of a move's time, for the search that tells what moves lose
WITHOUT_POINTS = frozenset({"connect4"})  # games in which only winning counts
DRAWN = (
    TargetWinRate,
    FixedElo,
    Level,
)  # whose moves are drawn by chance, of which the budget leaves a share


def keep_natural(search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """The same turn among the moves that are fair by its persona's budget, where it has one.

    Who draws moves at a level is told instead how far each is beyond the budget: how much of it
    can be kept depends on the level.
    """
    settings = request.persona.naturalness
    if settings is None:
        return request
    moves = moves_of(request)
    if len(moves) < 2:
        return request
    started = search.now()
    excess = strain_of(search, request, settings)
    request = replace(request, limit=request.limit.after(search.now() - started))
    if isinstance(request.persona.strength, DRAWN):
        return replace(request, excess=excess)
    fair, told = excess.allowed(moves)
    remarks = (*request.remarks, told) if told else request.remarks
    return replace(
        request, restriction=narrowed(request, np.setdiff1d(moves, fair)), remarks=remarks
    )


def moves_of(request: MoveRequest[Position]) -> NDArray[np.intp]:
    """The moves on the board that may be played."""
    position = request.position
    found = [move for move in position.legal_moves() if move != position.pass_move]
    return np.array([move for move in found if request.allows(move)], dtype=np.intp)


def strain_of(search: Search, request: MoveRequest[Position], settings: Naturalness) -> Excess:
    """How far each move is beyond the budget."""
    position = request.position
    reference = request.reference or HumanPolicy(search.evaluator)
    likely = reference.policy(position, settings.profile)
    in_points = request.game not in WITHOUT_POINTS
    floors = settings.floors(phase_of(position), in_points=in_points)
    if request.limit.is_hurried:  # then nothing tells what moves lose
        unknown = np.full(position.move_count, np.nan)
        return Excess(floors, floors.times(likely, unknown), settings.leaves)
    report = read(search, request, settings, likely)
    times = floors.times(likely, losses_of(report, position.move_count, in_points=in_points))
    if settings.ladders and isinstance(position, GoPosition) and report.best is not None:
        # The search's own best move has a reason, whatever a ladder says.
        for move in misread_ladders(position) - {report.best.move}:
            times[move] = NEVER
    return Excess(floors, times, settings.leaves)


def read(
    search: Search, request: MoveRequest[Position], settings: Naturalness, likely: Numbers
) -> Report:
    """What a short search finds that looks at the moves which it or the reference likes.

    A network that knows better hardly looks at what people play; its loss would stay unknown.
    """
    scratch = another_search(search, request, SearchSettings())
    visits, least = settings.visits, request.limit.least_seconds
    limit = Limit(
        visits=visits if request.limit.visits is None else min(visits, request.limit.visits),
        playouts=request.limit.playouts,
        max_seconds=None if least is None else TIME_SHARE * least,
    )
    weights = None
    if request.reference is not None:
        alone = scratch.run(Limit(visits=1), restriction=request.restriction)
        own = np.maximum(alone.policy.astype(np.float64), LEAST_PRIOR)
        weights = ((own + likely) / (2 * own)).astype(np.float32)
    return scratch.run(
        limit,
        stop=request.stop,
        options=MOVES_ALONE,
        restriction=request.restriction,
        prior_weights=weights,
    )


def losses_of(report: Report, move_count: int, *, in_points: bool) -> Numbers:
    """[moves] what each loses against the best one found, NaN where the search did not look."""
    losses = np.full(move_count, np.nan)
    best = report.best
    for stats in report.moves:
        if best is not None and stats.visits > 0:
            lead, rate = best.score_lead - stats.score_lead, best.win_rate - stats.win_rate
            losses[stats.move] = lead if in_points else rate
    return losses


def narrowed(request: MoveRequest[Position], unfair: NDArray[np.intp]) -> Restriction:
    """The turn's restriction with these moves forbidden to who is to move, this once."""
    restriction = request.restriction or Restriction()
    black = request.position.to_move == 0
    until = list(restriction.black if black else restriction.white)
    until = until or [0] * request.position.move_count
    for move in unfair:
        until[move] = max(until[move], 1)
    if black:
        return replace(restriction, black=tuple(until))
    return replace(restriction, white=tuple(until))
