"""How far a network's outputs are from a lesson, a number a part: 0 when nothing is left to learn.

Policy, value and ownership are Kullback-Leibler divergences in nats (ownership a point's mean);
scores are Huber losses over points. The human move's is its surprise in nats, which cannot come to
0; it counts in lessons that have such moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

from engine.networks.torch_model import Outputs
from engine.training.common.measures import SCORE_UNIT, huber, share_divergence
from engine.training.go.samples import NOBODY, POINTS, GoSamples
from engine.training.go.student import HUMAN, TAUGHT

# What a nat or a unit of each part counts in the sum that is learned.
WEIGHTS = {
    "policy": 1.0,
    "value": 1.0,
    "ownership": 1.0,
    "score_mean": 0.06,
    "score_stdev": 0.03,
    "lead": 0.06,
    "variance_time": 0.01,
    "human": 1.0,
}
HUMAN_WEIGHTS = {"human": 1.0}  # where there is no teacher
TURNS = 40.0  # turns a unit of the raw variance time
TURN_UNIT = 20.0


def losses(out: Outputs, samples: GoSamples) -> dict[str, Tensor]:
    """Each part's mean loss over the batch, as scalars that gradients flow from.

    "human" is among them where a human played in any of the positions: the mean over those.
    """
    scores = out.misc.float()
    target = samples.scores
    points = POINTS / SCORE_UNIT
    played = {"human": _surprise(out.policy, samples.human)} if _has_moves(samples) else {}
    return {
        "policy": _divergence(out.policy[:, TAUGHT], samples.policy.float()),
        "value": _divergence(out.value, samples.value),
        "ownership": _owner_divergence(out.ownership.float(), samples.ownership.float()),
        "score_mean": huber((scores[:, 0] - target[:, 0]) * points),
        "score_stdev": huber(_softplus_difference(scores[:, 1], target[:, 1]) * points),
        "lead": huber((scores[:, 2] - target[:, 2]) * points),
        "variance_time": huber(
            _softplus_difference(scores[:, 3], target[:, 3]) * (TURNS / TURN_UNIT)
        ),
        **played,
    }


def total(parts: Mapping[str, Tensor], weights: Mapping[str, float] = WEIGHTS) -> Tensor:
    """The sum of the parts that have a weight."""
    weighted = [weights[name] * part for name, part in parts.items() if name in weights]
    return torch.stack(weighted).sum()


def _has_moves(samples: GoSamples) -> bool:
    return bool((samples.human != NOBODY).any())


def _surprise(policies: Tensor, moves: Tensor) -> Tensor:
    """Mean over the rows with a human's move of -log of its probability."""
    logits = policies[:, HUMAN].float()
    return functional.cross_entropy(logits, moves, ignore_index=NOBODY)


def _divergence(logits: Tensor, target: Tensor) -> Tensor:
    """Mean over the rows of KL(taught || softmax(logits))."""
    return functional.kl_div(logits.float().log_softmax(dim=1), target, reduction="batchmean")


def _owner_divergence(raw: Tensor, target: Tensor) -> Tensor:
    """Mean over points of the divergence between owners, tanh(raw) being 2p - 1."""
    return share_divergence(2 * raw, ((target + 1) / 2).clamp(0, 1))


def _softplus_difference(raw: Tensor, target: Tensor) -> Tensor:
    return functional.softplus(raw) - functional.softplus(target)
