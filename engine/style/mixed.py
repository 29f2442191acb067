"""The mixed approach: moves of a style's network, if the usual network finds them good.

Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies for Game of Go,
JISE 37(3), 2021, offline strategies: both networks search a position. The list of the biased
network (trained by `sparring train go-self-play --beta`) loses each move with a win rate by the
usual network below the best one less w_diff, and each move with a probability by the biased network
below p_th. The most visited of the rest is played, else the usual list's move.

Our choices in cases that the paper leaves open: the best win rate is that of the usual search's own
move, because the win rate of a move with few visits says little; a move without a visit of the
usual search has no win rate and is dropped; the probability is the policy's. The inputs are the
results of the two searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.util.paths import expand_home
from engine.values import MoveStats


@dataclass(frozen=True, slots=True)
class Mixed:
    """A persona's second network, and the limits on its moves."""

    network: str = field(
        default="",
        metadata={"is_file": True, "about": "the network of a style: a file's full path"},
    )
    w_diff: float = field(
        default=0.05,
        metadata={"about": "the most win rate its move may lose by the usual network, 0 to 1"},
    )
    p_th: float = field(
        default=0.1, metadata={"about": "its least probability of such a move, 0 to 1"}
    )

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field outside 0..1. Does not look for the network's file."""
        for name in ("w_diff", "p_th"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")

    @property
    def path(self) -> Path:
        """Path of the network's file."""
        return expand_home(self.network).resolve()


def mix(
    usual: Sequence[MoveStats], biased: Sequence[MoveStats], *, w_diff: float, p_th: float
) -> MoveStats:
    """Returns the move to play, with the usual search's statistics.

    usual: at least one move, the usual search's own choice first; biased: the other list.
    """
    visited = {stats.move: stats for stats in usual if stats.edge_visits > 0}
    fair = [
        stats
        for stats in biased
        if stats.prior >= p_th
        and stats.move in visited
        and visited[stats.move].win_rate >= usual[0].win_rate - w_diff
    ]
    if not fair:
        return usual[0]
    return visited[max(fair, key=lambda stats: stats.edge_visits).move]
