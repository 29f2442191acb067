"""A move of a balanced game: the search reads how it stands, the controller names the level.

Knows in which order that happens and how to say it; the numbers are in engine.strength. The move
itself is the level's (engine.play.steps.level), and so is its search.
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

# Of the chance: nearer by less than that is not worth a less natural move; and how much more where
# there is time to make good what is missed, as a share of the slack that there is for the same.
WORTH, WORTH_LATER = 0.01, 0.5
UNSURE_VISITS = 6  # with so many a move is taken for half as good as it seems, above the worst


def share_time(_search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """The same turn with the time for each of its two searches, the reading and the level's own."""
    return replace(request, limit=request.limit.part(0.5))


def play_evenly(search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """A move at the level that wins as often as wanted; None where no level has a move."""
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
        kept = balanced_win_rates(
            request.position, request.game, moves, wanted=controller.wanted, kinds=kinds.tolist()
        )
        after = after_each(tracker, request.position, report, moves, kept)
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
        # Without closeness the level does not follow from how it stands: results tell of it.
        standing=standing if aim.closeness > 0 else None,
    )


def fairly_preferred(
    balancer: MoveBalancer | None,
    excess: Excess,
    moves: NDArray[np.intp],
    chances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], str]:
    """What prospects make of the moves' chances, and what of the budget was relaxed for it.

    That is as little as brings the game as near to the wanted chance as any moves do.
    """
    if balancer is None:
        return excess.filtered(moves, chances)
    best, words, least = chances, "", math.inf
    worth = WORTH + WORTH_LATER * (balancer.most - balancer.least)
    for kept, _, told in excess.relaxations(moves, chances):
        drawn = balancer.probabilities(kept)
        gap = balancer.gap(drawn)
        if gap < least - worth:
            best, words, least = drawn, told, gap
        if least < worth:
            break
    return best, f"{words} for an even game." if words else ""


def after_each(
    tracker: OpponentTracker,
    position: Position,
    report: Report,
    moves: NDArray[np.intp],
    kept: Sequence[NDArray[np.float64] | None],
) -> list[StandingAfter]:
    """How the game stands for who is to move now after each move, as far as the search looked.

    kept: after each that side's chances, where all to the end of the game was looked at.
    """
    found = {stats.move: stats for stats in report.moves if stats.visits > 0}
    worst = min((stats.win_rate for stats in found.values()), default=0.0)
    least = min((stats.score_lead for stats in found.values()), default=0.0)
    everything: list[StandingAfter] = []
    for move, seen in zip(map(int, moves), kept, strict=True):
        after = position.copy()
        after.play(move)
        stats, chances = found.get(move), known(after, position.to_move, seen)
        if chances is not None or stats is None:
            everything.append(chances)
            continue
        mine = after.to_move == position.to_move  # Othello, where the opponent must pass
        greedy, careless = (share if mine else 1 - share for share in tracker.weak(after))
        # Of many moves that were hardly looked at the one that seems best is so by chance.
        sure = stats.visits / (stats.visits + UNSURE_VISITS)
        win_rate = worst + sure * (stats.win_rate - worst)
        lead = least + sure * (stats.score_lead - least)
        everything.append(Standing(phase_of(after), win_rate, lead, greedy, careless))
    return everything


def known(
    after: Position, side: int, kept: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """The side's chances themselves, by the kind of its opponent; None where nobody can say."""
    if after.is_over:
        chance = 0.5 if after.winner < 0 else float(after.winner == side)
        return np.full(len(OPPONENT_KINDS), chance)
    return kept


def in_words(planned: PlannedLevel, tracker: OpponentTracker) -> str:
    """Returns the decision and its grounds as a sentence with both strengths in Elo."""
    posterior = tracker.opponent.posterior
    low, high = posterior.interval()
    return (
        f"The opponent seems to have about {posterior.mean:.0f} Elo ({low:.0f} to {high:.0f}), and "
        f"at level {planned.level_elo:.0f} it expects to win {planned.chance:.0%} of such games."
    )


EVEN: Steps[Position] = Steps(prepare=(share_time,), after_search=(play_evenly,), minds_ending=True)
