"""The layers of a network's heads with dropped inputs, as in AlphaDDA2 (Fujita 2022).

The paper drops inputs of the fully connected layers of the heads: of the policy layer, and of both
value layers. In our heads (engine/networks/architecture.py) these are:

- the policy layer: the layers of the logits. For the moves this is PolicyHead.moves, a 1x1
  convolution; each of its inputs, a channel of a cell, is dropped independently. For passing it is
  PolicyHead.pass_output;
- the first value layer: ValueHead.hidden, with the pooled numbers as inputs;
- the second: ValueHead.value. ValueHead.misc reads the same inputs, and loses the same ones.

The pooled inputs of the policy's bias, and ownership, are not damaged. An input is dropped with the
slot's probability, else divided by its complement, to keep the mean. Each evaluated row has a mask
of its own, the same in every backend (engine/core/network/dropout.h).
"""

from __future__ import annotations

from enum import IntEnum


class Dropped(IntEnum):
    """A layer with dropped inputs; its number distinguishes its mask."""

    MOVES = 1
    PASSING = 2
    HIDDEN = 3
    VALUE = 4
