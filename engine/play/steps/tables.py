"""Endings of chess by the user's endgame tables.

At full strength the tables choose. A weaker persona plays its own moves, but its won games
(engine.play.steps.conversion) stay won, within the rule of fifty moves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.play.steps.request import MoveRequest
from engine.search.pawns import pawns_of
from engine.search.search import Search
from engine.values import Choice, Limit, Report

if TYPE_CHECKING:
    from engine.search.endgame_tables import TableMove

Numbers = NDArray[np.float64]  # [n], one value a move

LEAST_SHARE = 1e-4  # of the probability of a level's move
NATS_A_PLY = 1.0  # a move on a way to the win longer by a half-move is so much less likely
RESULTS = {1: "wins", 0: "draws", -1: "loses"}


def play_by_tables(search: Search, request: MoveRequest[Any]) -> Choice | None:
    """Plays a move with the best exact result; None in a position without a table.

    A win is played by the shortest way to the next capture, move of a pawn or mate, a lost game by
    the longest. Among draws the search chooses.
    """
    known = known_moves(search, request)
    if not known:
        return None
    best = max(each.result for each in known.values())
    fair = {move: each for move, each in known.items() if each.result == best}
    if best:
        wanted = min if best > 0 else max
        plies = wanted(each.plies for each in fair.values())
        fair = {move: each for move, each in fair.items() if each.plies == plies}
    limit = request.limit if best == 0 and len(fair) > 1 else Limit(visits=1)
    report = request.searched(search, limit)
    searched = [stats.move for stats in report.moves if stats.move in fair]
    likely = max(fair, key=lambda move: float(report.policy[move]))
    move = searched[0] if searched else likely
    if best:
        report = with_result(report, move, best)
    return Choice(move, f"The endgame tables know that it {RESULTS[best]}.", report)


def with_result(report: Report, move: int, result: int) -> Report:
    """Returns the report of one move that wins, by the result 1, or loses, by -1."""
    rate = (1 + result) / 2
    root = replace(report.root, win_rate=rate, no_result=0.0, score_lead=float(result))
    moves = tuple(
        replace(
            stats,
            win_rate=rate,
            no_result=0.0,
            score_lead=float(result),
            score_mean=pawns_of(result),
        )
        for stats in report.moves
        if stats.move == move
    )
    return replace(report, root=root, moves=moves)


def known_moves(search: Search, request: MoveRequest[Any]) -> dict[int, TableMove]:
    """Returns the exact results of the allowed moves; none where no table knows the position."""
    tables = search.aids.tables
    known = None if tables is None else tables.moves(request.position)
    return {} if known is None else {m: each for m, each in known.items() if request.allows(m)}


def won_by_tables(
    known: dict[int, TableMove], moves: NDArray[np.intp], probabilities: Numbers
) -> Numbers | None:
    """Returns [n] the probabilities of moves that keep a win, sum 1; None without one.

    known: the exact results. moves: [n]. probabilities: [n] of these moves by a level. A longer way
    is less likely: natural moves come first, and the win comes before fifty moves are over.
    """
    winning = np.array([move in known and known[move].result > 0 for move in moves.tolist()])
    if not winning.any():
        return None
    plies = np.array([known[m].plies if m in known else 0 for m in moves.tolist()])
    nats = np.log(np.maximum(probabilities, LEAST_SHARE)) - NATS_A_PLY * plies
    shares = np.where(winning, np.exp(nats - nats[winning].max()), 0.0)
    return np.asarray(shares / shares.sum())
