"""The steps of a move in a balanced game.

A search evaluates the position. The balance controller (engine.opponents) then chooses a level, and
this level chooses the move by a second search of its own (engine.play.steps.level).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.games.chance import is_complete, outcomes
from engine.games.position import Position, phase_of
from engine.opponents import (
    OPPONENT_KINDS,
    BalanceController,
    MoveBalancer,
    OpponentTracker,
    PlannedLevel,
    StandingAfter,
    is_decided,
)
from engine.play.steps.close_ending import closeness
from engine.play.steps.conversion import converted, is_won, without_throws
from engine.play.steps.even_level import LEAST_CAREFUL, elo_on_ladder, excess_at
from engine.play.steps.evenness_bounds import (
    bounded_level,
    evenness_bounds_of,
    finds_best,
    limit_of,
)
from engine.play.steps.level import choose_by
from engine.play.steps.level_leads import leads_of_level, standings_with
from engine.play.steps.request import MoveRequest, Steps
from engine.search.endgame_balance import balanced_win_rates
from engine.search.search import Search
from engine.strength.rank_scale import estimate_words, scale_of, with_rank
from engine.strength.target_win_rate import TargetWinRate
from engine.style.naturalness import Excess
from engine.values import Choice, Report, Standing

Numbers = NDArray[np.float64]  # [n], one value a move

# A relaxation of naturalness must bring the win rate nearer to its target by WORTH, plus this share
# of the target range's width. The range is wide early in a game, with time for corrections later.
WORTH, WORTH_LATER = 0.01, 0.5
# A move's win rate counts for visits / (visits + UNSURE_VISITS) of its distance from the worst one.
UNSURE_VISITS = 6
RANDOM_ELO = 0.0  # of uniformly random play, on each ladder
# Elo of an opponent that loses won endings of dark chess. Random play is at 0: the engine is likely
# to win nearly every ending against it, and draws keep these games even.
LEAST_BEATEN = 100.0


def ask_ownership(_search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with ownership in its reports in Go: it tells the phase of the game."""
    if request.game != "go":
        return request
    return replace(request, options=replace(request.options, ownership=True))


