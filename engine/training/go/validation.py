"""Validation of a network: against its teacher on unseen games, and on human moves.

The numbers are errors in plain units: shares of positions, win rate 0..1, points. Nothing here
learns, and no position of a validation set is ever learned.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine.networks.torch_model import Outputs
from engine.training.common.policy_metrics import MetricsTally, PolicyMetrics, move_metrics
from engine.training.go.humans import HumanMoves, HumanPosition, positions_before, stacked
from engine.training.go.positions import BoardShare, QuickGoGames
from engine.training.go.records import IMITATED, read_games, table_of
from engine.training.go.samples import (
    LEAD,
    POINTS,
    GoSamples,
    Network,
    label,
    masked_policy,
    masked_value,
)

VALIDATION_BOARDS = tuple(
    BoardShare(width, height, 1.0)
    for width, height in ((7, 7), (9, 9), (11, 11), (13, 13), (16, 16), (19, 19), (9, 13))
)
MOST_GAMES = 128  # of each board
ROWS_A_GAME = 32
# the teacher sees positions in the original orientation and turned by half
VALIDATION_SYMMETRIES = (0, 3)
VALIDATION_SEED = 77_000_000  # far from the seeds of training games
ROWS_AT_ONCE = 512
HUMAN_GAMES = 625
HUMAN_POSITIONS = 8  # of a game
# Numbers of moves in the metrics of earlier networks, and of all moves.
HUMAN_MOVES = (1184, HUMAN_GAMES * HUMAN_POSITIONS)
HUMAN_BOARD = "19x19, human games"


@dataclass(frozen=True)
class GoMetrics:
    """A network's metrics on a validation set."""

    boards: dict[str, dict[str, float]]  # board -> result of measure()
    humans: tuple[PolicyMetrics, ...] = ()  # predicted human moves: of the first ones, of all


@dataclass(frozen=True)
class ValidationSet:
    """The validation data of networks."""

    samples: dict[str, GoSamples]  # by board
    humans: HumanMoves | None = None

    @property
    def positions(self) -> int:
        """The number of positions with a teacher's answer."""
        return sum(len(samples.globals) for samples in self.samples.values())

    def measure(self, network: Network) -> GoMetrics:
        """Returns the metrics of a network on every part of the set."""
        boards = {name: measure(network, samples) for name, samples in self.samples.items()}
        return GoMetrics(boards, measure_humans(network, self.humans) if self.humans else ())


