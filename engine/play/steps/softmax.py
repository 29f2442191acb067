"""The step of the softmax strength index: after the search, a draw among the moves by their visits.

The formulas are in engine.strength.softmax_index. In Go it passes when the search would, and else
draws among the other moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.position import Position
from engine.play.steps.request import MoveRequest, Steps
from engine.search.search import Search
from engine.strength.softmax_index import Softmax, probabilities, within_game
from engine.values import Choice, MoveStats, Report

LEAST_PRIOR = 1e-6  # a move's prior counts as this at least


def draw(_search: Search, request: MoveRequest[Position], report: Report) -> Choice:
    """Draws a move by its visits at the strength index."""
    strength = request.strength(Softmax)
    if report.moves[0].move == request.position.pass_move:
        return Choice(request.position.pass_move, "The search would pass.", report)
    moves = [stats for stats in report.moves if stats.move != request.position.pass_move]
    index = index_now(strength, request, report)
    shares = probabilities(weights(moves), index, strength.threshold)
    drawn = int(request.rng.choice(len(moves), p=shares))
    reason = (
        f"At strength index {index:+.2f} it drew number {drawn + 1} of "
        f"{int((shares > 0).sum())} moves, with a probability of {shares[drawn]:.0%}."
    )
    return Choice(moves[drawn].move, reason, report)


def weights(moves: Sequence[MoveStats]) -> list[float]:
    """Returns [n] the visits of each move; without any visit, the priors in units of LEAST_PRIOR.

    A limit of one visit evaluates the root alone, as does a search stopped at once.
    """
    visits = [float(stats.edge_visits) for stats in moves]
    if any(visits):
        return visits
    return [max(stats.prior, LEAST_PRIOR) / LEAST_PRIOR for stats in moves]


def index_now(strength: Softmax, request: MoveRequest[Position], report: Report) -> float:
    """Returns the index of this move, adjusted by the persona's settings.

    Raises TypeError for an index between games without an opponent.
    """
    index = strength.index
    if strength.between_games:
        if request.tracker is None:
            raise TypeError(f"persona {request.persona.name!r} has no opponent to learn from")
        index = request.tracker.opponent.index.index
    if not strength.within_game:
        return index
    views = [*(outlook.win_rate for outlook in request.past), report.root.win_rate]
    return within_game(index, views)


SOFTMAX: Steps[Position] = Steps(after_search=(draw,))
