"""Exports an architecture as an ONNX graph for other programs; runs nothing itself.

Batch and board may have any size; pooling reads it from the input. Batch normalization after a
convolution is folded into it. Inputs, all float32: "spatial" (planes of 0 and 1), "globals", and in
networks with them "metadata" and "optimism" (the blend from policy channel 0 to channel 1). Outputs
as in Slot of engine/games/evaluator.py. The file's properties hold the scales of the outputs.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from engine.games.evaluator import MISC_OUTPUTS
from engine.networks.architecture import (
    CENTRAL_SIDE,
    Architecture,
    Block,
    Bottleneck,
    Convolution,
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
    not_computed,
)

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


class _Builder:
    """Builds layers as ONNX nodes; a value is referred to by its name."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []

    def graph(self, net: Architecture) -> onnx.GraphProto:
        inputs = {
            "spatial": ("batch", net.planes.inputs, "height", "width"),
            "globals": ("batch", net.globals.inputs),
        }
        self._side = self._side_of("spatial")
        bias = self._linear("globals", net.globals)
        if net.metadata:
            inputs["metadata"] = ("batch", net.metadata.first.inputs)
            bias = self._node("Add", bias, self._metadata("metadata", net.metadata))
        x = self._node("Add", self._convolve("spatial", net.planes), self._wide(bias))
        if isinstance(net.tip, RmsTip):
            raise not_computed("onnx", net.tip)
        x = self._normalize(self._blocks(x, net.blocks), net.tip)
        if net.policy.channels > 1:
            inputs["optimism"] = ("batch",)
        outputs = {"policy": self._policy(x, net.policy), **self._value(x, net.value)}
        widths = {"value": net.value.value.outputs, "misc": MISC_OUTPUTS}
        for name, value in outputs.items():
            self._nodes.append(helper.make_node("Identity", [value], [name]))
        return helper.make_graph(
            self._nodes,
            net.name,
            [_tensor(name, shape) for name, shape in inputs.items()],
            [_tensor(name, ("batch", widths.get(name, f"{name}_size"))) for name in outputs],
            self._weights,
        )

    def _side_of(self, spatial: str) -> str:
        """Returns the board's side for pooling: (side - 14) / 10."""
        size = self._node("Shape", spatial, start=2, end=4)
        area = self._node("ReduceProd", self._node("Cast", size, to=TensorProto.FLOAT), keepdims=0)
        side = self._node("Sub", self._node("Sqrt", area), self._number(CENTRAL_SIDE))
        return self._node("Mul", side, self._number(0.1))

    def _blocks(self, x: str, blocks: tuple[Block, ...]) -> str:
        for block in blocks:
            if isinstance(block, Residual):
                y = self._residual(x, block)
            elif isinstance(block, PooledResidual):
                y = self._pooled_residual(x, block)
            elif isinstance(block, Bottleneck):
                y = self._bottleneck(x, block)
            else:
                raise not_computed("onnx", block)
            x = self._node("Add", x, y)
        return x

    def _residual(self, x: str, block: Residual) -> str:
        y = self._convolve(self._normalize(x, block.before), block.first, into=block.middle)
        return self._convolve(y, block.last)

    def _pooled_residual(self, x: str, block: PooledResidual) -> str:
        y = self._normalize(x, block.before)
        pooled = self._pool(self._convolve(y, block.pool, into=block.pool_norm))
        bias = self._linear(pooled, block.pool_bias)
        y = self._node("Add", self._convolve(y, block.first), self._wide(bias))
        return self._convolve(self._normalize(y, block.middle), block.last)

    def _bottleneck(self, x: str, block: Bottleneck) -> str:
        y = self._convolve(self._normalize(x, block.before), block.reduce)
        y = self._normalize(self._blocks(y, block.blocks), block.after)
        return self._convolve(y, block.expand)

    def _metadata(self, metadata: str, encoder: MetadataEncoder) -> str:
        y = self._activate_row(self._linear(metadata, encoder.first), encoder.first_activation)
        y = self._activate_row(self._linear(y, encoder.second), encoder.second_activation)
        return self._linear(y, encoder.last)

    def _policy(self, x: str, head: PolicyHead) -> str:
        pooled = self._pool(self._convolve(x, head.pool, into=head.pool_norm))
        bias = self._linear(pooled, head.pool_bias)
        y = self._node("Add", self._convolve(x, head.first), self._wide(bias))
        used = min(head.channels, 2)
        moves = Convolution(head.moves.name, head.moves.weights[:used], head.moves.dilation)
        y = self._convolve(self._normalize(y, head.middle), moves)
        if head.pass_output is None:
            return self._blended(self._node("ReduceSum", y, self._indices(2), keepdims=0), used)
        if head.pass_hidden:
            hidden = self._linear(pooled, head.pass_hidden)
            pooled = self._activate_row(hidden, head.pass_activation)
        passing = head.pass_output
        shift = None if passing.bias is None else passing.bias[:used]
        passing = Linear(passing.name, passing.weights[:, :used], shift)
        logits = self._node("Unsqueeze", self._linear(pooled, passing), self._indices(2))
        y = self._node("Reshape", y, self._indices(0, used, -1))
        return self._blended(self._node("Concat", y, logits, axis=2), used)

    def _blended(self, logits: str, channels: int) -> str:
        """Policy `[batch, moves]` of `[batch, channels, moves]`."""
        first = self._node("Gather", logits, self._index(0), axis=1)
        if channels == 1:
            return first
        second = self._node("Gather", logits, self._index(1), axis=1)
        share = self._node("Unsqueeze", "optimism", self._indices(1))
        change = self._node("Mul", share, self._node("Sub", second, first))
        return self._node("Add", first, change)

    def _value(self, x: str, head: ValueHead) -> dict[str, str]:
        y = self._convolve(x, head.first, into=head.norm)
        mean = self._over_board("ReduceMean", y)
        square = self._node("Mul", self._side, self._side)
        less = self._node("Sub", square, self._number(0.1))
        parts = [mean, self._node("Mul", mean, self._side), self._node("Mul", mean, less)]
        hidden = self._linear(self._node("Concat", *parts, axis=1), head.hidden)
        hidden = self._activate_row(hidden, head.hidden_activation)
        misc = self._linear(hidden, head.misc)
        missing = self._indices(0, 0, 0, MISC_OUTPUTS - head.misc.outputs)
        return {
            "value": self._linear(hidden, head.value),
            "misc": self._node("Pad", misc, missing),
            "ownership": self._node("Flatten", self._convolve(y, head.ownership), axis=1),
        }

    def _convolve(self, x: str, layer: Convolution, *, into: Normalization | None = None) -> str:
        """Adds the convolution with the following normalization folded into it."""
        weights = layer.weights
        if into is not None:
            weights = weights * into.scale[:, None, None, None]
        kernel = weights.shape[2:]
        pads = [(size - 1) // 2 * step for size, step in zip(kernel, layer.dilation, strict=True)]
        bias = [] if into is None else [self._constant(into.shift)]
        y = self._node(
            "Conv",
            x,
            self._constant(weights),
            *bias,
            kernel_shape=kernel,
            pads=pads + pads,
            dilations=layer.dilation,
        )
        return y if into is None else self._activate(y, into.activation)

    def _normalize(self, x: str, layer: Normalization) -> str:
        shape = (1, -1, 1, 1)
        y = self._node("Mul", x, self._constant(layer.scale.reshape(shape)))
        y = self._node("Add", y, self._constant(layer.shift.reshape(shape)))
        return self._activate(y, layer.activation)

    def _activate(self, x: str, activation: str) -> str:
        if activation == "relu":
            return self._node("Relu", x)
        if activation == "mish":
            return self._node("Mish", x)
        if activation == "silu":
            return self._node("Mul", x, self._node("Sigmoid", x))
        if activation == "mish_scale8":
            gate = self._node("Softplus", self._node("Mul", x, self._number(8.0)))
            return self._node("Mul", x, self._node("Tanh", gate))
        return x

    def _activate_row(self, x: str, activation: str) -> str:
        """The activation of `[batch, channels]`."""
        if activation != "mish":
            return self._activate(x, activation)
        # An equivalent form for OpenVINO: see openvino_model.py.
        power = self._node("Exp", self._node("Min", x, self._number(20.0)))
        two = self._number(2.0)
        w = self._node("Mul", power, self._node("Add", power, two))
        return self._node("Mul", x, self._node("Div", w, self._node("Add", w, two)))

    def _pool(self, x: str) -> str:
        """`[batch, 3 * channels]`: mean, mean scaled by the board's side, maximum."""
        mean, maximum = self._over_board("ReduceMean", x), self._over_board("ReduceMax", x)
        return self._node("Concat", mean, self._node("Mul", mean, self._side), maximum, axis=1)

    def _over_board(self, reduce: str, x: str) -> str:
        return self._node(reduce, x, self._indices(*BOARD_AXES), keepdims=0)

    def _linear(self, x: str, layer: Linear) -> str:
        y = self._node("MatMul", x, self._constant(layer.weights))
        return y if layer.bias is None else self._node("Add", y, self._constant(layer.bias))

    def _wide(self, bias: str) -> str:
        """`[batch, channels]` as `[batch, channels, 1, 1]`."""
        return self._node("Unsqueeze", bias, self._indices(*BOARD_AXES))

    def _node(self, kind: str, *inputs: str, **attributes: Any) -> str:  # noqa: ANN401 (ONNX checks them)
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def _number(self, value: float) -> str:
        return self._constant(np.array(value, np.float32))

    def _index(self, value: int) -> str:
        return self._tensor_of(np.array(value, np.int64))

    def _indices(self, *values: int) -> str:
        return self._tensor_of(np.array(values, np.int64))

    def _constant(self, values: FloatArray) -> str:
        return self._tensor_of(np.ascontiguousarray(values, np.float32).reshape(values.shape))

    def _tensor_of(self, values: FloatArray | NDArray[np.int64]) -> str:
        name = f"constant_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(values, name))
        return name


def _tensor(name: str, shape: tuple[str | int, ...]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
