"""Games of players outside the ladder against its levels, with samples of their moves.

The module plays such games, estimates the players' Elo by results, and takes the samples of a short
search. The players are those of calibration_players. engine.training.opponents.move_likelihood fits
the weight of moves to such players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from engine.games.chance import draw_by
from engine.games.position import Position
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents import Posterior
from engine.opponents.standing import standing_of
from engine.opponents.tracker import searched_candidates
from engine.search.judging import points_of
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search
from engine.search.weak_rollouts import weak_win_rates
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.calibration_players import CalibrationPlayer, calibration_players
from engine.training.opponents.ladder_games import MOST_OPENING, OBSERVED, move_at
from engine.training.opponents.move_likelihood import OutsidePlayer, PlayedMove
from engine.training.opponents.win_model import BalanceSample

STRANGER_WEIGHT = 2.0  # of a position of such games beside one of levels
FLAT_ELO = 1e6  # deviation of a flat prior


@dataclass(frozen=True, slots=True)
class OutsideGame:
    """A game of an agent against a level of the ladder."""

    agent: str
    color: int  # the agent's
    level_elo: float
    opening: int  # random moves at the start
    moves: tuple[int, ...]
    points: float  # the agent's: 1, 0.5 or 0

    def positions(self, board: Board) -> Iterator[tuple[Position, int]]:
        """Yields the positions with a choice, and the chosen moves."""
        position = board.start()
        for ply, move in enumerate(self.moves):
            before = position.copy()
            position.play(move)
            if ply >= self.opening and len(before.legal_moves()) > 1:
                yield before, move

    def to_json(self) -> dict[str, Any]:
        """Returns plain values for from_json."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Returns the game of to_json's values."""
        return cls(**{**data, "moves": tuple(data["moves"])})


def placed(games: Sequence[OutsideGame], ladder: RatingLadder) -> Posterior:
    """Returns the posterior of the agent's Elo by results alone."""
    posterior = Posterior.of_stranger(ladder.lowest, ladder.highest, deviation_elo=FLAT_ELO)
    for game in games:
        posterior = posterior.after_results(game.level_elo, game.points)
    return posterior


def play_outside_game(
    agent: str,
    before: Sequence[OutsideGame],
    search: Search,
    ladder: RatingLadder,
    rng: np.random.Generator,
    *,
    human: HumanPolicy | None = None,
) -> OutsideGame:
    """Plays the agent's next game, with the other color, against a level drawn from its posterior.

    human: the model of human moves for levels with a rank; None: the search's network stands in.
    A level of similar strength is the most informative, both for the Elo and for the moves.
    """
    believed = placed(before, ladder)
    level = float(rng.choice(believed.grid, p=believed.density))
    level = min(max(level, ladder.lowest), ladder.highest)
    color = len(before) % 2
    player = CalibrationPlayer(agent, ladder.board, search, rng)
    position = ladder.board.start()
    opening = int(rng.integers(MOST_OPENING + 1))
    moves: list[int] = []
    while not position.is_over:
        if len(moves) < opening:
            move: int | None = int(rng.choice(position.legal_moves()))
        elif position.to_move == color:
            move = player.choose(position)
        else:
            move = move_at(level, search, ladder, position, rng, human=human)
        if move is None:
            break
        moves.append(draw_by(rng)(position, move))
        position.play(moves[-1])
    points = points_of(search.evaluator, ladder.board.game, position, color)
    return OutsideGame(agent, color, level, opening, tuple(moves), points)


@dataclass(frozen=True, slots=True, eq=False)
class OutsideSamples:
    """The samples of an agent's games."""

    player: OutsidePlayer
    positions: tuple[BalanceSample, ...]


def outside_samples(
    games: Sequence[OutsideGame],
    search: Search,
    ladder: RatingLadder,
    people: HumanPolicy | None = None,
) -> OutsideSamples:
    """Returns the agent's moves and all games' standings, by a short search.

    people: the human policy, for the features of a game with ranks.
    """
    elo = placed(games, ladder).mean
    own: list[list[PlayedMove]] = []
    positions: list[BalanceSample] = []
    for game in games:
        own.append([])
        for before, move in game.positions(ladder.board):
            search.set_position(before)
            report = search.run(OBSERVED, options=WITH_OWNERSHIP)
            is_own = before.to_move == game.color
            points = game.points if is_own else 1 - game.points
            players = (elo, game.level_elo) if is_own else (game.level_elo, elo)
            where = standing_of(before, report, weak_win_rates(before, ladder.board.game))
            positions.append(BalanceSample(*players, where, points, STRANGER_WEIGHT))
            if is_own:
                kind = ladder.board.game
                among = searched_candidates(report.policy, report.moves, before, kind, people)
                own[-1].append(PlayedMove(elo, among, move))
    styles = calibration_players(ladder.board)
    results = tuple((game.level_elo, game.points) for game in games)
    player = OutsidePlayer(elo, own, styles[games[0].agent], results)
    return OutsideSamples(player, tuple(positions))
