"""How far outputs are from what is to be learned, whatever the game: 0 when nothing is left.

Divergences are Kullback-Leibler's, in nats; the others are Huber's loss of a difference.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def policy_divergence(logits: Tensor, taught: Tensor, weight: Tensor) -> Tensor:
    """Weighted mean of KL(taught || softmax(logits)); `weight` [n], 0 where nothing is taught."""
    logs = logits.float().log_softmax(dim=1)
    apart = torch.xlogy(taught, taught) - torch.where(taught > 0, taught * logs, 0.0)
    return (apart.sum(dim=1) * weight).sum() / weight.sum().clamp_min(1.0)


def share_divergence(logits: Tensor, share: Tensor) -> Tensor:
    """Mean divergence between shares 0..1 and sigmoid(logits)."""
    cross = functional.binary_cross_entropy_with_logits(logits.float(), share)
    return cross - -(torch.xlogy(share, share) + torch.xlogy(1 - share, 1 - share)).mean()


def huber(difference: Tensor) -> Tensor:
    """Mean of the square's half up to 1, of the amount less a half from there."""
    return functional.smooth_l1_loss(difference, torch.zeros_like(difference))
