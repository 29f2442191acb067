"""Checks the layers of an architecture against each other, for every file format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from engine.games.evaluator import GAME_INPUTS, ONE_BOARD, POLICY_LOGITS, Multipliers
from engine.games.table import GAMES
from engine.networks.architecture import (
    ACTIVATIONS,
    POOL_PARTS,
    VALUE_OUTPUTS,
    Architecture,
    Attention,
    Block,
    Bottleneck,
    Convolution,
    FeedForward,
    FlatPolicyHead,
    FlatValueHead,
    Linear,
    MetadataEncoder,
    NetworkFileError,
    Normalization,
    PlanePolicyHead,
    PolicyHead,
    PooledResidual,
    RmsNormalization,
    RmsTip,
    Squeeze,
    SqueezedResidual,
    ValueHead,
    arrays,
)

LARGEST_VERSION = 1000
LARGEST_MULTIPLIER = 1e6
LARGEST_DILATION = 18  # cells; a larger one reaches beyond every board
LARGEST_SIDE = 9  # of a convolution's weights
LARGEST_AXIS = 1 << 16  # of any weights
MOST_NESTED = 8  # bottlenecks, one in another
LARGEST_EPSILON = 1.0  # of a root-mean-square normalization

Layer = Convolution | Linear | Normalization | RmsNormalization | RmsTip


def check(architecture: Architecture) -> None:
    """Checks each layer against the next.

    Raises NetworkFileError, naming the layer at fault.

    The numbers of layers are within the limits of every backend.
    """
    for path, array in arrays(architecture):
        if array.dtype != "float32":
            raise NetworkFileError(f"{path}: weights are {array.dtype}, expected float32")
        if not array.size or max(array.shape) > LARGEST_AXIS:
            raise NetworkFileError(f"{path}: weights of shape {array.shape}")
    channels = architecture.channels
    _check_game(architecture)
    _check_numbers(architecture.version, architecture.multipliers)
    _check_convolution(architecture.planes, architecture.planes.inputs)
    if architecture.planes.dilation != (1, 1):
        raise NetworkFileError(f"layer {architecture.planes.name}: the first one is dilated")
    _check_linear(architecture.globals, architecture.globals.inputs, channels)
    if architecture.metadata:
        _check_metadata(architecture.metadata, channels)
    _check_blocks(architecture.blocks, channels)
    _check_norm(architecture.tip, channels)
    _check_heads(architecture)


def _check_numbers(version: int, multipliers: Multipliers) -> None:
    if not 1 <= version <= LARGEST_VERSION:
        raise NetworkFileError(f"model version {version} is not in 1..{LARGEST_VERSION}")
    for name, factor in asdict(multipliers).items():
        if not 0 <= factor <= LARGEST_MULTIPLIER:
            raise NetworkFileError(f"{name} {factor:g} is not in 0..{LARGEST_MULTIPLIER:g}")


def _check_game(architecture: Architecture) -> None:
    game = architecture.game
    if game not in GAME_INPUTS:
        raise NetworkFileError(f"unknown game {game!r}: one of {', '.join(GAME_INPUTS)}")
    expected = GAME_INPUTS[game]
    actual = architecture.planes.inputs, architecture.globals.inputs
    if actual != expected:
        raise NetworkFileError(
            f"a network of {actual[0]} planes and {actual[1]} globals, "
            f"expected {expected.planes} and {expected.globals} for {game}"
        )
    head = architecture.policy
    if isinstance(head, PolicyHead) == (game in ONE_BOARD):
        raise NetworkFileError(f"layer {head.name}: not a policy of {game}")
    if not isinstance(head, PolicyHead):
        return
    by_columns = GAMES[game].by_columns
    if (head.pass_output is None) != by_columns or (by_columns and head.pass_hidden):
        raise NetworkFileError(
            f"layer {head.name}: {'nobody passes' if by_columns else 'passing is a move'} in {game}"
        )


def _check_blocks(blocks: Sequence[Block], channels: int, nested: int = 0) -> None:
    if not blocks:
        raise NetworkFileError("the trunk has no blocks")
    if nested > MOST_NESTED:
        raise NetworkFileError(f"more than {MOST_NESTED} bottlenecks in one another")
    for block in blocks:
        if isinstance(block, Bottleneck):
            _check_norm(block.before, channels)
            _check_convolution(block.reduce, channels)
            _check_blocks(block.blocks, block.reduce.outputs, nested + 1)
            _check_norm(block.after, block.reduce.outputs)
            _check_convolution(block.expand, block.after.channels, channels)
            continue
        if isinstance(block, Attention):
            _check_attention(block, channels)
            continue
        if isinstance(block, FeedForward):
            _check_feed_forward(block, channels)
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
        if isinstance(block, SqueezedResidual):
            _check_norm(block.after, channels)
            _check_squeeze(block.squeeze, channels)


def _check_squeeze(squeeze: Squeeze | None, channels: int) -> None:
    if squeeze is not None:
        _check_linear(squeeze.hidden, channels, squeeze.hidden.outputs)
        _check_activation(squeeze.hidden, squeeze.activation)
        _check_linear(squeeze.gates, squeeze.hidden.outputs, 2 * channels)


def _check_attention(block: Attention, channels: int) -> None:
    heads, key_heads = block.heads, block.key_heads
    if not 1 <= key_heads <= heads or heads % key_heads:
        raise NetworkFileError(
            f"layer {block.name}: {key_heads} key heads do not divide {heads} heads"
        )
    _check_norm(block.norm, channels)
    for linear, count in ((block.query, heads), (block.key, key_heads), (block.value, key_heads)):
        _check_unbiased(linear, channels)
        if linear.outputs % count:
            raise NetworkFileError(
                f"layer {linear.name}: {linear.outputs} outputs, expected a multiple of {count}"
            )
    _expect(block.key, "outputs", block.key.outputs, key_heads * block.width)
    _check_unbiased(block.out, heads * block.value_width, channels)
    expected = key_heads, block.width // 2, 2
    if block.rotations is not None and (block.width % 2 or block.rotations.shape != expected):
        raise NetworkFileError(
            f"layer {block.name}: rotations of shape {block.rotations.shape} "
            f"for {key_heads} key heads of {block.width} channels"
        )


def _check_feed_forward(block: FeedForward, channels: int) -> None:
    _check_norm(block.norm, channels)
    _check_unbiased(block.linear, channels)
    _check_unbiased(block.gate, channels, block.linear.outputs)
    _check_unbiased(block.out, block.linear.outputs, channels)


def _check_unbiased(layer: Linear, inputs: int, outputs: int | None = None) -> None:
    _check_linear(layer, inputs, outputs)
    if layer.bias is not None:
        raise NetworkFileError(f"layer {layer.name}: a matrix of a transformer has no bias")


def _check_metadata(encoder: MetadataEncoder, channels: int) -> None:
    _check_linear(encoder.first, encoder.first.inputs, encoder.first.outputs)
    _check_activation(encoder.first, encoder.first_activation)
    _check_linear(encoder.second, encoder.first.outputs, encoder.second.outputs)
    _check_activation(encoder.second, encoder.second_activation)
    _check_linear(encoder.last, encoder.second.outputs, channels)


def _check_heads(architecture: Architecture) -> None:
    channels, policy, value = architecture.channels, architecture.policy, architecture.value
    game = architecture.game
    if isinstance(policy, PolicyHead):
        _check_policy(policy, channels)
    else:
        _check_flat_policy(policy, channels, game)
    if isinstance(value, ValueHead):
        _check_value(value, channels, misc=6 if architecture.version >= 9 else 4)
    else:
        _check_flat_value(value, channels, _cells_of(game))


def _cells_of(game: str) -> int:
    """Returns the cells of the one board. Raises NetworkFileError for a game of several boards."""
    if game not in ONE_BOARD:
        raise NetworkFileError(f"a network for {game} is not for one size of board alone")
    width, height = ONE_BOARD[game]
    return width * height


def _check_flat_policy(head: FlatPolicyHead | PlanePolicyHead, channels: int, game: str) -> None:
    cells = _cells_of(game)
    logits = POLICY_LOGITS.get(game) or GAMES[game].move_count(*ONE_BOARD[game])
    _check_convolution(head.first, channels)
    _check_norm(head.norm, head.first.outputs)
    if isinstance(head, FlatPolicyHead):
        _check_linear(head.moves, head.first.outputs * cells, logits)
        return
    _check_convolution(head.planes, head.first.outputs)
    _check_norm(head.shift, head.planes.outputs)
    most = head.planes.outputs * cells
    if len(head.cells) != logits or not all(0 <= cell < most for cell in head.cells):
        raise NetworkFileError(f"layer {head.name}: not the cells of {logits} moves")


def _check_flat_value(head: FlatValueHead, channels: int, cells: int) -> None:
    _check_convolution(head.first, channels)
    _check_norm(head.norm, head.first.outputs)
    _check_linear(head.hidden, head.first.outputs * cells, head.hidden.outputs)
    _check_activation(head.hidden, head.hidden_activation)
    _check_linear(head.value, head.hidden.outputs, VALUE_OUTPUTS)


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
    shape = layer.weights.shape
    if len(shape) != 4 or any(side % 2 == 0 or side > LARGEST_SIDE for side in shape[2:]):
        raise NetworkFileError(f"layer {layer.name}: weights of shape {shape}")
    if any(not 1 <= step <= LARGEST_DILATION for step in layer.dilation):
        raise NetworkFileError(
            f"layer {layer.name}: dilation {layer.dilation}, expected 1 to {LARGEST_DILATION}"
        )
    _expect(layer, "inputs", layer.inputs, inputs)
    if outputs is not None:
        _expect(layer, "outputs", layer.outputs, outputs)


def _check_linear(layer: Linear, inputs: int, outputs: int | None) -> None:
    for weights, axes in ((layer.weights, 2), (layer.bias, 1)):
        if weights is not None and weights.ndim != axes:
            raise NetworkFileError(f"layer {layer.name}: weights of shape {weights.shape}")
    _expect(layer, "inputs", layer.inputs, inputs)
    if outputs is not None:
        _expect(layer, "outputs", layer.outputs, outputs)
    if layer.bias is not None:
        _expect(layer, "biases", layer.bias.shape[0], layer.outputs)


def _check_norm(layer: Normalization | RmsNormalization | RmsTip, channels: int) -> None:
    vectors = [layer.scale] if isinstance(layer, RmsNormalization) else [layer.scale, layer.shift]
    for weights in vectors:
        if weights.ndim != 1:
            raise NetworkFileError(f"layer {layer.name}: weights of shape {weights.shape}")
    _expect(layer, "channels", layer.channels, channels)
    if not isinstance(layer, Normalization) and not 0 < layer.epsilon <= LARGEST_EPSILON:
        raise NetworkFileError(
            f"layer {layer.name}: epsilon {layer.epsilon:g}, expected above 0 and at most 1"
        )
    if not isinstance(layer, RmsNormalization):
        _expect(layer, "shifts", layer.shift.shape[0], channels)
        _check_activation(layer, layer.activation)


def _check_activation(layer: Normalization | RmsTip | Linear, activation: str) -> None:
    if activation not in ACTIVATIONS:
        raise NetworkFileError(f"layer {layer.name}: unknown activation {activation!r}")


def _expect(layer: Layer, what: str, actual: int, expected: int) -> None:
    if actual != expected:
        raise NetworkFileError(f"layer {layer.name}: {actual} {what}, expected {expected}")
