"""The step of human play: KataGo's piKL step, on any network of human moves.

The step runs the searches and words the reason; the formulas are in engine.strength.human_play.
Without a network of human moves, the policy of the search's network replaces it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.play.steps.conversion import converted, is_won
from engine.play.steps.request import MoveRequest, Steps
from engine.play.steps.scratch import another_search
from engine.search.report import MOVES_ALONE
from engine.search.search import Search
from engine.strength.human_play import HumanCandidates, HumanPlay
from engine.strength.level import LEAST_PRIOR
from engine.values import Choice, Report


def share_visits(_search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with the visits and time left beside the search of human moves."""
    settings = request.strength(HumanPlay)
    if not settings.explores:
        return request
    limit = request.limit.part(1 - settings.explore)
    if limit.visits is not None:
        limit = replace(limit, visits=max(1, round((1 - settings.explore) * limit.visits)))
    return replace(request, limit=limit)


def play_humanly(search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """Plays a move drawn from the human policy; None without an allowed move in any policy."""
    settings, position = request.strength(HumanPlay), request.position
    reference = request.reference or HumanPolicy(search.evaluator)
    human = human_policy(request, reference.policy(position, settings.profile), report)
    if not human.any():
        return None
    reports = [report]
    if settings.explores:
        reports.append(explored(search, request, report, human))
    selected = np.zeros(position.move_count)
    for stats in report.moves:
        selected[stats.move] = max(stats.play_selection_value, 0.0)
    candidates = HumanCandidates(
        human, utilities(reports, position.move_count), selected, position.pass_move
    )
    heat = settings.heat(position.move_number, position.width * position.height)
    probabilities, remark = candidates.probabilities(settings, heat), ""
    if is_won(request, report.root.win_rate):
        moves = np.array([each for each in position.legal_moves() if request.allows(each)])
        won, remark = converted(search, request, moves, probabilities[moves])
        probabilities = np.zeros(position.move_count)
        probabilities[moves] = won
    move = int(request.rng.choice(len(probabilities), p=probabilities))
    players = settings.profile if reference.evaluator.network.uses_metadata else "people"
    reason = (
        f"{human[move]:.1%} of {players or 'people'} play this move; it was drawn with a "
        f"probability of {probabilities[move]:.1%}."
    )
    utility = candidates.utilities[move]
    if not np.isnan(utility):
        best = np.nanmax(candidates.utilities)
        reason += f" Its utility is {utility:+.2f}, {best:+.2f} at best."
    return Choice(move, f"{reason} {remark}" if remark else reason, report)


def human_policy(
    request: MoveRequest[Position], policy: NDArray[np.float64], report: Report
) -> NDArray[np.float64]:
    """Returns [moves] the human policy among allowed moves, with the style's factors, sum 1.

    policy: [moves] of people. The search's policy replaces one without any allowed move.
    """
    human = request.allowed_policy(policy)
    return human if human.any() else request.allowed_policy(report.policy)


def explored(
    search: Search, request: MoveRequest[Position], report: Report, human: NDArray[np.float64]
) -> Report:
    """Searches by the human policy as priors, beside the move's own search.

    human: [moves] the human policy.
    """
    settings = request.strength(HumanPlay)
    part = settings.explore / (1 - settings.explore)  # of the search's visits and time
    visits = request.limit.within(max(2, round(part * report.root.visits)))
    how = search.settings.copy()
    how.cpuct_exploration = settings.cpuct + settings.cpuct_permanent * np.sqrt(visits)
    how.cpuct_exploration_log = 0.0
    how.use_noise_pruning = False
    own = np.maximum(report.policy.astype(np.float64), LEAST_PRIOR)
    return another_search(search, request, how).run(
        replace(request.limit.part(part), visits=visits, playouts=None),
        stop=request.stop,
        options=MOVES_ALONE,
        restriction=request.restriction,
        prior_weights=(human / own).astype(np.float32),
    )


def utilities(reports: list[Report], move_count: int) -> NDArray[np.float64]:
    """Returns [moves] the mover's mean utility over all visits, NaN without a visit."""
    total, visits = np.zeros(move_count), np.zeros(move_count)
    for report in reports:
        for stats in report.moves:
            total[stats.move] += stats.visits * stats.utility
            visits[stats.move] += stats.visits
    return np.where(visits > 0, total / np.maximum(visits, 1), np.nan)


HUMAN: Steps[Position] = Steps(prepare=(share_visits,), after_search=(play_humanly,))
