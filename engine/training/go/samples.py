"""Training samples of positions: the teacher's answer, and the move of a human.

A sample holds probabilities and points, not logits: the mean over several symmetries of the
teacher, without moves and results against the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from engine.networks.architecture import VALUE_OUTPUTS
from engine.networks.torch_model import Outputs
from engine.training.go.positions import PositionRows
from engine.training.go.student import SCORES

# A trained network: planes uint8 [n, 22, H, W] and globals float32 [n, 19] to outputs.
Network = Callable[[Tensor, Tensor], Outputs]

KO_RULE_GLOBAL = 6  # 0 under simple ko
TERRITORY_GLOBAL = 9  # 1 under territory scoring
LEAD = 2  # column of the scores
POINTS = 20.0  # points a unit of the raw score outputs
NOBODY = -1


class GoSamples(NamedTuple):
    """Rows of n positions with their targets, on one device."""

    planes: Tensor  # uint8 [n, 22, H, W]
    globals: Tensor  # float32 [n, 19]
    legal: Tensor  # uint8 [n, H*W+1]
    policy: Tensor  # float16 [n, H*W+1] probabilities
    value: Tensor  # float32 [n, 3] probabilities of win, loss, no result
    scores: Tensor  # float32 [n, 4] raw: score mean, deviation, lead, variance time
    ownership: Tensor  # float16 [n, H*W], +1 for the side to move's points
    human: Tensor  # int64 [n], the human's move, NOBODY without one
    # float32 [n, 2], of the side to move and its opponent (engine.games.ranks), 0 unknown
    ranks: Tensor


def symmetries(height: int, width: int) -> int:
    """Returns the number of symmetries of the board's shape: 8, or 4 for unequal sides."""
    return 8 if height == width else 4


def turn(boards: Tensor, symmetry: int) -> Tensor:
    """Returns boards `[..., H, W]` turned: bit 0 flips y, bit 1 flips x, bit 2 then transposes."""
    axes = [axis for bit, axis in ((1, -2), (2, -1)) if symmetry & bit]
    turned = boards.flip(axes) if axes else boards
    return turned.transpose(-2, -1) if symmetry & 4 else turned


def turn_back(boards: Tensor, symmetry: int) -> Tensor:
    """Returns turned boards `[..., H, W]` in their original orientation."""
    upright = boards.transpose(-2, -1) if symmetry & 4 else boards
    return turn(upright, symmetry & 3)


def turn_points(points: Tensor, shape: torch.Size, symmetry: int, *, back: bool = False) -> Tensor:
    """Returns numbers for points `[n, H*W]`, or for moves `[n, H*W+1]`, turned as boards are.

    `shape` is the planes' shape, `[n, 22, H, W]`.
    """
    height, width = shape[-2:]
    area = height * width
    boards = points[:, :area].reshape(-1, height, width)
    turned = (turn_back if back else turn)(boards, symmetry).reshape(-1, area)
    return torch.cat((turned, points[:, area:]), dim=1)


def turn_samples(samples: GoSamples, symmetry: int) -> GoSamples:
    """Returns the same samples [n], turned."""
    shape = samples.planes.shape
    return samples._replace(
        planes=turn(samples.planes, symmetry),
        legal=turn_points(samples.legal, shape, symmetry),
        policy=turn_points(samples.policy, shape, symmetry),
        ownership=turn_points(samples.ownership, shape, symmetry),
        human=turn_moves(samples.human, shape, symmetry),
    )


def turn_moves(moves: Tensor, shape: torch.Size, symmetry: int) -> Tensor:
    """Returns moves int64 `[n]` turned as boards are; NOBODY stays."""
    area = shape[-2] * shape[-1]
    places = torch.arange(area + 1, device=moves.device)[None]
    turned = turn_points(places, shape, symmetry)[0].argsort()
    return torch.where(moves == NOBODY, moves, turned[moves.clamp_min(0)])


def masked_value(logits: Tensor, globals_: Tensor) -> Tensor:
    """Returns probabilities [n, 3] of win, loss and no result, the last 0 if impossible."""
    possible = (globals_[:, KO_RULE_GLOBAL] == 0) | (globals_[:, TERRITORY_GLOBAL] > 0)
    masked = logits.float().clone()
    masked[:, 2] = masked[:, 2].masked_fill(~possible, -1e5)
    return masked.softmax(dim=1)


def masked_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """Returns the probabilities [n, H*W+1] of the legal moves."""
    return logits.float().masked_fill(legal == 0, float("-inf")).softmax(dim=1)


@torch.no_grad()
def label(network: Network, rows: PositionRows, turns: Sequence[int]) -> tuple[GoSamples, Tensor]:
    """Returns samples of `rows`, the mean over `turns`, and policy logits float32 [n, H*W+1]."""
    shape = rows.planes.shape
    policies, values, scores, owners = [], [], [], []
    for symmetry in turns:
        out = network(turn(rows.planes, symmetry), rows.globals)
        logits = turn_points(
            out.policy[:, 0].float(), _turned(shape, symmetry), symmetry, back=True
        )
        owner = turn_points(out.ownership.float(), _turned(shape, symmetry), symmetry, back=True)
        policies.append(masked_policy(logits, rows.legal))
        values.append(masked_value(out.value, rows.globals))
        scores.append(out.misc[:, :SCORES].float())
        owners.append(owner.tanh())
    policy = torch.stack(policies).mean(dim=0)
    samples = GoSamples(
        planes=rows.planes,
        globals=rows.globals,
        legal=rows.legal,
        policy=policy.half(),
        value=torch.stack(values).mean(dim=0),
        scores=torch.stack(scores).mean(dim=0),
        ownership=torch.stack(owners).mean(dim=0).half(),
        human=torch.full((len(rows.globals),), NOBODY, device=rows.globals.device),
        ranks=no_ranks(rows.globals),
    )
    return samples, policy.clamp_min(1e-12).log()


def _turned(shape: torch.Size, symmetry: int) -> torch.Size:
    """Returns the shape of the planes after `turn`."""
    return torch.Size((*shape[:-2], shape[-1], shape[-2])) if symmetry & 4 else shape


def unlabelled(rows: PositionRows) -> GoSamples:
    """Returns samples of `rows` without a teacher: zeros as targets."""
    count, moves = rows.legal.shape
    nothing = rows.globals.new_zeros((count, moves), dtype=torch.float16)
    return GoSamples(
        *rows,
        policy=nothing,
        value=rows.globals.new_zeros((count, VALUE_OUTPUTS)),
        scores=rows.globals.new_zeros((count, SCORES)),
        ownership=nothing[:, :-1],
        human=torch.full((count,), NOBODY, device=rows.globals.device),
        ranks=no_ranks(rows.globals),
    )


def no_ranks(rows: Tensor) -> Tensor:
    """Returns the ranks [n, 2] of unknown players, for rows `[n, ...]` on their device."""
    return torch.zeros(len(rows), 2, device=rows.device)
