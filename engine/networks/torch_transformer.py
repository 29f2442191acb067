"""The transformer parts of architecture.py as torch modules, over boards with or without padding.

The trunk, normalizations and the softmax are float32; matrices and gates have the dtype of the
planes, and rotations too where this is float16. A norm's scale is multiplied into the matrices
after it, and matrices of one input are joined. With a mask, the padding is no key of the softmax
and no block changes it.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.networks.architecture import (
    Architecture,
    Attention,
    FeedForward,
    RmsNormalization,
    RmsTip,
)
from engine.networks.description import every_block
from engine.networks.torch_layers import ACTIVATIONS, BoardMask, Matrix, numpy_of

Turns = tuple[Tensor, Tensor]  # cosine and sine, each [points, heads + key_heads, width / 2]
UNITS = 32  # the units of a frozen feed-forward block are a multiple: GPUs want aligned matrices


def is_transformer(architecture: Architecture) -> bool:
    """True if a block or the tip is a transformer's."""
    return isinstance(architecture.tip, RmsTip) or any(
        isinstance(block, Attention | FeedForward) for block in every_block(architecture.blocks)
    )


class Rms(nn.Module):
    """See architecture.RmsNormalization. The caller multiplies by `weight`."""

    def __init__(self, layer: RmsNormalization) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(layer.scale))
        self.layer = layer

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Rows `[batch, points, channels]` of float32 `x`, without the scale, padding at 0."""
        rows = x.flatten(2).transpose(1, 2)
        y = functional.rms_norm(rows, rows.shape[2:], eps=self.layer.epsilon).to(board.dtype)
        return y if board.mask is None else y * board.mask.flatten(2).transpose(1, 2)

    def before(self, *matrices: Tensor) -> Tensor:
        """The matrices `[channels, out]` joined, with the scale multiplied into them."""
        return self.weight[:, None] * torch.cat(matrices, 1)

    def export(self) -> RmsNormalization:
        """Returns the layer with its present weights."""
        return replace(self.layer, scale=numpy_of(self.weight))


class AttentionBlock(nn.Module):
    """See architecture.Attention.

    The query heads of one key head are more queries of that head: no key is repeated. Each head's
    channels of queries and keys are sorted into the first and the second ones of the pairs.
    """

    def __init__(self, block: Attention) -> None:
        super().__init__()
        self.block = block
        self.norm, self.out = Rms(block.norm), Matrix(block.out)
        self.query, self.key = Matrix(block.query), Matrix(block.key)
        self.value = Matrix(block.value)
        turned = block.rotations is not None
        self.rotations = nn.Parameter(torch.tensor(block.rotations)) if turned else None
        self.frozen: tuple[Tensor, Tensor] | None = None
        # A frozen block's turns by height and width are float16 if its matrices are.
        self._turns: dict[tuple[int, int], Turns] = {}

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns the block's output, float32, for trunk `x`: [batch, channels, height, width]."""
        x = x.float()
        joined, out = self._matrices(board.dtype) if self.frozen is None else self.frozen
        queries, keys, values = self._heads(self.norm(x, board) @ joined, x)
        y = functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=_keys_on_board(board)
        )
        groups = self.block.heads // self.block.key_heads
        y = torch.unflatten(y, 2, (groups, -1)).permute(0, 3, 1, 2, 4).flatten(2)
        return x + _on_board(y @ out, x, board)

    def freeze(self, dtype: torch.dtype) -> None:
        """Stores the joined matrices in `dtype`, for inference."""
        joined, out = self._matrices(dtype)
        self.frozen = joined.detach(), out.detach()
        self._turns.clear()

    def export(self) -> Attention:
        """Returns the block with its present weights."""
        return replace(
            self.block,
            norm=self.norm.export(),
            query=self.query.export(),
            key=self.key.export(),
            value=self.value.export(),
            out=self.out.export(),
            rotations=None if self.rotations is None else numpy_of(self.rotations),
        )

    def _matrices(self, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """The matrix of queries, keys and values, and the one after the attention."""
        query, key = self._sorted(self.query.weight), self._sorted(self.key.weight)
        joined = self.norm.before(query, key, self.value.weight)
        return joined.to(dtype), self.out.weight.to(dtype)

    def _sorted(self, weight: Tensor) -> Tensor:
        """Returns a matrix whose heads have the first channels of all pairs before the second."""
        if self.rotations is None:
            return weight
        return weight.view(len(weight), -1, self.block.width // 2, 2).transpose(2, 3).flatten(1)

    def _heads(self, y: Tensor, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values `[batch, key_heads, points or more, width]` of joined `y`."""
        block = self.block
        turning = block.query.outputs + block.key.outputs
        turned, values = torch.split(y, [turning, block.value.outputs], 2)
        turned = torch.unflatten(turned, 2, (-1, block.width))
        if self.rotations is not None:
            turned = _turned(turned, self._turns_of(self.rotations, x))
        queries, keys = torch.split(turned, [block.heads, block.key_heads], 2)
        queries = torch.unflatten(queries, 2, (block.key_heads, -1)).permute(0, 2, 3, 1, 4)
        values = torch.unflatten(values, 2, (block.key_heads, block.value_width))
        return queries.flatten(2, 3), keys.transpose(1, 2), values.transpose(1, 2)

    def _turns_of(self, rotations: Tensor, x: Tensor) -> Turns:
        """The turns of all heads of queries and keys, for a trunk `x`."""
        height, width = x.shape[2:]
        if (height, width) in self._turns:
            return self._turns[height, width]
        groups = self.block.heads // self.block.key_heads
        every = torch.cat((rotations.repeat_interleave(groups, 0), rotations))
        turns = _turns(every, height, width)
        if self.frozen is not None:
            # bfloat16 would turn the heads by angles that are wrong by up to .004.
            if self.frozen[0].dtype == torch.float16:
                turns = turns[0].half(), turns[1].half()
            self._turns[height, width] = turns
        return turns


class FeedForwardBlock(nn.Module):
    """See architecture.FeedForward."""

    def __init__(self, block: FeedForward) -> None:
        super().__init__()
        self.block = block
        self.norm, self.out = Rms(block.norm), Matrix(block.out)
        self.linear, self.gate = Matrix(block.linear), Matrix(block.gate)
        self.frozen: tuple[Tensor, Tensor] | None = None

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Returns the block's output, float32, for trunk `x`: [batch, channels, height, width]."""
        x = x.float()
        joined, out = self._matrices(board.dtype) if self.frozen is None else self.frozen
        inner, gate = (self.norm(x, board) @ joined).chunk(2, 2)
        return x + _on_board((functional.silu(inner) * gate) @ out, x, board)

    def freeze(self, dtype: torch.dtype) -> None:
        """Stores the joined matrices in `dtype`, for inference, with units of 0 at their end."""
        joined, out = (part.detach() for part in self._matrices(dtype))
        more = -len(out) % UNITS
        halves = [functional.pad(half, (0, more)) for half in joined.chunk(2, 1)]
        self.frozen = torch.cat(halves, 1), functional.pad(out, (0, 0, 0, more))

    def export(self) -> FeedForward:
        """Returns the block with its present weights."""
        return replace(
            self.block,
            norm=self.norm.export(),
            linear=self.linear.export(),
            gate=self.gate.export(),
            out=self.out.export(),
        )

    def _matrices(self, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        joined = self.norm.before(self.linear.weight, self.gate.weight)
        return joined.to(dtype), self.out.weight.to(dtype)


class TipNorm(nn.Module):
    """See architecture.RmsTip."""

    def __init__(self, tip: RmsTip) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(tip.scale))
        self.bias = nn.Parameter(torch.tensor(tip.shift))
        self.tip = tip

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Normalized and activated `x` `[batch, channels, height, width]`, padding at 0."""
        x = x.float() if board.mask is None else x.float() * board.mask
        mean = x.square().mean(1, keepdim=True)
        if self.tip.spatial:
            mean = mean.sum((2, 3), keepdim=True) / board.area[:, :, None, None]
        scale = torch.rsqrt(mean + self.tip.epsilon) * self.weight[:, None, None]
        y = ACTIVATIONS[self.tip.activation](x * scale + self.bias[:, None, None]).to(board.dtype)
        return y if board.mask is None else y * board.mask

    def export(self) -> RmsTip:
        """Returns the layer with its present weights."""
        return replace(self.tip, scale=numpy_of(self.weight), shift=numpy_of(self.bias))


def _turns(rotations: Tensor, height: int, width: int) -> Turns:
    """Returns the angles' cosines and sines for rotations `[heads, width / 2, 2]`, float32."""
    by_column, by_row = rotations.float().unbind(2)
    columns = torch.arange(width, dtype=torch.float32, device=rotations.device)
    rows = torch.arange(height, dtype=torch.float32, device=rotations.device)
    angles = by_column * columns[:, None, None] + by_row * rows[:, None, None, None]
    angles = angles.flatten(0, 1)
    return angles.cos(), angles.sin()


def _turned(heads: Tensor, turns: Turns) -> Tensor:
    """Rotates the pairs of `[batch, points, heads, width]`, sorted, in the dtype of the turns."""
    cosine, sine = turns
    first, second = heads.to(cosine.dtype).chunk(2, 3)
    turned = (
        torch.addcmul(first * cosine, second, sine, value=-1),
        torch.addcmul(first * sine, second, cosine),
    )
    return torch.cat(turned, 3).to(heads.dtype)


def _keys_on_board(board: BoardMask) -> Tensor | None:
    """True for the points on the board `[batch, 1, 1, points]`; None without padding."""
    return None if board.mask is None else board.mask.flatten(2)[:, :, None] > 0


def _on_board(y: Tensor, x: Tensor, board: BoardMask) -> Tensor:
    """Rows `[batch, points, channels]` in the shape of `x`, float32, padding at 0."""
    y = y.transpose(1, 2).view(x.shape)
    return y if board.mask is None else y * board.mask
