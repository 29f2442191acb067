"""Exports an architecture as an ONNX graph for other programs; runs nothing itself.

Batch and board may have any size; pooling reads it from the input. Batch normalization after a
convolution is folded into it. Inputs, all float32: "spatial" (planes of 0 and 1, or constant ones),
"globals", and in networks with them "metadata" and "optimism" (the blend from policy channel 0 to
channel 1). Outputs as in Slot of engine/games/evaluator.py; in chess policy and value alone. The
file's properties hold the scales of the outputs.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cached_property
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.architecture import (
    CENTRAL_SIDE,
    Architecture,
    Attention,
    Block,
    Bottleneck,
    Convolution,
    FlatPolicyHead,
    FlatValueHead,
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
from engine.networks.description import describe
from engine.networks.onnx_graph import OnnxGraph
from engine.networks.onnx_transformer import OnnxRows

OPSET = 18  # the first one with Mish
FORMAT_VERSION = 8  # of the file, the one that came with this set of operators
BOARD_AXES = (2, 3)
BOARD = ("batch", "height", "width")


def write_onnx(path: Path, architecture: Architecture) -> None:
    """Writes the network as an ONNX file. Raises OSError if it cannot be written."""
    path.write_bytes(build_onnx_model(architecture).SerializeToString())


def build_onnx_model(architecture: Architecture) -> onnx.ModelProto:
    """Returns a checked graph for any number of boards of one size."""
    network = describe(architecture)
    model = helper.make_model(
        _Builder().graph(architecture),
        producer_name="sparring",
        ir_version=FORMAT_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    properties = {
        "game": network.game,
        "version": str(network.version),
        "multipliers": json.dumps(asdict(network.multipliers)),
    }
    helper.set_model_props(model, properties)
    onnx.checker.check_model(model, full_check=True)
    return model


class _Builder(OnnxGraph):
    """An ONNX graph to which the layers of an architecture are added."""

    @cached_property
    def _rows(self) -> OnnxRows:
        return OnnxRows(self, "spatial")

    def graph(self, net: Architecture) -> onnx.GraphProto:
        inputs = {
            "spatial": ("batch", net.planes.inputs, "height", "width"),
            "globals": ("batch", net.globals.inputs),
        }
        self._side = self._side_of("spatial")
        bias = self._linear("globals", net.globals)
        if net.metadata:
            inputs["metadata"] = ("batch", net.metadata.first.inputs)
            bias = self.node("Add", bias, self._metadata("metadata", net.metadata))
        x = self.node("Add", self._convolve("spatial", net.planes), self._wide(bias))
        x = self._normalize(self._blocks(x, net.blocks), net.tip)
        if isinstance(net.policy, PolicyHead):
            policy = self._policy(x, net.policy)
            if net.policy.channels > 1:
                inputs["optimism"] = ("batch",)
        else:
            policy = self._flat_policy(x, net.policy)
        outputs = {"policy": policy, **self._any_value(x, net.value)}
        widths = {"value": net.value.value.outputs, "misc": MISC_OUTPUTS}
        for name, output in outputs.items():
            self.name_output(output, name)
        return helper.make_graph(
            self.nodes,
            net.name,
            [_tensor(name, shape) for name, shape in inputs.items()],
            [_tensor(name, ("batch", widths.get(name, f"{name}_size"))) for name in outputs],
            self.weights,
        )

    def _side_of(self, spatial: str) -> str:
        """Returns the board's side for pooling: (side - 14) / 10."""
        size = self.node("Shape", spatial, start=2, end=4)
        area = self.node("ReduceProd", self.node("Cast", size, to=TensorProto.FLOAT), keepdims=0)
        side = self.node("Sub", self.node("Sqrt", area), self.number(CENTRAL_SIDE))
        return self.node("Mul", side, self.number(0.1))

    def _blocks(self, x: str, blocks: tuple[Block, ...]) -> str:
        for block in blocks:
            if isinstance(block, Residual):
                y = self._residual(x, block)
            elif isinstance(block, PooledResidual):
                y = self._pooled_residual(x, block)
            elif isinstance(block, Bottleneck):
                y = self._bottleneck(x, block)
            elif isinstance(block, SqueezedResidual):
                x, y = self._squeezed(x, block)
            elif isinstance(block, Attention):
                y = self._rows.attention(x, block)
            else:
                y = self._rows.feed_forward(x, block)
            x = self.node("Add", x, y)
        return x

    def _residual(self, x: str, block: Residual) -> str:
        y = self._convolve(self._normalize(x, block.before), block.first, into=block.middle)
        return self._convolve(y, block.last)

    def _pooled_residual(self, x: str, block: PooledResidual) -> str:
        y = self._normalize(x, block.before)
        pooled = self._pool(self._convolve(y, block.pool, into=block.pool_norm))
        bias = self._linear(pooled, block.pool_bias)
        y = self.node("Add", self._convolve(y, block.first), self._wide(bias))
        return self._convolve(self._normalize(y, block.middle), block.last)

    def _bottleneck(self, x: str, block: Bottleneck) -> str:
        y = self._convolve(self._normalize(x, block.before), block.reduce)
        y = self._normalize(self._blocks(y, block.blocks), block.after)
        return self._convolve(y, block.expand)

    def _squeezed(self, x: str, block: SqueezedResidual) -> tuple[str, str]:
        """Returns the two summands of the block."""
        y = self._normalize(x, block.before)
        z = self._convolve(y, block.first, into=block.middle)
        z = self._convolve(z, block.last, into=block.after)
        return y, z if block.squeeze is None else self._gated(z, block.squeeze)

    def _gated(self, x: str, squeeze: Squeeze) -> str:
        """`x` after squeeze and excitation."""
        hidden = self._linear(self._over_board("ReduceMean", x), squeeze.hidden)
        hidden = self._activate_row(hidden, squeeze.activation)
        scale, shift = self.halves(self._linear(hidden, squeeze.gates), 1)
        scaled = self.node("Mul", x, self._wide(self.node("Sigmoid", scale)))
        return self.node("Add", scaled, self._wide(shift))

    def _flat_policy(self, x: str, head: FlatPolicyHead | PlanePolicyHead) -> str:
        y = self._convolve(x, head.first, into=head.norm)
        if isinstance(head, FlatPolicyHead):
            return self._linear(self.node("Flatten", y, axis=1), head.moves)
        planes = self.node("Flatten", self._convolve(y, head.planes, into=head.shift), axis=1)
        return self.node("Gather", planes, self.indices(*head.cells), axis=1)

    def _any_value(self, x: str, head: ValueHead | FlatValueHead) -> dict[str, str]:
        return self._value(x, head) if isinstance(head, ValueHead) else self._flat_value(x, head)

    def _flat_value(self, x: str, head: FlatValueHead) -> dict[str, str]:
        y = self.node("Flatten", self._convolve(x, head.first, into=head.norm), axis=1)
        hidden = self._activate_row(self._linear(y, head.hidden), head.hidden_activation)
        return {"value": self._linear(hidden, head.value)}

    def _metadata(self, metadata: str, encoder: MetadataEncoder) -> str:
        y = self._activate_row(self._linear(metadata, encoder.first), encoder.first_activation)
        y = self._activate_row(self._linear(y, encoder.second), encoder.second_activation)
        return self._linear(y, encoder.last)

    def _policy(self, x: str, head: PolicyHead) -> str:
        pooled = self._pool(self._convolve(x, head.pool, into=head.pool_norm))
        bias = self._linear(pooled, head.pool_bias)
        y = self.node("Add", self._convolve(x, head.first), self._wide(bias))
        used = min(head.channels, 2)
        moves = Convolution(head.moves.name, head.moves.weights[:used], head.moves.dilation)
        y = self._convolve(self._normalize(y, head.middle), moves)
        if head.pass_output is None:
            return self._blended(self.node("ReduceSum", y, self.indices(2), keepdims=0), used)
        if head.pass_hidden:
            hidden = self._linear(pooled, head.pass_hidden)
            pooled = self._activate_row(hidden, head.pass_activation)
        passing = head.pass_output
        shift = None if passing.bias is None else passing.bias[:used]
        passing = Linear(passing.name, passing.weights[:, :used], shift)
        logits = self.node("Unsqueeze", self._linear(pooled, passing), self.indices(2))
        y = self.node("Reshape", y, self.indices(0, used, -1))
        return self._blended(self.node("Concat", y, logits, axis=2), used)

    def _blended(self, logits: str, channels: int) -> str:
        """Policy `[batch, moves]` of `[batch, channels, moves]`."""
        first = self.node("Gather", logits, self.index(0), axis=1)
        if channels == 1:
            return first
        second = self.node("Gather", logits, self.index(1), axis=1)
        share = self.node("Unsqueeze", "optimism", self.indices(1))
        change = self.node("Mul", share, self.node("Sub", second, first))
        return self.node("Add", first, change)

    def _value(self, x: str, head: ValueHead) -> dict[str, str]:
        y = self._convolve(x, head.first, into=head.norm)
        mean = self._over_board("ReduceMean", y)
        square = self.node("Mul", self._side, self._side)
        less = self.node("Sub", square, self.number(0.1))
        parts = [mean, self.node("Mul", mean, self._side), self.node("Mul", mean, less)]
        hidden = self._linear(self.node("Concat", *parts, axis=1), head.hidden)
        hidden = self._activate_row(hidden, head.hidden_activation)
        misc = self._linear(hidden, head.misc)
        missing = self.indices(0, 0, 0, MISC_OUTPUTS - head.misc.outputs)
        return {
            "value": self._linear(hidden, head.value),
            "misc": self.node("Pad", misc, missing),
            "ownership": self.node("Flatten", self._convolve(y, head.ownership), axis=1),
        }

    def _convolve(self, x: str, layer: Convolution, *, into: Normalization | None = None) -> str:
        """Adds the convolution with the following normalization folded into it."""
        weights = layer.weights
        if into is not None:
            weights = weights * into.scale[:, None, None, None]
        kernel = weights.shape[2:]
        pads = [(size - 1) // 2 * step for size, step in zip(kernel, layer.dilation, strict=True)]
        bias = [] if into is None else [self.constant(into.shift)]
        y = self.node(
            "Conv",
            x,
            self.constant(weights),
            *bias,
            kernel_shape=kernel,
            pads=pads + pads,
            dilations=layer.dilation,
        )
        return y if into is None else self._activate(y, into.activation)

    def _normalize(self, x: str, layer: Normalization | RmsTip) -> str:
        shape = (1, -1, 1, 1)
        if isinstance(layer, RmsTip):
            axes = (1, *BOARD_AXES) if layer.spatial else (1,)
            x = self.over_root_mean_square(x, axes, layer.epsilon)
        y = self.node("Mul", x, self.constant(layer.scale.reshape(shape)))
        y = self.node("Add", y, self.constant(layer.shift.reshape(shape)))
        return self._activate(y, layer.activation)

    def _activate(self, x: str, activation: str) -> str:
        if activation == "relu":
            return self.node("Relu", x)
        if activation == "mish":
            return self.node("Mish", x)
        if activation == "silu":
            return self.node("Mul", x, self.node("Sigmoid", x))
        if activation == "mish_scale8":
            gate = self.node("Softplus", self.node("Mul", x, self.number(8.0)))
            return self.node("Mul", x, self.node("Tanh", gate))
        return x

    def _activate_row(self, x: str, activation: str) -> str:
        """The activation of `[batch, channels]`."""
        if activation != "mish":
            return self._activate(x, activation)
        # An equivalent form for OpenVINO: see openvino_model.py.
        power = self.node("Exp", self.node("Min", x, self.number(20.0)))
        two = self.number(2.0)
        w = self.node("Mul", power, self.node("Add", power, two))
        return self.node("Mul", x, self.node("Div", w, self.node("Add", w, two)))

    def _pool(self, x: str) -> str:
        """`[batch, 3 * channels]`: mean, mean scaled by the board's side, maximum."""
        mean, maximum = self._over_board("ReduceMean", x), self._over_board("ReduceMax", x)
        return self.node("Concat", mean, self.node("Mul", mean, self._side), maximum, axis=1)

    def _over_board(self, reduce: str, x: str) -> str:
        return self.node(reduce, x, self.indices(*BOARD_AXES), keepdims=0)

    def _linear(self, x: str, layer: Linear) -> str:
        y = self.node("MatMul", x, self.constant(layer.weights))
        return y if layer.bias is None else self.node("Add", y, self.constant(layer.bias))

    def _wide(self, bias: str) -> str:
        """`[batch, channels]` as `[batch, channels, 1, 1]`."""
        return self.node("Unsqueeze", bias, self.indices(*BOARD_AXES))


def _tensor(name: str, shape: tuple[str | int, ...]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
