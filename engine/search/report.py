"""Builds a Report from the core's tree, everything from the root mover's view."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine._core import MoveReport
from engine.search.tree import Tree
from engine.values import Bounds, Floats, MoveStats, Report, RootStats


@dataclass(frozen=True)
class ReportOptions:
    """Optional contents of a Report beside moves and root; each costs time."""

    pv_length: int = 20
    ownership: bool = False
    moves_ownership: bool = False
    lines: int | None = None  # the most moves that another engine values; None: all


MOVES_ALONE = ReportOptions(pv_length=1)  # for callers that need no variations
WITH_OWNERSHIP = ReportOptions(pv_length=1, ownership=True)


def make_report(tree: Tree[Any], options: ReportOptions, seconds: float) -> Report:
    """Returns the tree's results. Raises RuntimeError before the root was evaluated."""
    if not tree.evaluated:
        raise RuntimeError("nothing was evaluated yet")
    mean: Floats | None = None
    stdev: Floats | None = None
    if options.ownership:
        mean, stdev = _ownership(tree, -1)
    moves = tuple(_move_stats(tree, move, options) for move in tree.report(options.pv_length))
    return Report(
        root=_root_stats(tree),
        moves=moves,
        policy=tree.policy(),
        seconds=seconds,
        playouts=tree.playouts,
        ownership=mean,
        ownership_stdev=stdev,
    )


def _move_stats(tree: Tree[Any], move: MoveReport, options: ReportOptions) -> MoveStats:
    pv = move.pv
    mean: Floats | None = None
    stdev: Floats | None = None
    if options.moves_ownership and move.visits > 0:
        mean, stdev = _ownership(tree, move.symmetry_of if move.symmetry_of >= 0 else move.move)
    if move.symmetry_of >= 0:
        pv = [tree.symmetric_move(m, move.symmetry) for m in pv]
        if mean is not None and stdev is not None:
            cells = [tree.symmetric_cell(cell, move.symmetry) for cell in range(len(mean))]
            mean, stdev = _scatter(mean, cells), _scatter(stdev, cells)
    return MoveStats(
        move=move.move,
        order=move.order,
        visits=move.visits,
        edge_visits=move.edge_visits,
        win_rate=move.win_rate,
        no_result=move.no_result,
        score_lead=move.score_lead,
        score_mean=move.score_mean,
        score_stdev=move.score_stdev,
        utility=move.utility,
        lcb=move.lcb,
        utility_lcb=move.utility_lcb,
        prior=move.prior,
        weight=move.weight,
        edge_weight=move.edge_weight,
        play_selection_value=move.play_selection_value,
        pv=tuple(pv),
        pv_visits=tuple(move.pv_visits),
        pv_edge_visits=tuple(move.pv_edge_visits),
        bounds=_known(move.bounds),
        symmetry_of=move.symmetry_of if move.symmetry_of >= 0 else None,
        ownership=mean,
        ownership_stdev=stdev,
    )


def _ownership(tree: Tree[Any], move: int) -> tuple[Floats, Floats] | tuple[None, None]:
    """Ownership below the root or one of its moves; None in a game without, or if unknown."""
    mean, stdev = tree.ownership(move)
    return (mean, stdev) if mean.size else (None, None)


def _scatter(values: Floats, cells: list[int]) -> Floats:
    moved = np.empty_like(values)
    moved[cells] = values
    return moved


def _root_stats(tree: Tree[Any]) -> RootStats:
    root = tree.root
    raw = tree.root_values
    to_move = tree.to_move
    sign = 1.0 if to_move == 0 else -1.0
    return RootStats(
        to_move=to_move,
        visits=root.visits,
        win_rate=0.5 * (1.0 + sign * root.win_loss),
        no_result=root.no_result,
        score_lead=sign * root.lead,
        score_mean=sign * root.score_mean,
        score_stdev=_stdev(root.score_mean, root.score_mean_square),
        utility=sign * root.utility,
        weight=root.weight,
        raw_win_rate=0.5 * (1.0 + sign * (raw.black_win - raw.white_win)),
        raw_score_lead=sign * raw.lead,
        raw_score_mean=sign * raw.score_mean,
        raw_score_stdev=_stdev(raw.score_mean, raw.score_mean_square),
        raw_no_result=raw.no_result,
        raw_win_loss_error=raw.win_loss_error,
        raw_score_error=raw.score_error,
        raw_variance_time=raw.variance_time,
        position_hash=tree.position_hash,
        symmetry_hash=tree.symmetry_hash,
        bounds=_known(tree.bounds),
    )


def _known(bounds: tuple[int, int] | None) -> Bounds | None:
    return None if bounds is None else Bounds(*bounds)


def _stdev(mean: float, mean_square: float) -> float:
    return math.sqrt(max(0.0, mean_square - mean * mean))
