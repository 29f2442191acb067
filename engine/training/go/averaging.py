"""The mean of a network's weights over its latest steps; it plays better than the last weights.

An exponential mean of every fractional tensor of the state: weights and running statistics.
"""

from __future__ import annotations

import torch
from torch import nn

DECAY = 0.998  # of the mean at each step: it reaches back some 500 steps
FIRST_STEPS = 10  # it follows faster at the start


class Average:
    """The mean of a network's states so far."""

    def __init__(self, network: nn.Module) -> None:
        self.state = {name: part.detach().clone() for name, part in network.state_dict().items()}

    @torch.no_grad()
    def add(self, network: nn.Module, steps: int) -> None:
        """Adds the state after `steps` steps."""
        decay = min(DECAY, (1 + steps) / (FIRST_STEPS + steps))
        for name, part in network.state_dict().items():
            mean = self.state[name]
            if mean.is_floating_point():
                mean.lerp_(part, 1 - decay)
            else:
                mean.copy_(part)
