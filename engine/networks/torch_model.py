"""The architecture as a torch module: for training, for running on a GPU, and back to weights.

Boards of several sizes share a batch by padding: with a mask, every layer keeps the padding at 0
and pooling uses only points on the board. Without a mask every board fills its tensor. In training
mode normalization uses the batch's own statistics; `export` merges the running ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.architecture import (
    Architecture,
    Attention,
    Block,
    Bottleneck,
    FlatPolicyHead,
    MetadataEncoder,
    PlanePolicyHead,
    PolicyHead,
    PooledResidual,
    Residual,
    RmsTip,
    SqueezedResidual,
    ValueHead,
)
from engine.networks.dropout import Dropped
from engine.networks.torch_dropout import Dropout
from engine.networks.torch_flat import FlatPolicy, FlatValue, PlanePolicy, SqueezedBlock
from engine.networks.torch_layers import (
    ACTIVATIONS,
    BoardMask,
    Conv,
    Matrix,
    Norm,
    board_of,
    learned_after,
    mean_of,
    pooled,
    wide,
)
from engine.networks.torch_transformer import (
    AttentionBlock,
    FeedForwardBlock,
    TipNorm,
    is_transformer,
)


class Outputs(NamedTuple):
    """Raw outputs of a batch, as in Slot of engine.games.evaluator, with all policy channels."""

    policy: Tensor  # [batch, policies, move_count]
    value: Tensor  # [batch, 3]
    misc: Tensor  # [batch, 6]
    ownership: Tensor  # [batch, height * width]


class ResidualBlock(nn.Module):
    """See architecture.Residual."""

    def __init__(self, block: Residual) -> None:
        super().__init__()
        self.block = block
        self.before, self.first = Norm(block.before), Conv(block.first)
        self.middle, self.last = Norm(block.middle), Conv(block.last)

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns the block's output for trunk `x`: [batch, channels, height, width]."""
        if self.first.folded is None:
            y = self.first.after(self.before, x, board)
            return self.last.after(self.middle, y, board, under=x)
        y = self.first.then(self.middle, self.before(x, board), board)
        return x + cast("Tensor", self.last(y))

    def export(self) -> Residual:
        """Returns the block with its present weights."""
        return Residual(
            self.block.name,
            self.before.export(),
            self.first.export(),
            self.middle.export(),
            self.last.export(),
        )


class PooledBlock(nn.Module):
    """See architecture.PooledResidual."""

    def __init__(self, block: PooledResidual) -> None:
        super().__init__()
        self.block = block
        self.before, self.first = Norm(block.before), Conv(block.first)
        self.pool, self.pool_norm = Conv(block.pool), Norm(block.pool_norm)
        self.pool_bias = Matrix(block.pool_bias)
        self.middle, self.last = Norm(block.middle), Conv(block.last)

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns the block's output for trunk `x`: [batch, channels, height, width]."""
        learned = learned_after(self.before, x, board, [self.first, self.pool])
        if learned is not None:
            first, pool = learned[0], self.pool_norm(learned[1], board)
        else:
            y = self.before(x, board)
            first, pool = self.first(y), self.pool.then(self.pool_norm, y, board)
        bias = self.pool_bias(pooled(pool, board))
        return self.last.after(self.middle, first + wide(bias, first), board, under=x)

    def export(self) -> PooledResidual:
        """Returns the block with its present weights."""
        return PooledResidual(
            self.block.name,
            self.before.export(),
            self.first.export(),
            self.pool.export(),
            self.pool_norm.export(),
            self.pool_bias.export(),
            self.middle.export(),
            self.last.export(),
        )


class BottleneckBlock(nn.Module):
    """See architecture.Bottleneck."""

    def __init__(self, block: Bottleneck) -> None:
        super().__init__()
        self.block = block
        self.before, self.reduce = Norm(block.before), Conv(block.reduce)
        self.blocks = nn.ModuleList(_module(inner) for inner in block.blocks)
        self.after, self.expand = Norm(block.after), Conv(block.expand)

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns the block's output for trunk `x`: [batch, channels, height, width]."""
        y = self.reduce(self.before(x, board))
        for inner in self.blocks:
            y = inner(y, board)
        return x + cast("Tensor", self.expand(self.after(y, board)))

    def export(self) -> Bottleneck:
        """Returns the block with its present weights."""
        return Bottleneck(
            self.block.name,
            self.before.export(),
            self.reduce.export(),
            tuple(cast("AnyBlock", inner).export() for inner in self.blocks),
            self.after.export(),
            self.expand.export(),
        )


