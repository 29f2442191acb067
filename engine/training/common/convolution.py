"""Trainable 3x3 convolutions on a CPU by the core's kernels, several times as fast as torch's.

The module joins the kernels to torch's autograd, under the core's conditions: bfloat16 boards with
channels last, 3x3 kernels, whole vectors of channels. All other convolutions stay torch's. Products
are of numbers rounded to bfloat16 after Winograd's transforms: sums are some five times as rough as
torch's bfloat16, at about 1% of their size.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx
from torch.nn import functional

from engine._core import TrainedConvolution
from engine.networks.torch_layers import EPSILON, MOMENTUM, Conv, Norm

Core: Any = TrainedConvolution  # declared with arrays; tensors work too
KERNEL = (3, 3)
STEP: int = Core.channel_step


def available() -> bool:
    """Whether this processor has the instructions."""
    has_kernels: bool = Core.available()
    return has_kernels


Part = TypeVar("Part", bound=nn.Module)


def use_core(network: Part) -> Part:
    """Returns the network itself, with the core's convolutions wherever they fit."""
    if available():
        for part in network.modules():
            if isinstance(part, Conv) and part.layer.dilation == (1, 1):
                part.core = CoreConvolutions()
    return network


class CoreConvolutions:
    """The convolutions of torch_layers.Conv while learning; None leaves one to torch."""

    def convolve(self, x: Tensor, weight: Tensor) -> Tensor | None:
        """Returns the convolution of boards `x` `[batch, in, height, width]`.

        `weight` `[out, in, 3, 3]`.
        """
        if not _taken(x, weight):
            return None
        wide = _widened(weight)
        y: Tensor = _Convolution.apply(_laid_out(x), wide)  # type: ignore[no-untyped-call]
        return _narrowed(y, weight)

    def convolve_normed(
        self, x: Tensor, norm: Norm, weights: list[Tensor], under: Tensor | None
    ) -> list[Tensor] | None:
        """Returns the convolutions `[batch, out, height, width]` of `norm(x)`, plus `under`."""
        if norm.layer.activation != "relu" or not all(_taken(x, weight) for weight in weights):
            return None
        if under is not None and weights[0].shape[0] % STEP:
            return None
        wide = [_widened(weight) for weight in weights]
        x = _laid_out(x)
        made = _NormedConvolutions.apply(  # type: ignore[no-untyped-call]
            x, _merge(x, norm), norm.weight, norm.bias, under, *wide
        )
        return [_narrowed(y, weight) for y, weight in zip(made, weights, strict=True)]


def _taken(x: Tensor, weight: Tensor) -> bool:
    return (
        x.dtype == torch.bfloat16
        and x.device.type == "cpu"
        and tuple(weight.shape[2:]) == KERNEL
        and x.shape[1] % STEP == 0
    )


def _widened(weight: Tensor) -> Tensor:
    """Returns the weights in rows, padded by outputs of zeros to whole vectors."""
    missing = -weight.shape[0] % STEP
    if missing:
        weight = functional.pad(weight, (0, 0, 0, 0, 0, 0, 0, missing))
    return weight.contiguous()


def _narrowed(y: Tensor, weight: Tensor) -> Tensor:
    return y if y.shape[1] == weight.shape[0] else _laid_out(y[:, : weight.shape[0]])


def _laid_out(x: Tensor) -> Tensor:
    return x.contiguous(memory_format=torch.channels_last)


def _bits(x: Tensor) -> Tensor:
    """Returns the same memory as int16 `[batch, height, width, channels]`."""
    return x.detach().permute(0, 2, 3, 1).view(torch.int16)


def _room(x: Tensor, channels: int) -> Tensor:
    shape = (len(x), channels, *x.shape[2:])
    return torch.empty(shape, dtype=x.dtype, memory_format=torch.channels_last)


class _Context(FunctionCtx):
    """The values saved for the backward pass."""

    saved_tensors: tuple[Tensor, ...]
    batch: bool
    over: bool


class _Convolution(torch.autograd.Function):
    @staticmethod
    def forward(ctx: _Context, x: Tensor, weight: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight)
        y = _room(x, len(weight))
        Core.forward(_bits(x), weight.detach(), _bits(y), threads=torch.get_num_threads())
        return y

    @staticmethod
    def backward(ctx: _Context, gradient: Tensor) -> tuple[Tensor, Tensor]:
        x, weight = ctx.saved_tensors
        to_inputs, to_weight = torch.empty_like(x), torch.empty_like(weight)
        arrived, threads = _bits(_laid_out(gradient)), torch.get_num_threads()
        Core.to_weights(_bits(x), arrived, to_weight, threads=threads)
        Core.to_inputs(arrived, weight.detach(), _bits(to_inputs), threads=threads)
        return to_inputs, to_weight


