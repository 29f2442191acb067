"""The leads after the likely moves of a level in Go, and our standings there.

A search between strong players visits few moves of a weak level. The network evaluates the
positions after the others in one batch, and thus a great mistake is known before it is played.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position, phase_of
from engine.opponents import StandingAfter
from engine.play.steps.leads import TRUSTED_VISITS, after_move, network_leads
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Report, Standing

Numbers = NDArray[np.float64]  # [n], one value a move

LIKELY_SHARE = 0.95  # share of a level's probability held by its likely moves
MOST_LIKELY = 48  # moves, at most


def likely_moves(probabilities: Numbers) -> NDArray[np.bool_]:
    """Returns [n] whether a level's move is likely: one of the fewest with LIKELY_SHARE."""
    order = np.argsort(-probabilities, kind="stable")
    before = np.cumsum(probabilities[order]) - probabilities[order]
    likely = np.zeros(len(probabilities), np.bool_)
    likely[order[:MOST_LIKELY][before[:MOST_LIKELY] < LIKELY_SHARE * probabilities.sum()]] = True
    return likely & (probabilities > 0)


def leads_of_level(
    search: Search,
    request: MoveRequest[Any],  # of Go
    report: Report,
    moves: NDArray[np.intp],
    probabilities: Numbers,
) -> Numbers:
    """Returns [n] the mover's lead after each move; NaN if it is unknown.

    report: of the move's search. moves: [n]. probabilities: [n] of these moves by the level. A move
    with many visits has the lead of the search, another one the lead of the naturalness budget's
    search, and a likely move without either the network's. The limit of visits bounds these; in a
    hurry the network evaluates nothing.
    """
    leads = searched_leads(request, report, moves)
    if request.limit.is_hurried:
        return leads
    likely = np.flatnonzero(likely_moves(probabilities) & np.isnan(leads))
    likeliest_first = likely[np.argsort(-probabilities[likely], kind="stable")]
    unknown = likeliest_first[: request.limit.within(MOST_LIKELY)]
    by_network = network_leads(search, request.position, moves[unknown].tolist())
    best_lead = float(np.nanmax(leads, initial=-np.inf))
    for place in unknown:
        lead = by_network.get(int(moves[place]), np.nan)
        # A single evaluation is no better than a search.
        leads[place] = min(lead, best_lead) if np.isfinite(best_lead) else lead
    return leads


def searched_leads(request: MoveRequest[Any], report: Report, moves: NDArray[np.intp]) -> Numbers:
    """Returns [n] the mover's lead after each move by a search; NaN for a move without a visit."""
    leads = np.full(len(moves), np.nan)
    visited = {stats.move: stats for stats in report.moves if stats.edge_visits > 0}
    if not visited:
        return leads
    best_lead = max(stats.score_lead for stats in visited.values())
    if request.excess is not None:
        # The budget's search visits the moves of people, this one those of strong players.
        leads = best_lead - request.excess.losses[moves]
    for place, move in enumerate(moves.tolist()):
        stats = visited.get(move)
        if stats and (stats.edge_visits >= TRUSTED_VISITS or np.isnan(leads[place])):
            leads[place] = stats.score_lead
    return leads


def standings_with(
    leads: Numbers, position: Position, moves: NDArray[np.intp], before: Standing
) -> list[StandingAfter]:
    """Returns [n] the mover's standing after each move; None for an unknown lead.

    leads, moves: [n]. before: the standing before the move.
    """
    filled = max(before.phase, phase_of(after_move(position, int(moves[0]))))
    return [
        None if np.isnan(lead) else replace(before, phase=filled, lead=float(lead))
        for lead in leads
    ]
