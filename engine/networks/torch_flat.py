"""lc0's blocks and heads as torch modules; see architecture.py for their computation.

The heads see every cell of a board of one size, so that none is padding.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.architecture import (
    FlatPolicyHead,
    FlatValueHead,
    PlanePolicyHead,
    Squeeze,
    SqueezedResidual,
)
from engine.networks.dropout import Dropped
from engine.networks.torch_dropout import Dropout
from engine.networks.torch_layers import ACTIVATIONS, BoardMask, Conv, Matrix, Norm, mean_of, wide


class SqueezeUnit(nn.Module):
    """See architecture.Squeeze."""

    def __init__(self, squeeze: Squeeze) -> None:
        super().__init__()
        self.squeeze = squeeze
        self.hidden, self.gates = Matrix(squeeze.hidden), Matrix(squeeze.gates)

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns `x` [batch, channels, height, width] after the gates."""
        hidden = ACTIVATIONS[self.squeeze.activation](self.hidden(mean_of(x, board)))
        scale, shift = self.gates(hidden).chunk(2, 1)
        y = x * wide(scale.sigmoid(), x) + wide(shift, x)
        return y if board.mask is None else y * board.mask

    def export(self) -> Squeeze:
        """Returns the unit with its present weights."""
        return replace(self.squeeze, hidden=self.hidden.export(), gates=self.gates.export())


class SqueezedBlock(nn.Module):
    """See architecture.SqueezedResidual."""

    def __init__(self, block: SqueezedResidual) -> None:
        super().__init__()
        self.block = block
        self.before, self.first, self.middle = (
            Norm(block.before),
            Conv(block.first),
            Norm(block.middle),
        )
        self.last, self.after = Conv(block.last), Norm(block.after)
        self.squeeze = SqueezeUnit(block.squeeze) if block.squeeze is not None else None

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns the block's output for trunk `x`: [batch, channels, height, width]."""
        y = self.before(x, board)
        z = self.last.then(self.after, self.first.then(self.middle, y, board), board)
        return cast("Tensor", y + (z if self.squeeze is None else self.squeeze(z, board)))

    def fold(self, dtype: torch.dtype) -> None:
        """Folds the normalizations into the weights, for inference in `dtype`."""
        self.first.fold(self.middle, dtype)
        self.last.fold(self.after, dtype)

    def export(self) -> SqueezedResidual:
        """Returns the block with its present weights."""
        return SqueezedResidual(
            self.block.name,
            self.before.export(),
            self.first.export(),
            self.middle.export(),
            self.last.export(),
            self.after.export(),
            None if self.squeeze is None else self.squeeze.export(),
        )


class FlatPolicy(nn.Module):
    """See architecture.FlatPolicyHead."""

    def __init__(self, head: FlatPolicyHead) -> None:
        super().__init__()
        self.head = head
        self.first, self.norm, self.moves = Conv(head.first), Norm(head.norm), Matrix(head.moves)

    def forward(self, x: Tensor, board: BoardMask, dropout: Dropout | None = None) -> Tensor:
        """Returns logits [batch, 1, moves]."""
        y = self.first.then(self.norm, x, board)
        y = y if dropout is None else dropout.of(y, Dropped.MOVES)
        return cast("Tensor", self.moves(y.flatten(1).float()))[:, None]

    def export(self) -> FlatPolicyHead:
        """Returns the head with its present weights."""
        return replace(
            self.head,
            first=self.first.export(),
            norm=self.norm.export(),
            moves=self.moves.export(),
        )


class PlanePolicy(nn.Module):
    """See architecture.PlanePolicyHead."""

    def __init__(self, head: PlanePolicyHead) -> None:
        super().__init__()
        self.head = head
        self.first, self.norm = Conv(head.first), Norm(head.norm)
        self.planes, self.shift = Conv(head.planes), Norm(head.shift)
        self.cells = nn.Buffer(torch.tensor(head.cells))

    def forward(self, x: Tensor, board: BoardMask, dropout: Dropout | None = None) -> Tensor:
        """Returns logits [batch, 1, moves]."""
        y = self.first.then(self.norm, x, board)
        y = y if dropout is None else dropout.of(y, Dropped.MOVES)
        planes = self.planes.then(self.shift, y, board)
        return planes.flatten(1).float().index_select(1, self.cells)[:, None]

    def fold(self, dtype: torch.dtype) -> None:
        """Folds the normalizations into the weights, for inference in `dtype`."""
        self.first.fold(self.norm, dtype)
        self.planes.fold(self.shift, dtype)

    def export(self) -> PlanePolicyHead:
        """Returns the head with its present weights."""
        return replace(
            self.head,
            first=self.first.export(),
            norm=self.norm.export(),
            planes=self.planes.export(),
            shift=self.shift.export(),
        )


class FlatValue(nn.Module):
    """See architecture.FlatValueHead."""

    def __init__(self, head: FlatValueHead) -> None:
        super().__init__()
        self.head = head
        self.first, self.norm = Conv(head.first), Norm(head.norm)
        self.hidden, self.value = Matrix(head.hidden), Matrix(head.value)

    def forward(
        self, x: Tensor, board: BoardMask, dropout: Dropout | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns value [batch, 3], and zeros for misc [batch, 6] and ownership [batch, area]."""
        y = self.first.then(self.norm, x, board).flatten(1).float()
        y = y if dropout is None else dropout.of(y, Dropped.HIDDEN)
        hidden = ACTIVATIONS[self.head.hidden_activation](self.hidden(y))
        hidden = hidden if dropout is None else dropout.of(hidden, Dropped.VALUE)
        value = self.value(hidden)
        misc = functional.pad(value[:, :0], (0, MISC_OUTPUTS))
        return value, misc, torch.zeros_like(x[:, 0], dtype=torch.float32).flatten(1)

    def export(self) -> FlatValueHead:
        """Returns the head with its present weights."""
        return replace(
            self.head,
            first=self.first.export(),
            norm=self.norm.export(),
            hidden=self.hidden.export(),
            value=self.value.export(),
        )
