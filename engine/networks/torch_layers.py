"""The layers of architecture.py as torch modules, over boards with or without padding.

With a mask, every layer keeps the padding at 0 and pooling uses only points on the board. Pooled
values and their results stay float32 at any precision of the convolutions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, Protocol, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.networks.architecture import (
    CENTRAL_SIDE,
    Convolution,
    FloatArray,
    Linear,
    Normalization,
)

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "relu": functional.relu,
    "mish": functional.mish,
    "silu": functional.silu,
    "mish_scale8": lambda x: x * torch.tanh(functional.softplus(8 * x)),
}
EPSILON = 1e-4
MOMENTUM = 0.01


class BoardMask(NamedTuple):
    """The points of a batch on the board, the board sizes for pooling, and the precision."""

    mask: Tensor | None  # [batch, 1, height, width], 1 on the board; None without padding
    area: Tensor  # [batch, 1] points on the board, float32
    side: Tensor  # [batch, 1] (square root of the area - 14) / 10, float32
    dtype: torch.dtype  # of the inputs of convolutions and matrices


def board_of(spatial: Tensor, mask: Tensor | None) -> BoardMask:
    """The board of a batch `[batch, planes, height, width]`; `mask` None without padding."""
    if mask is None:
        size = spatial.shape[2] * spatial.shape[3]
        area = torch.full((len(spatial), 1), size, dtype=torch.float32, device=spatial.device)
    else:
        area = mask.sum((2, 3), dtype=torch.float32)
        mask = mask.to(spatial.dtype)
    return BoardMask(mask, area, (area.sqrt() - CENTRAL_SIDE) * 0.1, spatial.dtype)


class Norm(nn.Module):
    """Batch normalization over the points on the board, then the activation."""

    def __init__(self, layer: Normalization) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(layer.scale))
        self.bias = nn.Parameter(torch.tensor(layer.shift))
        self.mean = nn.Buffer(torch.zeros(layer.channels))
        self.variance = nn.Buffer(torch.full((layer.channels,), 1.0 - EPSILON))
        self.layer = layer
        self.frozen: dict[torch.dtype, tuple[Tensor, Tensor]] = {}  # by the input's dtype

    def merged(self) -> tuple[Tensor, Tensor]:
        """Returns scale and shift `[channels]` of the running statistics."""
        scale = self.weight / torch.sqrt(self.variance + EPSILON)
        return scale, self.bias - scale * self.mean

    def forward(self, x: Tensor, board: BoardMask) -> Tensor:
        """Normalized and activated `x` `[batch, channels, height, width]`, padding at 0."""
        if self.frozen:
            scale, shift = self.frozen[x.dtype]
        elif self.training and board.mask is None:
            return self.activate(self._batch_normalized(x), board)
        elif self.training:
            scale, shift = self._batch_merged(x, board)
        else:
            scale, shift = self.merged()
        shape = (1, -1, 1, 1)
        y = torch.addcmul(shift.view(shape).to(x), x, scale.view(shape).to(x))
        return self.activate(y, board)

    def freeze(self, dtype: torch.dtype) -> None:
        """Stores the merged running statistics, for inputs in `dtype` and in float32."""
        scale, shift = (values.detach() for values in self.merged())
        self.frozen = {kind: (scale.to(kind), shift.to(kind)) for kind in (dtype, torch.float32)}

    def activate(self, y: Tensor, board: BoardMask) -> Tensor:
        """Applies the activation alone to `[batch, channels, height, width]`, padding at 0."""
        y = ACTIVATIONS[self.layer.activation](y).to(board.dtype)
        return y if board.mask is None else y * board.mask

    def export(self) -> Normalization:
        """Returns the layer with merged running statistics."""
        scale, shift = self.merged()
        return replace(self.layer, scale=numpy_of(scale), shift=numpy_of(shift))

    def _batch_normalized(self, x: Tensor) -> Tensor:
        """The result of `_batch_merged` by torch's own kernel: faster, but without a mask."""
        return functional.batch_norm(
            x,
            self.mean,
            self.variance,
            self.weight,
            self.bias,
            training=True,
            momentum=MOMENTUM,
            eps=EPSILON,
        )

    def _batch_merged(self, x: Tensor, board: BoardMask) -> tuple[Tensor, Tensor]:
        x = x.float()
        axes, shape = (0, 2, 3), (1, -1, 1, 1)
        count = board.area.sum()
        on_board = x if board.mask is None else x * board.mask
        mean = on_board.sum(axes) / count
        apart = x - mean.view(shape)
        apart = apart if board.mask is None else apart * board.mask
        variance = apart.square().sum(axes) / count
        with torch.no_grad():
            self.mean.lerp_(mean, MOMENTUM)
            self.variance.lerp_(variance, MOMENTUM)
        scale = self.weight / torch.sqrt(variance + EPSILON)
        return scale, self.bias - scale * mean


def fix_norms(network: nn.Module) -> None:
    """Makes the network normalize by the running statistics until `train()` is called."""
    for module in network.modules():
        if isinstance(module, Norm):
            module.eval()


