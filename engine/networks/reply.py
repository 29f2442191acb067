"""A trained network as it is shipped: without the reply head that only its training wanted.

While it learns a network may have a second policy channel, which foretells the reply to the move.
In play a second channel is taken for an optimistic policy, so it must go.
"""

from __future__ import annotations

from dataclasses import replace

from engine.networks.architecture import Architecture, Convolution, Linear, PolicyHead


def without_reply(architecture: Architecture) -> Architecture:
    """The network with policy channel 0 alone."""
    return replace(architecture, policy=_first_channel(architecture.policy))


def _first_channel(head: PolicyHead) -> PolicyHead:
    moves = Convolution(head.moves.name, head.moves.weights[:1], head.moves.dilation)
    passing = head.pass_output
    if passing is not None:
        bias = None if passing.bias is None else passing.bias[:1]
        passing = Linear(passing.name, passing.weights[:, :1].copy(), bias)
    return replace(head, moves=moves, pass_output=passing)
