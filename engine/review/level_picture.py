"""The picture of an even game: the score lead and the engine's level over the moves.

The input is reviewed games of matches; the record of a match holds the level of each move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.table import GAMES
from engine.report.pictures import blank
from engine.review.played import HAS_POINTS
from engine.review.review import Reviewed
from engine.strength.rank_scale import scale_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def has_levels(reviewed: Reviewed) -> bool:
    """Whether the game's record tells the level of at least one move."""
    return any(level is not None for level in reviewed.game.played.levels)


def level_picture(reviewed: Reviewed) -> Figure:
    """Draws two panels: the lead as the judge saw it, or the win rate, and each move's level.

    Raises ModuleNotFoundError without matplotlib.
    """
    figure, only = blank("")
    only.remove()
    above, below = figure.subplots(2, sharex=True)
    _draw_lead(above, reviewed)
    _draw_levels(below, reviewed)
    for axes in (above, below):
        axes.grid(visible=True, alpha=0.3)
    names = reviewed.game.names
    figure.suptitle(f"{names[0]} against {names[1]}, {reviewed.outcome()}")
    below.set_xlabel("move")
    return figure


def _draw_lead(axes: Axes, reviewed: Reviewed) -> None:
    """Draws color 0's score lead in points, or its win rate in a game without points."""
    board, opinion = reviewed.game.played.board, reviewed.opinion
    has_points = board.game in HAS_POINTS
    values = opinion.leads if has_points else opinion.values
    first = reviewed.game.played.opening
    axes.plot(range(first, first + len(values)), values, color="tab:red")
    axes.axhline(0.0 if has_points else 0.5, color="gray", linewidth=0.8)
    color = GAMES[board.game].colors[0]
    axes.set_ylabel(f"{color}'s lead in points" if has_points else f"{color}'s win rate")


def _draw_levels(axes: Axes, reviewed: Reviewed) -> None:
    """Draws the level of each move that has one, a line for each player."""
    played = reviewed.game.played
    moves = played.game_record.moves[played.opening :]
    for color in (0, 1):
        shown = [
            (played.opening + number, level)
            for number, (level, (mover, _)) in enumerate(
                zip(played.levels, moves, strict=False), start=1
            )
            if level is not None and mover == color
        ]
        if shown:
            across, up = zip(*shown, strict=True)
            axes.plot(across, up, "o-", markersize=3, linewidth=0.8, label=reviewed.name_of(color))
    axes.set_ylabel("level in Elo")
    scale = scale_on(played.board)
    if scale is not None:
        texts = [scale.text(elo) for elo in scale.elos]
        axes.secondary_yaxis("right").set_yticks(scale.elos, texts, fontsize="small")
    axes.legend(loc="lower right", fontsize="small")
