"""Dropout of inputs in torch: the masks of engine/core/network/dropout.h, on any device."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from engine.networks.dropout import Dropped

MASK32 = 0xFFFFFFFF
LAYERS_APART = 0x9E3779B9


class Dropout(NamedTuple):
    """Dropout of the rows of a batch; probability 0 drops nothing."""

    probability: Tensor  # [batch] float64, below 1
    seed: Tensor  # [batch] int64; the low 32 bits count

    def of(self, x: Tensor, layer: Dropped) -> Tensor:
        """A layer's inputs, `[batch, channels]` or `[batch, channels, height, width]`, damaged."""
        cells = x.shape[2:].numel()
        places = torch.arange(cells * x.shape[1], device=x.device)
        places = places.view(*x.shape[2:], x.shape[1]).movedim(-1, 0)
        wide = (-1, *[1] * (x.dim() - 1))
        seed = _mixed((_mixed(self.seed & MASK32) + layer * LAYERS_APART) & MASK32).view(wide)
        least = (self.probability * 2.0**32).long().view(wide)
        scale = (1.0 / (1.0 - self.probability)).to(x.dtype).view(wide)
        return torch.where(_mixed((seed + places) & MASK32) < least, 0.0, x * scale)


def _mixed(x: Tensor) -> Tensor:
    """The hash lowbias32 of 32-bit numbers in int64."""
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & MASK32
    x = ((x ^ (x >> 15)) * 0x846CA68B) & MASK32
    return x ^ (x >> 16)
