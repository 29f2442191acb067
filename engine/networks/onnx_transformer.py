"""Attention and feed-forward blocks as ONNX nodes over rows `[batch, points, channels]`."""

from __future__ import annotations

from onnx import TensorProto

from engine.networks.architecture import (
    Attention,
    FeedForward,
    FloatArray,
    Linear,
    RmsNormalization,
)
from engine.networks.onnx_graph import OnnxGraph
from engine.networks.transformer_weights import (
    key_weights,
    linear_and_gate_weights,
    query_weights,
    turns_a_step,
    value_weights,
)

ROWS_AND_BACK = (0, 2, 1)
HEADS_FIRST = (0, 2, 1, 3)
KEYS_LAST = (0, 2, 3, 1)


class OnnxRows:
    """Builds blocks over boards of the size of an input `[batch, planes, height, width]`."""

    def __init__(self, graph: OnnxGraph, spatial: str) -> None:
        self._graph = graph
        size = graph.node("Shape", spatial, start=2, end=4)
        self._board_shape = graph.node("Concat", graph.indices(0, -1), size, axis=0)
        area = graph.node("ReduceProd", size, keepdims=0)
        points = graph.node("Range", graph.index(0), area, graph.index(1))
        width = graph.node("Gather", size, graph.index(1))
        self._columns = self._float(graph.node("Mod", points, width))
        self._lines = self._float(graph.node("Div", points, width))

    def feed_forward(self, x: str, block: FeedForward) -> str:
        """Returns the block's addition to trunk `x` `[batch, channels, height, width]`."""
        y = self._normalized_rows(x, block.norm)
        linear, gate = (self._matmul(y, weights) for weights in linear_and_gate_weights(block))
        silu = self._graph.node("Mul", linear, self._graph.node("Sigmoid", linear))
        return self._board_of(self._graph.node("Mul", silu, gate), block.out)

    def attention(self, x: str, block: Attention) -> str:
        """Returns the block's addition to trunk `x` `[batch, channels, height, width]`."""
        graph, heads, key_heads = self._graph, block.heads, block.key_heads
        y = self._normalized_rows(x, block.norm)
        queries = self._heads(self._matmul(y, query_weights(block)), heads, block.width)
        keys = self._heads(self._matmul(y, key_weights(block)), key_heads, block.width)
        if block.rotations is not None:
            queries = self._turned(queries, turns_a_step(block.rotations, heads))
            keys = self._turned(keys, turns_a_step(block.rotations, key_heads))
        values = self._heads(self._matmul(y, value_weights(block)), key_heads, block.value_width)
        queries = graph.node("Transpose", queries, perm=HEADS_FIRST)
        keys = graph.node("Transpose", keys, perm=KEYS_LAST)
        values = graph.node("Transpose", values, perm=HEADS_FIRST)
        # The query heads of one key head are more queries of it.
        queries = self._shaped(queries, 0, key_heads, -1, block.width)
        shares = graph.node("Softmax", graph.node("MatMul", queries, keys), axis=3)
        attended = graph.node("MatMul", shares, values)
        attended = self._shaped(attended, 0, heads, -1, block.value_width)
        attended = graph.node("Transpose", attended, perm=HEADS_FIRST)
        return self._board_of(self._shaped(attended, 0, 0, block.out.inputs), block.out)

    def _turned(self, heads: str, turns: FloatArray) -> str:
        """Rotates the sorted pairs of `[batch, points, heads, width]`."""
        graph = self._graph
        by_column, by_line = (graph.constant(part) for part in turns)
        angles = graph.node(
            "Add",
            graph.node("Mul", self._columns, by_column),
            graph.node("Mul", self._lines, by_line),
        )
        cosine, sine = graph.node("Cos", angles), graph.node("Sin", angles)
        first, second = graph.halves(heads, 3)
        turned = (
            self._sum("Sub", (first, cosine), (second, sine)),
            self._sum("Add", (first, sine), (second, cosine)),
        )
        return graph.node("Concat", *turned, axis=3)

    def _sum(self, kind: str, *products: tuple[str, str]) -> str:
        return self._graph.node(kind, *(self._graph.node("Mul", *pair) for pair in products))

    def _normalized_rows(self, x: str, layer: RmsNormalization) -> str:
        """Rows of `[batch, channels, height, width]`, normalized without the scale."""
        rows = self._graph.node("Transpose", self._shaped(x, 0, 0, -1), perm=ROWS_AND_BACK)
        return self._graph.over_root_mean_square(rows, (2,), layer.epsilon)

    def _board_of(self, rows: str, layer: Linear) -> str:
        """Returns `[batch, channels, height, width]` of the matrix product of rows."""
        y = self._matmul(rows, layer.weights)
        y = self._graph.node("Transpose", y, perm=ROWS_AND_BACK)
        return self._graph.node("Reshape", y, self._board_shape)

    def _heads(self, rows: str, heads: int, width: int) -> str:
        return self._shaped(rows, 0, 0, heads, width)

    def _matmul(self, x: str, weights: FloatArray) -> str:
        return self._graph.node("MatMul", x, self._graph.constant(weights))

    def _shaped(self, x: str, *shape: int) -> str:
        """Reshapes; 0 keeps an axis of the input, -1 takes the rest."""
        return self._graph.node("Reshape", x, self._graph.indices(*shape))

    def _float(self, integers: str) -> str:
        """`[points]` as float32 `[points, 1, 1]`."""
        floats = self._graph.node("Cast", integers, to=TensorProto.FLOAT)
        return self._graph.node("Unsqueeze", floats, self._graph.indices(1, 2))
