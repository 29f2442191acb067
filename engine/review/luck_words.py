"""Sentences on luck and skill in reviewed games of chance, and what the judge cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.review.luck import luck_of, noise_of
from engine.review.review import Reviewed

GREATEST = 3  # named strokes of luck of one game
# The parts of a game that its review does not judge.
UNTOLD = {
    "einstein": ", and does not judge the placings",
}
CERTAIN_NOISES = 2.0  # standard deviations of a difference that chance alone hardly makes


def luck_sentences(games: Sequence[tuple[Reviewed, int]]) -> list[str]:
    """Returns the sentences on a player's luck over judged games; none without chance.

    games: each with the player's color. One game has its greatest strokes of luck too.
    """
    lucks = [luck_of(each.opinion.chance, color) for each, color in games if each.opinion.chance]
    if not lucks:
        return []
    count = f"{len(lucks)} game{'s' if len(lucks) > 1 else ''}"
    sentences = [f"Luck brought {sum(lucks):+.2f} wins in {count}."]
    if len(games) == 1:
        sentences += _greatest(*games[0])
    return sentences


def luck_doubt(reviewed: Reviewed) -> str:
    """Returns the remark on what a review of a game of chance cannot tell; empty for another."""
    opinion = reviewed.opinion
    noise = noise_of(opinion.values, opinion.chance)
    if noise is None:
        return ""
    least = CERTAIN_NOISES * float(np.sqrt(2)) * noise
    return (
        f"Two searches of one position differ: a loss or a luck under {least:.0%} of a game may be "
        "the judge's error. The review does not see an error that both searches make"
        f"{UNTOLD.get(reviewed.game.played.board.game, '')}."
    )


def _greatest(reviewed: Reviewed, color: int) -> list[str]:
    """Returns the sentence on the greatest strokes of luck, good and bad ones."""
    played, chance = reviewed.game.played, reviewed.opinion.chance
    numbers = sorted(chance, key=lambda number: -abs(chance[number].luck(color)))[:GREATEST]
    strokes = [
        f"move {1 + played.opening + number}, "
        f"{reviewed.written(played.game_record.moves[played.opening + number][1])} "
        f"({chance[number].luck(color):+.0%})"
        for number in numbers
    ]
    return [f"The greatest strokes of luck: {'; '.join(strokes)}."] if strokes else []
