"""A trained network as it is shipped: with one of the policies that it learned.

While it learns a network may have several over one trunk: the reply to the move, or what a human
would play. In play a second one is taken for an optimistic policy, so just one may stay.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.networks.architecture import Architecture, Linear


def one_policy(architecture: Architecture, policy: int = 0) -> Architecture:
    """The network with just this one of its policies."""
    head = architecture.policy
    moves = replace(head.moves, weights=head.moves.weights[policy : policy + 1])
    passing = head.pass_output and _one_output(head.pass_output, policy)
    return replace(architecture, policy=replace(head, moves=moves, pass_output=passing))


def _one_output(linear: Linear, output: int) -> Linear:
    only = slice(output, output + 1)
    bias = None if linear.bias is None else linear.bias[only]
    return replace(linear, weights=np.ascontiguousarray(linear.weights[:, only]), bias=bias)
