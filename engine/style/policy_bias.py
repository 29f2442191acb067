"""Styles: which of the moves that it likes a player likes more, as factors on its policy.

Centre and edge are Shi et al.'s (engine.style.edge_distance), local and tenuki by the distances of
their Method B (engine.style.distance). The styles that the paper names and does not build are ours:

- An optimist goes for moves after which the score may come out one way or the other, a pessimist
  for those after which it is as good as known: by the standard deviation of the score below each
  move that a short search looked at.
- Offensive play goes where the opponent is weak, defensive play where one is oneself
  (engine.style.tactics).

These, as what they go by has no natural unit, give LEAST to the move with the least of it, MOST to
the one with the most, and to others what lies between in proportion, geometrically: the papers'
extremes. Knows positions, whose cells are thought to become, what a search found; not who searches.
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
from engine.util.registry import unknown
from engine.values import Floats, MoveStats, Report

Numbers = NDArray[np.float64]  # [move_count]

LEAST, MOST = 0.25, 2.0
MOST_FORCE = 4.0  # the power that factors can be taken to
SHARE = 0.1  # of the best move's visits
FEWEST_VISITS = 2  # of a move that a search has looked at
GO = ("go",)
LAST_MOVES = 2  # the opponent's and our own: what local play stays with, and tenuki leaves


@dataclass(frozen=True, slots=True)
class Scene:
    """What styles go by."""

    game: str  # a key of GAMES
    recent: Sequence[Position]  # positions of the game, the present one last
    ownership: Floats | None = None  # [H, W], the side to move's; where the style asks for it
    report: Report | None = None  # of a short search; where the style asks for it

    @property
    def position(self) -> Position:
        """The present one."""
        return self.recent[-1]


@dataclass(frozen=True, slots=True)
class PolicyBias:
    """One style."""

    weigh: Callable[[Scene], Numbers]  # -> [move_count] factors on the policy
    about: str  # for the user, in a few words
    by_ownership: tuple[str, ...] = ()  # the games in which it asks for ownership
    by_search: bool = False  # it asks for a search


def shares(liking: Numbers, position: Position) -> Numbers:
    """[move_count] how much each move is liked, from 0, the least, to 1, the most.

    liking: [move_count], not a number where it tells nothing. Not a number there, where a move is
    not legal or passes, and where all are liked alike.
    """
    told = position.legal_mask().astype(bool) & np.isfinite(liking)
    if position.pass_move >= 0:
        told[position.pass_move] = False
    found = np.full(len(liking), np.nan)
    low, high = liking[told].min(initial=np.inf), liking[told].max(initial=-np.inf)
    if high > low:
        found[told] = (liking[told] - low) / (high - low)
    return found


def _by_liking(like: Callable[[Scene], Numbers]) -> Callable[[Scene], Numbers]:
    """Factors from LEAST to MOST by how much moves are liked; 1 where nothing is told."""

    def weigh(scene: Scene) -> Numbers:
        share = shares(like(scene), scene.position)
        return np.where(np.isnan(share), 1.0, LEAST * (MOST / LEAST) ** share)

    return weigh


def _centre(scene: Scene) -> Numbers:
    return edge_distance.centre(scene.game, scene.position)


def _edge(scene: Scene) -> Numbers:
    return edge_distance.edge(scene.game, scene.position)


def _near(scene: Scene, factors: Sequence[float]) -> Numbers:
    found = distance.distances(scene.game, scene.recent, LAST_MOVES)
    if found is None:
        return np.ones(scene.position.move_count)
    limits = distance.DISTANCE_RULES[scene.game].limits
    return np.where(np.isinf(found), 1.0, distance.stepped(found, limits, factors))


def _local(scene: Scene) -> Numbers:
    return _near(scene, distance.DISTANCE_RULES[scene.game].factors)


def _tenuki(scene: Scene) -> Numbers:
    return _near(scene, distance.DISTANCE_RULES[scene.game].factors[::-1])


def openness(scene: Scene) -> Numbers:
    """[move_count] the score's standard deviation after each move, in points; NaN where unknown."""
    found = np.full(scene.position.move_count, np.nan)
    for stats in scene.report.moves if scene.report is not None else ():
        if stats.edge_visits >= FEWEST_VISITS:
            found[stats.move] = stats.score_stdev
    return found


