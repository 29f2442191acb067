"""A move of a balanced game: the search evaluates the standing, the controller chooses the level.

Knows the order of the steps and the text of the reason; the numbers are in engine.opponents. The
move itself is the level's (engine.play.steps.level), and so is its search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position, phase_of
from engine.opponents import (
    OPPONENT_KINDS,
    MoveBalancer,
    OpponentTracker,
    PlannedLevel,
    StandingAfter,
)
from engine.play.steps.close_ending import closeness
from engine.play.steps.level import choose_by
from engine.play.steps.request import MoveRequest, Steps
from engine.search.endgame_balance import balanced_win_rates
from engine.search.search import Search
from engine.strength.target_win_rate import TargetWinRate
from engine.style.naturalness import Excess
from engine.values import Choice, Report, Standing

# The gain in expected chance worth a less natural move; and an addition while there is time for
# corrections, as a share of the range's width.
WORTH, WORTH_LATER = 0.01, 0.5
UNSURE_VISITS = 6  # with this number a move's win rate counts half its distance above the worst


def share_time(_search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with half its time, for the first of two searches."""
    return replace(request, limit=request.limit.part(0.5))


def play_evenly(search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """Plays a move at the level with the wanted chance; None if the level has no move.

    Raises TypeError without an opponent's tracker.
    """
    aim, tracker = request.strength(TargetWinRate), request.tracker
    if tracker is None:
        raise TypeError(f"persona {request.persona.name!r} has no opponent to play evenly with")
    controller = tracker.controller(aim)
    before = tracker.levels[-1] if tracker.levels else None
    standing = tracker.stands(request.position, report)
    planned = controller.plan(standing, before)

    def prefer(
        moves: NDArray[np.intp], chances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], str]:
        phase = phase_of(request.position)
        kinds = controller.kinds(phase)
        solved = balanced_win_rates(
            request.position, request.game, moves, wanted=controller.wanted, kinds=kinds.tolist()
        )
        after = after_each(tracker, request.position, report, moves, solved)
        balancer = controller.move_balancer(after, kinds, phase)
        chances = chances * closeness(search, request, report, moves, after)
        chances /= chances.sum()
        if request.excess is not None:
            return fairly_preferred(balancer, request.excess, moves, chances)
        return chances if balancer is None else balancer.probabilities(chances), ""

    level = tracker.ladder.at(planned.level_elo).draw(request.rng)
    choice = choose_by(level, search, request, prefer)
    if choice is None:
        return None
    return replace(
        choice,
        reason=f"{in_words(planned, tracker)} {choice.reason}",
        report=report,
        level_elo=planned.level_elo,
        # Without closeness the standing does not decide the level, and results count by the level.
        standing=standing if aim.closeness > 0 else None,
    )


def fairly_preferred(
    balancer: MoveBalancer | None,
    excess: Excess,
    moves: NDArray[np.intp],
    chances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], str]:
    """Returns [n] the balanced probabilities, and a sentence on the relaxed naturalness budget.

    moves: [n]. chances: [n] their probabilities. The relaxation is the least one among those with
    the smallest gap to the wanted chance.
    """
    if balancer is None:
        return excess.filtered(moves, chances)
    best, words, least = chances, "", math.inf
    worth = WORTH + WORTH_LATER * (balancer.most - balancer.least)
    for natural, _, remark in excess.relaxations(moves, chances):
        drawn = balancer.probabilities(natural)
        gap = balancer.gap(drawn)
        if gap < least - worth:
            best, words, least = drawn, remark, gap
        if least < worth:
            break
    return best, f"{words} for an even game." if words else ""


def after_each(
    tracker: OpponentTracker,
    position: Position,
    report: Report,
    moves: NDArray[np.intp],
    solved: Sequence[NDArray[np.float64] | None],
) -> list[StandingAfter]:
    """Returns [n] the mover's standing after each move; None for a move without a visit.

    moves: [n]. solved: [n] the mover's chances [kinds] by a search to the end of the game; None:
    no such search.
    """
    visited = {stats.move: stats for stats in report.moves if stats.visits > 0}
    worst = min((stats.win_rate for stats in visited.values()), default=0.0)
    least = min((stats.score_lead for stats in visited.values()), default=0.0)
    everything: list[StandingAfter] = []
    for move, exact in zip(map(int, moves), solved, strict=True):
        after = position.copy()
        after.play(move)
        stats, chances = visited.get(move), exact_chances(after, position.to_move, exact)
        if chances is not None or stats is None:
            everything.append(chances)
            continue
        mine = after.to_move == position.to_move  # Othello, where the opponent must pass
        greedy, careless = (share if mine else 1 - share for share in tracker.weak(after))
        # The best of many moves with few visits is best by chance.
        sure = stats.visits / (stats.visits + UNSURE_VISITS)
        win_rate = worst + sure * (stats.win_rate - worst)
        lead = least + sure * (stats.score_lead - least)
        everything.append(Standing(phase_of(after), win_rate, lead, greedy, careless))
    return everything


def exact_chances(
    after: Position, side: int, solved: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """Returns [kinds] the side's exact chances; None without a result or a search to the end.

    solved: [kinds] by a search to the end of the game.
    """
    if after.is_over:
        chance = 0.5 if after.winner < 0 else float(after.winner == side)
        return np.full(len(OPPONENT_KINDS), chance)
    return solved


def in_words(planned: PlannedLevel, tracker: OpponentTracker) -> str:
    """Returns a sentence on the level and the opponent's estimate, in Elo."""
    posterior = tracker.opponent.posterior
    low, high = posterior.interval()
    return (
        f"The opponent seems to have about {posterior.mean:.0f} Elo ({low:.0f} to {high:.0f}), and "
        f"at level {planned.level_elo:.0f} it expects to win {planned.chance:.0%} of such games."
    )


EVEN: Steps[Position] = Steps(
    prepare=(share_time,), after_search=(play_evenly,), handles_ending=True
)
