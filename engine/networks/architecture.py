"""The architecture of a network as frozen values with numpy weights: no file format, no runtime.

A trunk of residual blocks over the board takes planes and global features, and ends in a policy
head and a value head. This is the shape of KataGo's networks ("Accelerating Self-Play Learning in
Go", https://arxiv.org/abs/1902.10565; the transformer blocks are those of KataGo 1.17's
cpp/neuralnet/desc.cpp). Batch normalization is merged into a scale and a shift.
Convolution weights are `[out, in, height, width]`, linear weights `[in, out]`, all float32.
engine/games/evaluator.py defines the outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Multipliers

FloatArray = NDArray[np.float32]

ACTIVATIONS = ("identity", "relu", "mish", "silu", "mish_scale8")
# Parts of a pooled row: mean, mean scaled by the board's side, and a third part of each head's own.
POOL_PARTS = 3
VALUE_OUTPUTS = 3
# The networks' training centred the board's side on 14.
CENTRAL_SIDE = 14.0


class NetworkFileError(ValueError):
    """An unusable network file; the text has the file, the layer, expected and actual value."""


@dataclass(frozen=True, eq=False)
class Convolution:
    """A convolution without bias; keeps the board's size."""

    name: str
    weights: FloatArray  # [out, in, height, width], height and width odd
    dilation: tuple[int, int] = (1, 1)  # (y, x)

    @property
    def inputs(self) -> int:
        """Input channels."""
        return int(self.weights.shape[1])

    @property
    def outputs(self) -> int:
        """Output channels."""
        return int(self.weights.shape[0])


@dataclass(frozen=True, eq=False)
class Linear:
    """A matrix product with an optional bias."""

    name: str
    weights: FloatArray  # [in, out]
    bias: FloatArray | None = None  # [out]

    @property
    def inputs(self) -> int:
        """Input channels."""
        return int(self.weights.shape[0])

    @property
    def outputs(self) -> int:
        """Output channels."""
        return int(self.weights.shape[1])


@dataclass(frozen=True, eq=False)
class Normalization:
    """`activation(x * scale + shift)` per channel."""

    name: str
    scale: FloatArray  # [channels]
    shift: FloatArray  # [channels]
    activation: str  # one of ACTIVATIONS

    @property
    def channels(self) -> int:
        """Input and output channels."""
        return int(self.scale.shape[0])


@dataclass(frozen=True, eq=False)
class Residual:
    """`x + last(middle(first(before(x))))`."""

    name: str
    before: Normalization
    first: Convolution
    middle: Normalization
    last: Convolution


@dataclass(frozen=True, eq=False)
class PooledResidual:
    """A residual block with a bias on its first convolution from features of the whole board.

    `y = before(x)`; `x + last(middle(first(y) + pool_bias(pooled(pool_norm(pool(y))))))`, with
    pooled = mean, mean * (side - 14) / 10 and maximum, in this order.
    """

    name: str
    before: Normalization
    first: Convolution
    pool: Convolution
    pool_norm: Normalization
    pool_bias: Linear
    middle: Normalization
    last: Convolution


@dataclass(frozen=True, eq=False)
class Bottleneck:
    """`x + expand(after(blocks(reduce(before(x)))))`: blocks over fewer channels."""

    name: str
    before: Normalization
    reduce: Convolution
    blocks: tuple[Block, ...]
    after: Normalization
    expand: Convolution


@dataclass(frozen=True, eq=False)
class RmsNormalization:
    """`x / sqrt(mean(x^2) + epsilon) * scale`, the mean over the channels of each point."""

    name: str
    scale: FloatArray  # [channels]
    epsilon: float

    @property
    def channels(self) -> int:
        """Input and output channels."""
        return int(self.scale.shape[0])


@dataclass(frozen=True, eq=False)
class Attention:
    """`x + out(attended values of norm(x))`, attention of every point of the board to every point.

    Query head h uses head `h * key_heads // heads` of the keys and the values. The score of two
    points is the product of query and key over sqrt(width); the softmax runs over the points of
    the board. Before the product, channels 2p and 2p + 1 of a head of queries and of keys are
    rotated by the angle `column * rotations[head, p, 0] + row * rotations[head, p, 1]` of their
    point, the head being that of the keys.
    """

    name: str
    norm: RmsNormalization
    heads: int  # of the queries
    key_heads: int  # of the keys and of the values; a divisor of heads
    query: Linear  # [channels, heads * width]
    key: Linear  # [channels, key_heads * width]
    value: Linear  # [channels, key_heads * value_width]
    out: Linear  # [heads * value_width, channels]
    rotations: FloatArray | None  # [key_heads, width / 2, 2], radians a column and a row

    @property
    def width(self) -> int:
        """Channels of a head of queries and of keys."""
        return self.query.outputs // self.heads

    @property
    def value_width(self) -> int:
        """Channels of a head of values."""
        return self.value.outputs // self.key_heads


@dataclass(frozen=True, eq=False)
class FeedForward:
    """`x + out(silu(linear(norm(x))) * gate(norm(x)))`, on each point by itself."""

    name: str
    norm: RmsNormalization
    linear: Linear
    gate: Linear
    out: Linear


@dataclass(frozen=True, eq=False)
class Squeeze:
    """Squeeze and excitation: `sigmoid(a) * x + b`, a and b per channel.

    a and b are the halves of `gates(activation(hidden(mean)))`, the mean being over the board
    (https://arxiv.org/abs/1709.01507, with the bias b of lc0).
    """

    name: str
    hidden: Linear  # [channels, units]
    activation: str  # one of ACTIVATIONS
    gates: Linear  # [units, 2 * channels]


