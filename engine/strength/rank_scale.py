"""Ranks of people beside the Elo of a ladder of Go, and estimates in their words.

The imitations of people among the rungs and the curve's knots join the two scales: between them a
rank and an Elo are interpolated. Other games have no ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

import numpy as np

from engine.games.ranks import rank_text
from engine.games.table import Board
from engine.strength.level import Level
from engine.strength.rating_ladder import BUNDLED, RatingLadder, read_ladder
from engine.strength.settings_curve import knots_of

RANKED_GAME = "go"  # the game with ranks


@dataclass(frozen=True, slots=True)
class RankScale:
    """Pairs of an Elo and a rank, the weakest first; two or more."""

    elos: tuple[float, ...]  # rising
    ranks: tuple[float, ...]  # falling, on the scale of engine.games.ranks

    def elo_of(self, rank: float) -> float:
        """Returns the Elo of a rank; beyond the scale, the Elo at its end."""
        return float(np.interp(-rank, [-each for each in self.ranks], self.elos))

    def rank_of(self, elo: float) -> float:
        """Returns the rank at an Elo; beyond the scale, the rank at its end."""
        return float(np.interp(elo, self.elos, self.ranks))

    def text(self, elo: float) -> str:
        """Returns the rank at an Elo as text: "8k", or "below 20k" and "above 9d" at the ends."""
        if elo < self.elos[0]:
            return f"below {rank_text(self.ranks[0])}"
        if elo > self.elos[-1]:
            return f"above {rank_text(self.ranks[-1])}"
        return rank_text(self.rank_of(elo))

    def estimate(self, mean: float, low: float, high: float) -> str:
        """Returns an estimate in Elo as ranks: "about 8k (5k to 12k)", the strongest first.

        low, high: the ends of its interval, in Elo.
        """
        middle, strongest, weakest = self.text(mean), self.text(high), self.text(low)
        about = middle if middle.startswith(("below", "above")) else f"about {middle}"
        return about if strongest == weakest else f"{about} ({strongest} to {weakest})"


@lru_cache(maxsize=8)  # every move of a level asks, and the knots' places take long to find
def scale_of(ladder: RatingLadder) -> RankScale | None:
    """Returns the ranks of a ladder; None for a game without ranks.

    A ladder of Go without imitating rungs has the assumed Elo of its game's settings curve.
    """
    if ladder.board.game != RANKED_GAME:
        return None
    levels = [(rung.elo, rung.level) for rung in ladder.rungs]
    joined = _joined(sorted([*levels, *_between(ladder)], key=itemgetter(0)))
    return joined or assumed_scale(ladder.board)


def _between(ladder: RatingLadder) -> Iterator[tuple[float, Level]]:
    """Yields the curve's knots between the ladder's rungs, with their Elo on the ladder."""
    known = ladder.elo_by_place()
    places, elos = list(known), list(known.values())
    for knot in knots_of(ladder.board):
        if places[0] <= knot.elo <= places[-1]:
            yield float(np.interp(knot.elo, places, elos)), knot.level


def scale_on(board: Board, bundled: Path = BUNDLED) -> RankScale | None:
    """Returns the ranks of a board where no network is loaded: those of its bundled ladder."""
    path = bundled / f"{board.name}.json"
    if board.game == RANKED_GAME and path.is_file():
        return scale_of(read_ladder(path))
    return assumed_scale(board)


def estimate_words(scale: RankScale | None, mean: float, low: float, high: float) -> str:
    """Returns an estimate in Elo in words: its ranks where there are ranks; else "" from 0 Elo on.

    Uniformly random play has 0 Elo, and a negative number says little to a person. low, high: the
    ends of the estimate's interval, in Elo.

    >>> estimate_words(None, -93, -400, -20), estimate_words(None, -25, -602, 631)
    ('weaker than random play', 'about as strong as random play')
    """
    if scale is not None:
        return scale.estimate(mean, low, high)
    if round(mean) >= 0:
        return ""
    return "weaker than random play" if round(high) < 0 else "about as strong as random play"


def with_rank(scale: RankScale | None, elo: float) -> str:
    """Returns an Elo as text with its words: "1890 (about 8k)", "-93 (weaker than random play)"."""
    words = estimate_words(scale, elo, elo, elo)
    return f"{round(elo)} ({words})" if words else f"{round(elo)}"


@lru_cache(maxsize=8)
def assumed_scale(board: Board) -> RankScale | None:
    """Returns the ranks at the assumed Elo of a board's settings curve; None without ranks."""
    if board.game != RANKED_GAME:
        return None
    return _joined((knot.elo, knot.level) for knot in knots_of(board))


def rating_at(ladder: RatingLadder, elo: float) -> float | None:
    """Returns the rating of the players that a ladder of chess imitates at an Elo.

    Beyond these players it is the rating at their end. None for a ladder without ratings.
    """
    people = [rung for rung in ladder.rungs if rung.level.rating and rung.level.is_imitation]
    if not people:
        return None
    ratings = [rung.level.rating for rung in people]
    return float(np.interp(elo, [rung.elo for rung in people], ratings))


def _joined(levels: Iterable[tuple[float, Level]]) -> RankScale | None:
    """Returns the scale of the levels that imitate ever stronger ranks; None for fewer than two.

    levels: with their Elo, rising.
    """
    elos: list[float] = []
    ranks: list[float] = []
    for elo, level in levels:
        if level.is_imitation and (not ranks or level.rank < ranks[-1]):
            elos.append(elo)
            ranks.append(level.rank)
    return RankScale(tuple(elos), tuple(ranks)) if len(ranks) > 1 else None
