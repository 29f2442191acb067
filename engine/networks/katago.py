"""Reads KataGo's network files (.bin.gz, .txt.gz, .bin, .txt), model versions 8 to 17.

The content decides the kind of file, not the name. The layers' contents follow KataGo's
cpp/neuralnet/desc.cpp; architecture.py defines their computation.
"""

from __future__ import annotations

from pathlib import Path

from engine.games.evaluator import Multipliers
from engine.networks.architecture import (
    Architecture,
    MetadataEncoder,
    NetworkFileError,
    Normalization,
    PolicyHead,
    RmsTip,
    ValueHead,
)
from engine.networks.checks import check
from engine.networks.katago_blocks import MAX_BLOCKS, read_blocks
from engine.networks.katago_layers import MAX_CHANNELS, LayerReader
from engine.networks.katago_transformer import read_rms_tip
from engine.networks.pruning import without_dead_weights
from engine.networks.weight_stream import WeightStream

OLDEST_VERSION = 8
NEWEST_VERSION = 17
PLANES = 22
GLOBALS = 19
METADATA = 192


def read_katago(path: Path) -> Architecture:
    """Reads the network of a KataGo file, without its dead weights.

    Raises NetworkFileError, with the reason, if there is none.
    """
    with WeightStream(path) as stream:
        architecture = read_stream(stream)
    try:
        check(architecture)
    except NetworkFileError as error:
        raise NetworkFileError(f"{path}: {error}") from None
    return without_dead_weights(architecture)


def read_stream(stream: WeightStream) -> Architecture:
    """Reads the network of a stream as it is written; raises NetworkFileError."""
    name = stream.word("the network's name")
    version = _read_version(stream)
    layers = LayerReader(stream, version)
    stream.integer("number of input planes", PLANES, PLANES)
    stream.integer("number of global inputs", GLOBALS, GLOBALS)
    multipliers = _read_multipliers(stream) if version >= 13 else Multipliers()
    has_metadata, pass_alive = _read_options(layers) if version >= 15 else (False, False)
    blocks = _read_trunk_sizes(layers)
    has_rms_tip = version >= 15 and _read_tip_kind(layers)
    architecture = Architecture(
        name=name,
        version=version,
        multipliers=multipliers,
        pass_alive_under_suicide=pass_alive,
        planes=layers.convolution(),
        globals=layers.linear(),
        metadata=_read_metadata(layers) if has_metadata else None,
        blocks=read_blocks(layers, blocks, "the trunk"),
        tip=_read_tip(layers, has_rms=has_rms_tip),
        policy=_read_policy(layers),
        value=_read_value(layers),
        uses_doublings=True,
    )
    stream.layer = "the end"
    stream.end()
    return architecture


def _read_version(stream: WeightStream) -> int:
    try:
        version = stream.integer("the model version", 0, 1000)
    except NetworkFileError as error:
        raise NetworkFileError(f"{error} (is this a KataGo network at all?)") from None
    if version < OLDEST_VERSION:
        raise stream.fail(f"model version {version} is too old, {OLDEST_VERSION} is the oldest")
    if version > NEWEST_VERSION:
        raise stream.fail(
            f"model version {version} needs a newer program, "
            f"{NEWEST_VERSION} is the newest supported one"
        )
    return version


def _read_multipliers(stream: WeightStream) -> Multipliers:
    stream.positive("multiplier of the temporal-difference score")  # training only
    return Multipliers(
        score_mean=stream.positive("multiplier of the score mean"),
        score_deviation=stream.positive("multiplier of the score deviation"),
        lead=stream.positive("multiplier of the lead"),
        variance_time=stream.positive("multiplier of the variance time"),
        win_loss_error=stream.positive("multiplier of the short-term value error"),
        score_error=stream.positive("multiplier of the short-term score error"),
    )


def _read_options(layers: LayerReader) -> tuple[bool, bool]:
    """Reads the presence of a metadata encoder and the choice of pass-alive areas."""
    metadata = layers.stream.integer("version of the metadata encoder", 0, 1)
    pass_alive = layers.stream.integer("choice of pass-alive areas", 0, 1)
    layers.zeros(6)
    return metadata == 1, pass_alive == 1


def _read_trunk_sizes(layers: LayerReader) -> int:
    """Returns the number of blocks; every layer repeats the channel counts beside it."""
    stream = layers.stream
    stream.layer = f"trunk {stream.word('the trunk')}"
    blocks = stream.integer("number of blocks", 1, MAX_BLOCKS)
    for what in ("trunk", "middle", "regular", "dilated", "pooling"):
        stream.integer(f"number of {what} channels", -MAX_CHANNELS, MAX_CHANNELS)
    return blocks


def _read_tip_kind(layers: LayerReader) -> bool:
    """Returns whether the trunk ends in a root-mean-square normalization."""
    kind = layers.stream.integer("kind of normalization at the tip", 0, 1)
    layers.zeros(5)
    return kind == 1


def _read_tip(layers: LayerReader, *, has_rms: bool) -> Normalization | RmsTip:
    return read_rms_tip(layers) if has_rms else layers.normalization()


def _read_metadata(layers: LayerReader) -> MetadataEncoder:
    name = layers.name("metadata encoder")
    layers.stream.integer("number of metadata inputs", METADATA, METADATA)
    return MetadataEncoder(
        name=name,
        first=layers.linear(biased=True),
        first_activation=layers.activation(),
        second=layers.linear(biased=True),
        second_activation=layers.activation(),
        last=layers.linear(),
    )


def _read_policy(layers: LayerReader) -> PolicyHead:
    name = layers.name("policy head")
    policies = _read_policies(layers)
    first, pool, pool_norm = layers.convolution(), layers.convolution(), layers.normalization()
    pool_bias, middle, moves = layers.linear(), layers.normalization(), layers.convolution()
    if moves.outputs != policies:
        raise layers.stream.fail(f"{moves.outputs} outputs, expected {policies} policies")
    hidden, activation = None, "identity"
    if layers.version >= 15:
        hidden, activation = layers.linear(biased=True), layers.activation()
    return PolicyHead(
        name=name,
        first=first,
        pool=pool,
        pool_norm=pool_norm,
        pool_bias=pool_bias,
        middle=middle,
        moves=moves,
        pass_hidden=hidden,
        pass_activation=activation,
        pass_output=layers.linear(),
    )


def _read_policies(layers: LayerReader) -> int:
    """Returns the number of policies; before version 17 the version determines it."""
    version = layers.version
    if version < 17:
        return 4 if version >= 16 else 2 if version >= 12 else 1
    policies = layers.stream.integer("number of policies", 0, MAX_CHANNELS)
    if policies not in (2, 4):
        raise layers.stream.fail(f"number of policies is {policies}, expected 2 or 4")
    layers.zeros(3)
    return policies


def _read_value(layers: LayerReader) -> ValueHead:
    name = layers.name("value head")
    if layers.version >= 17:
        layers.zeros(3)
    return ValueHead(
        name=name,
        first=layers.convolution(),
        norm=layers.normalization(),
        hidden=layers.linear(biased=True),
        hidden_activation=layers.activation(),
        value=layers.linear(biased=True),
        misc=layers.linear(biased=True),
        ownership=layers.convolution(),
    )
