"""The architecture of a network as the steps of the core's own arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from engine._core import CpuNetwork
from engine.games.evaluator import CONSTANT_PLANES, ONE_BOARD
from engine.networks.architecture import (
    POOL_PARTS,
    Architecture,
    Attention,
    Block,
    Bottleneck,
    Convolution,
    FeedForward,
    FlatPolicyHead,
    FlatValueHead,
    FloatArray,
    Linear,
    MetadataEncoder,
    Normalization,
    PlanePolicyHead,
    PolicyHead,
    PooledResidual,
    Residual,
    RmsTip,
    SqueezedResidual,
    ValueHead,
)
from engine.networks.dropout import Dropped
from engine.networks.native_attention import padded_heads
from engine.networks.transformer_weights import linear_and_gate_weights

NO_REGISTER = -1


def build_network(
    architecture: Architecture,
    instructions: str = "",
    *,
    bf16: bool = False,
    int16: bool = False,
    int8: bool = False,
) -> CpuNetwork:
    """Builds the core's network.

    int16: the trunk's matrices multiply integers of 16 bits. int8: the feed-forward layers
    multiply bytes. Raises ValueError for what the processor lacks.
    """
    metadata = architecture.metadata.first.inputs if architecture.metadata else 0
    built = CpuNetwork(
        architecture.planes.inputs,
        architecture.globals.inputs,
        metadata,
        instructions=instructions,
        bf16=bf16,
        int16=int16,
        int8=int8,
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
        self.built, self._game = built, net.game
        x = self.built.add_board(net.channels)
        bias = self._linear(self.built.globals, net.globals)
        if net.metadata:
            bias = self._metadata(net.metadata, net.globals.outputs, bias)
        constants = CONSTANT_PLANES.get(net.game, 0)
        self.built.add_planes(net.planes.weights, bias, x, constants=constants)
        y = self._blocks(x, net.blocks, net.tip)
        moves, passing = self._any_policy(y, net.policy)
        value, misc, ownership = self._any_value(y, net.value)
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
            elif isinstance(block, SqueezedResidual):
                x, y = y, self._squeezed(y, block, after)
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

    def _squeezed(self, y: int, block: SqueezedResidual, after: Normalization | None) -> int:
        """Adds the block to `y`, the trunk after `before`; returns the trunk after `after`."""
        middle = self._convolve_into(y, block.first, block.middle)
        out, then = self._then(block.last.outputs, after)
        if block.squeeze is None:
            last = _scaled_convolution(block.last, block.after.scale)
            self.built.add_convolution(
                middle, last.weights, out, bias=block.after.shift, residual=y, **then
            )
            return out
        board = self._convolve_into(middle, block.last, block.after)
        hidden = _on_pooled(block.squeeze.hidden)
        pool = self._linear(self._pool(board, block.last.outputs), hidden, block.squeeze.activation)
        gates = self._linear(pool, block.squeeze.gates)
        self.built.add_gates(board, gates, out, residual=y, **then)
        return out

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

    def _any_policy(
        self, y: int, head: PolicyHead | FlatPolicyHead | PlanePolicyHead
    ) -> tuple[int, int]:
        """Returns the steps of `_policy`; a policy of a flat head is a row."""
        if isinstance(head, PolicyHead):
            return self._policy(y, head)
        first = self._convolve_into(y, head.first, head.norm)
        self.built.add_dropout(first, Dropped.MOVES)
        if isinstance(head, FlatPolicyHead):
            flat = self._gather(first, range(head.moves.inputs))
            return self._linear(flat, head.moves), NO_REGISTER
        return self._gather(
            self._convolve_into(first, head.planes, head.shift), head.cells
        ), NO_REGISTER

    def _any_value(self, y: int, head: ValueHead | FlatValueHead) -> tuple[int, int, int]:
        """Returns the steps of value, misc and ownership; -1 for those that a flat head lacks."""
        if isinstance(head, ValueHead):
            return self._value(y, head)
        flat = self._gather(
            self._convolve_into(y, head.first, head.norm), range(head.hidden.inputs)
        )
        self.built.add_dropout(flat, Dropped.HIDDEN)
        hidden = self._linear(flat, head.hidden, head.hidden_activation)
        self.built.add_dropout(hidden, Dropped.VALUE)
        return self._linear(hidden, head.value), NO_REGISTER, NO_REGISTER

    def _gather(self, y: int, cells: Sequence[int]) -> int:
        """Adds a row of the cells of the game's one board, each channel * points + point."""
        out = self.built.add_row(len(cells))
        width, height = ONE_BOARD[self._game]
        self.built.add_gather(y, list(cells), out, width=width, height=height)
        return out

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


def _on_pooled(layer: Linear) -> Linear:
    """Returns the layer on a pooled row; its inputs are the means alone."""
    rest = np.zeros(((POOL_PARTS - 1) * layer.inputs, layer.outputs), np.float32)
    return Linear(layer.name, np.concatenate([layer.weights, rest]), layer.bias)


def _scaled(layer: Linear, scale: FloatArray, shift: FloatArray) -> Linear:
    bias = shift if layer.bias is None else layer.bias * scale + shift
    return Linear(layer.name, np.ascontiguousarray(layer.weights * scale), bias)
