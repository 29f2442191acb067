"""Games between levels of a ladder, with samples from a short search.

The module draws and plays such games, and takes the results of the short search. The fits are in
engine.training.opponents.move_likelihood and .win_model.

Until some ply two levels from anywhere on the ladder play, from then on two others of similar
strength: the tables also cover weak players in won positions and strong ones in bad trouble, as
they occur in balanced games.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from engine.games.chance import draw_by
from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.opponents.standing import standing_of
from engine.opponents.tracker import searched_candidates
from engine.play.steps.level import choose_by
from engine.play.steps.request import MoveRequest
from engine.search.judging import points_of
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search
from engine.search.weak_rollouts import weak_win_rates
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.move_likelihood import PlayedMove
from engine.training.opponents.win_model import BalanceSample
from engine.values import Limit, Standing

APART_ELO = 300.0  # deviation of the difference between the second pair
OBSERVED = Limit(visits=32)  # of each position, for its sample
KNOWN_WEIGHT = 0.5  # of a position of such games beside those of others
STEP = 3  # of a game's turns one is looked at for its outcome: neighbouring turns say the same
MOST_OPENING = 4  # random moves at the start
SEED_BITS = 63


@dataclass(frozen=True, slots=True)
class LadderGame:
    """A game between levels, begun by one pair and ended by another."""

    opening: int  # random moves at the start
    change: int  # the ply of the second pair's first move
    elos: tuple[tuple[float, float], tuple[float, float]]  # (color 0, color 1) of both pairs
    moves: tuple[int, ...]
    points: float  # color 0's: 1, 0.5 or 0

    def elo_at(self, ply: int, color: int) -> float:
        """Returns the Elo of a color at a ply."""
        return self.elos[int(ply >= self.change)][color]

    def to_json(self) -> dict[str, Any]:
        """Returns plain values for from_json."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Returns the game of to_json's values."""
        first, second = data["elos"]
        return cls(
            opening=data["opening"],
            change=data["change"],
            elos=((first[0], first[1]), (second[0], second[1])),
            moves=tuple(data["moves"]),
            points=data["points"],
        )


def play_ladder_game(
    search: Search,
    ladder: RatingLadder,
    rng: np.random.Generator,
    *,
    highest_elo: float,
    human: HumanPolicy | None = None,
) -> LadderGame:
    """Plays a random game of levels up to highest_elo.

    human: the model of human moves for levels with a rank; None: the search's network stands in.
    """
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
            move = move_at(elo, search, ladder, position, rng, human=human)
        if move is None:
            break
        moves.append(draw_by(rng)(position, move))
        position.play(moves[-1])
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
    elo: float,
    search: Search,
    ladder: RatingLadder,
    position: Position,
    rng: np.random.Generator,
    *,
    human: HumanPolicy | None = None,
) -> int | None:
    """Returns a move of play of this strength; None if it has none. human: as play_ladder_game."""
    request = MoveRequest(position, Limit(), game=ladder.board.game, reference=human, rng=rng)
    search.set_position(position)
    choice = choose_by(ladder.at(elo).draw(rng), search, request)
    return None if choice is None else choice.move


@dataclass(frozen=True, slots=True, eq=False)
class OpponentSamples:
    """The samples of one game."""

    moves: tuple[PlayedMove, ...]
    positions: tuple[
        BalanceSample, ...
    ]  # since the last change of levels: by the players of the end


def opponent_samples(
    game: LadderGame,
    search: Search,
    ladder: RatingLadder,
    people: HumanPolicy | None = None,
) -> OpponentSamples:
    """Returns samples of the game's moves and positions, by a short search.

    people: the human policy, for the features of a game with ranks.
    """
    moves: list[PlayedMove] = []
    positions: list[BalanceSample] = []
    position, kind = ladder.board.start(), ladder.board.game
    for ply, move in enumerate(game.moves):
        before = position.copy()
        position.play(move)
        if ply < game.opening or len(before.legal_moves()) < 2:
            continue
        search.set_position(before)
        report = search.run(OBSERVED, options=WITH_OWNERSHIP)
        color = before.to_move
        among = searched_candidates(report.policy, report.moves, before, kind, people)
        moves.append(PlayedMove(game.elo_at(ply, color), among, move))
        if ply >= game.change:
            standing = standing_of(before, report, weak_win_rates(before, kind))
            positions.append(_balance_sample(game, ply, color, standing))
    return OpponentSamples(tuple(moves), tuple(positions))


def balance_samples(game: LadderGame, search: Search, ladder: RatingLadder) -> list[BalanceSample]:
    """Returns samples of every STEP-th position since the last change of levels."""
    position = ladder.board.start()
    first = max(game.change, game.opening)
    samples: list[BalanceSample] = []
    for ply, move in enumerate(game.moves):
        if ply >= first and (ply - first) % STEP == 0 and len(position.legal_moves()) > 1:
            standing = observed_standing(search, position, ladder.board.game)
            samples.append(_balance_sample(game, ply, position.to_move, standing))
        position.play(move)
    return samples


def observed_standing(search: Search, position: Position, kind: str) -> Standing:
    """Returns the standing of the side to move by a short search. kind: of game."""
    search.set_position(position)
    report = search.run(OBSERVED, options=WITH_OWNERSHIP)
    return standing_of(position, report, weak_win_rates(position, kind))


def _balance_sample(game: LadderGame, ply: int, color: int, standing: Standing) -> BalanceSample:
    points = game.points if color == 0 else 1 - game.points
    own, other = game.elo_at(ply, color), game.elo_at(ply, 1 - color)
    return BalanceSample(own, other, standing, points, KNOWN_WEIGHT)
