"""An OpenVINO graph of an architecture for boards of one size, not yet compiled.

The fixed board size allows folding of everything that depends on it alone into weights: pooling
needs a mean and a maximum, no mask. Batch normalization after a convolution is folded into it.
Inputs: "spatial" uint8, "globals", and in networks with them "metadata" and "optimism" (the blend
from policy channel 0 to channel 1). Outputs as in Slot of engine/games/evaluator.py.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.architecture import (
    Architecture,
    Block,
    Bottleneck,
    Convolution,
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
    Squeeze,
    SqueezedResidual,
    ValueHead,
)
from engine.networks.openvino_layers import ACTIVATIONS, Node, constant
from engine.networks.openvino_transformer import RowBuilder, works_on_rows
from engine.networks.pool_weights import board_pool_weights, value_pool_weights
from engine.networks.quiet_openvino import ops, ov

BOARD_AXES = [2, 3]


def build_openvino_model(
    architecture: Architecture, *, height: int, width: int, batch: int
) -> ov.Model:
    """Returns a graph for `batch` boards of exactly `height` x `width`."""
    return _Builder(height, width, batch).model(architecture)


class _Builder:
    """Builds layers as OpenVINO nodes; every node is float32 `[batch, channels, height, width]`."""

    def __init__(self, height: int, width: int, batch: int) -> None:
        self._height, self._width, self._batch = height, width, batch
        self._rows = RowBuilder(height, width, batch)

    def model(self, net: Architecture) -> ov.Model:
        spatial_shape = [self._batch, net.planes.inputs, self._height, self._width]
        spatial = self._input("spatial", spatial_shape, np.uint8)
        globals_ = self._input("globals", [self._batch, net.globals.inputs])
        inputs = [spatial, globals_]
        bias = self._linear(globals_, net.globals)
        if net.metadata:
            metadata = self._input("metadata", [self._batch, net.metadata.first.inputs])
            inputs.append(metadata)
            bias = ops.add(bias, self._metadata(metadata, net.metadata))
        x = ops.add(self._convolve(ops.convert(spatial, np.float32), net.planes), self._wide(bias))
        x = self._normalize(self._blocks(x, net.blocks), net.tip)
        optimism = None
        if isinstance(net.policy, PolicyHead) and net.policy.channels > 1:
            optimism = self._input("optimism", [self._batch])
            inputs.append(optimism)
        if isinstance(net.policy, PolicyHead):
            policy = self._policy(x, net.policy, optimism)
        else:
            policy = self._flat_policy(x, net.policy)
        outputs = {"policy": policy, **self._any_value(x, net.value)}
        results = []
        for name, node in outputs.items():
            result = ops.result(node)
            result.output(0).get_tensor().set_names({name})
            results.append(result)
        return ov.Model(results, inputs, net.name)

    def _blocks(self, x: Node, blocks: tuple[Block, ...]) -> Node:
        for on_rows, group in groupby(blocks, works_on_rows):
            if on_rows:
                x = self._rows.add_blocks(x, group)
                continue
            for block in group:
                x = self._block(x, block)
        return x

    def _block(self, x: Node, block: Block) -> Node:
        if isinstance(block, Residual):
            return self._residual(x, block)
        if isinstance(block, PooledResidual):
            return self._pooled_residual(x, block)
        if isinstance(block, Bottleneck):
            return self._bottleneck(x, block)
        if isinstance(block, SqueezedResidual):
            return self._squeezed(x, block)
        raise TypeError(f"{block.name} works on rows")

    def _residual(self, x: Node, block: Residual) -> Node:
        y = self._convolve(self._normalize(x, block.before), block.first, into=block.middle)
        return ops.add(self._convolve(y, block.last), x)

    def _pooled_residual(self, x: Node, block: PooledResidual) -> Node:
        y = self._normalize(x, block.before)
        pooled = self._pool(self._convolve(y, block.pool, into=block.pool_norm))
        scale, shift = block.middle.scale, block.middle.shift
        bias = self._pooled_linear(pooled, block.pool_bias, scale, shift)
        y = ops.add(self._convolve(y, block.first, scale=scale), self._wide(bias))
        y = self._activate(y, block.middle.activation)
        return ops.add(self._convolve(y, block.last), x)

    def _bottleneck(self, x: Node, block: Bottleneck) -> Node:
        y = self._convolve(self._normalize(x, block.before), block.reduce)
        y = self._normalize(self._blocks(y, block.blocks), block.after)
        return ops.add(self._convolve(y, block.expand), x)

    def _squeezed(self, x: Node, block: SqueezedResidual) -> Node:
        y = self._normalize(x, block.before)
        z = self._convolve(
            self._convolve(y, block.first, into=block.middle), block.last, into=block.after
        )
        return ops.add(y, z if block.squeeze is None else self._gated(z, block.squeeze))

    def _gated(self, x: Node, squeeze: Squeeze) -> Node:
        """`x` after squeeze and excitation."""
        mean = ops.squeeze(ops.reduce_mean(x, BOARD_AXES, keep_dims=True), BOARD_AXES)
        hidden = self._activate_row(self._linear(mean, squeeze.hidden), squeeze.activation)
        scale, shift = ops.split(self._linear(hidden, squeeze.gates), 1, 2).outputs()
        return ops.add(ops.multiply(x, self._wide(ops.sigmoid(scale))), self._wide(shift))

    def _flat_policy(self, x: Node, head: FlatPolicyHead | PlanePolicyHead) -> Node:
        y = self._convolve(x, head.first, into=head.norm)
        if isinstance(head, FlatPolicyHead):
            return self._linear(self._flat(y), head.moves)
        planes = self._flat(self._convolve(y, head.planes, into=head.shift))
        return ops.gather(planes, ops.constant(np.array(head.cells, np.int64)), 1)

    def _any_value(self, x: Node, head: ValueHead | FlatValueHead) -> dict[str, Node]:
        return self._value(x, head) if isinstance(head, ValueHead) else self._flat_value(x, head)

    def _flat_value(self, x: Node, head: FlatValueHead) -> dict[str, Node]:
        y = self._flat(self._convolve(x, head.first, into=head.norm))
        hidden = self._activate_row(self._linear(y, head.hidden), head.hidden_activation)
        return {"value": self._linear(hidden, head.value)}

    def _flat(self, x: Node) -> Node:
        """`[batch, channels * height * width]`."""
        return ops.reshape(x, [self._batch, -1], False)  # noqa: FBT003

    def _metadata(self, metadata: Node, encoder: MetadataEncoder) -> Node:
        y = self._activate_row(self._linear(metadata, encoder.first), encoder.first_activation)
        y = self._activate_row(self._linear(y, encoder.second), encoder.second_activation)
        return self._linear(y, encoder.last)

    def _policy(self, x: Node, head: PolicyHead, optimism: Node | None) -> Node:
        pooled = self._pool(self._convolve(x, head.pool, into=head.pool_norm))
        scale, shift = head.middle.scale, head.middle.shift
        bias = self._pooled_linear(pooled, head.pool_bias, scale, shift)
        y = ops.add(self._convolve(x, head.first, scale=scale), self._wide(bias))
        y = self._activate(y, head.middle.activation)
        moves = self._policy_channels(head.moves.weights, axis=0)
        y = self._convolve(y, Convolution(head.moves.name, moves, head.moves.dilation))
        if head.pass_output is None:
            return self._blended(ops.reduce_sum(y, [2]), optimism)
        passing = self._policy_channels(head.pass_output.weights, axis=1)
        y = ops.reshape(y, [self._batch, len(moves), self._height * self._width], False)  # noqa: FBT003
        if head.pass_hidden:
            hidden = self._pooled_linear(pooled, head.pass_hidden)
            hidden = self._activate_row(hidden, head.pass_activation)
            pass_logits = self._matmul(hidden, passing)
        else:
            pass_logits = self._pooled_linear(pooled, Linear(head.pass_output.name, passing))
        return self._blended(ops.concat([y, ops.unsqueeze(pass_logits, 2)], 2), optimism)

    @staticmethod
    def _blended(logits: Node, optimism: Node | None) -> Node:
        """Policy `[batch, moves]` of `[batch, 1 or 2, moves]`; see `_policy_channels`."""
        if optimism is None:
            return ops.squeeze(logits, [1])
        plain, extra = ops.split(logits, 1, 2).outputs()
        blend = ops.multiply(ops.squeeze(extra, [1]), ops.unsqueeze(optimism, 1))
        return ops.add(ops.squeeze(plain, [1]), blend)

    @staticmethod
    def _policy_channels(weights: FloatArray, axis: int) -> FloatArray:
        """Returns the weights of the policy, and of the optimistic policy's difference from it."""
        first = weights.take([0], axis)
        if weights.shape[axis] == 1:
            return first
        return np.concatenate([first, weights.take([1], axis) - first], axis)

    def _value(self, x: Node, head: ValueHead) -> dict[str, Node]:
        y = self._convolve(x, head.first, into=head.norm)
        mean = ops.squeeze(ops.reduce_mean(y, BOARD_AXES, keep_dims=True), BOARD_AXES)
        hidden = self._matmul(mean, value_pool_weights(head.hidden, self._height, self._width))
        hidden = self._activate_row(self._biased(hidden, head.hidden.bias), head.hidden_activation)
        missing = MISC_OUTPUTS - head.misc.outputs
        misc_bias = np.zeros(head.misc.outputs, np.float32)
        if head.misc.bias is not None:
            misc_bias = head.misc.bias
        misc = Linear(
            head.misc.name,
            np.pad(head.misc.weights, ((0, 0), (0, missing))),
            np.pad(misc_bias, (0, missing)),
        )
        ownership = self._convolve(y, head.ownership)
        area = [self._batch, self._height * self._width]
        return {
            "value": self._linear(hidden, head.value),
            "misc": self._linear(hidden, misc),
            "ownership": ops.reshape(ownership, area, False),  # noqa: FBT003
        }

    @staticmethod
    def _input(name: str, shape: list[int], dtype: type[np.generic] = np.float32) -> Node:
        node = ops.parameter(shape, dtype, name=name)
        node.output(0).get_tensor().set_names({name})
        return node

    def _convolve(
        self,
        x: Node,
        layer: Convolution,
        *,
        into: Normalization | None = None,
        scale: FloatArray | None = None,
    ) -> Node:
        """Adds the convolution with the following normalization or scale folded into it."""
        if into is not None:
            scale = into.scale
        weights = layer.weights
        if scale is not None:
            weights = weights * scale[:, None, None, None]
        pads = [
            (size - 1) // 2 * step
            for size, step in zip(weights.shape[2:], layer.dilation, strict=True)
        ]
        y = ops.convolution(x, constant(weights), [1, 1], pads, pads, list(layer.dilation))
        if into is None:
            return y
        y = ops.add(y, constant(into.shift.reshape(1, -1, 1, 1)))
        return self._activate(y, into.activation)

    def _normalize(self, x: Node, layer: Normalization | RmsTip) -> Node:
        if isinstance(layer, RmsTip):
            x = self._divided(x, layer)
        shape = (1, -1, 1, 1)
        y = ops.multiply(x, constant(layer.scale.reshape(shape)))
        y = ops.add(y, constant(layer.shift.reshape(shape)))
        return self._activate(y, layer.activation)

    @staticmethod
    def _divided(x: Node, tip: RmsTip) -> Node:
        """`x` divided by its root mean square."""
        axes = [1, *BOARD_AXES] if tip.spatial else [1]
        mean = ops.reduce_mean(ops.multiply(x, x), axes, keep_dims=True)
        return ops.divide(x, ops.sqrt(ops.add(mean, constant(tip.epsilon))))

    @staticmethod
    def _activate(x: Node, activation: str) -> Node:
        return ACTIVATIONS[activation](x)

    @staticmethod
    def _activate_row(x: Node, activation: str) -> Node:
        """The activation of `[batch, channels]`."""
        if activation == "mish":
            # OpenVINO 2026.4 joins matrix, Mish and matrix into a kernel and then fails to build
            # it. It also recognizes x * tanh(softplus(x)) as a Mish; this is an equivalent form.
            power = ops.exp(ops.minimum(x, constant(20.0)))
            w = ops.multiply(power, ops.add(power, constant(2.0)))
            return ops.multiply(x, ops.divide(w, ops.add(w, constant(2.0))))
        return ACTIVATIONS[activation](x)

    @staticmethod
    def _pool(x: Node) -> tuple[Node, Node]:
        mean = ops.reduce_mean(x, BOARD_AXES, keep_dims=True)
        maximum = ops.reduce_max(x, BOARD_AXES, keep_dims=True)
        return ops.squeeze(mean, BOARD_AXES), ops.squeeze(maximum, BOARD_AXES)

    def _pooled_linear(
        self,
        pooled: tuple[Node, Node],
        layer: Linear,
        scale: FloatArray | None = None,
        shift: FloatArray | None = None,
    ) -> Node:
        on_mean, on_maximum = board_pool_weights(layer, self._height, self._width)
        weights = np.concatenate([on_mean, on_maximum])
        bias = layer.bias
        if scale is not None:
            weights = weights * scale
            bias = None if bias is None else bias * scale
        if shift is not None:
            bias = shift if bias is None else bias + shift
        return self._biased(self._matmul(ops.concat(list(pooled), 1), weights), bias)

    def _linear(self, x: Node, layer: Linear) -> Node:
        return self._biased(self._matmul(x, layer.weights), layer.bias)

    @staticmethod
    def _matmul(x: Node, weights: FloatArray) -> Node:
        return ops.matmul(x, constant(weights), False, False)  # noqa: FBT003

    @staticmethod
    def _biased(x: Node, bias: FloatArray | None) -> Node:
        return x if bias is None else ops.add(x, constant(bias.reshape(1, -1)))

    @staticmethod
    def _wide(bias: Node) -> Node:
        """`[batch, channels]` as `[batch, channels, 1, 1]`."""
        return ops.unsqueeze(bias, BOARD_AXES)
