"""One level of weakened play as a value, and its probabilities of the moves.

The probabilities follow from numbers per move: a policy, the visits and utilities of a short search
and a one-ply heuristic. engine.play.steps.level computes these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.games.ranks import STRONGEST
from engine.networks.human_profile import RANK_INPUTS
from engine.networks.human_rating import LEAST_RATING, MOST_RATING

Numbers = NDArray[np.float64]  # [moves]

NUMBERS: dict[type, tuple[type, ...]] = {bool: (bool,), int: (int,), float: (float, int)}
LEAST_PRIOR = 1e-9  # a policy's zeros are roundings
MOST_VISITS = 1_000_000
MOST_NUMBER = 1e6  # the greatest index, power or weight accepted
NO_RANK = 0.0  # of a level that plays by the policy of the search's network, and its rating
ANY_LOSS = 40.0  # points; hardly a move of 9x9 loses more
WEAKEST_PLAYED = float(RANK_INPUTS)  # the weakest rank that a human network takes as its input


@dataclass(frozen=True, slots=True)
class Level:
    """Parameters of weakened play.

    Moves under the floor are dropped first. The others have the logits
        index * log((N + p) / (sum N + 1)) + restraint * u + greed * g
    with the visits N of a short search, the policy p to the power of policy_power (normalized to
    sum 1), the search's utility u and the one-ply heuristic g. With one visit the first term is the
    policy alone, with many it is the softmax strength index of Wu et al. (Strength Adjustment for
    MCTS-Based Programs, 2019). A move is drawn by the softmax of the logits; with random_share it
    is drawn uniformly, with worst_share it is the move of the least logit.

    With a rank or a rating, p is the human policy of such players and the visits do not count: the
    logits are those of piKL (Jacob et al., 2022) with lambda = 1 / restraint. The utility is then
    of points alone, relative to the expected score: a lead does not change the levels' losses. With
    a restraint below 0 such a level is weaker than these players, by moves of theirs.

    A level with reading searches the position behind a drawn move. A move that loses more than
    most_loss by this search, in points, is drawn again.
    """

    visits: int = 1  # visits of a new search; 1 only evaluates the position by the network
    # exponent on the visits, or with one visit on the policy; below 0 it is perverse
    index: float = 1.0
    policy_power: float = 1.0  # exponent on the policy beside the visits
    greed: float = 0.0  # weight of the one-ply heuristic, in nats; below 0 it is perverse
    floor: float = 0.0  # moves of a smaller policy are dropped while others exist
    random_share: float = 0.0  # share of moves drawn uniformly from those above the floor
    worst_share: float = 0.0  # share of moves with the least logit
    solve: bool = False  # late positions are played by the exact solver
    # rank of the imitated players, on the scale of engine.games.ranks; NO_RANK: none
    rank: float = NO_RANK
    # rating of the imitated players of chess, as Maia's networks are named; NO_RANK: none
    rating: float = NO_RANK
    # weight of the search's utility, in nats a unit: 1 / lambda of piKL; below 0 it prefers losses
    restraint: float = 0.0
    reading: int = 0  # visits of the search after a drawn move; 0: none
    most_loss: float = ANY_LOSS  # a reading level hardly plays a move that loses more

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field of a wrong type or out of range."""
        for name, kind in KINDS.items():
            value: Any = getattr(self, name)
            if not isinstance(value, NUMBERS[kind]) or isinstance(value, bool) is not (
                kind is bool
            ):
                raise ValueError(f"{name} {value!r} is no {kind.__name__}")
            if kind is float and not abs(getattr(self, name)) <= MOST_NUMBER:
                raise ValueError(f"{name} {value!r} is no finite number")
        if not 1 <= self.visits <= MOST_VISITS:
            raise ValueError(f"visits {self.visits!r} is not one of 1..{MOST_VISITS}")
        if not 0 <= self.reading <= MOST_VISITS:
            raise ValueError(f"reading {self.reading!r} is not one of 0..{MOST_VISITS}")
        if self.most_loss < 0:
            raise ValueError(f"most_loss {self.most_loss!r} is below 0")
        for name in ("floor", "random_share", "worst_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")
        if self.rank != NO_RANK and not STRONGEST <= self.rank <= WEAKEST_PLAYED:
            raise ValueError(f"rank {self.rank!r} is not {STRONGEST:g}..{WEAKEST_PLAYED:g}")
        if self.rating != NO_RANK and not LEAST_RATING <= self.rating <= MOST_RATING:
            raise ValueError(f"rating {self.rating!r} is not {LEAST_RATING:g}..{MOST_RATING:g}")
        if NO_RANK not in (self.rank, self.rating):
            raise ValueError(f"rank {self.rank!r} and rating {self.rating!r} are of two games")
        if self.random_share + self.worst_share > 1:
            raise ValueError(f"random_share {self.random_share!r} and worst_share exceed 1")

    @property
    def needs_network(self) -> bool:
        """Tests whether the network affects the choice."""
        thinks = self.index != 0 and (self.visits > 1 or self.policy_power != 0)
        thinks = thinks or self.uses_utilities or self.reading > 0
        return self.floor > 0 or (thinks and self.random_share < 1)

    @property
    def imitated(self) -> float:
        """The rank or the rating of the imitated players; NO_RANK: none."""
        return self.rank or self.rating

    @property
    def needs_people(self) -> bool:
        """Tests whether the human policy affects the choice."""
        return self.imitated != NO_RANK and self.needs_network

    @property
    def uses_utilities(self) -> bool:
        """Tests whether the utilities of a search affect the choice."""
        return self.restraint != 0 and self.visits > 1

    @property
    def takes_the_best(self) -> bool:
        """Tests whether it draws among the best moves of its search alone."""
        return self.imitated == NO_RANK and self.visits > 1 and self.index >= SHARP_INDEX

    @property
    def is_imitation(self) -> bool:
        """Tests whether it plays as people of its rank or rating, weakened little or not at all.

        The flat policy of a level that reads makes up for its reading.
        """
        weakened = self.greed > LITTLE_GREED or self.random_share or self.worst_share
        weakened = weakened or self.restraint < 0
        weakened = weakened or (self.index < MOSTLY and not self.reading)
        return self.imitated != NO_RANK and not weakened

    @property
    def is_blind(self) -> bool:
        """Tests whether no policy makes good moves likelier: random, greedy and perverse play."""
        return not self.needs_network or (self.index <= 0 and self.floor == 0)

    @property
    def needs_heuristic(self) -> bool:
        """Tests whether the one-ply heuristic affects the choice."""
        return self.greed != 0 and self.random_share < 1

    def to_json(self) -> dict[str, Any]:
        """Returns the fields with other than default values, by name."""
        usual = Level()
        return {k: v for k, v in asdict(self).items() if v != getattr(usual, k)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Builds the level of to_json's values.

        Raises ValueError, naming an unknown or wrong field.
        """
        for name in values:
            if name not in KINDS:
                raise ValueError(f"{name!r} is no field of a level: {', '.join(KINDS)}")
        return cls(**values)


KINDS: dict[str, type] = {field.name: type(field.default) for field in fields(Level)}
SHARP_INDEX = 4.0  # a move with half of the most visits is then drawn a sixteenth as often
MOSTLY, LITTLE_GREED = 0.8, 0.5  # the index and the greed of a level that is people nearly alone
RANDOM = Level(index=0.0)  # all moves equally likely


def weights(
    level: Level,
    priors: Numbers,
    visits: Numbers,
    heuristic: Numbers,
    utilities: Numbers | None = None,
) -> Numbers:
    """Probability of each move, with sum 1: [moves] float64.

    priors: [moves], the policy; visits: [moves], of a search of level.visits, 0 without one;
    heuristic: [moves], in nats; utilities: [moves], of that search for the mover, NaN if unknown;
    None: all unknown. An input that the level does not need (needs_network, needs_heuristic,
    uses_utilities) may hold any numbers.
    """
    count = len(priors)
    probabilities = np.zeros(count)
    above = above_floor(level, priors)
    logit = logits(level, priors, visits, heuristic, utilities)[above]
    drawn = np.exp(logit - logit.max())
    shares = (1 - level.random_share - level.worst_share) * drawn / drawn.sum()
    shares += level.random_share / len(logit)
    worst = logit == logit.min()
    shares += level.worst_share * worst / worst.sum()
    probabilities[above] = shares
    return probabilities


def above_floor(level: Level, priors: Numbers) -> NDArray[np.intp]:
    """Indices [n] of the moves above the floor, of all moves if none is. priors: [moves]."""
    everything = np.arange(len(priors))
    if level.floor <= 0:
        return everything
    above = np.flatnonzero(priors / priors.sum() >= level.floor)
    return above if len(above) else everything


def logits(
    level: Level,
    priors: Numbers,
    visits: Numbers,
    heuristic: Numbers,
    utilities: Numbers | None = None,
) -> Numbers:
    """Logit of each move, in nats, as defined by Level: [moves] float64."""
    logit = np.zeros(len(priors))
    if level.index != 0 and (level.visits > 1 or level.policy_power != 0):
        policy = np.log(np.maximum(priors, LEAST_PRIOR)) * level.policy_power
        policy = np.exp(policy - policy.max())
        policy /= policy.sum()
        counts = visits if level.visits > 1 and level.imitated == NO_RANK else np.zeros(len(priors))
        # The policy counts as one visit, shared by all moves; unvisited moves keep a probability.
        logit += level.index * np.log(np.maximum(counts + policy, LEAST_PRIOR) / (counts.sum() + 1))
    if level.uses_utilities and utilities is not None:
        logit += level.restraint * assumed(utilities)
    if level.greed != 0:
        logit += level.greed * heuristic
    return logit


def assumed(utilities: Numbers) -> Numbers:
    """Utilities with the least known one for each NaN, 0 without a known one: [moves] float64.

    A search leaves a move without a visit where it expects little of it.
    """
    known = ~np.isnan(utilities)
    if not known.any():
        return np.zeros(len(utilities))
    return np.where(known, utilities, utilities[known].min())
