"""A level's move: a draw by its short search and its one-ply heuristic.

The step computes the numbers that engine.strength.level weighs. It plays a level itself, or the
level of an Elo on the ladder. A level of people takes its policy from the network of human moves.
In Go a level with a network passes when the network would, and a level of people when most of them
would; a level without a network passes as the last resort. A pass that loses points is replaced by
the manners of Go (engine.play.steps.go).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._core import SearchSettings
from engine.games.position import Position
from engine.play.steps.conversion import converted, is_won
from engine.play.steps.exact import play_exactly
from engine.play.steps.human import utilities
from engine.play.steps.leads import read_on
from engine.play.steps.naturalness import narrowed
from engine.play.steps.request import MoveRequest, Steps
from engine.play.steps.scratch import another_search, own_priors
from engine.search.one_ply import one_ply_values
from engine.search.report import MOVES_ALONE, ReportOptions
from engine.search.search import Restriction, Search
from engine.strength.fixed_elo import FixedElo
from engine.strength.level import Level, above_floor, weights
from engine.strength.rank_scale import scale_of, with_rank
from engine.strength.rating_ladder import RatingLadder, ladder_for
from engine.values import Choice, Limit, Report

MOST_DRAWS = 5  # of a level that reads
MOST_PASS = 0.5  # a level of people passes where a greater share of them would
LIKELY = 0.5  # a likely move has at least this share of the likeliest move's probability
BEST_FEW = ReportOptions(pv_length=1, lines=4)  # of another engine, where worse moves are not drawn
POINTS = 14.25  # width of the curve of the utility for people: the usual one of 19x19
# Power on the priors of a search for people: with 40 visits, nine tenths of the moves that 1% of
# people play get a visit.
FLATTENED = 0.7
# [n] moves and [n] their probabilities -> [n] other probabilities, and a sentence about them or "".
Reweigh = Callable[[NDArray[np.intp], NDArray[np.float64]], tuple[NDArray[np.float64], str]]


def ladder_of(search: Search, request: MoveRequest[Position]) -> RatingLadder:
    """Returns the tracker's ladder, or the one of the board and the search's network."""
    if request.tracker is not None:
        return request.tracker.ladder
    return ladder_for(request.board, search.network)


def play_at_elo(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays a move at the Elo of the persona's strength, within the ladder."""
    ladder = ladder_of(search, request)
    elo = min(max(request.strength(FixedElo).on(ladder), ladder.lowest), ladder.highest)
    choice = choose_by(ladder.at(elo).draw(request.rng), search, request)
    if choice is None:
        return None
    level = with_rank(scale_of(ladder), elo)
    return replace(choice, reason=f"It plays at level {level}. {choice.reason}", level_elo=elo)


