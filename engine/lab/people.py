"""Levels of Go beside people of the same rank: the losses of their moves, and their likeness.

The people play Black in recorded games, nearly all with handicap stones against stronger players.
The levels play Black with the same handicap against a level of the opponents' rank. One judge
evaluates each position before and after a move of Black. The likeness is the probability of the
moves under the policy of human moves at each of LIKENESS_RANKS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.ranks import parse_rank, rank_text
from engine.networks.human_policy import HumanPolicy
from engine.report.pictures import PlotLine, lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Numbers = NDArray[np.float64]

BLACK = 0
LIKENESS_RANKS = tuple(map(parse_rank, ("20k", "15k", "10k", "5k", "1k", "3d", "6d", "9d")))
LEAST_LIKELY = 1e-4  # the least probability in the likeness; smaller ones count as this
UNLIKELY = 0.05  # probability; a move below it is unlikely at its rank
SMALL_LOSS = 0.3  # points; the judge's own errors are as large
# A phase ends at this number of moves, as a share of the points of the board.
PHASES = {"opening": 1 / 6, "middle": 5 / 12, "ending": np.inf}
QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.99)  # of the picture
HEADS = (
    *("", "games", "moves", "loss", "under 0.3", "P90", "P99", *PHASES),
    *("own policy", "under .05", "likeliest rank", "games with that"),
)

# Returns Black's lead in points in a position.
LeadOf = Callable[[Position], float]


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of Black."""

    number: int  # of the move in its game, from 1
    loss: float  # points; below 0 after a misjudged position
    likely: tuple[float, ...]  # probability under the human policy of each of LIKENESS_RANKS


@dataclass(frozen=True, slots=True)
class PlayerFindings:
    """The findings on the moves of some games' Black players."""

    name: str
    games: int
    moves: int
    loss: float  # mean, in points a move
    small: float  # share of the moves with a loss under SMALL_LOSS
    quantiles: tuple[float, ...]  # losses at QUANTILES
    by_phase: Mapping[str, float | None]  # mean loss; None without a move
    own: float  # geometric mean probability under the human policy of the own rank
    unlikely: float  # share of the moves with a smaller probability than UNLIKELY there
    likeliest: float  # the rank of LIKENESS_RANKS with the greatest likelihood of all moves
    right: float  # share of the games whose likeliest rank is the own rank or a neighbour of it

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return asdict(self) | {"likeliest": rank_text(self.likeliest)}

    def cells(self) -> Iterator[str]:
        """Yields the cells of a table's row, in the order of HEADS."""
        yield from (self.name, str(self.games), str(self.moves), f"{self.loss:.2f}")
        yield from (f"{self.small:.0%}", f"{self.quantiles[2]:.1f}", f"{self.quantiles[4]:.1f}")
        yield from ("" if loss is None else f"{loss:.2f}" for loss in self.by_phase.values())
        yield from (f"{self.own:.3f}", f"{self.unlikely:.0%}")
        yield from (rank_text(self.likeliest), f"{self.right:.0%}")


def judged_moves(
    game: GameRecord, lead_of: LeadOf, people: HumanPolicy, opponent: float
) -> list[JudgedMove]:
    """Returns Black's judged moves in a game, without passes. opponent: White's rank."""
    moves: list[JudgedMove] = []
    position = game.beginning()
    for number, (color, move) in enumerate(game.moves, 1):
        if color != BLACK or position.to_move != BLACK or move == position.pass_move:
            position.play(move, color, tolerant=True)
            continue
        before = lead_of(position)
        likely = tuple(
            float(people.policy_at(position, (rank, opponent))[move]) for rank in LIKENESS_RANKS
        )
        position.play(move, color, tolerant=True)
        moves.append(JudgedMove(number, before - lead_of(position), likely))
    return moves


def findings_of(
    name: str, rank: float, games: Sequence[Sequence[JudgedMove]], area: int
) -> PlayerFindings:
    """Returns the findings on Black's moves in some games; at least one has a move.

    rank: of Black. area: number of the board's points.
    """
    every = [move for game in games for move in game]
    losses = np.array([move.loss for move in every])
    numbers = np.array([move.number for move in every])
    own = int(np.argmin(np.abs(np.array(LIKENESS_RANKS) - rank)))
    likelihoods = np.array([_log_likely(game).sum(0) for game in games if game])
    near = np.abs(likelihoods.argmax(1) - own) <= 1
    by_phase: dict[str, float | None] = {}
    for (phase, last), first in zip(PHASES.items(), (0.0, *PHASES.values()), strict=False):
        inside = losses[(numbers > first * area) & (numbers <= last * area)]
        by_phase[phase] = float(inside.mean()) if len(inside) else None
    return PlayerFindings(
        name=name,
        games=len(games),
        moves=len(every),
        loss=float(losses.mean()),
        small=float((losses < SMALL_LOSS).mean()),
        quantiles=tuple(map(float, np.quantile(losses, QUANTILES))),
        by_phase=by_phase,
        own=float(np.exp(_log_likely(every)[:, own].mean())),
        unlikely=float(np.mean([move.likely[own] < UNLIKELY for move in every])),
        likeliest=LIKENESS_RANKS[int(likelihoods.sum(0).argmax())],
        right=float(near.mean()),
    )


def _log_likely(moves: Sequence[JudgedMove]) -> Numbers:
    """Returns [moves, ranks] the log of each move's probability."""
    logs: Numbers = np.log(np.maximum([move.likely for move in moves], LEAST_LIKELY))
    return logs


def picture(pairs: Mapping[str, tuple[PlayerFindings, PlayerFindings]]) -> Figure:
    """Draws the quantiles of the levels' losses over those of people. pairs: people, level."""
    highest = max(found.quantiles[-1] for pair in pairs.values() for found in pair)
    series = [
        PlotLine(
            rank,
            [(*losses, 0.0) for losses in zip(people.quantiles, level.quantiles, strict=True)],
            joined=True,
        )
        for rank, (people, level) in pairs.items()
    ]
    equal = PlotLine("equal", [(0.0, 0.0, 0.0), (highest, highest, 0.0)], joined=True)
    percents = ", ".join(f"{quantile:.0%}" for quantile in QUANTILES)
    return lines(
        [*series, equal],
        f"Losses of Black's moves at {percents} of the moves",
        "people, points",
        "level, points",
    )
