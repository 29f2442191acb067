"""The step of the naturalness budget: it restricts the moves of a request.

The numbers come from the human policy, a short search of the moves likely under either policy, and
shicho ladders. The rules are in engine.style.naturalness. A pass is never forbidden here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.position import Position, phase_of
from engine.networks.human_policy import HumanPolicy
from engine.play.steps.request import MoveRequest
from engine.play.steps.scratch import another_search, own_priors
from engine.search.report import MOVES_ALONE
from engine.search.search import Restriction, Search, SearchSettings
from engine.strength.fixed_elo import FixedElo
from engine.strength.level import Level
from engine.strength.rank_scale import rating_at, scale_of
from engine.strength.target_win_rate import TargetWinRate
from engine.style.ladders import misread_ladders
from engine.style.naturalness import Excess, Naturalness, Numbers
from engine.values import Limit, Report

TIME_SHARE = 0.25  # share of a move's time for the search of the moves' losses
# games in which only winning counts
WITHOUT_POINTS = frozenset({"connect4", "chess", "darkchess", "einstein"})
DRAWN = (
    TargetWinRate,
    FixedElo,
    Level,
)  # strengths that draw moves: the budget leaves a share of their probability


def keep_natural(search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request narrowed to the moves within the persona's budget.

    A strength that draws moves gets the excess of each move instead: the share of the budget that
    holds depends on the level.
    """
    settings = request.persona.naturalness
    if settings is None:
        return request
    moves = moves_of(request)
    if len(moves) < 2:
        return request
    started = search.now()
    excess = excess_of(search, request, settings)
    request = replace(request, limit=request.limit.after(search.now() - started))
    if isinstance(request.persona.strength, DRAWN):
        return replace(request, excess=excess)
    allowed, remark = excess.allowed(moves)
    remarks = (*request.remarks, remark) if remark else request.remarks
    return replace(
        request, restriction=narrowed(request, np.setdiff1d(moves, allowed)), remarks=remarks
    )


def moves_of(request: MoveRequest[Position]) -> NDArray[np.intp]:
    """Returns [n] the allowed moves on the board, without the pass."""
    position = request.position
    moves = [move for move in position.legal_moves() if move != position.pass_move]
    return np.array([move for move in moves if request.allows(move)], dtype=np.intp)


def excess_of(search: Search, request: MoveRequest[Position], settings: Naturalness) -> Excess:
    """Returns each move's excess over the budget."""
    position = request.position
    reference = request.reference or HumanPolicy(search.evaluator)
    likely = likely_moves(reference, request, settings)
    in_points = request.game not in WITHOUT_POINTS
    floors = settings.floors(phase_of(position), in_points=in_points)
    if request.limit.is_hurried or _loses_as_people(request):  # no search of the moves' losses
        return Excess(floors, likely, np.full(position.move_count, np.nan), settings.leaves)
    report = read(search, request, settings, likely)
    losses = losses_of(report, position.move_count, in_points=in_points)
    misread: frozenset[int] = frozenset()
    if settings.ladders and isinstance(position, GoPosition) and report.best is not None:
        # The search's own best move has a reason, whatever a ladder says.
        misread = frozenset(misread_ladders(position) - {report.best.move})
    return Excess(floors, likely, losses, settings.leaves, misread)


def _loses_as_people(request: MoveRequest[Position]) -> bool:
    """Tests whether losses are those of the level alone, without a limit.

    In chess a limit by another engine's values made weak levels 500 Elo stronger, and the flat
    levels to make up for it played unlikely moves.
    """
    return request.game == "chess" and isinstance(request.persona.strength, DRAWN)


def likely_moves(
    reference: HumanPolicy, request: MoveRequest[Position], settings: Naturalness
) -> Numbers:
    """Returns [moves] the human policy of the budget's profile, else of the level's own players."""
    scale = None if request.tracker is None else scale_of(request.tracker.ladder)
    strength, elo = request.persona.strength, None
    if isinstance(strength, FixedElo):
        elo = strength.by(scale)
    elif isinstance(strength, TargetWinRate) and request.tracker is not None:
        elo = request.tracker.opponent.posterior.mean  # the level is near it
    players = None
    if request.tracker is not None and elo is not None:
        ladder = request.tracker.ladder
        players = rating_at(ladder, elo) if scale is None else scale.rank_of(elo)
    if settings.profile or players is None:
        return reference.policy(request.position, settings.profile)
    return reference.policy_at(request.position, (players, players))


def read(
    search: Search, request: MoveRequest[Position], settings: Naturalness, likely: Numbers
) -> Report:
    """Runs a short search of the moves likely under its own policy or the human policy.

    likely: [moves] the human policy. A strong network's own search hardly visits human moves, and
    would leave their losses unknown.
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
        own = own_priors(scratch, request)
        weights = ((own + likely) / (2 * own)).astype(np.float32)
    return scratch.run(
        limit,
        stop=request.stop,
        options=MOVES_ALONE,
        restriction=request.restriction,
        prior_weights=weights,
    )


def losses_of(report: Report, move_count: int, *, in_points: bool) -> Numbers:
    """Returns [moves] each move's loss against the best one, NaN for a move without a visit.

    in_points: losses in points; else in win rate.
    """
    losses = np.full(move_count, np.nan)
    best = report.best
    for stats in report.moves:
        if best is not None and stats.visits > 0:
            lead, rate = best.score_lead - stats.score_lead, best.win_rate - stats.win_rate
            losses[stats.move] = lead if in_points else rate
    return losses


def narrowed(request: MoveRequest[Position], unfair: NDArray[np.intp]) -> Restriction:
    """Returns the request's restriction with more moves forbidden to the side to move, this once.

    unfair: [n] moves.
    """
    restriction = request.restriction or Restriction()
    black = request.position.to_move == 0
    until = list(restriction.black if black else restriction.white)
    until = until or [0] * request.position.move_count
    for move in unfair:
        until[move] = max(until[move], 1)
    if black:
        return replace(restriction, black=tuple(until))
    return replace(restriction, white=tuple(until))
