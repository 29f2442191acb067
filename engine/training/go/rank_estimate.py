"""The rank of a player by the moves alone, and how far its intervals can be believed.

The likelihood of a rank is the product of the played moves' probabilities under a policy of that
rank; every rank from 20 kyu to 9 dan is as likely before. Moves of a player depend on each other,
and a plain product is too sure of itself: the logarithm is multiplied by an exponent below 1
(Kuboki et al. 2025 learn the combination in its place). The exponent is fitted until the intervals
hold the true rank as often as they say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.training.common.policy_metrics import log_probabilities
from engine.training.go.ranked_games import RANK_GROUPS, RankGroup, Seats, seats_of
from engine.training.go.ranked_validation import RankedMoves, moves_of
from engine.training.go.records import GameTable
from engine.training.go.teacher import RankedNetwork
from engine.training.go.validation import ROWS_AT_ONCE

Numbers = NDArray[np.float64]

RANKS: Numbers = np.arange(1.0, 30.0)  # 9 dan to 20 kyu
INTERVAL = 0.8
EVERY_MOVE = 1_000_000
LEAST_EXPONENT, MOST_EXPONENT = 1e-3, 4.0
HALVINGS = 40


@dataclass(frozen=True)
class PlayerGames:
    """One game of each of several players."""

    logs: Numbers  # [games, 29] log likelihood of each of RANKS
    ranks: Numbers  # [games] of the records, within RANKS
    players: NDArray[np.int64]  # [games] a number for each name


@dataclass(frozen=True)
class RankEstimates:
    """Estimates from several games each."""

    error: float  # mean absolute, ranks
    coverage: float  # share of intervals that hold the true rank
    width: float  # mean, ranks


def chosen_seats(
    table: GameTable, games: NDArray[np.bool_], a_rank: int, rng: np.random.Generator
) -> Seats:
    """Returns `a_rank` players for each of RANKS, of the chosen games [games], by groups."""
    parts = []
    for group in RANK_GROUPS:
        seats = rng.permutation(seats_of(table, games, group))
        parts.append(seats[: a_rank * _width(group)])
    return np.concatenate(parts)


def player_games(
    network: RankedNetwork, table: GameTable, seats: Seats, rng: np.random.Generator
) -> PlayerGames:
    """Returns the likelihoods of all ranks for these players, by all their moves."""
    logs = [likelihoods(network, moves_of(table, seat[None], EVERY_MOVE, rng)) for seat in seats]
    index, color = seats.T
    return PlayerGames(
        logs=np.array(logs),
        ranks=table.ranks[index, color].astype(float).clip(RANKS[0], RANKS[-1]),
        players=table.players[index, color].astype(np.int64),
    )


@torch.no_grad()
def likelihoods(network: RankedNetwork, of: RankedMoves) -> Numbers:
    """Returns the logarithm of the moves' probability for a player of each of RANKS, [29]."""
    rows = of.moves.rows
    logs = np.zeros(len(RANKS))
    for number, rank in enumerate(RANKS):
        ranks = of.ranks.clone()
        ranks[:, 0] = rank
        for first in range(0, len(of), ROWS_AT_ONCE):
            part = slice(first, first + ROWS_AT_ONCE)
            out = network(rows.planes[part], rows.globals[part], ranks[part])
            logs[number] += _total(out.policy[:, 0], rows.legal[part], of.moves.moves[part])
    return logs


def joined_games(of: PlayerGames, count: int) -> PlayerGames:
    """Returns sets of `count` games: each game with those nearest to it.

    Games of the same player are nearer than any other; then those of the nearest ranks. The rank of
    a set is the mean one.
    """
    chosen = []
    for player, rank in zip(of.players, of.ranks, strict=True):
        distances = np.abs(of.ranks - rank) - (of.players == player) * len(RANKS)
        chosen.append(np.argsort(distances, kind="stable")[:count])
    sets = np.array(chosen)
    return PlayerGames(of.logs[sets].sum(axis=1), of.ranks[sets].mean(axis=1), of.players)


def posteriors(logs: Numbers, exponent: float) -> Numbers:
    """Returns the probabilities [sets, 29] of RANKS under tempered likelihoods [sets, 29]."""
    tempered = exponent * (logs - logs.max(axis=1, keepdims=True))
    powers: Numbers = np.exp(tempered)
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def estimates(of: PlayerGames, exponent: float) -> RankEstimates:
    """Returns the errors of the posteriors' means and the coverage of their intervals."""
    beliefs = posteriors(of.logs, exponent)
    low, high = _intervals(beliefs)
    return RankEstimates(
        error=float(np.abs(beliefs @ RANKS - of.ranks).mean()),
        coverage=float(((low <= of.ranks) & (of.ranks <= high)).mean()),
        width=float((high - low).mean()),
    )


def fitted_exponent(of: PlayerGames) -> float:
    """Returns the greatest exponent with a coverage of INTERVAL; a greater one is surer."""
    low, high = LEAST_EXPONENT, MOST_EXPONENT
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if estimates(of, middle).coverage >= INTERVAL else (low, middle)
    return low


def _intervals(beliefs: Numbers) -> tuple[Numbers, Numbers]:
    """Returns the ends [sets] of the central intervals; a rank is half a rank wide to each side."""
    below = beliefs.cumsum(axis=1)
    edges = np.append(RANKS - 0.5, RANKS[-1] + 0.5)
    tail = (1 - INTERVAL) / 2
    ends = [
        np.array([np.interp(share, np.append(0.0, row), edges) for row in below])
        for share in (tail, 1 - tail)
    ]
    return ends[0], ends[1]


def _total(logits: Tensor, legal: Tensor, moves: Tensor) -> float:
    logs = log_probabilities(logits, legal).gather(1, moves[:, None])
    return float(logs.double().sum())


def _width(group: RankGroup) -> int:
    return int(((group.strongest <= RANKS) & (group.weakest >= RANKS)).sum())