class ConvolutionTrainer(Protocol):
    """A faster way to train convolutions; a method returns None to leave the work to torch."""

    def convolve(self, x: Tensor, weight: Tensor) -> Tensor | None:
        """Returns the convolution `[batch, out, height, width]` of `x`."""

    def convolve_normed(
        self, x: Tensor, norm: Norm, weights: list[Tensor], under: Tensor | None
    ) -> list[Tensor] | None:
        """Convolves `norm(x)` by each weight `[out, in, 3, 3]`; adds `under` to the first."""


class Conv(nn.Module):
    """A convolution that keeps the board's size."""

    def __init__(self, layer: Convolution) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(layer.weights))
        self.layer = layer
        kernel = layer.weights.shape[2:]
        self.padding = [(k - 1) // 2 * d for k, d in zip(kernel, layer.dilation, strict=True)]
        self.frozen: Tensor | None = None
        self.folded: tuple[Tensor, Tensor] | None = None
        self.core: ConvolutionTrainer | None = None

    def forward(self, x: Tensor) -> Tensor:
        """`[batch, in, height, width]` to `[batch, out, height, width]`."""
        if self.core is not None and self.frozen is None:
            y = self.core.convolve(x, self.weight)
            if y is not None:
                return y
        return self._convolve(x, self.weight if self.frozen is None else self.frozen, None)

    def then(self, norm: Norm, x: Tensor, board: BoardMask) -> Tensor:
        """`norm(self(x))` `[batch, out, height, width]`, in one step after `freeze`."""
        if self.folded is None:
            return cast("Tensor", norm(self(x), board))
        return norm.activate(self._convolve(x, *self.folded), board)

    def after(self, norm: Norm, x: Tensor, board: BoardMask, under: Tensor | None = None) -> Tensor:
        """`under + self(norm(x))` `[batch, out, height, width]`, by a ConvolutionTrainer if any."""
        learned = learned_after(norm, x, board, [self], under)
        if learned is not None:
            return learned[0]
        y = cast("Tensor", self(norm(x, board)))
        return y if under is None else under + y

    def freeze(self, dtype: torch.dtype) -> None:
        """Stores the weights in the layout of inference."""
        self.frozen = _laid_out(self.weight, dtype)

    def fold(self, norm: Norm, dtype: torch.dtype) -> None:
        """Folds the running statistics of the following normalization into inference's weights."""
        scale, shift = norm.merged()
        weights = _laid_out(self.weight * scale.view(-1, 1, 1, 1), dtype)
        self.folded = weights, shift.detach().to(dtype)

    def export(self) -> Convolution:
        """Returns the layer with its present weights."""
        return replace(self.layer, weights=numpy_of(self.weight))

    def _convolve(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        weight = weight.to(x.dtype)
        return functional.conv2d(
            x, weight, bias, padding=self.padding, dilation=self.layer.dilation
        )


def learned_after(
    norm: Norm, x: Tensor, board: BoardMask, convolutions: list[Conv], under: Tensor | None = None
) -> list[Tensor] | None:
    """Convolves `norm(x)` `[batch, in, height, width]` by a ConvolutionTrainer, else None."""
    core = convolutions[0].core
    if core is None or convolutions[0].frozen is not None or board.mask is not None:
        return None
    return core.convolve_normed(x, norm, [part.weight for part in convolutions], under)


class Matrix(nn.Module):
    """A matrix product with an optional bias."""

    def __init__(self, layer: Linear) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(layer.weights))
        self.bias = None if layer.bias is None else nn.Parameter(torch.tensor(layer.bias))
        self.layer = layer

    def forward(self, x: Tensor) -> Tensor:
        """`[batch, in]` to `[batch, out]`."""
        y = x @ self.weight
        return y if self.bias is None else y + self.bias

    def export(self) -> Linear:
        """Returns the layer with its present weights."""
        bias = None if self.bias is None else numpy_of(self.bias)
        return replace(self.layer, weights=numpy_of(self.weight), bias=bias)


def pooled(x: Tensor, board: BoardMask) -> Tensor:
    """`[batch, 3 * channels]`: mean, mean scaled by the board's side, maximum."""
    mean = mean_of(x, board)
    # Padding at 0 must not win the maximum. Activations below 0 stay above -1.
    high = x if board.mask is None else x + (board.mask - 1)
    return torch.cat([mean, mean * board.side, high.amax((2, 3)).float()], 1)


def mean_of(x: Tensor, board: BoardMask) -> Tensor:
    """`[batch, channels]` mean over the points on the board, float32."""
    return x.sum((2, 3), dtype=torch.float32) / board.area


def wide(bias: Tensor, x: Tensor) -> Tensor:
    """`[batch, channels]` as a bias to add to `x`."""
    return bias.to(x.dtype)[:, :, None, None]


def _laid_out(weights: Tensor, dtype: torch.dtype) -> Tensor:
    return weights.detach().to(dtype).contiguous(memory_format=torch.channels_last)


def numpy_of(values: Tensor) -> FloatArray:
    """Returns a float32 copy `[...]` of a weight `[...]` on the processor."""
    return values.detach().float().cpu().contiguous().numpy().copy()
