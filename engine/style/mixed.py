"""The mixed approach: what a network of a style likes, as far as the usual one finds it good.

Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for Game of Go,
JISE 37(3), 2021, offline strategies: a position is searched with both networks. Of the list of the
biased one (`sparring train go-self-play --beta` makes such) moves are dropped whose win rate by the
usual one is under the best one's less w_diff, and those whose probability by the biased one is
under p_th; the most visited of those left is played, the usual list's move where none is.

Where the paper leaves something open, we have: the best win rate is that of the move that the usual
search would play, for that of one hardly visited tells little; a move that the usual search did not
look at has none, and is dropped; the probability is the policy's. Knows what two searches found;
not who searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.util.paths import expand_home
from engine.values import MoveStats


@dataclass(frozen=True, slots=True)
class Mixed:
    """A persona's second network, and how far it is followed."""

    network: str = field(
        default="",
        metadata={"is_file": True, "about": "the network of a style: a file's full path"},
    )
    w_diff: float = field(
        default=0.05,
        metadata={"about": "the win rate that its move may cost by the usual network, 0 to 1"},
    )
    p_th: float = field(
        default=0.1, metadata={"about": "the least probability that it gives such a move, 0 to 1"}
    )

    def __post_init__(self) -> None:
        """Raises ValueError that quotes the field. Does not look for the network's file."""
        for name in ("w_diff", "p_th"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")

    @property
    def path(self) -> Path:
        """Of the network's file."""
        return expand_home(self.network).resolve()


def mix(
    usual: Sequence[MoveStats], biased: Sequence[MoveStats], *, w_diff: float, p_th: float
) -> MoveStats:
    """The move to play, as the usual search found it.

    usual: at least one move, first the one that its search would play; biased: the other list.
    """
    found = {stats.move: stats for stats in usual if stats.edge_visits > 0}
    fair = [
        stats
        for stats in biased
        if stats.prior >= p_th
        and stats.move in found
        and found[stats.move].win_rate >= usual[0].win_rate - w_diff
    ]
    if not fair:
        return usual[0]
    return found[max(fair, key=lambda stats: stats.edge_visits).move]
