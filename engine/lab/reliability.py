"""The reliability of the stated chance in games kept even: how often what was stated came true.

Each game is predicted by tables that were fitted without it. The Brier score is the mean squared
distance of the chance from the result, the log loss the mean negative logarithm of the chance of
what happened (Brier 1950; Murphy and Winkler 1977 for the diagram). A constant chance, the share of
points won, is the baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.report.pictures import PlotLine, lines
from engine.training.opponents.balanced_games import BalancedGame
from engine.training.opponents.win_model import BalanceSample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from engine.opponents import OutcomeModel

# Fits tables to samples.
Fit = Callable[[Sequence[BalanceSample]], "OutcomeModel"]

FOLDS = 4  # parts of the games; each is predicted by the others
MOMENTS = {"15%": 0.15, "50%": 0.5, "85%": 0.85, "last move": 1.0}  # of our moves in a game
TENTHS = 10
LEAST_CHANCE = 1e-3  # in the log loss


@dataclass(frozen=True, slots=True)
class Tenth:
    """The games with a stated chance in one tenth of 0..1."""

    stated: float  # mean chance
    won: float  # mean points
    games: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """The stated chances of all games at one moment, against their results."""

    moment: str
    games: int
    brier: float
    log_loss: float
    constant_brier: float
    constant_log_loss: float
    tenths: tuple[Tenth, ...]  # without empty ones

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return asdict(self)

    def cells(self) -> Iterator[str]:
        """Yields the cells of a table's row: the moment, the scores and the worst tenth."""
        yield from (self.moment, str(self.games))
        yield from (f"{self.brier:.3f} ({self.constant_brier:.3f})",)
        yield from (f"{self.log_loss:.3f} ({self.constant_log_loss:.3f})",)
        worst = max(self.tenths, key=lambda tenth: abs(tenth.stated - tenth.won))
        yield f"{worst.stated:.2f} stated, {worst.won:.2f} won in {worst.games}"


HEADS = ("moment", "games", "Brier (constant)", "log loss (constant)", "worst tenth")


def reliabilities(
    games: Sequence[BalancedGame], others: Sequence[BalanceSample], fit: Fit
) -> list[Reliability]:
    """Returns the reliability at each moment, by tables fitted without the predicted games.

    others: samples of other games, for every fit.
    """
    played = [game for game in games if game.turns]
    chances = np.zeros((len(played), len(MOMENTS)))
    for fold in range(FOLDS):
        kept = [game for at, game in enumerate(played) if at % FOLDS != fold]
        model = fit([*others, *(sample for game in kept for sample in game.positions())])
        for at in range(fold, len(played), FOLDS):
            chances[at] = stated_chances(played[at], model)
    points = np.array([game.points for game in played])
    return [
        reliability(moment, chances[:, column], points) for column, moment in enumerate(MOMENTS)
    ]


def stated_chances(game: BalancedGame, model: OutcomeModel) -> list[float]:
    """Returns our win rate at each moment of a game, by the belief of that moment."""
    chances = []
    for share in MOMENTS.values():
        level, believed, standing = game.turns[round(share * (len(game.turns) - 1))]
        win_rates = model.balanced_win_rates(level, np.array([believed]), standing)
        chances.append(float(win_rates[0]))
    return chances


def reliability(
    moment: str, chances: NDArray[np.float64], points: NDArray[np.float64]
) -> Reliability:
    """Returns the reliability of some chances; chances, points: [games], 0..1."""
    places = np.minimum((chances * TENTHS).astype(int), TENTHS - 1)
    constant = np.full(len(points), points.mean())
    return Reliability(
        moment=moment,
        games=len(points),
        brier=float(((chances - points) ** 2).mean()),
        log_loss=_log_loss(chances, points),
        constant_brier=float(((constant - points) ** 2).mean()),
        constant_log_loss=_log_loss(constant, points),
        tenths=tuple(
            Tenth(float(chances[at].mean()), float(points[at].mean()), int(at.sum()))
            for place in range(TENTHS)
            if (at := places == place).any()
        ),
    )


def _log_loss(chances: NDArray[np.float64], points: NDArray[np.float64]) -> float:
    sure = np.clip(chances, LEAST_CHANCE, 1 - LEAST_CHANCE)
    return float(-(points * np.log(sure) + (1 - points) * np.log(1 - sure)).mean())


def picture(moments: Sequence[Reliability], title: str) -> Figure:
    """Draws the reliability diagram: points won by stated chance, with two standard errors."""
    series = [
        PlotLine(
            each.moment,
            [
                (tenth.stated, tenth.won, 2 * (tenth.won * (1 - tenth.won) / tenth.games) ** 0.5)
                for tenth in each.tenths
            ],
            joined=True,
        )
        for each in moments
    ]
    return lines(series, title, "stated chance", "points won")
