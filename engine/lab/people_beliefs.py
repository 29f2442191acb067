"""Beliefs about people of known ranks, by the moves of their recorded games of Go.

The tracker of `even` judges the moves of Black as if it were White. It learns no result. A set of
several games joins those of different people of about one rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.games.game_record import GameRecord
from engine.games.ranks import rank_text
from engine.networks.human_policy import HumanPolicy
from engine.opponents import GameSoFar, OpponentTracker, Posterior, judge_last_move
from engine.search.search import Search
from engine.strength.rank_scale import RankScale
from engine.values import Limit

BLACK, WHITE = 0, 1
SET_SIZES = (1, 3, 7)  # games before a belief is compared with the rank
FIELDS = ("elo", "interval")  # of a belief
HEADS = ("games", "sets", "error, Elo", "error, ranks", "bias, Elo", "interval holds", "width, Elo")


@dataclass(frozen=True, slots=True)
class PersonBelief:
    """The belief after some games of people of a rank."""

    rank: float  # on the scale of engine.games.ranks
    games: int
    elo: float  # mean
    interval: tuple[float, float]  # of 95%, in Elo

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "rank": rank_text(self.rank),
            "games": self.games,
            "elo": self.elo,
            "interval": list(self.interval),
        }


def after_game(
    tracker: OpponentTracker, search: Search, game: GameRecord, limit: Limit, people: HumanPolicy
) -> OpponentTracker:
    """Returns the tracker after Black's moves of a game; limit: of our own moves.

    Raises ValueError for a game on another board than the tracker's.
    """
    board = tracker.ladder.board
    if (game.width, game.height) != (board.width, board.height):
        raise ValueError(f"a game on {game.width}x{game.height}, not on {board.name}")
    tracker = tracker.in_game_on(board) or tracker
    position = game.beginning()
    before, moves = position.copy(), []
    for color, move in game.moves:
        position.play(move, color, tolerant=True)
        moves.append((color, move))
        recent, before = [before, position.copy()], position.copy()
        seen = GameSoFar(WHITE, recent, moves, None)
        tracker, _ = judge_last_move(search, tracker, seen, limit, people=lambda: people)
    return tracker


def beliefs(
    stranger: OpponentTracker,
    games: Mapping[float, Sequence[GameRecord]],
    learn: Callable[[OpponentTracker, GameRecord], OpponentTracker],
) -> Iterator[PersonBelief]:
    """Yields the belief about each set of games of one rank, in each of SET_SIZES.

    games: by rank. learn: the tracker after a game. Each game is judged once.
    """
    for rank, played in games.items():
        blank = stranger.opponent.posterior
        known = [learn(stranger, game).opponent.posterior for game in played]
        for size in SET_SIZES:
            for first in range(0, len(known) - size + 1, size):
                joined = blank
                for each in known[first : first + size]:
                    joined = joined.with_evidence(blank, each)
                yield _belief(rank, size, joined)


def _belief(rank: float, games: int, posterior: Posterior) -> PersonBelief:
    return PersonBelief(rank, games, posterior.mean, posterior.interval())


def rows(estimates: Iterable[PersonBelief], scale: RankScale) -> list[list[str]]:
    """Returns the rows of a table under HEADS, one a number of games."""
    every = list(estimates)
    lines = []
    for games in SET_SIZES:
        chosen = [each for each in every if each.games == games]
        if not chosen:
            continue
        truth = np.array([scale.elo_of(each.rank) for each in chosen])
        elos, ends = (np.array([getattr(each, name) for each in chosen]) for name in FIELDS)
        ranks = np.array([scale.rank_of(elo) for elo in elos]) - [each.rank for each in chosen]
        holds = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        lines.append(
            [
                str(games),
                str(len(chosen)),
                f"{np.abs(elos - truth).mean():.0f}",
                f"{np.abs(ranks).mean():.1f}",
                f"{(elos - truth).mean():+.0f}",
                f"{holds.mean():.0%}",
                f"{(ends[:, 1] - ends[:, 0]).mean():.0f}",
            ]
        )
    return lines


def rank_rows(estimates: Iterable[PersonBelief], scale: RankScale) -> list[list[str]]:
    """Returns a row a rank: the rank, and the ranks believed after each single game."""
    by_rank: dict[float, list[str]] = {}
    for each in estimates:
        if each.games == 1:
            by_rank.setdefault(each.rank, []).append(scale.text(each.elo))
    return [[rank_text(rank), " ".join(texts)] for rank, texts in by_rank.items()]