def halve_time(_search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with half its time, for the first of two searches."""
    return replace(request, limit=request.limit.part(0.5))


def play_evenly(search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """Plays a move at the level with the target win rate; None if the level has no move.

    Raises TypeError without an opponent's tracker.
    """
    settings, tracker = request.strength(TargetWinRate), request.tracker
    if tracker is None:
        raise TypeError(f"persona {request.persona.name!r} has no opponent to play evenly with")
    controller = tracker.controller(settings, is_natural=request.excess is not None)
    before = tracker.levels[-1] if tracker.levels else None
    standing = tracker.stands(request.position, report)
    planned = controller.plan(standing, before)
    on_ladder = elo_on_ladder(planned.level_elo, request.game)
    request = replace(request, excess=excess_at(request.excess, on_ladder, request.game))
    mixture = tracker.ladder.at(on_ladder)
    level = bounded_level(mixture.draw(request.rng), standing, request.board)
    turn = EvenTurn(
        search,
        request,
        report,
        tracker,
        controller,
        standing,
        planned,
        on_ladder,
        mixture.is_blind,
    )
    reweigh = BALANCES.get(request.game, EvenTurn.balanced)
    choice = choose_by(
        level,
        search,
        request,
        partial(reweigh, turn),
        is_rescued=finds_best(level, request.board),
    )
    if choice is None:
        return None
    return replace(
        choice,
        reason=f"{in_words(planned, tracker)} {choice.reason}",
        report=report,
        level_elo=planned.level_elo,
        start_elo=planned.start_elo,
        # Without closeness the standing does not decide the level, and results count by the level.
        standing=standing if controller.settings.closeness > 0 else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class EvenTurn:
    """One turn of a balanced game, with its planned level."""

    search: Search
    request: MoveRequest[Position]
    report: Report  # of the search
    tracker: OpponentTracker
    controller: BalanceController
    standing: Standing  # before the move
    planned: PlannedLevel
    on_ladder: float  # the Elo on the ladder of the planned level
    is_blind: bool  # whether the planned level's moves come from no policy

    def balanced(self, moves: NDArray[np.intp], probabilities: Numbers) -> tuple[Numbers, str]:
        """Returns [n] the balanced probabilities, and a sentence on the naturalness budget or "".

        moves: [n]. probabilities: [n] of these moves by the level.
        """
        request, phase = self.request, self.standing.phase
        if self.plays_on() and is_won(request, self.report.root.win_rate):
            return self.played_on(moves, probabilities)
        kinds = self.controller.kinds(phase)
        solved = balanced_win_rates(
            request.position,
            request.game,
            moves,
            target=self.controller.target,
            kinds=kinds.tolist(),
        )
        after = after_each(
            self.tracker, request.position, self.report, moves, solved, before=self.standing
        )
        balancer = self.controller.move_balancer(after, kinds, phase)
        nearer = closeness(self.search, request, self.report, moves, after)
        close = weighed(probabilities, nearer)
        if request.excess is not None:
            return fairly_preferred(balancer, request.excess, moves, close)
        return close if balancer is None else balancer.probabilities(close), ""

    def bounded(self, moves: NDArray[np.intp], probabilities: Numbers) -> tuple[Numbers, str]:
        """Returns [n] the balanced probabilities in Go, and a sentence or "", as `balanced` does.

        moves: [n]. probabilities: [n] of these moves by the level. They keep within the bounds of
        evenness unless the level is no better than random play, and plays for the worst anyhow.
        Without closeness the level plays alone.
        """
        request, phase = self.request, self.standing.phase
        natural = probabilities if self.is_blind else self.natural(moves, probabilities)
        if not self.controller.settings.closeness:
            return natural, ""
        leads = leads_of_level(self.search, request, self.report, moves, natural)
        leads += self.standing.lead - self.report.root.score_lead  # the points are counted late
        if is_decided(self.standing, self.planned.win_rate):
            return natural, ""
        after = standings_with(leads, request.position, moves, self.standing)
        level = self.planned.level_elo if limit_of(request.board).counts_level else None
        kinds = self.controller.kinds(phase)
        balancer = self.controller.move_balancer(after, kinds, phase, level)
        balanced = weighed(natural, closeness(self.search, request, self.report, moves, after))
        if balancer is not None:
            balanced = balancer.probabilities(balanced)
        if self.on_ladder <= RANDOM_ELO:
            return balanced, ""
        from_target = self.controller.from_target(self.standing, level)
        bounds = evenness_bounds_of(request, self.report, moves, leads, from_target=from_target)
        return bounds.applied(balanced, natural), ""

    def unbalanced(self, moves: NDArray[np.intp], probabilities: Numbers) -> tuple[Numbers, str]:
        """Returns [n] the level's own probabilities in chess, and a sentence, as `balanced` does.

        moves: [n]. probabilities: [n] of these moves by the level. A won game is won, and no queen
        is thrown away.
        """
        if is_won(self.request, self.report.root.win_rate):
            return self.played_on(moves, probabilities)
        if self.on_ladder >= LEAST_CAREFUL:
            probabilities = without_throws(self.request, moves, probabilities)
        return self.natural(moves, probabilities), ""

    def natural(self, moves: NDArray[np.intp], probabilities: Numbers) -> Numbers:
        """Returns [n] the probabilities of a level within the naturalness budget, if there is one.

        moves: [n]. probabilities: [n] of these moves.
        """
        excess = self.request.excess
        return probabilities if excess is None else excess.filtered(moves, probabilities)

    def plays_on(self) -> bool:
        """Tests whether a won game is won: the opponent seems stronger than random play."""
        return self.tracker.opponent.posterior.mean >= LEAST_BEATEN

    def played_on(self, moves: NDArray[np.intp], probabilities: Numbers) -> tuple[Numbers, str]:
        """Returns [n] the probabilities in a won game, and a sentence, as `balanced` does."""
        return converted(self.search, self.request, moves, self.natural(moves, probabilities))


# By game; the others balance without bounds.
BALANCES = {"go": EvenTurn.bounded, "chess": EvenTurn.unbalanced}


def weighed(probabilities: Numbers, factors: Numbers) -> Numbers:
    """Returns [n] the probabilities times the factors [n], sum 1."""
    products = probabilities * factors
    return products / float(products.sum())


def fairly_preferred(
    balancer: MoveBalancer | None,
    excess: Excess,
    moves: NDArray[np.intp],
    probabilities: NDArray[np.float64],
) -> tuple[NDArray[np.float64], str]:
    """Returns [n] the balanced probabilities, and a sentence on the relaxed naturalness budget.

    moves: [n]. probabilities: [n] of these moves. The relaxation is the least one among those with
    about the smallest gap to the target range.
    """
    if balancer is None:
        return excess.filtered(moves, probabilities), ""
    best, words, least = probabilities, "", math.inf
    worth = WORTH + WORTH_LATER * (balancer.most - balancer.least)
    for natural, _, remark in excess.relaxations(moves, probabilities):
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
    *,
    before: Standing,
) -> list[StandingAfter]:
    """Returns [n] the mover's standing after each move; None for a move without a visit.

    moves: [n]. solved: [n] the mover's win rates [kinds] by a search to the end of the game; None:
    no such search. before: the standing before the move.
    """
    visited = {stats.move: stats for stats in report.moves if stats.visits > 0}
    worst = min((stats.win_rate for stats in visited.values()), default=0.0)
    least = min((stats.score_lead for stats in visited.values()), default=0.0)
    everything: list[StandingAfter] = []
    for move, exact in zip(map(int, moves), solved, strict=True):
        after = position.copy()
        # The turn and the phase after a move are the same with each outcome.
        after.play(outcomes(position, move)[0][0])
        stats, win_rates = visited.get(move), None
        if is_complete(position, move):
            win_rates = exact_win_rates(after, position.to_move, exact)
        if win_rates is not None or stats is None:
            everything.append(win_rates)
            continue
        mine = after.to_move == position.to_move  # Othello, where the opponent must pass
        greedy, careless = (share if mine else 1 - share for share in tracker.weak(after))
        # The best of many moves with few visits may be best by luck.
        sure = stats.visits / (stats.visits + UNSURE_VISITS)
        win_rate = worst + sure * (stats.win_rate - worst)
        lead = least + sure * (stats.score_lead - least)
        everything.append(
            replace(
                before,
                phase=max(before.phase, phase_of(after)),
                win_rate=win_rate,
                lead=lead,
                greedy=greedy,
                careless=careless,
            )
        )
    return everything


def exact_win_rates(
    after: Position, side: int, solved: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """Returns [kinds] the side's exact win rates; None without a result or a search to the end.

    solved: [kinds] by a search to the end of the game.
    """
    if after.is_over:
        win_rate = 0.5 if after.winner < 0 else float(after.winner == side)
        return np.full(len(OPPONENT_KINDS), win_rate)
    return solved


def in_words(planned: PlannedLevel, tracker: OpponentTracker) -> str:
    """Returns a sentence on the level and the opponent's estimate, in Elo."""
    posterior = tracker.opponent.posterior
    low, high = posterior.interval()
    scale = scale_of(tracker.ladder)
    words = estimate_words(scale, posterior.mean, low, high)
    rank = f" {words}," if words else ""
    return (
        f"The opponent seems to have about {round(posterior.mean)} Elo ({low:.0f} to {high:.0f}),"
        f"{rank} and at level {with_rank(scale, planned.level_elo)} it expects to win "
        f"{planned.win_rate:.0%} of such games."
    )


EVEN: Steps[Position] = Steps(
    prepare=(halve_time, ask_ownership), after_search=(play_evenly,), handles_ending=True
)
