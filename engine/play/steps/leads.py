"""The lead after each of a position's moves: as searched, as the network or reading has it.

Does not know what a lead is wanted for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.games.position import Position
from engine.networks.raw import evaluate_each
from engine.play.steps.go import WITH_OWNERSHIP
from engine.play.steps.request import MoveRequest
from engine.play.steps.scratch import another_search
from engine.search.search import Search
from engine.values import Limit, Report

TRUSTED_VISITS = 4  # of a move; one looked at less has its lead from the network alone


def gain_of(search: Search, position: Position, report: Report) -> float:
    """By how many points the best move is better than a pass; 0 where nobody may pass."""
    best, move = report.best, position.pass_move
    if best is None or move < 0 or not position.is_legal(move):
        return 0.0
    after_pass = leads_after(search, position, report, [move])
    return best.score_lead - after_pass.get(move, best.score_lead)


def leads_after(
    search: Search, position: Position, report: Report, moves: Iterable[int]
) -> dict[int, float]:
    """The moves' leads, of the side that plays them; those the search looked at have one too.

    Where it hardly did, a lead is what the network says of the position after the move. A move that
    ends the game has none there.
    """
    leads = {
        stats.move: stats.score_lead
        for stats in report.moves
        if stats.edge_visits >= TRUSTED_VISITS
    }
    unread = {move: after_move(position, move) for move in moves if move not in leads}
    unread = {move: after for move, after in unread.items() if not after.is_over}
    raws = evaluate_each(search.evaluator, list(unread.values()))
    for (move, after), raw in zip(unread.items(), raws, strict=True):
        leads[move] = float(raw.lead if after.to_move == position.to_move else -raw.lead)
    return leads


def read_on(
    search: Search, request: MoveRequest[Position], move: int, limit: Limit
) -> Report | None:
    """What a search of its own says of the position after the move; None where the game is over."""
    after = after_move(request.position, move)
    if after.is_over:
        return None
    scratch = another_search(search, replace(request, position=after), search.settings)
    return scratch.run(limit, stop=request.stop, options=WITH_OWNERSHIP)


def after_move(position: Position, move: int) -> Position:
    """The position after a move of its side to move."""
    after = position.copy()
    after.play(move)
    return after
