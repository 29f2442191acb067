"""The standing of the side to move, for the outcome model."""

from __future__ import annotations

from typing import Any

from engine.games.position import Position, phase_of
from engine.opponents.score_model import counted_share, free_points, open_points
from engine.values import Floats, Report, Standing


def standing_of(position: Position, report: Report, weak: tuple[float, float]) -> Standing:
    """Returns the standing of the side to move.

    report: with ownership in Go. weak: the side's win rates between greedy and between careless
    players.

    On a settled board of Go the lead is the distance of the count from `even_score`. With komi 7.5
    on 9x9 Black wins by 1.5 or loses by 0.5, and a count of 0.3 is nearer to the loss.
    """
    root, phase, still_open, free = report.root, phase_of(position), 0.0, 0
    lead, deviation = root.score_lead, root.score_stdev
    if report.ownership is not None:
        still_open = open_points(report.ownership)
        free = _free_points(position)
        phase = 1 - still_open / len(report.ownership)
        counted = counted_share(phase)
        even = even_score(position) * (-1 if position.to_move else 1)
        lead += counted * (owned_lead(position, report.ownership) - even - lead)
        deviation *= 1 - counted
        still_open *= 1 - counted
    return Standing(phase, root.win_rate, lead, *weak, deviation, still_open, free)


def owned_lead(position: Any, ownership: Floats) -> float:  # noqa: ANN401 (of Go)
    """Returns the lead of the side to move by the owners of all points, with komi and bonuses.

    ownership: [H*W], +1 for the side to move.
    """
    bonus = float(position.white_bonus)
    return float(ownership.sum()) + (bonus if position.to_move else -bonus)


def even_score(position: Any) -> float:  # noqa: ANN401 (of Go)
    """Returns Black's score half way between its least win and its least loss, in points.

    Where areas are counted and all points have owners, the scores of a board are two points apart.
    0 under other rules, and where a draw is possible.
    """
    rules = position.rules
    if rules.scoring != "AREA" or rules.tax != "NONE" or rules.button:
        return 0.0
    least_win = (position.width * position.height - float(position.white_bonus)) % 2
    return least_win - 1 if least_win else 0.0


def _free_points(position: Any) -> int:  # noqa: ANN401 (of Go)
    """Returns the number of free points; after a pass nobody has anything to play for: 0."""
    return 0 if position.consecutive_passes else free_points(position.stones)
