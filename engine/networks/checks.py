"""Whether the layers of an architecture fit each other, whatever file they came from."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluator import GAME_INPUTS
from engine.games import GAMES
from engine.networks.architecture import (
    ACTIVATIONS,
    POOL_PARTS,
    VALUE_OUTPUTS,
    Architecture,
    Block,
    Bottleneck,
    Convolution,
    Linear,
    MetadataEncoder,
    NetworkFileError,
    Normalization,
    PolicyHead,
    PooledResidual,
    ValueHead,
    arrays,
)


def check(architecture: Architecture) -> None:
    """Return where every layer fits the next; NetworkFileError names the one that does not."""
    channels = architecture.channels
    _check_game(architecture)
    _expect(architecture.globals, "outputs", architecture.globals.outputs, channels)
    if architecture.metadata:
        _check_metadata(architecture.metadata, channels)
    _check_blocks(architecture.blocks, channels)
    _check_norm(architecture.tip, channels)
    _check_policy(architecture.policy, channels)
    _check_value(architecture.value, channels, misc=6 if architecture.version >= 9 else 4)
    for path, array in arrays(architecture):
        if array.dtype != "float32":
            raise NetworkFileError(f"{path}: weights are {array.dtype}, expected float32")


def _check_game(architecture: Architecture) -> None:
    game = architecture.game
    if game not in GAME_INPUTS:
        raise NetworkFileError(f"unknown game {game!r}: one of {', '.join(GAME_INPUTS)}")
    wanted = GAME_INPUTS[game]
    found = architecture.planes.inputs, architecture.globals.inputs
    if found != wanted:
        raise NetworkFileError(
            f"a network of {found[0]} planes and {found[1]} globals, "
            f"expected {wanted.planes} and {wanted.globals} for {game}"
        )
    head, by_columns = architecture.policy, GAMES[game].by_columns
    if (head.pass_output is None) != by_columns or (by_columns and head.pass_hidden):
        raise NetworkFileError(
            f"layer {head.name}: {'nobody passes' if by_columns else 'passing is a move'} in {game}"
        )


def _check_blocks(blocks: Sequence[Block], channels: int) -> None:
    if not blocks:
        raise NetworkFileError("the trunk has no blocks")
    for block in blocks:
        if isinstance(block, Bottleneck):
            _check_norm(block.before, channels)
            _check_convolution(block.reduce, channels)
            _check_blocks(block.blocks, block.reduce.outputs)
            _check_norm(block.after, block.reduce.outputs)
            _check_convolution(block.expand, block.after.channels, channels)
            continue
        _check_norm(block.before, channels)
        _check_convolution(block.first, channels)
        if isinstance(block, PooledResidual):
            _check_convolution(block.pool, channels)
            _check_norm(block.pool_norm, block.pool.outputs)
            pooled = POOL_PARTS * block.pool.outputs
            _check_linear(block.pool_bias, pooled, block.first.outputs)
        _check_norm(block.middle, block.first.outputs)
        _check_convolution(block.last, block.middle.channels, channels)


def _check_metadata(encoder: MetadataEncoder, channels: int) -> None:
    _check_linear(encoder.first, encoder.first.inputs, encoder.first.outputs)
    _check_activation(encoder.first, encoder.first_activation)
    _check_linear(encoder.second, encoder.first.outputs, encoder.second.outputs)
    _check_activation(encoder.second, encoder.second_activation)
    _check_linear(encoder.last, encoder.second.outputs, channels)


def _check_policy(head: PolicyHead, channels: int) -> None:
    _check_convolution(head.first, channels)
    _check_convolution(head.pool, channels)
    _check_norm(head.pool_norm, head.pool.outputs)
    pooled = POOL_PARTS * head.pool.outputs
    _check_linear(head.pool_bias, pooled, head.first.outputs)
    _check_norm(head.middle, head.first.outputs)
    _check_convolution(head.moves, head.first.outputs)
    if head.pass_hidden:
        _check_linear(head.pass_hidden, pooled, head.pass_hidden.outputs)
        _check_activation(head.pass_hidden, head.pass_activation)
        pooled = head.pass_hidden.outputs
    if head.pass_output:
        _check_linear(head.pass_output, pooled, head.channels)


def _check_value(head: ValueHead, channels: int, misc: int) -> None:
    _check_convolution(head.first, channels)
    _check_norm(head.norm, head.first.outputs)
    _check_linear(head.hidden, POOL_PARTS * head.first.outputs, head.hidden.outputs)
    _check_activation(head.hidden, head.hidden_activation)
    _check_linear(head.value, head.hidden.outputs, VALUE_OUTPUTS)
    _check_linear(head.misc, head.hidden.outputs, misc)
    _check_convolution(head.ownership, head.first.outputs, 1)


def _check_convolution(layer: Convolution, inputs: int, outputs: int | None = None) -> None:
    if layer.weights.ndim != 4:
        raise NetworkFileError(f"layer {layer.name}: weights of shape {layer.weights.shape}")
    _expect(layer, "inputs", layer.inputs, inputs)
    if outputs is not None:
        _expect(layer, "outputs", layer.outputs, outputs)


def _check_linear(layer: Linear, inputs: int, outputs: int) -> None:
    _expect(layer, "inputs", layer.inputs, inputs)
    _expect(layer, "outputs", layer.outputs, outputs)
    if layer.bias is not None:
        _expect(layer, "biases", layer.bias.shape[0], outputs)


def _check_norm(layer: Normalization, channels: int) -> None:
    _expect(layer, "channels", layer.channels, channels)
    _expect(layer, "shifts", layer.shift.shape[0], channels)
    _check_activation(layer, layer.activation)


def _check_activation(layer: Normalization | Linear, activation: str) -> None:
    if activation not in ACTIVATIONS:
        raise NetworkFileError(f"layer {layer.name}: unknown activation {activation!r}")


def _expect(
    layer: Convolution | Linear | Normalization, what: str, found: int, expected: int
) -> None:
    if found != expected:
        raise NetworkFileError(f"layer {layer.name}: {found} {what}, expected {expected}")