AnyBlock = (
    ResidualBlock
    | PooledBlock
    | BottleneckBlock
    | AttentionBlock
    | FeedForwardBlock
    | SqueezedBlock
)


def _module(block: Block) -> AnyBlock:
    if isinstance(block, Residual):
        return ResidualBlock(block)
    if isinstance(block, PooledResidual):
        return PooledBlock(block)
    if isinstance(block, Bottleneck):
        return BottleneckBlock(block)
    if isinstance(block, Attention):
        return AttentionBlock(block)
    if isinstance(block, SqueezedResidual):
        return SqueezedBlock(block)
    return FeedForwardBlock(block)


class Encoder(nn.Module):
    """See architecture.MetadataEncoder."""

    def __init__(self, encoder: MetadataEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.first, self.second = Matrix(encoder.first), Matrix(encoder.second)
        self.last = Matrix(encoder.last)

    def forward(self, metadata: Tensor) -> Tensor:
        """Maps `[batch, metadata]` to the trunk's bias `[batch, channels]`."""
        y = ACTIVATIONS[self.encoder.first_activation](self.first(metadata))
        y = ACTIVATIONS[self.encoder.second_activation](self.second(y))
        return cast("Tensor", self.last(y))

    def export(self) -> MetadataEncoder:
        """Returns the encoder with its present weights."""
        return replace(
            self.encoder,
            first=self.first.export(),
            second=self.second.export(),
            last=self.last.export(),
        )


class Policy(nn.Module):
    """See architecture.PolicyHead."""

    def __init__(self, head: PolicyHead) -> None:
        super().__init__()
        self.head = head
        self.first, self.pool = Conv(head.first), Conv(head.pool)
        self.pool_norm, self.pool_bias = Norm(head.pool_norm), Matrix(head.pool_bias)
        self.middle, self.moves = Norm(head.middle), Conv(head.moves)
        self.pass_hidden = Matrix(head.pass_hidden) if head.pass_hidden else None
        self.pass_output = Matrix(head.pass_output) if head.pass_output else None

    def forward(self, x: Tensor, board: BoardMask, dropout: Dropout | None = None) -> Tensor:
        """Logits `[batch, policies, move_count]`."""
        pool = pooled(self.pool.then(self.pool_norm, x, board), board)
        y = self.first(x) + wide(self.pool_bias(pool), x)
        y = self.middle(y, board)
        moves = self.moves(y if dropout is None else dropout.of(y, Dropped.MOVES)).float()
        if self.pass_output is None:
            return cast("Tensor", moves.sum(2))
        if self.pass_hidden is not None:
            pool = ACTIVATIONS[self.head.pass_activation](self.pass_hidden(pool))
        if dropout is not None:
            pool = dropout.of(pool, Dropped.PASSING)
        return torch.cat([moves.flatten(2), self.pass_output(pool)[:, :, None]], 2)

    def export(self) -> PolicyHead:
        """Returns the head with its present weights."""
        return replace(
            self.head,
            first=self.first.export(),
            pool=self.pool.export(),
            pool_norm=self.pool_norm.export(),
            pool_bias=self.pool_bias.export(),
            middle=self.middle.export(),
            moves=self.moves.export(),
            pass_hidden=self.pass_hidden.export() if self.pass_hidden is not None else None,
            pass_output=self.pass_output.export() if self.pass_output is not None else None,
        )


class Value(nn.Module):
    """See architecture.ValueHead."""

    def __init__(self, head: ValueHead) -> None:
        super().__init__()
        self.head = head
        self.first, self.norm = Conv(head.first), Norm(head.norm)
        self.hidden, self.value = Matrix(head.hidden), Matrix(head.value)
        self.misc, self.ownership = Matrix(head.misc), Conv(head.ownership)

    def forward(
        self, x: Tensor, board: BoardMask, dropout: Dropout | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Value `[batch, 3]`, misc `[batch, 6]`, ownership `[batch, height * width]`."""
        y = self.first.then(self.norm, x, board)
        mean = mean_of(y, board)
        pool = torch.cat([mean, mean * board.side, mean * (board.side.square() - 0.1)], 1)
        pool = pool if dropout is None else dropout.of(pool, Dropped.HIDDEN)
        hidden = ACTIVATIONS[self.head.hidden_activation](self.hidden(pool))
        hidden = hidden if dropout is None else dropout.of(hidden, Dropped.VALUE)
        misc = self.misc(hidden)
        misc = functional.pad(misc, (0, MISC_OUTPUTS - misc.shape[1]))
        return self.value(hidden), misc, self.ownership(y).flatten(1).float()

    def export(self) -> ValueHead:
        """Returns the head with its present weights."""
        return replace(
            self.head,
            first=self.first.export(),
            norm=self.norm.export(),
            hidden=self.hidden.export(),
            value=self.value.export(),
            misc=self.misc.export(),
            ownership=self.ownership.export(),
        )


def _flat_policy(head: FlatPolicyHead | PlanePolicyHead) -> FlatPolicy | PlanePolicy:
    return FlatPolicy(head) if isinstance(head, FlatPolicyHead) else PlanePolicy(head)


class TorchNetwork(nn.Module):
    """A whole network with trainable weights."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        self.is_transformer = is_transformer(architecture)
        self.planes, self.globals = Conv(architecture.planes), Matrix(architecture.globals)
        self.encoder = Encoder(architecture.metadata) if architecture.metadata else None
        self.blocks = nn.ModuleList(_module(block) for block in architecture.blocks)
        tip = architecture.tip
        self.tip = TipNorm(tip) if isinstance(tip, RmsTip) else Norm(tip)
        policy, value = architecture.policy, architecture.value
        self.policy = Policy(policy) if isinstance(policy, PolicyHead) else _flat_policy(policy)
        self.value = Value(value) if isinstance(value, ValueHead) else FlatValue(value)

    def forward(
        self,
        spatial: Tensor,
        globals_: Tensor,
        metadata: Tensor | None = None,
        mask: Tensor | None = None,
        dropout: Dropout | None = None,
    ) -> Outputs:
        """Raw outputs for `spatial` `[batch, planes, height, width]`, in any dtype of the weights.

        `globals_` `[batch, globals]`; `metadata` `[batch, metadata]` for networks with it; `mask`
        `[batch, 1, height, width]`, 1 on the board, for padded boards; `dropout` damages the heads.
        """
        board = board_of(spatial, mask)
        bias = self.globals(globals_)
        if self.encoder is not None:
            bias = bias + self.encoder(metadata)
        x = self.planes(spatial)
        # The rounding of a transformer's trunk to half precision would cost accuracy.
        x = x.float() if self.is_transformer else x
        x = x + wide(bias, x)
        for block in self.blocks:
            x = block(x, board)
        x = self.tip(x, board)
        return Outputs(self.policy(x, board, dropout), *self.value(x, board, dropout))

    def freeze(self, dtype: torch.dtype = torch.float32) -> TorchNetwork:
        """Returns itself, for inference with convolutions in `dtype`; training ends."""
        self.eval().requires_grad_(False)  # noqa: FBT003
        for part in self.modules():
            if isinstance(part, Norm | Conv | AttentionBlock | FeedForwardBlock):
                part.freeze(dtype)
            if isinstance(part, ResidualBlock):
                part.first.fold(part.middle, dtype)
            if isinstance(part, PooledBlock | Policy):
                part.pool.fold(part.pool_norm, dtype)
            if isinstance(part, Value | FlatPolicy | FlatValue):
                part.first.fold(part.norm, dtype)
            if isinstance(part, SqueezedBlock | PlanePolicy):
                part.fold(dtype)
        return self

    def export(self) -> Architecture:
        """Returns the architecture with the present weights, running statistics merged."""
        return replace(
            self.architecture,
            planes=self.planes.export(),
            globals=self.globals.export(),
            metadata=self.encoder.export() if self.encoder is not None else None,
            blocks=tuple(cast("AnyBlock", block).export() for block in self.blocks),
            tip=self.tip.export(),
            policy=self.policy.export(),
            value=self.value.export(),
        )
