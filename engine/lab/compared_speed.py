"""Our search against another program under the same conditions, in turns.

CONDITIONS holds the circumstances. The peer reads the same network from its file. KataGo keeps
subnormal weights, and they slow it. Comparisons in fp32 hand it a copy without them.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.games.evaluator import Evaluator
from engine.lab.speed import BenchPosition, OwnSearch, SearchSpeed, network_speed
from engine.lab.speed_peer import Peer

NETWORK = "{}"  # of a peer's command: the network's file
KATAGO_WITHOUT_CACHE = ("-override-config", "nnCacheSizePowerOfTwo=-1")


@dataclass(frozen=True, slots=True)
class Condition:
    """The circumstances that both programs share in one comparison."""

    title: str
    is_shipped: bool  # our fastest precision and the file as it is; else fp32, the file flushed
    has_cache: bool  # evaluations are kept within a search


SHIPPED = Condition("as shipped", is_shipped=True, has_cache=True)
CONDITIONS = (
    Condition("fp32, no cache", is_shipped=False, has_cache=False),
    Condition("fp32", is_shipped=False, has_cache=True),
    SHIPPED,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One search of each program on one position."""

    network: float  # evaluations a second of our network alone
    own: SearchSpeed
    peer: SearchSpeed | None

    @property
    def outside(self) -> float:
        """Returns the share of our search's time without the network at work."""
        return 1 - (self.own.evaluations or 0.0) / self.network

    def rates(self) -> Mapping[str, float | None]:
        """Returns every rate and ratio by its name; None for one that a program does not report."""
        own, peer = self.own, self.peer or SearchSpeed(None, None)
        return {
            "visits_per_second": own.visits,
            "evaluations_per_second": own.evaluations,
            "network_evaluations_per_second": self.network,
            "share_outside_network": self.outside,
            "peer_visits_per_second": peer.visits,
            "peer_evaluations_per_second": peer.evaluations,
            "evaluations_per_cpu_second": own.per_processor_second,
            "peer_evaluations_per_cpu_second": peer.per_processor_second,
            "visits_ratio": ratio(own.visits, peer.visits),
            "evaluations_ratio": ratio(own.evaluations, peer.evaluations),
            "cpu_ratio": ratio(own.per_processor_second, peer.per_processor_second),
        }


def ratio(own: float | None, peer: float | None) -> float | None:
    """Returns own / peer; None without one of them."""
    return own / peer if own is not None and peer else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both programs under one condition."""

    condition: Condition
    evaluator: Evaluator
    peer: Peer | None
    cache_entries: int  # of ours, where the condition has a cache

    def search(self, places: Sequence[BenchPosition]) -> OwnSearch:
        """Returns our search on the size of these positions, compiled for it."""
        own = OwnSearch(self.evaluator, self.cache_entries if self.condition.has_cache else 0)
        own.speed_to(places[0], self.evaluator.preferred_rows * self.evaluator.slots)
        return own

    def turn(
        self, own: OwnSearch, place: BenchPosition, places: Sequence[BenchPosition], seconds: float
    ) -> Turn:
        """Measures our search, the peer and, for half as long on each side, our network alone."""
        before = network_speed(self.evaluator, places, seconds / 2)
        speed = own.speed(place, seconds)
        bare = (before + network_speed(self.evaluator, places, seconds / 2)) / 2
        return Turn(bare, speed, self.peer.speed(place, seconds) if self.peer else None)


def peer_words(command: str, network: Path, condition: Condition) -> list[str]:
    """Returns the words of a peer's command on this network under this condition."""
    words = [word.replace(NETWORK, str(network)) for word in shlex.split(command)]
    return words if condition.has_cache else [*words, *KATAGO_WITHOUT_CACHE]


def conditions_of(
    command: str | None, *, is_flushed: bool, precision: str
) -> tuple[Condition, ...]:
    """Returns the conditions that differ.

    command: the peer's; without a place for the network it runs as shipped alone. is_flushed:
    whether the file has subnormal weights. precision: ours as shipped.
    """
    if command is not None and NETWORK not in command:
        return (SHIPPED,)
    if not is_flushed and precision == "fp32":
        return tuple(each for each in CONDITIONS if each != SHIPPED)
    return CONDITIONS
