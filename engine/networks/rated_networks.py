"""Networks of human moves, one for each of several ratings, as one network with a rating as input.

Maia's networks of chess are such a family: maia-1100.pb.gz to maia-1900.pb.gz. Between two ratings
the logits are interpolated, so that the policy is the weighted geometric mean of both networks'. It
is as near to Maia-1500 from Maia-1300 and Maia-1700 as the arithmetic mean (mean divergence .078
nats both, 210 positions), and needs no legal moves. Below the lowest rating the logits of that
network shrink: a higher temperature makes its players weaker.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator, NetworkDescription, Slot
from engine.networks.architecture import NetworkFileError
from engine.networks.buffers import Buffers
from engine.networks.human_rating import HIGHEST, INPUTS

RATED_FILE = re.compile(r"maia-(\d{3,4})\.pb\.gz", re.ASCII)
# Share of the logits lost by each point below the lowest rating. Maia-1100 is nearest to Maia-1500
# with .85 of its logits, and to Maia-1900 with .75.
SHRINKING = 0.00035
LEAST_SCALE = 0.5


def rating_of(path: Path) -> float | None:
    """Returns the rating in the name of a network's file; None for another name."""
    name = RATED_FILE.fullmatch(path.name)
    return None if name is None else float(name[1])


def rated_files(path: Path) -> dict[float, Path]:
    """Returns the networks of a folder, or of one file, by rating; none for another file.

    Raises NetworkFileError for a folder without such networks.
    """
    if not path.is_dir():
        rating = rating_of(path)
        return {} if rating is None else {rating: path}
    rated = {rating_of(file): file for file in path.iterdir()}
    files = {rating: rated[rating] for rating in sorted(filter(None, rated))}
    if not files:
        raise NetworkFileError(f"{path}: no network such as maia-1500.pb.gz is in this folder")
    return files


@dataclass(frozen=True, slots=True)
class RatingBlend:
    """The networks of one rating: two by number, the weight of the second, a factor on both."""

    lower: int
    upper: int
    share: float
    scale: float = 1.0


def blend_at(rating: float, ratings: tuple[float, ...]) -> RatingBlend:
    """Returns the networks at a rating; HIGHEST is the last of `ratings`, which rise."""
    last = len(ratings) - 1
    if rating == HIGHEST or rating >= ratings[-1]:
        return RatingBlend(last, last, 0.0)
    if rating <= ratings[0]:
        scale = max(1 - SHRINKING * (ratings[0] - rating), LEAST_SCALE)
        return RatingBlend(0, 0, 0.0, scale)
    below = next(at for at, (_, above) in enumerate(pairwise(ratings)) if rating < above)
    low, high = ratings[below : below + 2]
    return RatingBlend(below, below + 1, (rating - low) / (high - low))


class RatedEvaluator:
    """The networks of several ratings; see engine/games/evaluator.py for the contract.

    Its metadata is the rating of the players, HIGHEST without one.
    """

    def __init__(self, evaluators: Mapping[float, Evaluator]) -> None:
        """evaluators: by rating, one or more, of one game."""
        self.ratings = tuple(sorted(evaluators))
        self.evaluators = [evaluators[rating] for rating in self.ratings]
        first = self.evaluators[0]
        self.network = _described([each.network for each in self.evaluators], self.ratings)
        self.backend, self.precision, self.device = first.backend, first.precision, first.device
        self.preferred_rows, self.slots = first.preferred_rows, first.slots

    def open(self, width: int, height: int, capacity: int) -> RatedSlot:
        """Returns a new slot, with one of each network."""
        slots = [each.open(width, height, capacity) for each in self.evaluators]
        return RatedSlot(self.network, self.ratings, slots)


class RatedSlot(Buffers):
    """Buffers whose rows are evaluated by the networks of their ratings."""

    def __init__(
        self, network: NetworkDescription, ratings: tuple[float, ...], slots: list[Slot]
    ) -> None:
        height, width = slots[0].spatial.shape[2:]
        super().__init__(network, width, height, len(slots[0].spatial))
        self._ratings = ratings
        self._slots = slots
        self._blends: list[RatingBlend] = []  # of the started rows
        self._rows: list[NDArray[np.intp]] = []  # of each network

    def start(self, rows: int) -> None:
        """Begins to evaluate the first `rows` rows. Raises ValueError for an invalid number."""
        self.check_rows(rows)
        self._blends = [blend_at(float(each), self._ratings) for each in self.metadata[:rows, 0]]
        self._rows = []
        for number, slot in enumerate(self._slots):
            own = [row for row, each in enumerate(self._blends) if number in _used(each)]
            self._rows.append(np.array(own, np.intp))
            if own:
                slot.spatial[: len(own)], slot.globals[: len(own)] = (
                    self.spatial[own],
                    self.globals[own],
                )
                slot.dropout, slot.dropout_seed = self.dropout, self.dropout_seed
                slot.start(len(own))

    def wait(self) -> None:
        """Waits for all networks and interpolates their outputs. Raises their errors."""
        started = [number for number, rows in enumerate(self._rows) if len(rows)]
        for number in started:
            self._slots[number].wait()
        count = len(self._blends)
        for name in ("policy", "value", "misc"):
            getattr(self, name)[:count] = 0
        for number in started:
            slot, rows = self._slots[number], self._rows[number]
            shares = np.array([_share(self._blends[row], number) for row in rows], np.float32)
            scales = np.array([self._blends[row].scale for row in rows], np.float32)
            self.policy[rows] += (shares * scales)[:, None] * slot.policy[: len(rows)]
            self.value[rows] += shares[:, None] * slot.value[: len(rows)]
            self.misc[rows] += shares[:, None] * slot.misc[: len(rows)]


def _used(blend: RatingBlend) -> tuple[int, ...]:
    """Returns the numbers of the networks of a rating."""
    return (blend.lower, blend.upper) if blend.share > 0 else (blend.lower,)


def _share(blend: RatingBlend, number: int) -> float:
    """Returns the weight of a network in a rating."""
    return blend.share if number == blend.upper and blend.share > 0 else 1 - blend.share


def _described(
    networks: list[NetworkDescription], ratings: tuple[float, ...]
) -> NetworkDescription:
    """Returns the description of the networks as one."""
    first = replace(networks[-1], metadata=INPUTS)
    if len(networks) == 1:
        return first
    digests = " ".join(each.digest for each in networks)
    return replace(
        first,
        name=f"{networks[0].name}..{ratings[-1]:g}",
        trunk=f"{len(networks)} networks of {first.trunk}",
        parameters=sum(each.parameters for each in networks),
        digest=hashlib.sha256(digests.encode()).hexdigest()[: len(first.digest)],
    )
