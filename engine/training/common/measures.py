"""Losses of outputs against targets, for any game: 0 for a perfect match.

Divergences are Kullback-Leibler's, in nats; the others are Huber's loss of a difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

from engine.games.evaluator import Multipliers

SCORE_UNIT = 4.0  # points: smaller errors count by their square, larger ones linearly
# A normal distribution's deviation as a multiple of its mean distance from the mean.
DEVIATION = math.sqrt(math.pi / 2)


def policy_divergence(logits: Tensor, taught: Tensor, weight: Tensor) -> Tensor:
    """Returns the weighted mean of KL(target || softmax(logits)), a scalar [].

    `logits` and `target` [n, moves]; `weight` [n], 0 for rows without a target.
    """
    logs = logits.float().log_softmax(dim=1)
    apart = torch.xlogy(taught, taught) - torch.where(taught > 0, taught * logs, 0.0)
    return (apart.sum(dim=1) * weight).sum() / weight.sum().clamp_min(1.0)


def share_divergence(logits: Tensor, share: Tensor) -> Tensor:
    """Returns the mean divergence [] between shares 0..1 and sigmoid(logits), both [...]."""
    cross = functional.binary_cross_entropy_with_logits(logits.float(), share)
    return cross - -(torch.xlogy(share, share) + torch.xlogy(1 - share, 1 - share)).mean()


def huber(difference: Tensor) -> Tensor:
    """Returns the mean Huber loss [] of `difference` [...], with the bend at 1."""
    return functional.smooth_l1_loss(difference, torch.zeros_like(difference))


def score_distances(misc: Tensor, score: Tensor) -> dict[str, Tensor]:
    """Returns Huber's losses of mean, deviation and lead.

    `misc` [n, 6] raw, `score` [n] the final points. The deviation's target turns the present error
    of the mean into the expected one.
    """
    scales, misc = Multipliers(), misc.float()
    mean, lead = misc[:, 0] * scales.score_mean, misc[:, 2] * scales.lead
    deviation = functional.softplus(misc[:, 1]) * scales.score_deviation
    surprise = (score - mean).abs().detach() * DEVIATION
    return {
        "score_mean": huber((mean - score) / SCORE_UNIT),
        "score_stdev": huber((deviation - surprise) / SCORE_UNIT),
        "lead": huber((lead - score) / SCORE_UNIT),
    }


def total(parts: Mapping[str, Tensor], weights: Mapping[str, float]) -> Tensor:
    """Returns the weighted sum [] of the parts; a part without a weight is left out."""
    return torch.stack([weight * parts[name] for name, weight in weights.items()]).sum()