class _Merged(NamedTuple):
    """A normalization of a batch."""

    rows: Tensor  # [3, channels]: scale, shift and mean
    inverse: Tensor  # [channels]: 1 / deviation
    batch: bool  # whether mean and deviation are the batch's own


def _merge(x: Tensor, norm: Norm) -> _Merged:
    """Returns the normalization by the batch's statistics in training, else by the running ones.

    In training the running statistics follow the batch's.
    """
    mean, variance = cast("Tensor", norm.mean), cast("Tensor", norm.variance)
    if norm.training:
        count = _count(x)
        moments = torch.empty(2, x.shape[1])
        Core.measure(_bits(x), mean.clone(), moments, threads=torch.get_num_threads())
        apart = moments[0] / count
        batch_mean, spread = mean + apart, moments[1] / count - apart.square()
        mean.lerp_(batch_mean, MOMENTUM)
        variance.lerp_(spread * (count / (count - 1)), MOMENTUM)
        mean, variance = batch_mean, spread
    inverse = (variance + EPSILON).rsqrt()
    scale = norm.weight.detach() * inverse
    rows = torch.stack([scale, norm.bias.detach() - scale * mean, mean])
    return _Merged(rows, inverse, norm.training)


def _count(x: Tensor) -> int:
    return x.numel() // x.shape[1]


class _NormedConvolutions(torch.autograd.Function):
    """Takes x, the merged norm, its weight and bias, the addend or None, and the weights."""

    @staticmethod
    def forward(
        ctx: _Context, x: Tensor, merged: _Merged, *learned: Tensor | None
    ) -> tuple[Tensor, ...]:
        under, weights = learned[2], cast("tuple[Tensor, ...]", learned[3:])
        threads, inputs = torch.get_num_threads(), _bits(x)
        floor = None if under is None else _bits(_laid_out(under))
        made = []
        for weight in weights:
            y = _room(x, len(weight))
            Core.forward(inputs, weight.detach(), _bits(y), merged.rows, floor, threads=threads)
            made.append(y)
        ctx.save_for_backward(x, merged.rows, merged.inverse, *weights)
        ctx.batch, ctx.over = merged.batch, under is not None
        return tuple(made)

    @staticmethod
    def backward(ctx: _Context, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        x, rows, inverse, *weights = ctx.saved_tensors
        threads, inputs = torch.get_num_threads(), _bits(x)
        arrived = [_bits(_laid_out(gradient)) for gradient in gradients]
        to_weights = [torch.empty_like(weight) for weight in weights]
        for one, learned in zip(arrived, to_weights, strict=True):
            Core.to_weights(inputs, one, learned, rows, threads=threads)
        out, floor = torch.empty_like(x), None
        bits = _bits(out)
        for one, weight in zip(arrived[:-1], weights[:-1], strict=True):
            Core.to_inputs(one, weight, bits, floor, threads=threads)
            floor = bits
        moments = torch.empty(2, x.shape[1])
        Core.to_normed(
            arrived[-1], weights[-1], bits, inputs, rows, moments, floor, threads=threads
        )
        to_shift, to_scale = moments[0], moments[1] * inverse
        factors = _factors(rows, inverse, to_shift, to_scale, _count(x) if ctx.batch else None)
        Core.combine(bits, inputs, factors, bits, threads=threads)
        under = gradients[0] if ctx.over else None
        return out, None, to_scale, to_shift, under, *to_weights


def _factors(
    rows: Tensor, inverse: Tensor, to_shift: Tensor, to_scale: Tensor, count: int | None
) -> Tensor:
    """Returns the factors of gradient, inputs and 1 in a norm's backward pass, [3, channels].

    `count` is the number of points in the batch's statistics, None for running statistics.
    """
    scale, _, mean = rows
    if count is None:
        return torch.stack([scale, torch.zeros_like(scale), torch.zeros_like(scale)])
    slope = -scale * inverse * to_scale / count
    return torch.stack([scale, slope, -scale * to_shift / count - slope * mean])