def closeness(scene: Scene) -> Numbers:
    """[move_count] the less, the more open the score is after each move."""
    return -openness(scene)


def attack(scene: Scene) -> Numbers:
    """[move_count] how much of the opponent's there is to attack by each move."""
    opponent = 1 - scene.position.to_move
    if scene.game == "othello":
        return tactics.replies_taken(scene.position)
    if scene.game == "connect4":
        return tactics.lines_of_four(scene.position, 1 - opponent)
    return _unsettled(scene, opponent)


def defence(scene: Scene) -> Numbers:
    """[move_count] how much of one's own there is to defend by each move."""
    own = scene.position.to_move
    if scene.game == "othello":
        return tactics.discs_covered(scene.position)
    if scene.game == "connect4":
        return tactics.lines_of_four(scene.position, 1 - own)
    return _unsettled(scene, own)


def _unsettled(scene: Scene, color: int) -> Numbers:
    if scene.ownership is None or not isinstance(scene.position, GoPosition):
        raise TypeError("nobody said whose the points become")
    return tactics.unsettled(scene.position, scene.ownership, color)


POLICY_BIASES: dict[str, PolicyBias] = {
    "centre": PolicyBias(_centre, "goes for the middle"),
    "edge": PolicyBias(_edge, "goes for edges and corners"),
    "local": PolicyBias(_local, "stays where the last moves were"),
    "tenuki": PolicyBias(_tenuki, "plays away from the last moves"),
    "optimistic": PolicyBias(_by_liking(openness), "wants the score open", by_search=True),
    "pessimistic": PolicyBias(_by_liking(closeness), "wants the score settled", by_search=True),
    "offensive": PolicyBias(_by_liking(attack), "goes where the other is weak", by_ownership=GO),
    "defensive": PolicyBias(_by_liking(defence), "goes where it is weak itself", by_ownership=GO),
}


@dataclass(frozen=True, slots=True)
class Style:
    """A persona's style: a part that goes with any strength."""

    name: str  # a key of POLICY_BIASES
    force: float = 1.0  # the power that its factors are taken to: 0 is no style at all
    price: float = 0.03  # win rate that a move may cost which it likes more than the search's own

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
        if self.name not in POLICY_BIASES:
            raise unknown("no style", self.name, POLICY_BIASES)
        if not 0 <= self.force <= MOST_FORCE:
            raise ValueError(f"force {self.force!r} is not 0..{MOST_FORCE:g}")
        if not 0 <= self.price <= 1:
            raise ValueError(f"price {self.price!r} is not within 0..1")

    @classmethod
    def read(cls, text: str) -> Self:
        """The style that a text names, "centre", with a force "centre:0.5" or a price behind it.

        ValueError quotes what names none.
        """
        name, *numbers = text.split(":", 2)
        if name not in POLICY_BIASES:
            raise unknown("no style", text, POLICY_BIASES, name=name)
        try:
            return cls(name, *map(float, numbers))
        except ValueError as error:
            raise ValueError(f"style {text!r}: {error}") from error

    @property
    def bias(self) -> PolicyBias:
        """What it goes for."""
        return POLICY_BIASES[self.name]

    def weights(self, scene: Scene) -> Numbers:
        """[move_count] its factors on the policy."""
        return self.bias.weigh(scene) ** self.force


def preferred(moves: Sequence[MoveStats], factors: NDArray[np.floating], price: float) -> MoveStats:
    """The move with the most visits times its factor, of those that cost little; the first of such.

    moves: at least one, first the one that the search would play; factors: [move_count]. A move
    costs little with a win rate no further below the first one's than the price, and is known well
    enough with SHARE of its visits.
    """
    best = moves[0]
    fair = [
        stats
        for stats in moves
        if stats.edge_visits >= SHARE * best.edge_visits and stats.win_rate >= best.win_rate - price
    ]
    return max([best, *fair], key=lambda stats: stats.edge_visits * factors[stats.move])
