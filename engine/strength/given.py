"""What a player is given before the first move, in Elo: the turn, handicap stones and komi of Go.

Knows rules of thumb, no network. Without handicap and with usual komi it is near nothing; other
games give nothing, and of games that begin in their middle nothing is known.

- A stone is worth 14 points, the turn half of one: fair komi is 7, as strong engines have it.
- On 19x19 a handicap stone is a rank and a rank about 100 Elo, so that a point is worth
  100/14 Elo there. Games on smaller boards have fewer moves in which a better player could make up
  for it: a point is worth so much more as the board is smaller. On 9x9 komi 0.5 instead of 7.5 is
  about two ranks by this, as players have it there.
"""

from __future__ import annotations

from collections.abc import Sequence

STONE_POINTS = 14.0
RANK_ELO = 100.0  # on 19x19, for a stone
USUAL_AREA = 19 * 19
MOST_STONES = 30  # more are the middle of a game


def given_elo(
    color: int,
    setup: Sequence[tuple[int, int]],
    first_to_move: int,
    komi: float,
    area: int,
) -> float:
    """What the player of this color was given in Go; setup: Black's handicap, as (color, move)."""
    if len(setup) > MOST_STONES or any(stone != 0 for stone, _ in setup):
        return 0.0
    turn = STONE_POINTS / 2 * (1 if first_to_move == 0 else -1)
    points = STONE_POINTS * len(setup) + turn - komi  # Black's
    elo = points * RANK_ELO / STONE_POINTS * USUAL_AREA / area
    return elo if color == 0 else -elo
