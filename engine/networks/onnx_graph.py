"""The nodes and the weights of an ONNX graph; a value is referred to by its name."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper


class OnnxGraph:
    """Adds nodes and constants, each with a name of its own."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:  # noqa: ANN401 (ONNX checks them)
        """Adds a node; returns the name of its output."""
        return self._add(kind, inputs, 1, attributes)[0]

    def halves(self, x: str, axis: int) -> tuple[str, str]:
        """Splits `x` into two equal parts."""
        first, second = self._add("Split", (x,), 2, {"axis": axis, "num_outputs": 2})
        return first, second

    def name_output(self, x: str, name: str) -> None:
        """Makes `x` an output of the graph under a name."""
        self.nodes.append(helper.make_node("Identity", [x], [name]))

    def over_root_mean_square(self, x: str, axes: tuple[int, ...], epsilon: float) -> str:
        """Divides `x` by the root of its mean square over the axes."""
        mean = self.node("ReduceMean", self.node("Mul", x, x), self.indices(*axes), keepdims=1)
        root = self.node("Sqrt", self.node("Add", mean, self.number(epsilon)))
        return self.node("Div", x, root)

    def number(self, value: float) -> str:
        """Returns a float32 constant."""
        return self.constant(np.array(value, np.float32))

    def index(self, value: int) -> str:
        """Returns an int64 constant without axes."""
        return self._weight(np.array(value, np.int64))

    def indices(self, *values: int) -> str:
        """Returns an int64 constant with one axis."""
        return self._weight(np.array(values, np.int64))

    def constant(self, values: NDArray[np.floating]) -> str:
        """Returns a float32 constant for `values` `[...]`, of their shape."""
        return self._weight(np.ascontiguousarray(values, np.float32).reshape(values.shape))

    def _add(
        self, kind: str, inputs: tuple[str, ...], outputs: int, attributes: dict[str, Any]
    ) -> list[str]:
        name = f"{kind}_{len(self.nodes)}"
        names = [name, *(f"{name}_{index}" for index in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, inputs, names, name, **attributes))
        return names

    def _weight(self, values: NDArray[Any]) -> str:
        name = f"constant_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name