def draw_validation_samples(
    teacher: Network,
    *,
    positions: int,
    device: torch.device,
    threads: int,
    player: Network | None = None,
) -> dict[str, GoSamples]:
    """Returns samples of roughly `positions` positions of each of VALIDATION_BOARDS, by board."""
    games = max(8, min(MOST_GAMES, positions // ROWS_A_GAME))
    return {
        board.name: draw_samples(
            teacher,
            QuickGoGames(board, games, seed=VALIDATION_SEED + index, threads=threads, pinned=False),
            positions=positions,
            device=device,
            player=player,
        )
        for index, board in enumerate(VALIDATION_BOARDS)
    }


def draw_samples(
    teacher: Network,
    games: QuickGoGames,
    *,
    positions: int,
    device: torch.device,
    player: Network | None = None,
) -> GoSamples:
    """Returns samples [n] of roughly `positions` positions of games outside training.

    They are drawn evenly from as many moves as the board has points. `player` plays the games in
    the teacher's place; the teacher then judges the drawn positions alone.
    """
    pieces: list[GoSamples] = []
    area = games.board.area
    drawn = np.random.default_rng(VALIDATION_SEED)
    share = positions / (games.pool.games * area)
    for _ in range(area):
        rows = games.rows.to(device)
        mask = torch.from_numpy(drawn.random(games.pool.games) < share).to(device)
        samples, logits = label(player or teacher, rows, VALIDATION_SYMMETRIES)
        if player is None:
            pieces.append(GoSamples(*(part[mask].clone() for part in samples)))
        elif mask.any():
            masked = rows.at(mask)
            pieces.append(label(teacher, masked, VALIDATION_SYMMETRIES)[0])
        games.advance(logits.cpu(), (samples.scores[:, LEAD] * POINTS).cpu())
    return GoSamples(*(torch.cat(parts) for parts in zip(*pieces, strict=True)))


@torch.no_grad()
def answers(network: Network, planes: Tensor, globals_: Tensor) -> Outputs:
    """Returns outputs for any number of rows, a few at a time.

    `planes` uint8 [n, 22, H, W], `globals_` float32 [n, 19].
    """
    pieces = [
        network(planes[first : first + ROWS_AT_ONCE], globals_[first : first + ROWS_AT_ONCE])
        for first in range(0, len(globals_), ROWS_AT_ONCE)
    ]
    return Outputs(*(torch.cat(parts).float() for parts in zip(*pieces, strict=True)))


def measure(network: Network, samples: GoSamples) -> dict[str, float]:
    """Returns mean errors of a network on samples.

    policy_kl in nats; same_move the share of positions with the teacher's best move; win_rate
    absolute, 0..1; lead and score_stdev absolute, points; ownership absolute, of a range of 2.
    """
    out = answers(network, samples.planes, samples.globals)
    policy = masked_policy(out.policy[:, 0], samples.legal)
    target = samples.policy.float()
    divergence = torch.xlogy(target, target) - torch.xlogy(target, policy.clamp_min(1e-12))
    value = masked_value(out.value, samples.globals)
    errors = {
        "policy_kl": divergence.sum(dim=1),
        "same_move": (policy.argmax(dim=1) == target.argmax(dim=1)).float(),
        "win_rate": (_win_rate(value) - _win_rate(samples.value)).abs(),
        "lead": (out.misc[:, LEAD] - samples.scores[:, LEAD]).abs() * POINTS,
        "score_stdev": (_stdev(out.misc) - _stdev(samples.scores)).abs(),
        "ownership": (out.ownership.tanh() - samples.ownership.float()).abs(),
    }
    return {name: round(float(error.mean()), 4) for name, error in errors.items()}


def measure_humans(network: Network, humans: HumanMoves) -> tuple[PolicyMetrics, ...]:
    """Returns the policy's metrics on human moves: the first ones, and all."""
    out = answers(network, humans.rows.planes, humans.rows.globals)
    row_metrics = move_metrics(out.policy[:, 0], humans.rows.legal, humans.moves)
    tallies = []
    for moves in HUMAN_MOVES:
        tally = MetricsTally()
        tally.add({name: metric[:moves] for name, metric in row_metrics.items()})
        tallies.append(tally.metrics())
    return tuple(tallies)


def human_samples(teacher: Network, humans: HumanMoves, positions: int) -> GoSamples:
    """Returns samples of the first `positions` of the human positions."""
    rows = humans.rows.at(slice(positions))
    return label(teacher, rows, VALIDATION_SYMMETRIES)[0]


def read_humans(
    path: Path,
    *,
    games: int = HUMAN_GAMES,
    a_game: int = HUMAN_POSITIONS,
    seed: int = VALIDATION_SEED,
) -> HumanMoves:
    """Returns `a_game` random positions of each of `games` random games, in main memory.

    The file is an archive of engine/training/go/records.py; raises SettingError for any other.
    """
    rng = random.Random(seed)  # noqa: S311 - a reproducible draw
    table = table_of(read_games(path))
    positions: list[HumanPosition] = []
    for index in rng.sample(range(len(table)), min(games, len(table))):
        game = table.game(index)
        imitated = np.flatnonzero(game.numbers & IMITATED).tolist()
        positions += positions_before(game, set(rng.sample(imitated, min(a_game, len(imitated)))))
    return stacked(positions)


def _win_rate(value: Tensor) -> Tensor:
    return value[:, 0] + value[:, 2] / 2


def _stdev(scores: Tensor) -> Tensor:
    return torch.nn.functional.softplus(scores[:, 1]) * POINTS
