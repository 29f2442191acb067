"""Validation of policies by the players' ranks: how well each group's moves are predicted.

The moves are of KGS games that no ranked training learns from, and of a Tygem archive. Moves of one
game are alike: the errors treat a game, not a move, as independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.networks.human_profile import RANK_INPUTS
from engine.training.common.policy_metrics import (
    LOG_PROBABILITY,
    TOP1,
    VALUE_LOSS,
    move_metrics,
    value_metrics,
)
from engine.training.go.humans import HumanMoves, HumanPosition, positions_before, stacked
from engine.training.go.rank_inputs import strongest
from engine.training.go.ranked_games import RankGroup, Seats, held_out, player_moves, seats_of
from engine.training.go.records import NOBODY_WON, UNKNOWN, GameTable
from engine.training.go.teacher import RankedNetwork
from engine.training.go.validation import HUMAN_POSITIONS, ROWS_AT_ONCE

Numbers = NDArray[np.float64]
SEED = 99_000_000


@dataclass(frozen=True)
class RankedMoves:
    """Moves of players with known ranks."""

    moves: HumanMoves
    ranks: Tensor  # float32 [n, 2], of the player and of its opponent
    results: Tensor  # float32 [n]: 1 the player won, 0 lost, NaN unknown
    games: NDArray[np.int64]  # [n], a number for the game and the player of each move

    def __len__(self) -> int:
        return len(self.moves)


@dataclass(frozen=True)
class GroupMetrics:
    """One policy's metrics on one group's moves, and its distance from another policy."""

    top1: float  # share of moves equal to the likeliest
    probability: float  # geometric mean of the moves' probabilities
    gain: float  # mean of the logarithm of the probabilities' quotient, nats a move
    gain_error: float  # its standard error over games
    value_loss: float  # -log of the probability of the game's result, nats; NaN if none is known


def moves_of(table: GameTable, seats: Seats, most: int, rng: np.random.Generator) -> RankedMoves:
    """Returns random moves of these players, as many of each; all if `most` reaches so far."""
    a_game = max(1, -(-most // max(1, len(seats))))
    positions: list[HumanPosition] = []
    ranks: list[tuple[float, float]] = []
    results: list[float] = []
    games: list[int] = []
    for number, (index, color) in enumerate(seats.tolist()):
        game, own = table.game(index), player_moves(table.game(index), color)
        chosen = rng.choice(own, min(a_game, len(own)), replace=False)
        before = list(positions_before(game, {int(at) for at in chosen}))
        positions += before
        ranks += [seat_ranks(table, index, color)] * len(before)
        won = math.nan if game.winner == NOBODY_WON else float(game.winner == color)
        results += [won] * len(before)
        games += [number] * len(before)
    return RankedMoves(
        stacked(positions), torch.tensor(ranks), torch.tensor(results), np.array(games)
    )


def seat_ranks(table: GameTable, index: int, color: int) -> tuple[float, float]:
    """Returns the ranks of a player and of its opponent; an unknown one counts as an equal."""
    own, other = table.ranks[index, [color, 1 - color]].clip(None, RANK_INPUTS).tolist()
    return own, own if other == UNKNOWN else other


def held_out_moves(table: GameTable, group: RankGroup, most: int) -> RankedMoves | None:
    """Returns about `most` moves of a group's players in held-out games; None without any."""
    rng = np.random.default_rng((SEED, int(group.strongest)))
    seats = rng.permutation(seats_of(table, held_out(table), group))
    seats = seats[: max(1, most // HUMAN_POSITIONS)]
    return moves_of(table, seats, most, rng) if len(seats) else None


def moves_of_9_dans(moves: HumanMoves) -> RankedMoves:
    """Returns the moves of `read_humans`, of an archive of Tygem."""
    games = np.arange(len(moves)) // HUMAN_POSITIONS
    return RankedMoves(moves, strongest(len(moves)), torch.full((len(moves),), math.nan), games)


@torch.no_grad()
def predictions(network: RankedNetwork, of: RankedMoves) -> Mapping[str, Numbers]:
    """Returns TOP1, LOG_PROBABILITY and VALUE_LOSS of each move, [n] by name.

    The last one is NaN for a game without a known result.
    """
    pieces: list[dict[str, Tensor]] = []
    rows = of.moves.rows
    for first in range(0, len(of), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        out = network(rows.planes[part], rows.globals[part], of.ranks[part])
        pieces.append(
            move_metrics(out.policy[:, 0], rows.legal[part], of.moves.moves[part])
            | value_metrics(out.value, of.results[part])
        )
    return {
        name: torch.cat([piece[name] for piece in pieces]).double().numpy()
        for name in (TOP1, LOG_PROBABILITY, VALUE_LOSS)
    }


def group_metrics(
    own: Mapping[str, Numbers], other: Mapping[str, Numbers], games: NDArray[np.int64]
) -> GroupMetrics:
    """Returns the metrics of predictions [n], and their gain over other ones of the same moves.

    `games` [n] numbers the game of each move.
    """
    gains = own[LOG_PROBABILITY] - other[LOG_PROBABILITY]
    sums = np.bincount(games, gains - gains.mean())
    value_losses = own[VALUE_LOSS][~np.isnan(own[VALUE_LOSS])]
    return GroupMetrics(
        top1=float(own[TOP1].mean()),
        probability=float(np.exp(own[LOG_PROBABILITY].mean())),
        gain=float(gains.mean()),
        gain_error=float(np.sqrt((sums**2).sum())) / len(gains),
        value_loss=float(value_losses.mean()) if len(value_losses) else math.nan,
    )
