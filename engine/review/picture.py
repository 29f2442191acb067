"""Pictures of reviewed games: the course of a single one, the players of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.table import GAMES
from engine.report.pictures import Mark, blank, marks
from engine.review.played import HAS_POINTS
from engine.review.review import PlayerReview, Review, Reviewed
from engine.style.measures import SMALLEST, UNNATURAL, MoveMeasure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL_INCHES = 2.2  # the height of one
SIGNS = ("o", "^")  # marks of the two colors' moves


def picture(review: Review) -> Figure:
    """Draws a single game move by move, or the players of several games.

    Raises ModuleNotFoundError without matplotlib.
    """
    return game_record(review.games[0]) if len(review.games) == 1 else compared(review.players)


def compared(players: Sequence[PlayerReview]) -> Figure:
    """Draws the players by unnatural moves, and by the moves' losses or likelihood."""
    shown = []
    judged = any(player.side.loss is not None for player in players)
    for player in players:
        x, y = player.side.unnatural, player.side.loss if judged else player.side.natural
        if x is not None and y is not None:
            shown.append(Mark(player.name, "", x.value, y.value, x.interval, y.interval))
    up = "win rate lost a move" if judged else "geometric mean probability"
    return marks(shown, "how players moved", "share of moves under .05", up)


def game_record(one: Reviewed) -> Figure:
    """Draws lead, naturalness, loss and distance of each move."""
    judged = bool(one.opinion.values)
    has_points = one.game.played.board.game in HAS_POINTS
    panels: list[Callable[[Axes, Reviewed], None]] = [_likely, _distance]
    if judged:
        panels = [_lead if has_points else _win_rate, _likely, _lost, _distance]
    figure, only = blank("")
    only.remove()
    figure.set_figheight(PANEL_INCHES * len(panels))
    for panel, axes in zip(panels, figure.subplots(len(panels), sharex=True), strict=True):
        panel(axes, one)
        axes.grid(visible=True, alpha=0.3)
    figure.suptitle(f"{one.game.names[0]} against {one.game.names[1]}, {one.outcome()}")
    figure.axes[len(panels) - 1].set_xlabel("move")
    return figure


def _by_color(axes: Axes, one: Reviewed, of: Callable[[MoveMeasure], float | None]) -> None:
    """Draws a sign for each move with a value."""
    for color, sign in enumerate(SIGNS):
        shown = [(move.number, y) for move in one.measure.of(color) if (y := of(move)) is not None]
        if shown:
            across, up = zip(*shown, strict=True)
            name = one.name_of(color)
            axes.plot(across, up, sign, markersize=3, label=name)


def _win_rate(axes: Axes, one: Reviewed) -> None:
    first = one.game.played.opening
    values = one.opinion.values
    axes.plot(range(first, first + len(values)), values, color="black", label="win rate")
    axes.axhline(0.5, color="gray", linewidth=0.8)
    axes.set_ylim(0, 1)
    axes.set_ylabel(f"{_first_color(one)}'s win rate")


def _lead(axes: Axes, one: Reviewed) -> None:
    _win_rate(axes, one)
    first, leads = one.game.played.opening, one.opinion.leads
    other = axes.twinx()
    other.plot(range(first, first + len(leads)), leads, color="tab:red", linewidth=0.8)
    most = max(1.0, *map(abs, leads))
    other.set_ylim(-most, most)
    other.set_ylabel("lead in points", color="tab:red")


def _likely(axes: Axes, one: Reviewed) -> None:
    _by_color(axes, one, _clipped)
    axes.axhline(UNNATURAL, color="tab:red", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylabel("probability")
    if one.measure.moves:
        axes.legend(loc="lower right", fontsize="small")


def _clipped(move: MoveMeasure) -> float | None:
    return None if move.likely is None else max(SMALLEST, move.likely)


def _lost(axes: Axes, one: Reviewed) -> None:
    _by_color(axes, one, lambda move: move.loss)
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set_ylabel("win rate lost")


def _distance(axes: Axes, one: Reviewed) -> None:
    _by_color(axes, one, lambda move: move.distance)
    axes.set_ylabel("distance")


def _first_color(one: Reviewed) -> str:
    return GAMES[one.game.played.board.game].colors[0]
