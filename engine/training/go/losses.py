"""The losses of a network's outputs against samples, one for each part: 0 for a perfect match.

Policy, value and ownership are Kullback-Leibler divergences in nats (ownership a point's mean);
scores are Huber losses over points. The human move's loss is -log of its probability, in nats, with
a minimum above 0; it counts for samples with such moves.
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

# Weight of each part in the loss, a nat or a unit of it.
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
HUMAN_WEIGHTS = {"human": 1.0}  # without a teacher
# In games with ranks the value learns the result; otherwise the trunk would drift from it.
RANKED_WEIGHTS = {"human": 1.0, "value": 0.2}
TURNS = 40.0  # turns a unit of the raw variance time
TURN_UNIT = 20.0


def losses(out: Outputs, samples: GoSamples, *, has_moves: bool) -> dict[str, Tensor]:
    """Returns each part's mean loss over the batch, as scalars [] with gradients.

    "human" is present if `has_moves`, any position's human move: the mean over those.
    """
    scores = out.misc.float()
    target = samples.scores
    points = POINTS / SCORE_UNIT
    played = {"human": _surprise(out.policy, samples.human)} if has_moves else {}
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
    """Returns the weighted sum [] of the parts with a weight."""
    weighted = [weights[name] * part for name, part in parts.items() if name in weights]
    return torch.stack(weighted).sum()


def _surprise(policies: Tensor, moves: Tensor) -> Tensor:
    """Returns the mean of -log of the move's probability, over the rows with a human move."""
    logits = policies[:, HUMAN].float()
    return functional.cross_entropy(logits, moves, ignore_index=NOBODY)


def _divergence(logits: Tensor, target: Tensor) -> Tensor:
    """Returns the mean over the rows of KL(target || softmax(logits))."""
    return functional.kl_div(logits.float().log_softmax(dim=1), target, reduction="batchmean")


def _owner_divergence(raw: Tensor, target: Tensor) -> Tensor:
    """Returns the mean divergence between owners over points; tanh(raw) is 2p - 1."""
    return share_divergence(2 * raw, ((target + 1) / 2).clamp(0, 1))


def _softplus_difference(raw: Tensor, target: Tensor) -> Tensor:
    return functional.softplus(raw) - functional.softplus(target)
