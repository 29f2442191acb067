"""The review of chess beside our own marks: Lichess's terms, and the ratings of the moves.

engine.review.lichess and engine.review.move_ratings compute them; this module has one game's terms
as rows of tables and as sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.networks.human_policy import HumanPolicy
from engine.review.judging import GameJudgement
from engine.review.lichess import LichessReview, lichess_review
from engine.review.marks import MoveMark
from engine.review.move_ratings import (
    MoveRatings,
    RatingEstimate,
    estimate,
    log_likelihoods,
    move_ratings,
    rating_of_moves,
)
from engine.review.played import ReplayedGame

GAME = "chess"
SIDES = ("first", "second")  # players, in the names of columns


@dataclass(frozen=True, slots=True, eq=False)
class ChessTerms:
    """One game of chess in Lichess's terms, and its moves by rating."""

    played: ReplayedGame
    lichess: LichessReview | None  # None without searches
    ratings: MoveRatings | None  # None without networks of human moves by rating

    @property
    def colors(self) -> list[int]:
        """The colors of the moves after the opening."""
        return [color for color, _ in self.played.game_record.moves[self.played.opening :]]

    def move_row(self, number: int) -> dict[str, Any]:
        """Returns the columns of a move. number: in its game, from 1."""
        at, row = number - 1 - self.played.opening, dict[str, Any]()
        if self.lichess is not None:
            white = self.lichess.win_percents[at + 1]
            mark = self.lichess.marks[at]
            row["win_percent"] = 100 - white if self.colors[at] else white
            row["accuracy"] = self.lichess.accuracies[at]
            row["lichess_mark"] = None if mark is None else str(mark)
        for rating, probability in self._by_rating(at).items():
            row[f"likely_{rating:.0f}"] = probability
        return row

    def game_row(self) -> dict[str, Any]:
        """Returns the columns of the game: both players' accuracies and ratings of their moves."""
        row: dict[str, Any] = {}
        for color, side in enumerate(SIDES):
            if self.lichess is not None:
                row[f"{side}_accuracy"] = self.lichess.players[color]
            rating = self.rating(color)
            if rating is not None:
                row[f"{side}_looks_like"] = rating.mean
                row[f"{side}_looks_like_low"] = rating.low
                row[f"{side}_looks_like_high"] = rating.high
        return row

    def rating(self, color: int) -> RatingEstimate | None:
        """Returns the estimate of a player's rating by its moves; None without any."""
        return None if self.ratings is None else rating_of_moves(self.ratings, self.colors, color)

    def marks_of(self, color: int) -> list[MoveMark]:
        """Returns Lichess's marks of a player's moves."""
        marks = () if self.lichess is None else self.lichess.marks
        return [
            mark for mark, own in zip(marks, self.colors, strict=False) if own == color and mark
        ]

    def _by_rating(self, at: int) -> dict[float, float]:
        """Returns the probability of a move by rating; number: after the opening, from 0."""
        return {} if self.ratings is None else self.ratings.of_move(at)


def chess_terms(
    played: ReplayedGame, judgement: GameJudgement, people: HumanPolicy | None
) -> ChessTerms | None:
    """Returns the terms of a game of chess; None for another game.

    people: networks of human moves. A result by resignation or agreement is no evaluation: the last
    move then keeps the evaluation before it.
    """
    if played.board.game != GAME:
        return None
    lichess, values = None, list(judgement.values)
    colors = [color for color, _ in played.game_record.moves[played.opening :]]
    if values:
        if len(values) > 1 and not played.game_record.position().is_over:
            values[-1] = values[-2]
        lichess = lichess_review(values, colors)
    return ChessTerms(played, lichess, move_ratings(people, played))


def sentences_of_player(games: Sequence[tuple[ChessTerms, int]]) -> list[str]:
    """Returns the sentences on one player's games; each comes with the player's color."""
    sentences = []
    accuracies = [
        accuracy
        for each, color in games
        if each.lichess is not None and (accuracy := each.lichess.players[color]) is not None
    ]
    if accuracies:
        marks = [mark for each, color in games for mark in each.marks_of(color)]
        counts = [f"{marks.count(mark)} {_plural(mark, marks.count(mark))}" for mark in MoveMark]
        sentences.append(
            f"In Lichess's terms: accuracy {np.mean(accuracies):.0f}%, {', '.join(counts)}."
        )
    rating = _rating_over(games)
    if rating is not None:
        sentences.append(f"The moves look like those of a rating of {rating} on Lichess.")
    return sentences


def _rating_over(games: Sequence[tuple[ChessTerms, int]]) -> RatingEstimate | None:
    """Returns the estimate of one player's rating by the moves of several games."""
    rows = [
        log_likelihoods(each.ratings.probabilities[np.array(each.colors) == color])
        for each, color in games
        if each.ratings is not None
    ]
    ratings = [each.ratings.ratings for each, _ in games if each.ratings is not None]
    return estimate(np.concatenate(rows), ratings[0]) if rows else None


def _plural(mark: MoveMark, count: int) -> str:
    """Returns the name of a mark for a count."""
    if count == 1:
        return str(mark)
    return "inaccuracies" if mark is MoveMark.INACCURACY else f"{mark}s"
