"""Reduces a trained network to one of its policies.

In training a network may have several policies over one trunk: the reply to the move, or a human's
move. In play a second policy means an optimistic one, hence only one may stay.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.networks.architecture import Architecture, Linear, PolicyHead


def one_policy(architecture: Architecture, policy: int = 0) -> Architecture:
    """Returns the network with only this one of its policies; a flat policy is the only one."""
    head = architecture.policy
    if not isinstance(head, PolicyHead):
        return architecture
    moves = replace(head.moves, weights=head.moves.weights[policy : policy + 1])
    passing = head.pass_output and _one_output(head.pass_output, policy)
    return replace(architecture, policy=replace(head, moves=moves, pass_output=passing))


def _one_output(linear: Linear, output: int) -> Linear:
    only = slice(output, output + 1)
    bias = None if linear.bias is None else linear.bias[only]
    return replace(linear, weights=np.ascontiguousarray(linear.weights[:, only]), bias=bias)
