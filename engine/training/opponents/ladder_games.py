"""Games between levels of a ladder, played and looked through, for what can be learned from them.

Knows how such games are drawn and what a short search sees in them. Does not know what is fitted to
it (engine.training.opponents.move_likelihood, .outcome).

Until some ply two levels drawn from anywhere on the ladder play, from then on two others that are
not far apart: so the tables also see weak players in won positions and strong ones in bad trouble,
as a game comes to be that is kept even.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from engine.games.position import Position
from engine.opponents.tracker import searched_candidates, standing_of
from engine.play.steps.level import choose_by
from engine.play.steps.request import MoveRequest
from engine.search.judging import points_of
from engine.search.search import Search
from engine.search.weak_rollouts import weak_win_rates
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.move_likelihood import PlayedMove
from engine.training.opponents.win_model import BalanceSample
from engine.values import Limit

APART_ELO = 300.0  # deviation of the difference between the two who end a game
OBSERVED = Limit(visits=32)  # of each position, when a game is looked through
KNOWN_WEIGHT = 0.5  # of a position of such games beside those of others
MOST_OPENING = 4  # random moves at the start
SEED_BITS = 63


@dataclass(frozen=True, slots=True)
class LadderGame:
    """A game between levels, of which two began it and two ended it."""

    opening: int  # moves of chance at the start
    change: int  # the ply at which the second pair took over
    elos: tuple[tuple[float, float], tuple[float, float]]  # (color 0, color 1) of both pairs
    moves: tuple[int, ...]
    points: float  # color 0's: 1, 0.5 or 0

    def elo_at(self, ply: int, color: int) -> float:
        """How strong a color played there."""
        return self.elos[int(ply >= self.change)][color]

    def to_json(self) -> dict[str, Any]:
        """As plain values; from_json reads them."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What to_json wrote."""
        first, second = data["elos"]
        return cls(
            opening=data["opening"],
            change=data["change"],
            elos=((first[0], first[1]), (second[0], second[1])),
            moves=tuple(data["moves"]),
            points=data["points"],
        )


def play_ladder_game(
    search: Search, ladder: RatingLadder, rng: np.random.Generator, *, highest_elo: float
) -> LadderGame:
    """A game of levels up to highest_elo, drawn and played by that chance."""
    position = ladder.board.start()
    elos = _drawn_elos(ladder.lowest, min(highest_elo, ladder.highest), rng)
    opening = int(rng.integers(MOST_OPENING + 1))
    cells = position.width * position.height
    change = opening + int(rng.integers(0, max(1, cells * 3 // 4)))
    moves: list[int] = []
    while not position.is_over:
        if len(moves) < opening:
            move: int | None = int(rng.choice(position.legal_moves()))
        else:
            elo = elos[int(len(moves) >= change)][position.to_move]
            move = move_at(elo, search, ladder, position, rng)
        if move is None:
            break
        position.play(move)
        moves.append(move)
    points = points_of(search.evaluator, ladder.board.game, position, 0)
    return LadderGame(opening, change, elos, tuple(moves), points)


def _drawn_elos(
    lowest: float, highest: float, rng: np.random.Generator
) -> tuple[tuple[float, float], tuple[float, float]]:
    first = rng.uniform(lowest, highest, 2)
    one = float(rng.uniform(lowest, highest))
    other = float(np.clip(one + rng.normal(0, APART_ELO), lowest, highest))
    return (float(first[0]), float(first[1])), (one, other)


def move_at(
    elo: float, search: Search, ladder: RatingLadder, position: Position, rng: np.random.Generator
) -> int | None:
    """The move of play that strong; None where it has none."""
    request = MoveRequest(position, Limit(), game=ladder.board.game, rng=rng)
    search.set_position(position)
    choice = choose_by(ladder.at(elo).draw(rng), search, request)
    return None if choice is None else choice.move


@dataclass(frozen=True, slots=True, eq=False)
class OpponentSamples:
    """What one game shows."""

    moves: tuple[PlayedMove, ...]
    positions: tuple[
        BalanceSample, ...
    ]  # since the last change of levels: those are who won or lost


def opponent_samples(game: LadderGame, search: Search, ladder: RatingLadder) -> OpponentSamples:
    """Each of the game's moves and positions as a short search sees them."""
    moves: list[PlayedMove] = []
    positions: list[BalanceSample] = []
    position = ladder.board.start()
    for ply, move in enumerate(game.moves):
        before = position.copy()
        position.play(move)
        if ply < game.opening or len(before.legal_moves()) < 2:
            continue
        search.set_position(before)
        report = search.run(OBSERVED)
        color = before.to_move
        among = searched_candidates(report.policy, report.moves, before, ladder.board.game)
        moves.append(PlayedMove(game.elo_at(ply, color), among, move))
        if ply >= game.change:
            points = game.points if color == 0 else 1 - game.points
            own, other = game.elo_at(ply, color), game.elo_at(ply, 1 - color)
            standing = standing_of(before, report, weak_win_rates(before, ladder.board.game))
            positions.append(BalanceSample(own, other, standing, points, KNOWN_WEIGHT))
    return OpponentSamples(tuple(moves), tuple(positions))