def play_level(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays a move of the level in the persona's strength."""
    return choose_by(request.strength(Level), search, request)


def choose_by(
    level: Level,
    search: Search,
    request: MoveRequest[Position],
    reweigh: Reweigh | None = None,
    *,
    is_rescued: bool = False,
) -> Choice | None:
    """Returns a move of the level; None without an allowed move.

    The level's visits replace the request's; the request's most visits, playouts and time limit
    them. Only solving changes the search's tree. reweigh: changes the moves' probabilities, and
    applies the naturalness budget itself. is_rescued: where the level draws great losses alone, it
    finds the best move that it draws at all before reweigh.
    """
    if level.solve and request.solve:
        solved = play_exactly(search, request)
        if solved is not None:
            return solved
    position: Any = request.position  # of whichever game
    values = one_ply_values(position)
    moves = _allowed(np.flatnonzero(np.isfinite(values)), request)
    seen = numbers_of(level, search, request)
    best = None if seen.report is None else seen.report.best
    if best is not None and best.move == position.pass_move:
        return Choice(position.pass_move, "Nothing seems left to play for.", seen.report)
    if level.needs_people and seen.share(position.pass_move) > MOST_PASS:
        return Choice(position.pass_move, "Most people would pass.", seen.report)
    if not len(moves):
        return None
    of_moves = seen.priors[moves], seen.visits[moves], values[moves], seen.utilities[moves]
    probabilities, remark = weights(level, *of_moves), ""
    findable = probabilities > 0 if is_rescued else np.zeros(len(moves), np.bool_)
    if not level.needs_network and request.factors[moves].any():  # not yet applied by a search
        probabilities *= request.factors[moves]
        probabilities /= probabilities.sum()
    if reweigh is not None:
        probabilities, remark = reweigh(moves, probabilities)
    elif request.excess is not None:
        probabilities = request.excess.filtered(moves, probabilities)
    if reweigh is None and seen.report is not None and is_won(request, seen.report.root.win_rate):
        probabilities, remark = converted(search, request, moves, probabilities)
    move = drawn_move(level, search, request, moves, probabilities, findable=findable)
    reason = _reason(probabilities, probabilities[moves == move][0])
    beyond = "" if request.excess is None else request.excess.remark(move)
    return Choice(move, " ".join(filter(None, (reason, beyond, remark))), seen.report)


def drawn_move(
    level: Level,
    search: Search,
    request: MoveRequest[Position],
    moves: NDArray[np.intp],
    probabilities: NDArray[np.float64],
    *,
    findable: NDArray[np.bool_],
) -> int:
    """Returns a move drawn by its probability; a level that reads draws again after a great loss.

    moves: [n]. probabilities: [n] of these moves. After MOST_DRAWS great losses, or where no other
    move has a probability, the best move of the reading is played if it is findable, else the
    least loss. findable: [n] bool. The request's visits and time limit each search.
    """
    move = int(request.rng.choice(moves, p=probabilities))
    if not level.reading:
        return move
    limit = Limit(
        visits=request.limit.within(level.reading), max_seconds=request.limit.least_seconds
    )
    scratch = another_search(search, request, SearchSettings())
    best = scratch.run(limit, stop=request.stop, options=MOVES_ALONE).best
    if best is None:
        return move
    left = probabilities.copy()
    losses: dict[int, float] = {}  # in points, by move
    while True:
        read = None if move == best.move else read_on(search, request, move, limit)
        losses[move] = 0.0 if read is None else best.score_lead + read.root.score_lead
        left[moves == move] = 0.0
        if losses[move] <= level.most_loss:
            return move
        if len(losses) >= MOST_DRAWS or left.sum() <= 0:
            if findable[moves == best.move].any():
                return best.move
            return min(losses, key=lambda each: losses[each])
        move = int(request.rng.choice(moves, p=left / left.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class LevelNumbers:
    """The numbers of each move for a level; all arrays are [moves] float64."""

    priors: NDArray[np.float64]  # the policy times the request's factors; at most 0 if illegal
    visits: NDArray[np.float64]  # of the level's search, 0 without one
    utilities: NDArray[np.float64]  # of the level's search for the mover, NaN if unknown
    report: Report | None  # of the level's search; None for a level without a network

    def share(self, move: int) -> float:
        """Returns the move's share of the policy; 0 for -1, the pass of a game without passes."""
        return 0.0 if move < 0 else float(self.priors[move] / self.priors.sum())


def numbers_of(level: Level, search: Search, request: MoveRequest[Position]) -> LevelNumbers:
    """Returns the numbers of each move: one row of each network, and the level's search."""
    count = request.position.move_count
    visits, unknown = np.zeros(count), np.full(count, np.nan)
    if not level.needs_network:
        return LevelNumbers(np.ones(count), visits, unknown, None)
    people = people_of(level, request)
    report = level_search(level, search, request, people)
    policy = report.policy.astype(np.float64) if people is None else people
    for stats in report.moves:
        visits[stats.move] = stats.edge_visits
    worth = utilities([report], count) if level.uses_utilities else unknown
    return LevelNumbers(np.maximum(policy, 0.0) * request.factors, visits, worth, report)


def people_of(level: Level, request: MoveRequest[Position]) -> NDArray[np.float64] | None:
    """Returns [moves] the human policy of the level's players; None: the search's own stands in."""
    if not level.needs_people or request.reference is None:
        return None
    return request.reference.policy_at(request.position, (level.imitated, level.imitated))


def level_search(
    level: Level,
    search: Search,
    request: MoveRequest[Position],
    people: NDArray[np.float64] | None = None,
) -> Report:
    """Runs a short search with the level's settings; it shares the network's evaluations.

    people: [moves] the human policy; half of the priors are then of it, flattened, as a search by
    its own priors would leave the utilities of human moves unknown.
    """
    cells = request.position.width * request.position.height
    scratch = another_search(search, request, settings_of(level, cells))
    prior_weights = request.prior_weights
    if people is not None and level.visits > 1:
        own = own_priors(scratch, request)
        priors = ((own + people) / 2) ** FLATTENED
        prior_weights = (request.factors * priors / own).astype(np.float32)
    limit = Limit(
        visits=request.limit.within(level.visits),
        playouts=request.limit.playouts,
        max_seconds=request.limit.least_seconds,
    )
    return scratch.run(
        limit,
        stop=request.stop,
        options=BEST_FEW if level.takes_the_best else MOVES_ALONE,
        restriction=restriction_for(level, search, request, people),
        prior_weights=prior_weights,
    )


def restriction_for(
    level: Level,
    search: Search,
    request: MoveRequest[Position],
    people: NDArray[np.float64] | None,
) -> Restriction | None:
    """Returns the restriction of a level's search: the request's, and the level's floor.

    Another engine spends its nodes on each move that it values. Moves under the floor are never
    drawn, so that it need not value them. people: [moves] the human policy, if it draws the moves.
    """
    if not search.aids.has_engine or people is None:
        return request.restriction
    moves = np.array(request.position.legal_moves())
    above = moves[above_floor(level, people[moves] * request.factors[moves])]
    return narrowed(request, np.setdiff1d(moves, above))


def settings_of(level: Level, cells: int) -> SearchSettings:
    """Returns a level's search settings: the usual ones, without solving unless it solves.

    A restrained level of people searches for points, relative to the expected score: with the win
    rate in the utility, its losses would grow with its lead. A point counts as much on every board.
    cells: of the board.
    """
    settings = SearchSettings()
    settings.root_symmetries = 1
    if level.needs_people and level.uses_utilities:
        settings.win_loss_utility_factor = 0.0
        settings.static_score_utility_factor = 0.0
        settings.dynamic_score_center_zero_weight = 0.0
        settings.dynamic_score_center_scale = POINTS / math.sqrt(cells)
        settings.root_fpu_reduction_max = 0.0
    if not level.solve:
        settings.solve_empties = 0
    return settings


def _allowed(moves: NDArray[np.intp], request: MoveRequest[Position]) -> NDArray[np.intp]:
    """Returns the moves that the request allows."""
    return np.array([move for move in moves if request.allows(move)], dtype=np.intp)


def _reason(probabilities: NDArray[np.float64], probability: float) -> str:
    """Returns a sentence on the draw."""
    if not probability:
        return "It read that the moves it would draw lose much, and found the best one."
    likely = int((probabilities >= LIKELY * probabilities.max()).sum())
    if probability < LIKELY * probabilities.max():
        return f"It drew a less likely move, with a probability of {probability:.1%}."
    return (
        "It drew the likeliest move." if likely == 1 else f"It drew one of {likely} likely moves."
    )


LEVEL: Steps[Any] = Steps(before_search=(play_level,))
AT_ELO: Steps[Any] = Steps(before_search=(play_at_elo,))
