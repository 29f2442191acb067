"""Networks on the processor by the core's own arithmetic (engine/core/network/cpu_network.h).

The arithmetic is in single precision, or with bfloat16 in the 3x3 convolutions and in the matrices
of bottlenecks and transformer blocks on processors that multiply it faster. The architecture
becomes a list of the core's steps; boards of any size and batches of any number run without
compiling.
"""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from engine._core import CpuNetwork, CpuRows, CpuWorkers
from engine.networks.architecture import (
    POOL_PARTS,
    Architecture,
    Attention,
    Block,
    Bottleneck,
    Convolution,
    FeedForward,
    FloatArray,
    Linear,
    MetadataEncoder,
    Normalization,
    PolicyHead,
    PooledResidual,
    Residual,
    RmsTip,
    ValueHead,
    describe,
)
from engine.networks.buffers import Buffers
from engine.networks.dropout import Dropped
from engine.networks.native_attention import padded_heads
from engine.networks.processor import bf16_is_faster, cores, processor_name
from engine.networks.transformer_weights import linear_and_gate_weights

# A batch is no faster per row than single rows. Two rows halve the caller's cost of a batch on few
# cores, on which many batches in flight are useless.
PREFERRED_ROWS = 2
FEW_CORES = 4
NO_REGISTER = -1


class NativeEvaluator:
    """A network on the processor's cores; see engine/games/evaluator.py for the contract."""

    backend = "native"

    def __init__(
        self,
        architecture: Architecture,
        *,
        precision: str = "auto",
        threads: int | None = None,
        instructions: str = "",
    ) -> None:
        """`instructions` names a set of vector instructions, for tests; "" is the best one."""
        self.network = describe(architecture)
        if precision == "auto":
            precision = native_precisions()[0]
        self.precision = precision
        threads = threads or cores()
        built = build_network(architecture, instructions, bf16=precision == "bf16")
        self._workers = CpuWorkers(built, threads)
        self.device = f"{processor_name()}, {threads} threads, {built.instructions}"
        self.preferred_rows = PREFERRED_ROWS if threads <= FEW_CORES else 1
        self.slots = threads + 1

    def open(self, width: int, height: int, capacity: int) -> NativeSlot:
        """Returns a new slot."""
        return NativeSlot(self, self._workers, (width, height, capacity))


class NativeSlot(Buffers):
    """Buffers that the core's threads read and write in place."""

    def __init__(
        self, evaluator: NativeEvaluator, workers: CpuWorkers, shape: tuple[int, int, int]
    ) -> None:
        super().__init__(evaluator.network, *shape)
        self._running = False
        self.core_rows = self._rows = CpuRows(
            workers,
            spatial=self.spatial,
            globals=self.globals,
            metadata=self.metadata,
            optimism=self.optimism,
            policy=self.policy,
            value=self.value,
            misc=self.misc,
            ownership=self.ownership,
        )

    def start(self, rows: int) -> None:
        """Starts evaluating the first `rows` rows. Raises ValueError for an invalid number."""
        self.check_rows(rows)
        if self._running:
            raise RuntimeError("the slot is still evaluating: wait for it first")
        self._running = True
        self._rows.start(rows, self.dropout, self.next_seed(rows))

    def wait(self) -> None:
        """Waits for all outputs of the started rows."""
        self._rows.wait()
        self._running = False


def native_precisions() -> tuple[str, ...]:
    """Returns the precisions of this processor, the faster first as measured."""
    if not CpuNetwork.has_bf16():
        return ("fp32",)
    return ("bf16", "fp32") if bf16_is_faster() else ("fp32", "bf16")


def build_network(
    architecture: Architecture, instructions: str = "", *, bf16: bool = False
) -> CpuNetwork:
    """Builds the core's network. Raises ValueError for bf16 on a processor without it."""
    metadata = architecture.metadata.first.inputs if architecture.metadata else 0
    built = CpuNetwork(
        architecture.planes.inputs,
        architecture.globals.inputs,
        metadata,
        instructions=instructions,
        bf16=bf16,
    )
    _Builder(architecture, built)
    return built


class Then(TypedDict, total=False):
    """The normalization that a step applies to the trunk after its sum."""

    scale: FloatArray
    shift: FloatArray
    activation: str


