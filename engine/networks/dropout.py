"""Where a network's heads lose inputs when they are damaged, as AlphaDDA2 does (Fujita 2022).

The paper drops inputs of the fully connected layers of the heads: of the policy layer, and of both
value layers. In our heads (engine/networks/architecture.py) these are taken to be:

- the policy layer: the layers that the logits come out of. For the moves that is PolicyHead.moves,
  a 1x1 convolution: each of its inputs, a channel of a cell, is dropped by itself. For passing it
  is PolicyHead.pass_output;
- the first value layer: ValueHead.hidden, with the pooled numbers for inputs;
- the second: ValueHead.value. ValueHead.misc reads the same inputs, and loses the same ones.

What is pooled for the policy's bias, and ownership, are not damaged. An input is dropped with a
slot's probability and else divided by what is left of 1, so that means stay; each row evaluated has
a mask of its own, the same in every backend (engine/core/network/dropout.h).
"""

from __future__ import annotations

from enum import IntEnum


class Dropped(IntEnum):
    """A layer whose inputs are dropped; its number tells its mask from the others'."""

    MOVES = 1
    PASSING = 2
    HIDDEN = 3
    VALUE = 4
