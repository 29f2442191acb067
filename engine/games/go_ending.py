"""How a game of Go ends: whose stones are dead, the score, when to pass, clean up and resign.

Knows positions, what searches report of them, and the customs of players. It neither runs a clock
nor keeps a game: searches are passed in as functions, the past as values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules
from engine.games.chains import BLACK, WHITE, beside, chains, liberties_of, neighbours
from engine.games.dame import connection, fillable, in_seki
from engine.games.position import placed_stones
from engine.games.rules import set_rule
from engine.values import FinalStatus, Report, RootStats

# A chain is alive when its points are its color's by this much on average, and its worst point
# is not the opponent's by more than that. (KataGo's thresholds.)
ALIVE_ON_AVERAGE = 0.2
ALIVE_AT_WORST = -0.6
OWNED = 0.75  # ownership from which a point counts as somebody's

# A friendly pass may cost so little.
PASS_UTILITY = 0.1
PASS_POINTS = 0.25

# A pass that gives away so many points comes too early.
FORGONE_POINTS = 0.5

# What filling a dame may seem to cost, in points: where it kills stones it costs more.
FILLING_POINTS = 2.0

Ownership = NDArray[np.float32]  # [H, W]
ShortSearch = Callable[[GoPosition], Report]  # a short search of a position, with ownership


@dataclass(frozen=True, slots=True)
class EndingSettings:
    """When to resign, and what to do at the end. None leaves it to the rules."""

    allow_resignation: bool = True
    resign_win_rate: float = 0.05  # resign below this
    resign_consecutive_turns: int = 3  # ... in so many own turns running
    resign_min_score_difference: float = 9.5  # points on 19x19, smaller boards by their side
    resign_min_moves_per_board_area: float = 0.3
    friendly_pass: bool | None = None  # answer a pass with a pass when nothing is left to gain
    cleanup_before_pass: bool | None = None  # capture what is dead before passing


@dataclass(frozen=True, slots=True)
class TurnEvaluation:
    """What a player thought of the game at one of their turns."""

    win_rate: float
    score_lead: float  # points


def without_history(
    position: GoPosition, to_move: int, removed: NDArray[np.bool_] | None = None
) -> GoPosition:
    """The same stones under the same rules as the beginning of a game; those in `removed` gone.

    What White has beside the board, by stones taken or a button, is in the komi.
    """
    stones = position.stones
    if removed is not None:
        stones = np.where(removed, 0, stones)
    fresh = GoPosition(position.width, position.height, position.rules, position.komi)
    placed = np.flatnonzero(stones)
    fresh.setup([(int(stones.flat[move]) - 1, int(move)) for move in placed])
    fresh.to_move = to_move
    fresh.komi += position.white_bonus - fresh.white_bonus
    return fresh


def with_to_move(position: GoPosition, color: int) -> GoPosition:
    """The position with that color to move: Go's protocols let players move out of turn."""
    turned = position.copy()
    turned.to_move = color
    return turned


