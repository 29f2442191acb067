"""Networks with random weights; engine.training trains them and writes their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.games.evaluator import GAME_INPUTS, MISC_OUTPUTS, ONE_BOARD, Multipliers
from engine.games.table import GAMES
from engine.networks.architecture import (
    POOL_PARTS,
    VALUE_OUTPUTS,
    Architecture,
    Block,
    Bottleneck,
    Convolution,
    FlatPolicyHead,
    FlatValueHead,
    Linear,
    MetadataEncoder,
    Normalization,
    PolicyHead,
    PooledResidual,
    Residual,
    ValueHead,
)

BlockKind = Literal["residual", "pooled", "bottleneck"]


@dataclass(frozen=True)
class Shape:
    """The sizes of a network."""

    blocks: tuple[BlockKind, ...]
    channels: int  # of the trunk
    middle: int  # within a block
    pooling: int  # pooled channels of a block and of the policy head
    head: int  # channels of the heads
    hidden: int  # of the value head's layer
    activation: str = "mish"
    version: int = 14  # KataGo's model version of its outputs
    metadata: int = 0
    policies: int = 1
    kernel: int = 3  # of the first convolution
    inner_blocks: tuple[BlockKind, ...] = ("residual", "residual")  # of a bottleneck
    game: str = "go"  # a key of GAME_INPUTS


def fresh_architecture(name: str, shape: Shape, rng: np.random.Generator) -> Architecture:
    """Returns a network of this shape; the scale of its random weights preserves signals."""
    return _Maker(shape, rng).network(name)


class _Maker:
    def __init__(self, shape: Shape, rng: np.random.Generator) -> None:
        self._shape, self._rng = shape, rng

    def network(self, name: str) -> Architecture:
        shape = self._shape
        planes, globals_ = GAME_INPUTS[shape.game]
        return Architecture(
            name=name,
            version=shape.version,
            multipliers=Multipliers(),
            pass_alive_under_suicide=False,
            planes=self._convolution("planes", planes, shape.channels, shape.kernel),
            globals=self._linear("globals", globals_, shape.channels),
            metadata=self._metadata() if shape.metadata else None,
            blocks=self._blocks("block", shape.blocks, shape.channels, shape.middle),
            tip=self._norm("tip", shape.channels),
            policy=self._flat_policy() if shape.game in ONE_BOARD else self._policy(),
            value=self._flat_value() if shape.game in ONE_BOARD else self._value(),
            game=shape.game,
        )

    def _blocks(
        self, name: str, kinds: tuple[BlockKind, ...], channels: int, middle: int
    ) -> tuple[Block, ...]:
        makers: dict[BlockKind, Callable[[str, int, int], Block]] = {
            "residual": self._residual,
            "pooled": self._pooled,
            "bottleneck": self._bottleneck,
        }
        return tuple(
            makers[kind](f"{name}{index}", channels, middle) for index, kind in enumerate(kinds)
        )

    def _residual(self, name: str, channels: int, middle: int) -> Residual:
        return Residual(
            name=name,
            before=self._norm(f"{name}/before", channels),
            first=self._convolution(f"{name}/first", channels, middle),
            middle=self._norm(f"{name}/middle", middle),
            last=self._convolution(f"{name}/last", middle, channels),
        )

    def _pooled(self, name: str, channels: int, middle: int) -> PooledResidual:
        pooling = self._shape.pooling
        return PooledResidual(
            name=name,
            before=self._norm(f"{name}/before", channels),
            first=self._convolution(f"{name}/first", channels, middle),
            pool=self._convolution(f"{name}/pool", channels, pooling),
            pool_norm=self._norm(f"{name}/pool_norm", pooling),
            pool_bias=self._linear(f"{name}/pool_bias", POOL_PARTS * pooling, middle),
            middle=self._norm(f"{name}/middle", middle),
            last=self._convolution(f"{name}/last", middle, channels),
        )

    def _bottleneck(self, name: str, channels: int, middle: int) -> Bottleneck:
        return Bottleneck(
            name=name,
            before=self._norm(f"{name}/before", channels),
            reduce=self._convolution(f"{name}/reduce", channels, middle, 1),
            blocks=self._blocks(f"{name}/inner", self._shape.inner_blocks, middle, middle),
            after=self._norm(f"{name}/after", middle),
            expand=self._convolution(f"{name}/expand", middle, channels, 1),
        )

    def _metadata(self) -> MetadataEncoder:
        shape = self._shape
        return MetadataEncoder(
            name="metadata",
            first=self._linear("metadata/first", shape.metadata, shape.hidden, biased=True),
            first_activation=shape.activation,
            second=self._linear("metadata/second", shape.hidden, shape.hidden, biased=True),
            second_activation=shape.activation,
            last=self._linear("metadata/last", shape.hidden, shape.channels),
        )

    def _policy(self) -> PolicyHead:
        shape = self._shape
        pooled = POOL_PARTS * shape.pooling
        passes = not GAMES[shape.game].by_columns
        newer = passes and shape.version >= 15
        return PolicyHead(
            name="policy",
            first=self._convolution("policy/first", shape.channels, shape.head, 1),
            pool=self._convolution("policy/pool", shape.channels, shape.pooling, 1),
            pool_norm=self._norm("policy/pool_norm", shape.pooling),
            pool_bias=self._linear("policy/pool_bias", pooled, shape.head),
            middle=self._norm("policy/middle", shape.head),
            moves=self._convolution("policy/moves", shape.head, shape.policies, 1),
            pass_hidden=self._linear("policy/pass_hidden", pooled, shape.head, biased=True)
            if newer
            else None,
            pass_activation=shape.activation if newer else "identity",
            pass_output=self._linear("policy/pass", shape.head if newer else pooled, shape.policies)
            if passes
            else None,
        )

    def _flat_policy(self) -> FlatPolicyHead:
        shape = self._shape
        width, height = ONE_BOARD[shape.game]
        moves = GAMES[shape.game].move_count(width, height)
        return FlatPolicyHead(
            name="policy",
            first=self._convolution("policy/first", shape.channels, shape.head, 1),
            norm=self._norm("policy/norm", shape.head),
            moves=self._linear("policy/moves", shape.head * width * height, moves, biased=True),
        )

    def _flat_value(self) -> FlatValueHead:
        shape = self._shape
        width, height = ONE_BOARD[shape.game]
        flat = shape.head * width * height
        return FlatValueHead(
            name="value",
            first=self._convolution("value/first", shape.channels, shape.head, 1),
            norm=self._norm("value/norm", shape.head),
            hidden=self._linear("value/hidden", flat, shape.hidden, biased=True),
            hidden_activation=shape.activation,
            value=self._linear("value/value", shape.hidden, VALUE_OUTPUTS, biased=True),
        )

    def _value(self) -> ValueHead:
        shape = self._shape
        misc = MISC_OUTPUTS if shape.version >= 9 else 4
        return ValueHead(
            name="value",
            first=self._convolution("value/first", shape.channels, shape.head, 1),
            norm=self._norm("value/norm", shape.head),
            hidden=self._linear("value/hidden", POOL_PARTS * shape.head, shape.hidden, biased=True),
            hidden_activation=shape.activation,
            value=self._linear("value/value", shape.hidden, VALUE_OUTPUTS, biased=True),
            misc=self._linear("value/misc", shape.hidden, misc, biased=True),
            ownership=self._convolution("value/ownership", shape.head, 1, 1),
        )

    def _convolution(self, name: str, inputs: int, outputs: int, kernel: int = 3) -> Convolution:
        deviation = np.sqrt(2.0 / (inputs * kernel * kernel))
        weights = self._rng.normal(0.0, deviation, (outputs, inputs, kernel, kernel))
        return Convolution(name, weights.astype(np.float32))

    def _linear(self, name: str, inputs: int, outputs: int, *, biased: bool = False) -> Linear:
        weights = self._rng.normal(0.0, np.sqrt(1.0 / inputs), (inputs, outputs))
        bias = np.zeros(outputs, np.float32) if biased else None
        return Linear(name, weights.astype(np.float32), bias)

    def _norm(self, name: str, channels: int) -> Normalization:
        scale, shift = np.ones(channels, np.float32), np.zeros(channels, np.float32)
        return Normalization(name, scale, shift, self._shape.activation)
