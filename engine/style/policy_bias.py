"""Styles: factors on a player's policy, by a quality of each move.

Centre and edge are Shi et al.'s (engine.style.edge_distance), local and tenuki use the distances of
their Method B (engine.style.distance). The paper names further styles without building them; ours
are:

- The optimist prefers moves after which the score is open, the pessimist those after which it is
  settled: by the standard deviation of the score below each move in a short search.
- Offensive play attacks the opponent's weak points, defensive play mends its own
  (engine.style.tactics).

The quality has no natural unit in these styles: the move with the least of it gets LEAST, the one
with the most gets MOST, the papers' extremes, and others a geometric interpolation. The caller
passes positions, ownership estimates and search results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.position import Position
from engine.style import distance, edge_distance, tactics
from engine.util.registry import unknown_name
from engine.values import Floats, MoveStats, Report

Numbers = NDArray[np.float64]  # [move_count]

LEAST, MOST = 0.25, 2.0
MOST_FORCE = 4.0  # the greatest power of the factors
SHARE = 0.1  # a move of the style needs at least this share of the best move's visits
FEWEST_VISITS = 2  # the fewest visits of a move judged by its search result
GO = ("go",)
LAST_MOVES = 2  # the opponent's and our own: local play stays near both, tenuki leaves them


@dataclass(frozen=True, slots=True)
class Scene:
    """The input of the styles for one position."""

    game: str  # a key of GAMES
    recent: Sequence[Position]  # positions of the game, the present one last
    ownership: Floats | None = None  # [H, W], the side to move's view; set if the style needs it
    report: Report | None = None  # report of a short search; set if the style needs it

    @property
    def position(self) -> Position:
        """The present position."""
        return self.recent[-1]


@dataclass(frozen=True, slots=True)
class PolicyBias:
    """The factors of one style on a policy, and the input they need."""

    weigh: Callable[[Scene], Numbers]  # -> [move_count] factors on the policy
    about: str  # a few words for the user
    by_ownership: tuple[str, ...] = ()  # the games in which it needs ownership
    by_search: bool = False  # it needs a search


def shares(quality: Numbers, position: Position) -> Numbers:
    """Position of each move's quality between the least, 0, and the most, 1: [move_count].

    quality: [move_count], NaN if unknown. The result is NaN for an unknown quality, an illegal move
    or a pass, and for all moves if their qualities are equal.
    """
    known = position.legal_mask().astype(bool) & np.isfinite(quality)
    if position.pass_move >= 0:
        known[position.pass_move] = False
    ranked = np.full(len(quality), np.nan)
    low, high = quality[known].min(initial=np.inf), quality[known].max(initial=-np.inf)
    if high > low:
        ranked[known] = (quality[known] - low) / (high - low)
    return ranked


def _by_quality(quality: Callable[[Scene], Numbers]) -> Callable[[Scene], Numbers]:
    """Returns factors from LEAST to MOST by a quality of the moves; 1 for an unknown quality."""

    def weigh(scene: Scene) -> Numbers:
        share = shares(quality(scene), scene.position)
        return np.where(np.isnan(share), 1.0, LEAST * (MOST / LEAST) ** share)

    return weigh


def _centre(scene: Scene) -> Numbers:
    return edge_distance.centre(scene.game, scene.position)


def _edge(scene: Scene) -> Numbers:
    return edge_distance.edge(scene.game, scene.position)


def _near(scene: Scene, factors: Sequence[float]) -> Numbers:
    to_last_moves = distance.distances(scene.game, scene.recent, LAST_MOVES)
    if to_last_moves is None:
        return np.ones(scene.position.move_count)
    limits = distance.DISTANCE_RULES[scene.game].limits
    return np.where(np.isinf(to_last_moves), 1.0, distance.stepped(to_last_moves, limits, factors))


def _local(scene: Scene) -> Numbers:
    return _near(scene, distance.DISTANCE_RULES[scene.game].factors)


def _tenuki(scene: Scene) -> Numbers:
    return _near(scene, distance.DISTANCE_RULES[scene.game].factors[::-1])


def openness(scene: Scene) -> Numbers:
    """Standard deviation of the score after each move, in points: [move_count], NaN if unknown."""
    deviations = np.full(scene.position.move_count, np.nan)
    for stats in scene.report.moves if scene.report is not None else ():
        if stats.edge_visits >= FEWEST_VISITS:
            deviations[stats.move] = stats.score_stdev
    return deviations


def closeness(scene: Scene) -> Numbers:
    """The negative of openness: [move_count]."""
    return -openness(scene)


def attack(scene: Scene) -> Numbers:
    """Quality of each move as an attack on the opponent: [move_count]."""
    opponent = 1 - scene.position.to_move
    if scene.game == "othello":
        return tactics.replies_taken(scene.position)
    if scene.game == "connect4":
        return tactics.lines_of_four(scene.position, 1 - opponent)
    return _unsettled(scene, opponent)


def defence(scene: Scene) -> Numbers:
    """Quality of each move as a defence of its own side: [move_count]."""
    own = scene.position.to_move
    if scene.game == "othello":
        return tactics.discs_covered(scene.position)
    if scene.game == "connect4":
        return tactics.lines_of_four(scene.position, 1 - own)
    return _unsettled(scene, own)


def _unsettled(scene: Scene, color: int) -> Numbers:
    if scene.ownership is None or not isinstance(scene.position, GoPosition):
        raise TypeError("ownership is missing")
    return tactics.unsettled(scene.position, scene.ownership, color)


POLICY_BIASES: dict[str, PolicyBias] = {
    "centre": PolicyBias(_centre, "goes for the middle"),
    "edge": PolicyBias(_edge, "goes for edges and corners"),
    "local": PolicyBias(_local, "stays near the last moves"),
    "tenuki": PolicyBias(_tenuki, "plays away from the last moves"),
    "optimistic": PolicyBias(_by_quality(openness), "wants the score open", by_search=True),
    "pessimistic": PolicyBias(_by_quality(closeness), "wants the score settled", by_search=True),
    "offensive": PolicyBias(
        _by_quality(attack), "attacks the opponent's weak points", by_ownership=GO
    ),
    "defensive": PolicyBias(_by_quality(defence), "mends its own weak points", by_ownership=GO),
}


@dataclass(frozen=True, slots=True)
class Style:
    """A persona's style; it combines with any strength."""

    name: str  # a key of POLICY_BIASES
    force: float = 1.0  # the power of its factors: 0 is no style at all
    # the most win rate that a move of the style may lose against the search's own
    price: float = 0.03

    def __post_init__(self) -> None:
        """Raises ValueError, quoting an unknown style or a number out of range."""
        if self.name not in POLICY_BIASES:
            raise unknown_name("no style", self.name, POLICY_BIASES)
        if not 0 <= self.force <= MOST_FORCE:
            raise ValueError(f"force {self.force!r} is not 0..{MOST_FORCE:g}")
        if not 0 <= self.price <= 1:
            raise ValueError(f"price {self.price!r} is not within 0..1")

    @classmethod
    def read(cls, text: str) -> Self:
        """Reads a style such as "centre", with a force as in "centre:0.5" and a price behind it.

        Raises ValueError, quoting an unknown style or a wrong number.
        """
        name, *numbers = text.split(":", 2)
        if name not in POLICY_BIASES:
            raise unknown_name("no style", text, POLICY_BIASES, name=name)
        try:
            return cls(name, *map(float, numbers))
        except ValueError as error:
            raise ValueError(f"style {text!r}: {error}") from error

    @property
    def bias(self) -> PolicyBias:
        """Its factors and their input."""
        return POLICY_BIASES[self.name]

    def weights(self, scene: Scene) -> Numbers:
        """Factors of the style on the policy: [move_count]."""
        return self.bias.weigh(scene) ** self.force


def preferred(moves: Sequence[MoveStats], factors: NDArray[np.floating], price: float) -> MoveStats:
    """Returns the cheap move with the most visits times its factor, the first of equals.

    moves: at least one, the search's own choice first; factors: [move_count]. A cheap move has a
    win rate at most `price` below the first one's, and at least SHARE of its visits.
    """
    best = moves[0]
    fair = [
        stats
        for stats in moves
        if stats.edge_visits >= SHARE * best.edge_visits and stats.win_rate >= best.win_rate - price
    ]
    return max([best, *fair], key=lambda stats: stats.edge_visits * factors[stats.move])