@dataclass(frozen=True, eq=False)
class SqueezedResidual:
    """`y + squeeze(after(last(middle(first(y)))))` with y = before(x): lc0's block.

    Its input is the sum before the activation of lc0's previous block; `before` applies it.
    """

    name: str
    before: Normalization
    first: Convolution
    middle: Normalization
    last: Convolution
    after: Normalization
    squeeze: Squeeze | None


Block = Residual | PooledResidual | Bottleneck | Attention | FeedForward | SqueezedResidual


@dataclass(frozen=True, eq=False)
class RmsTip:
    """`activation(x / sqrt(mean(x^2) + epsilon) * scale + shift)` at the end of a trunk.

    The mean is over the channels of each point, or, if spatial, over all points and channels of
    the board.
    """

    name: str
    epsilon: float
    spatial: bool
    scale: FloatArray  # [channels]
    shift: FloatArray  # [channels]
    activation: str  # one of ACTIVATIONS

    @property
    def channels(self) -> int:
        """Input and output channels."""
        return int(self.scale.shape[0])


@dataclass(frozen=True, eq=False)
class MetadataEncoder:
    """Encodes the players (rank, date, time control ...) as a bias of the first channels."""

    name: str
    first: Linear
    first_activation: str
    second: Linear
    second_activation: str
    last: Linear


@dataclass(frozen=True, eq=False)
class PolicyHead:
    """Logits of the moves and of the pass.

    Output channel 0 is the policy, channel 1 (if present) the optimistic policy; others are unused.
    In a game without passes a move is a column, and its logit is the sum over its cells.
    """

    name: str
    first: Convolution
    pool: Convolution
    pool_norm: Normalization
    pool_bias: Linear
    middle: Normalization
    moves: Convolution
    pass_hidden: Linear | None  # with pass_activation; only in newer networks
    pass_activation: str
    pass_output: Linear | None  # None if a move is a column

    @property
    def channels(self) -> int:
        """Number of policies."""
        return self.moves.outputs


@dataclass(frozen=True, eq=False)
class FlatPolicyHead:
    """Logits of moves that are no cells: lc0's classical policy, on a board of one size.

    They are `moves(norm(first(x)))`, flattened by channel, then row, then column.
    """

    name: str
    first: Convolution
    norm: Normalization
    moves: Linear


@dataclass(frozen=True, eq=False)
class PlanePolicyHead:
    """Logits of moves that are no cells: lc0's convolutional policy, on a board of one size.

    They are the values at `cells` of `shift(planes(norm(first(x))))`, flattened by channel, then
    row, then column.
    """

    name: str
    first: Convolution
    norm: Normalization
    planes: Convolution
    shift: Normalization
    cells: tuple[int, ...]  # of each move: channel * height * width + row * width + column


@dataclass(frozen=True, eq=False)
class FlatValueHead:
    """Logits of win, loss and no result: lc0's value, on a board of one size.

    They are `value(activation(hidden(y)))`, y = norm(first(x)) flattened as in FlatPolicyHead. In
    chess a draw is the game without a result.
    """

    name: str
    first: Convolution
    norm: Normalization
    hidden: Linear
    hidden_activation: str
    value: Linear


@dataclass(frozen=True, eq=False)
class ValueHead:
    """Logits of win, loss and no result, score outputs, and the ownership of each point.

    The hidden layer's inputs are mean, mean * (side - 14) / 10 and mean * ((side - 14)^2 / 100 -
    0.1).
    """

    name: str
    first: Convolution
    norm: Normalization
    hidden: Linear
    hidden_activation: str
    value: Linear
    misc: Linear
    ownership: Convolution


@dataclass(frozen=True, eq=False)
class Architecture:
    """A whole network. `version`, KataGo's model version, determines the outputs' scale."""

    name: str
    version: int
    multipliers: Multipliers
    pass_alive_under_suicide: bool  # its area planes treat suicide as legal under any rules
    planes: Convolution
    globals: Linear
    metadata: MetadataEncoder | None
    blocks: tuple[Block, ...]
    tip: Normalization | RmsTip
    policy: PolicyHead | FlatPolicyHead | PlanePolicyHead
    value: ValueHead | FlatValueHead
    game: str = "go"  # a key of GAMES
    # trained with playout doubling advantages, as KataGo's networks are
    uses_doublings: bool = False

    @property
    def channels(self) -> int:
        """Channels of the trunk."""
        return self.planes.outputs

    @property
    def board_policy(self) -> PolicyHead:
        """The policy of a game in which moves are cells. Raises TypeError for another policy."""
        if not isinstance(self.policy, PolicyHead):
            raise TypeError(f"the policy of {self.name} is not one of the board")
        return self.policy


def arrays(part: object, path: str = "") -> Iterator[tuple[str, FloatArray]]:
    """Yields (dotted path, weights `[...]`) of each array of a part, in the order of the fields."""
    if isinstance(part, np.ndarray):
        yield path, part
    elif isinstance(part, tuple):
        for index, item in enumerate(part):
            yield from arrays(item, f"{path}.{index}" if path else str(index))
    elif is_dataclass(part) and not isinstance(part, type):
        for field in fields(part):
            step = f"{path}.{field.name}" if path else field.name
            yield from arrays(getattr(part, field.name), step)
