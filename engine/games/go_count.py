"""The count of a game of Go: dead stones and the score.

A search tells the owners of the points. Play goes on from stones that it leaves in doubt (see
engine.games.go_aftermath). Callers pass the search as a function.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules
from engine.games import go_aftermath
from engine.games.chains import BLACK, beside, chains
from engine.games.dame import in_seki
from engine.games.go_aftermath import Search
from engine.games.position import placed_stones
from engine.games.rules import set_rule
from engine.values import FinalStatus, Report

# A chain is alive if the ownership of its points, from its color's view, exceeds the first on
# average and the second at each point. (KataGo's thresholds.)
ALIVE_ON_AVERAGE = 0.2
ALIVE_AT_WORST = -0.6

VISITS = 100  # of a search for the owners

Ownership = NDArray[np.float32]  # [H, W]


def without_history(
    position: GoPosition,
    to_move: int,
    removed: NDArray[np.bool_] | None = None,
    rules: GoRules | None = None,
) -> GoPosition:
    """Returns the stones as the start of a game with to_move to move.

    removed: [H, W] bool, stones to leave out. rules: None for the same. White's points beside the
    board, by captures or a button, become part of the komi.
    """
    stones = position.stones
    if removed is not None:
        stones = np.where(removed, 0, stones)
    fresh = GoPosition(position.width, position.height, rules or position.rules, position.komi)
    placed = np.flatnonzero(stones)
    fresh.setup([(int(stones.flat[move]) - 1, int(move)) for move in placed])
    fresh.to_move = to_move
    fresh.komi += position.white_bonus - fresh.white_bonus
    return fresh


def dead_stones(position: GoPosition, black_ownership: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Returns a mask [H, W] of the dead stones.

    black_ownership: [H, W] float32, +1 Black's. Benson's algorithm decides the pass-alive chains
    and the stones in their territory, ownership the other chains. Between adjacent doubtful chains
    of both colors the deader one dies, as dead stones lie in the territory of living ones.
    """
    stones = position.stones
    safe = position.pass_alive()
    dead = np.zeros(stones.shape, dtype=np.bool_)
    doubtful: list[tuple[float, list[int]]] = []  # (mean ownership by its color, chain)
    for chain in chains(stones):
        sign = 1 if stones.flat[chain[0]] == BLACK else -1
        if safe.flat[chain[0]] != 0:
            dead.flat[chain] = safe.flat[chain[0]] != sign
            continue
        own = sign * black_ownership.flat[chain]
        if own.mean() <= ALIVE_ON_AVERAGE or own.min() <= ALIVE_AT_WORST:
            doubtful.append((float(own.mean()), chain))
    for _, chain in sorted(doubtful):
        dead.flat[chain] = not dead.flat[beside(stones, chain)].any()
    return dead


def as_black(report: Report, shape: tuple[int, int]) -> Ownership:
    """Returns the report's ownership from Black's view, [H, W] float32; shape: (H, W).

    Raises ValueError without ownership.
    """
    if report.ownership is None:
        raise ValueError("the report has no ownership")
    sign = np.float32(1 if report.root.to_move == 0 else -1)
    return (sign * report.ownership).reshape(shape)


def judge(position: GoPosition, search: Search) -> FinalStatus:
    """Returns the living and dead stones and the score of a finished or unfinished game.

    A finished game is counted point by point without its dead stones; play goes on to settle chains
    in doubt. An unfinished one is estimated by the lead, rounded to a score possible with the komi.
    """
    stones = position.stones
    if position.is_no_result:
        return FinalStatus(stones != 0, np.zeros_like(stones, dtype=np.bool_), 0.0)
    if position.is_over and counts_as_it_stands(position.rules):
        area = position.area()
        dead = (stones != 0) & (np.where(stones == BLACK, 1, -1) != area)
        return FinalStatus((stones != 0) & ~dead, dead, position.black_score)
    report = search(without_history(position, position.to_move), VISITS)
    ownership = as_black(report, stones.shape)
    dead = dead_stones(position, ownership)
    if position.is_over:
        _play_on(position, ownership, dead, search)
    alive = (stones != 0) & ~dead
    if position.is_over:
        return FinalStatus(alive, dead, score_without_dead(position, dead))
    lead = report.root.score_lead if report.root.to_move == 0 else -report.root.score_lead
    return FinalStatus(alive, dead, possible_score(lead, position))


def _play_on(
    position: GoPosition, ownership: Ownership, dead: NDArray[np.bool_], search: Search
) -> None:
    """Corrects the dead stones [H, W], in place, by play from the chains that are in doubt."""
    doubtful = go_aftermath.doubtful_chains(position, ownership)
    if not doubtful:
        return
    clear = dead.copy()
    for chain in doubtful:
        clear.flat[chain] = False
    starts = [without_history(position, side, clear, go_aftermath.RULES) for side in (0, 1)]
    go_aftermath.settle(dead, doubtful, starts, search)


def counts_as_it_stands(rules: GoRules) -> bool:
    """Whether all stones on the board count as alive, as by Tromp-Taylor rules."""
    return rules.scoring == "AREA" and not rules.friendly_pass


def score_without_dead(position: GoPosition, dead: NDArray[np.bool_]) -> float:
    """Returns Black's score without the dead stones [H, W], with the game's komi and bonuses.

    By many rules chains in seki have no territory, and a dame left unfilled looks like seki. Here
    dame still fillable by a side make no seki.
    """
    clean = without_history(position, position.to_move, removed=dead)
    if clean.rules.scoring == "AREA" or clean.rules.tax != "SEKI":
        return clean.black_score
    rules = set_rule(clean.rules, "tax", "NONE")
    untaxed = GoPosition(clean.width, clean.height, rules, clean.komi)
    untaxed.setup(placed_stones(clean))
    owners = untaxed.area()
    owners[in_seki(clean.stones, owners)] = 0
    return float(owners.sum()) - clean.white_bonus


def possible_score(lead: float, position: GoPosition) -> float:
    """Returns the score nearest to a lead; with the komi, scores are whole points apart."""
    fraction = position.white_bonus % 1
    return round(lead + fraction) - fraction
