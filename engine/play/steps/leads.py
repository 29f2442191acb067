"""The lead after each move of a position: by the search, by the network or by reading on.

Endings and weights of moves use these leads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.games.position import Position
from engine.networks.raw import evaluate_each
from engine.play.steps.request import MoveRequest
from engine.play.steps.scratch import another_search
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search
from engine.values import Limit, Report

TRUSTED_VISITS = 4  # a move with fewer visits has the lead of the network


def gain_of(search: Search, position: Position, report: Report) -> float:
    """Returns the gain of the best move over a pass, in points; 0 without a legal pass."""
    best, move = report.best, position.pass_move
    if best is None or move < 0 or not position.is_legal(move):
        return 0.0
    after_pass = leads_after(search, position, report, [move])
    return best.score_lead - after_pass.get(move, best.score_lead)


def leads_after(
    search: Search, position: Position, report: Report, moves: Iterable[int]
) -> dict[int, float]:
    """Returns the mover's leads after these moves and after all visited ones, by move.

    A move with few visits takes the network's lead of the position after it. Such a move has no
    lead if it ends the game.
    """
    leads = {
        stats.move: stats.score_lead
        for stats in report.moves
        if stats.edge_visits >= TRUSTED_VISITS
    }
    unread = [move for move in moves if move not in leads]
    return leads | network_leads(search, position, unread)


def network_leads(search: Search, position: Position, moves: Iterable[int]) -> dict[int, float]:
    """Returns the mover's lead after each move by the network, in one batch, by move.

    A move that ends the game has none.
    """
    afters = {move: after_move(position, move) for move in moves}
    afters = {move: after for move, after in afters.items() if not after.is_over}
    raws = evaluate_each(search.evaluator, list(afters.values()))
    return {
        move: float(raw.lead if after.to_move == position.to_move else -raw.lead)
        for (move, after), raw in zip(afters.items(), raws, strict=True)
    }


def read_on(
    search: Search, request: MoveRequest[Position], move: int, limit: Limit
) -> Report | None:
    """Searches the position after the move by itself; None if the game is over there."""
    after = after_move(request.position, move)
    if after.is_over:
        return None
    scratch = another_search(search, replace(request, position=after), search.settings)
    return scratch.run(limit, stop=request.stop, options=WITH_OWNERSHIP)


def after_move(position: Position, move: int) -> Position:
    """Returns the position after a move of the side to move."""
    after = position.copy()
    after.play(move)
    return after
