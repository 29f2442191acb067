"""How far a network's outputs are from what self-play teaches, a number a part."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

from engine.evaluator import Multipliers
from engine.networks.torch_model import Outputs
from engine.training.alphazero.rows import Rows
from engine.training.measures import huber, policy_divergence, share_divergence

SCORE_UNIT = 4.0  # points: errors below count by their square, larger ones linearly
# A normal distribution's deviation as a multiple of its mean distance from the mean.
DEVIATION = math.sqrt(math.pi / 2)
IMPOSSIBLE = -1e9  # the logit of an illegal move


def losses(out: Outputs, rows: Rows) -> dict[str, Tensor]:
    """Each part's mean loss over the batch, as scalars that gradients flow from.

    The network has a second policy, for the reply. "squares" is the paper's loss of the value, of
    results as 1 and -1.
    """
    scales = Multipliers()
    misc = out.misc.float()
    mean, lead = misc[:, 0] * scales.score_mean, misc[:, 2] * scales.lead
    deviation = functional.softplus(misc[:, 1]) * scales.score_deviation
    surprise = (rows.score - mean).abs().detach() * DEVIATION
    logits = out.policy[:, 0].float().masked_fill(rows.legal == 0, IMPOSSIBLE)
    ahead = out.value[:, 0].float() - out.value[:, 1].float()
    share = (rows.ownership.float() + 1) / 2
    return {
        "policy": policy_divergence(logits, rows.policy.float(), rows.policy_weight),
        "reply": policy_divergence(out.policy[:, 1], rows.reply.float(), rows.reply_weight),
        "value": share_divergence(ahead, rows.result),
        "squares": 4 * (ahead.sigmoid() - rows.result).square().mean(),
        "ownership": share_divergence(2 * out.ownership.float(), share),
        "score_mean": huber((mean - rows.score) / SCORE_UNIT),
        "score_stdev": huber((deviation - surprise) / SCORE_UNIT),
        "lead": huber((lead - rows.score) / SCORE_UNIT),
    }


def total(parts: Mapping[str, Tensor], weights: Mapping[str, float]) -> Tensor:
    """The weighted sum of the parts; one without a weight is not learned."""
    return torch.stack([weight * parts[name] for name, weight in weights.items()]).sum()
