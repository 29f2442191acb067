"""One level of weakened play as a value, and the probabilities with which it chooses its moves.

Knows numbers a move: what the network thinks, what a short search visited, how a shallow glance
judges. Does not know any game nor how those numbers are come by (engine/play/steps/level.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]  # [moves]

NUMBERS: dict[type, tuple[type, ...]] = {bool: (bool,), int: (int,), float: (float, int)}
LEAST_PRIOR = 1e-9  # a policy's zeros are roundings
MOST_VISITS = 1_000_000
MOST_NUMBER = 1e6  # beyond any index, power or weight


@dataclass(frozen=True, slots=True)
class Level:
    """How weakened play chooses.

    First all moves under the floor fall away. Those left are liked by
        index * log((N + p) / (sum N + 1)) + greed * g
    where N are the visits of a short search, p the policy to the power of policy_power (its sum 1)
    and g the glance: with one visit that is the policy alone, with many the softmax strength index
    of Wu et al. (Strength Adjustment for MCTS-Based Programs, 2019). A move is drawn by the softmax
    of the liking, with random_share by chance alone, with worst_share it is the one liked least.
    """

    visits: int = 1  # of a fresh search; with 1 the network is only asked about the position
    index: float = 1.0  # exponent on the visits, or with one on the policy: less than 0 is perverse
    policy_power: float = 1.0  # exponent on the policy where it counts beside the visits
    greed: float = 0.0  # weight of the glance, in nats; less than 0 is perverse
    floor: float = 0.0  # moves less probable by the policy are left out while others exist
    random_share: float = 0.0  # of the moves, drawn from all that the floor leaves
    worst_share: float = 0.0  # of the moves, the one liked least
    solve: bool = False  # late positions are played by the exact solver

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
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
        for name in ("floor", "random_share", "worst_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")
        if self.random_share + self.worst_share > 1:
            raise ValueError(f"random_share {self.random_share!r} and worst_share exceed 1")

    @property
    def needs_network(self) -> bool:
        """Whether it makes a difference what the network thinks."""
        thinks = self.index != 0 and (self.visits > 1 or self.policy_power != 0)
        return self.floor > 0 or (thinks and self.random_share < 1)

    @property
    def needs_glance(self) -> bool:
        """Whether it makes a difference what a glance at the board shows."""
        return self.greed != 0 and self.random_share < 1

    def to_json(self) -> dict[str, Any]:
        """The fields that are not as usual, by name."""
        usual = Level()
        return {k: v for k, v in asdict(self).items() if v != getattr(usual, k)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The level that to_json told; ValueError names a field that there is not, or is wrong."""
        for name in values:
            if name not in KINDS:
                raise ValueError(f"{name!r} is no field of a level: {', '.join(KINDS)}")
        return cls(**values)


KINDS: dict[str, type] = {field.name: type(field.default) for field in fields(Level)}
RANDOM = Level(index=0.0)  # every move as likely


def weights(level: Level, priors: Numbers, visits: Numbers, glance: Numbers) -> Numbers:
    """[moves] the probability of each move that may be chosen; their sum is 1.

    priors: the policy's, visits: of a search of level.visits, 0 where it made none;
    glance: in nats. What the level does not ask for (needs_network, glances) may be anything of
    that shape.
    """
    count = len(priors)
    chances = np.zeros(count)
    kept = above_floor(level, priors)
    liking = logits(level, priors, visits, glance)[kept]
    drawn = np.exp(liking - liking.max())
    shares = (1 - level.random_share - level.worst_share) * drawn / drawn.sum()
    shares += level.random_share / len(liking)
    worst = liking == liking.min()
    shares += level.worst_share * worst / worst.sum()
    chances[kept] = shares
    return chances


def above_floor(level: Level, priors: Numbers) -> NDArray[np.intp]:
    """The indices of the moves that the floor leaves: all of them where it would leave none."""
    everything = np.arange(len(priors))
    if level.floor <= 0:
        return everything
    kept = np.flatnonzero(priors / priors.sum() >= level.floor)
    return kept if len(kept) else everything


def logits(level: Level, priors: Numbers, visits: Numbers, glance: Numbers) -> Numbers:
    """[moves] how much each is liked, in nats: see Level."""
    liking = np.zeros(len(priors))
    if level.index != 0 and (level.visits > 1 or level.policy_power != 0):
        policy = np.log(np.maximum(priors, LEAST_PRIOR)) * level.policy_power
        policy = np.exp(policy - policy.max())
        policy /= policy.sum()
        seen = visits if level.visits > 1 else np.zeros(len(priors))
        # The policy counts as one visit shared out, so that unvisited moves have chances too.
        liking += level.index * np.log(np.maximum(seen + policy, LEAST_PRIOR) / (seen.sum() + 1))
    if level.greed != 0:
        liking += level.greed * glance
    return liking