class _Builder:
    """Adds the steps of each layer.

    The step before a block applies the block's first normalization.
    """

    def __init__(self, net: Architecture, built: CpuNetwork) -> None:
        self.built = built
        x = self.built.add_board(net.channels)
        bias = self._linear(self.built.globals, net.globals)
        if net.metadata:
            bias = self._metadata(net.metadata, net.globals.outputs, bias)
        self.built.add_planes(net.planes.weights, bias, x)
        y = self._blocks(x, net.blocks, net.tip)
        moves, passing = self._policy(y, net.policy)
        value, misc, ownership = self._value(y, net.value)
        self.built.set_outputs(
            moves=moves, passing=passing, value=value, misc=misc, ownership=ownership
        )

    def _blocks(self, x: int, blocks: tuple[Block, ...], last: Normalization | RmsTip) -> int:
        """Adds blocks to trunk `x`; returns the result normalized by `last`."""
        after = _first_norm(blocks, last)
        y = self._normalize(x, after) if after else NO_REGISTER
        for index, block in enumerate(blocks):
            after = _first_norm(blocks[index + 1 :], last)
            if isinstance(block, Residual):
                y = self._residual(x, y, block, after)
            elif isinstance(block, PooledResidual):
                y = self._pooled_residual(x, y, block, after)
            elif isinstance(block, Bottleneck):
                y = self._bottleneck(x, y, block, after)
            elif isinstance(block, Attention):
                y = self._attention(x, block, after)
            else:
                y = self._feed_forward(x, block, after)
        return self._rms_tip(x, last) if isinstance(last, RmsTip) else y

    def _residual(self, x: int, y: int, block: Residual, after: Normalization | None) -> int:
        middle = self._convolve_into(y, block.first, block.middle)
        return self._join(x, middle, block.last, after)

    def _pooled_residual(
        self, x: int, y: int, block: PooledResidual, after: Normalization | None
    ) -> int:
        pool = self._pool(self._convolve_into(y, block.pool, block.pool_norm), block.pool.outputs)
        scale, shift = block.middle.scale, block.middle.shift
        bias = self._linear(pool, _scaled(block.pool_bias, scale, shift))
        middle = self._convolve(
            y, _scaled_convolution(block.first, scale), bias=bias, then=block.middle.activation
        )
        return self._join(x, middle, block.last, after)

    def _bottleneck(self, x: int, y: int, block: Bottleneck, after: Normalization | None) -> int:
        inner = self._convolve(y, block.reduce, may_round=True)
        normal = self._blocks(inner, block.blocks, block.after)
        return self._join(x, normal, block.expand, after)

    def _attention(self, x: int, block: Attention, after: Normalization | None) -> int:
        out, then = self._then(block.out.outputs, after)
        heads = padded_heads(block)
        self.built.add_attention(
            x,
            joined=heads.joined,
            out_weights=heads.out,
            frequencies=heads.frequencies,
            epsilon=block.norm.epsilon,
            heads=block.heads,
            key_heads=block.key_heads,
            out=out,
            **then,
        )
        return out

    def _feed_forward(self, x: int, block: FeedForward, after: Normalization | None) -> int:
        out, then = self._then(block.out.outputs, after)
        linear, gate = linear_and_gate_weights(block)
        self.built.add_feed_forward(
            x,
            linear=linear,
            gate=gate,
            out_weights=block.out.weights,
            epsilon=block.norm.epsilon,
            out=out,
            **then,
        )
        return out

    def _then(self, channels: int, after: Normalization | None) -> tuple[int, Then]:
        """The register of the trunk normalized by `after`, and the last arguments of its step."""
        if after is None:
            return NO_REGISTER, {}
        out = self.built.add_board(channels)
        return out, {"scale": after.scale, "shift": after.shift, "activation": after.activation}

    def _rms_tip(self, x: int, tip: RmsTip) -> int:
        out = self.built.add_board(tip.channels)
        self.built.add_rms_tip(
            x,
            out,
            epsilon=tip.epsilon,
            spatial=tip.spatial,
            scale=tip.scale,
            shift=tip.shift,
            activation=tip.activation,
        )
        return out

    def _join(self, x: int, y: int, layer: Convolution, after: Normalization | None) -> int:
        """Adds the convolution of `y` to trunk `x`; returns the trunk normalized by `after`."""
        out, then = self._then(layer.outputs, after)
        self.built.add_convolution(
            y,
            layer.weights,
            out,
            dilation_y=layer.dilation[0],
            dilation_x=layer.dilation[1],
            residual=x,
            may_round=True,
            **then,
        )
        return out

    def _metadata(self, encoder: MetadataEncoder, channels: int, bias: int) -> int:
        first = self._linear(self.built.metadata, encoder.first, encoder.first_activation)
        second = self._linear(first, encoder.second, encoder.second_activation)
        out = self.built.add_row(channels)
        self.built.add_matrix(second, encoder.last.weights, out, bias=encoder.last.bias, added=bias)
        return out

    def _policy(self, y: int, head: PolicyHead) -> tuple[int, int]:
        """Returns the steps of the cells' logits and of the pass logit; -1 without passes."""
        pool = self._pool(self._convolve_into(y, head.pool, head.pool_norm), head.pool.outputs)
        scale, shift = head.middle.scale, head.middle.shift
        bias = self._linear(pool, _scaled(head.pool_bias, scale, shift))
        middle = self._convolve(
            y, _scaled_convolution(head.first, scale), bias=bias, then=head.middle.activation
        )
        self.built.add_dropout(middle, Dropped.MOVES)
        moves = self._convolve(middle, head.moves)
        if head.pass_output is None:
            return moves, NO_REGISTER
        if head.pass_hidden:
            pool = self._linear(pool, head.pass_hidden, head.pass_activation)
        self.built.add_dropout(pool, Dropped.PASSING)  # after its use for the policy's bias
        return moves, self._linear(pool, head.pass_output)

    def _value(self, y: int, head: ValueHead) -> tuple[int, int, int]:
        first = self._convolve_into(y, head.first, head.norm)
        pool = self._pool(first, head.first.outputs, value_head=True)
        self.built.add_dropout(pool, Dropped.HIDDEN)
        hidden = self._linear(pool, head.hidden, head.hidden_activation)
        self.built.add_dropout(hidden, Dropped.VALUE)
        ownership = self._convolve(first, head.ownership)
        return self._linear(hidden, head.value), self._linear(hidden, head.misc), ownership

    def _convolve_into(self, y: int, layer: Convolution, norm: Normalization) -> int:
        scaled = _scaled_convolution(layer, norm.scale)
        return self._convolve(y, scaled, shift=norm.shift, then=norm.activation)

    def _convolve(
        self,
        y: int,
        layer: Convolution,
        *,
        shift: FloatArray | None = None,
        bias: int = NO_REGISTER,
        then: str = "identity",
        may_round: bool = False,
    ) -> int:
        out = self.built.add_board(layer.outputs)
        self.built.add_convolution(
            y,
            layer.weights,
            out,
            dilation_y=layer.dilation[0],
            dilation_x=layer.dilation[1],
            bias=shift,
            row_bias=bias,
            activation=then,
            may_round=may_round,
        )
        return out

    def _normalize(self, x: int, norm: Normalization) -> int:
        out = self.built.add_board(norm.channels)
        self.built.add_normalization(
            x, out, scale=norm.scale, shift=norm.shift, activation=norm.activation
        )
        return out

    def _pool(self, y: int, channels: int, *, value_head: bool = False) -> int:
        out = self.built.add_row(POOL_PARTS * channels)
        self.built.add_pool(y, out, value_head=value_head)
        return out

    def _linear(self, row: int, layer: Linear, activation: str = "identity") -> int:
        out = self.built.add_row(layer.outputs)
        self.built.add_matrix(row, layer.weights, out, bias=layer.bias, activation=activation)
        return out


def _first_norm(
    blocks: tuple[Block, ...], otherwise: Normalization | RmsTip
) -> Normalization | None:
    """The normalization before the first block; none before a transformer's block or an RMS tip."""
    if blocks:
        first = blocks[0]
        return None if isinstance(first, (Attention, FeedForward)) else first.before
    return otherwise if isinstance(otherwise, Normalization) else None


def _scaled_convolution(layer: Convolution, scale: FloatArray) -> Convolution:
    weights = layer.weights * scale[:, None, None, None]
    return Convolution(layer.name, np.ascontiguousarray(weights), layer.dilation)


def _scaled(layer: Linear, scale: FloatArray, shift: FloatArray) -> Linear:
    bias = shift if layer.bias is None else layer.bias * scale + shift
    return Linear(layer.name, np.ascontiguousarray(layer.weights * scale), bias)