def dead_stones(position: GoPosition, black_ownership: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[H, W], where a dead stone stands.

    black_ownership: [H, W] float32, +1 Black's. Stones that Benson's algorithm decides are
    decided by it, chains of the others by their ownership. Of chains of both colors side by side
    the deader ones die: what is dead lies in the territory of somebody who lives.
    """
    stones = position.stones
    safe = position.pass_alive()
    dead = np.zeros(stones.shape, dtype=np.bool_)
    doubtful: list[tuple[float, list[int]]] = []  # by how much a chain's points are its own
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
    """The report's ownership from Black's view, [H, W] float32."""
    if report.ownership is None:
        raise ValueError("the report has no ownership")
    sign = np.float32(1 if report.root.to_move == 0 else -1)
    return (sign * report.ownership).reshape(shape)


def judge(position: GoPosition, search: ShortSearch) -> FinalStatus:
    """Who lives and what the score is, whether the game is over or not.

    A finished game is counted point by point with its dead stones taken off; an unfinished one
    is estimated by the lead, rounded to a score the komi allows.
    """
    stones = position.stones
    if position.is_no_result:
        return FinalStatus(stones != 0, np.zeros_like(stones, dtype=np.bool_), 0.0)
    if position.is_over and counts_as_it_stands(position.rules):
        area = position.area()
        dead = (stones != 0) & (np.where(stones == BLACK, 1, -1) != area)
        return FinalStatus((stones != 0) & ~dead, dead, position.black_score)
    report = search(without_history(position, position.to_move))
    dead = dead_stones(position, as_black(report, stones.shape))
    alive = (stones != 0) & ~dead
    if position.is_over:
        return FinalStatus(alive, dead, score_without_dead(position, dead))
    lead = report.root.score_lead if report.root.to_move == 0 else -report.root.score_lead
    return FinalStatus(alive, dead, possible_score(lead, position))


def counts_as_it_stands(rules: GoRules) -> bool:
    """Whether the rules take every stone on the board for alive, as Tromp and Taylor do."""
    return rules.scoring == "AREA" and not rules.friendly_pass


def score_without_dead(position: GoPosition, dead: NDArray[np.bool_]) -> float:
    """Black's score with the dead stones taken off; komi and bonuses as in the game.

    Who lives in seki has no territory by many rules, and a dame that nobody filled looks like one:
    here dame that either side could still fill make none.
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
    """The score nearest to a lead that the komi allows, whole points apart."""
    fraction = position.white_bonus % 1
    return round(lead + fraction) - fraction


def capturing_moves(position: GoPosition, dead: NDArray[np.bool_]) -> list[int]:
    """The legal moves next to dead stones of the opponent."""
    opponent = WHITE if position.to_move == 0 else BLACK
    stones = position.stones
    prey = dead & (stones == opponent)
    return [
        int(move)
        for move in np.flatnonzero(stones == 0)
        if touches(prey, int(move)) and position.is_legal(int(move))
    ]


def touches(points: NDArray[np.bool_], move: int) -> bool:
    """Whether one of the marked points is a neighbour of the move's."""
    height, width = points.shape
    return any(bool(points.flat[other]) for other in neighbours(move, width, height))


def may_pass_friendly(position: GoPosition, settings: EndingSettings) -> bool:
    """Whether the opponent has just passed and a pass in answer is good manners here."""
    rules = position.rules
    by_rules = rules.friendly_pass or rules.scoring == "TERRITORY"
    wanted = by_rules if settings.friendly_pass is None else settings.friendly_pass
    return (
        wanted
        and settings.cleanup_before_pass is not True
        and not rules.button
        and position.consecutive_passes == 1
        and not position.is_over
    )


def loses_nothing_by_passing(
    position: GoPosition, move: int, report: Report, search: ShortSearch
) -> bool:
    """Whether the borders are closed and a pass is as good as the move the search found.

    report: of this position, with ownership; search: called twice.
    """
    own = position.to_move
    ownership = as_black(report, position.stones.shape)
    dead = dead_stones(position, ownership)
    clean = without_history(position, own, removed=dead)
    area = clean.area()
    taken = ((ownership > OWNED) & (area != 1)) | ((ownership < -OWNED) & (area != -1))
    if any(not _is_dame(clean.stones, int(point)) for point in np.flatnonzero(taken)):
        return False
    opponent = WHITE if own == 0 else BLACK
    if touches(clean.stones == opponent, move):  # a dame or a reinforcement
        return False
    after_pass, after_move = _opponent_roots(position, move, search)
    return (
        after_pass.utility < after_move.utility + PASS_UTILITY
        and after_pass.score_mean < after_move.score_mean + PASS_POINTS
        and after_pass.score_lead < after_move.score_lead + PASS_POINTS
    )


def _is_dame(stones: NDArray[np.uint8], point: int) -> bool:
    """Whether living stones of both colors stand beside an empty point."""
    both = touches(stones == BLACK, point) and touches(stones == WHITE, point)
    return bool(stones.flat[point] == 0) and both


def loses_by_passing(position: GoPosition, move: int, search: ShortSearch) -> bool:
    """Whether a pass gives points away that the move keeps; search: called twice."""
    after_pass, after_move = _opponent_roots(position, move, search)
    return after_pass.score_lead > after_move.score_lead + FORGONE_POINTS


def _opponent_roots(
    position: GoPosition, move: int, search: ShortSearch
) -> tuple[RootStats, RootStats]:
    """How it stands for the opponent after a pass and after the move: what grows is lost here."""
    opponent = 1 - position.to_move
    moved = position.copy()
    moved.play(move)
    after_pass = search(without_history(position, opponent)).root
    return after_pass, search(without_history(moved, opponent)).root


def dame_moves(position: GoPosition, black_ownership: NDArray[np.float32]) -> list[int]:
    """The legal moves that take a point nobody owns yet, dead stones taken off; none in seki.

    In a gap of several points those beside the opponent. Where a stone there would be in atari, the
    connection that it needs first. None under territory scoring, where nothing is gained so.
    """
    if position.rules.scoring != "AREA":
        return []
    dead = dead_stones(position, black_ownership)
    clean = without_history(position, position.to_move, removed=dead)
    own, opponent = (BLACK, WHITE) if position.to_move == 0 else (WHITE, BLACK)
    owners = clean.area()
    moves = [
        move
        for dame in fillable(clean.stones, owners)
        for move in (dame, connection(clean.stones, owners, dame, own))
        if move is not None and _stands(position, move)
    ]
    return [move for move in moves if touches(clean.stones == opponent, move)] or moves


def _stands(position: GoPosition, move: int) -> bool:
    """Whether a stone can be played there that is not in atari at once, or takes others."""
    if not position.is_legal(move):
        return False
    moved = position.copy()
    moved.play(move)
    takes = int((moved.stones != 0).sum()) <= int((position.stones != 0).sum())
    return takes or len(liberties_of(moved.stones, move)) > 1


def loses_nothing_by_filling(position: GoPosition, move: int, search: ShortSearch) -> bool:
    """Whether a dame can be filled without harm to the stones around it; search: called twice."""
    after_pass, after_move = _opponent_roots(position, move, search)
    return after_move.score_lead < after_pass.score_lead + FILLING_POINTS


def wants_cleanup(position: GoPosition, settings: EndingSettings) -> bool:
    """Whether dead stones should be captured before passing: else they count as alive."""
    if settings.cleanup_before_pass is not None:
        return settings.cleanup_before_pass
    return counts_as_it_stands(position.rules) and settings.friendly_pass is not True


def should_resign(
    position: GoPosition, past: Sequence[TurnEvaluation], settings: EndingSettings
) -> bool:
    """Whether a player would give up here who respects the opponent's time and chances.

    past: the mover's own outlooks of this game, the present one last.
    """
    turns = settings.resign_consecutive_turns
    area = position.width * position.height
    if not settings.allow_resignation or len(past) < turns or turns < 1:
        return False
    if position.move_number < settings.resign_min_moves_per_board_area * area:
        return False
    if any(evaluation.win_rate >= settings.resign_win_rate for evaluation in past[-turns:]):
        return False
    enough = settings.resign_min_score_difference * min(1.0, math.sqrt(area) / 19)
    behind = -past[-1].score_lead
    return behind > enough + disadvantage_to_be_expected(position, past[0])


def disadvantage_to_be_expected(position: GoPosition, first: TurnEvaluation) -> float:
    """Points by which a player may still be behind who began behind, by handicap or komi.

    It should be made up by the time the board is half full; a part of it is always granted.
    """
    area = position.width * position.height
    left = max(0.0, 1.0 - position.move_number / (0.6 * area))
    return max(0.0, -first.score_lead) * (left + 0.15)
