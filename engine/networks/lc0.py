"""Reads lc0's network files (.pb.gz) of convolutional networks, as Maia's.

The file is a gzipped message of Protocol Buffers, `Net` of lczero-common's proto/net.proto. The
layers become those of architecture.py: a normalization is merged into a scale and a shift, and the
input's into the weights. Supported are 112 planes, blocks with and without squeeze and excitation,
both convolutional policies and both values. A head of the moves left is ignored.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import numpy as np

from engine.games.chess_policy import SQUARES
from engine.games.evaluator import GAME_INPUTS, POLICY_LOGITS, Multipliers
from engine.networks.architecture import (
    VALUE_OUTPUTS,
    Architecture,
    Convolution,
    FlatPolicyHead,
    FlatValueHead,
    FloatArray,
    Linear,
    NetworkFileError,
    Normalization,
    PlanePolicyHead,
    Squeeze,
    SqueezedResidual,
)
from engine.networks.checks import check
from engine.networks.lc0_layers import activation_of, convolution, linear, plain
from engine.networks.lc0_policy import POLICY_CELLS, POLICY_PLANES
from engine.networks.protobuf import Message
from engine.networks.pruning import without_dead_weights

LARGEST_FILE = 1 << 30  # bytes, unpacked
MAGIC = b"\x0d\xc0\x01\x00\x00"  # field 1, four bytes: 0x1c0
TEXT_VERSIONS = (b"1\n", b"2\n")  # of the older format of text
CLASSICAL_PLANES = 1  # of the kinds of inputs
SUPPORTED_TRUNKS = (1, 2, 3, 4)  # classical and SE, without and with a format of the heads
HEADS_NAMED_FROM = 3
CONVOLUTION_POLICY, WDL_VALUE = 2, 2
NO_DRAW_LOGIT = -1e4  # of a network whose value has no draws
MAIA_VERSION = 1  # no outputs of KataGo's are read by its version

# Field numbers of net.proto.
NET_FORMAT, NET_WEIGHTS, NET_ONNX = 4, 10, 11
FORMAT_NETWORK = 2
INPUT, NETWORK, POLICY, VALUE, ACTIVATION = 1, 3, 4, 5, 7
INPUT_CONV, RESIDUAL, POLICY_CONV, IP_POLICY_W, IP_POLICY_B = 1, 2, 3, 4, 5
VALUE_CONV, IP1_VALUE_W, IP1_VALUE_B, IP2_VALUE_W, IP2_VALUE_B = 6, 7, 8, 9, 10
POLICY1_CONV = 11
CONV1, CONV2, SQUEEZE = 1, 2, 3
SE_W1, SE_B1, SE_W2, SE_B2 = 1, 2, 3, 4


def is_lc0(path: Path) -> bool:
    """Tests for a file of lc0: gzip, and the magic number or a version of the text format.

    Raises OSError if the file cannot be read.
    """
    try:
        with gzip.open(path) as file:
            start = file.read(len(MAGIC))
    except (gzip.BadGzipFile, EOFError, zlib.error):
        return False
    return start == MAGIC or start[:2] in TEXT_VERSIONS


def read_lc0(path: Path) -> Architecture:
    """Reads the network of one of lc0's files, without its dead weights.

    Raises NetworkFileError, with the reason, if there is none.
    """
    try:
        message = Message(_unpacked(path))
        architecture = _architecture(path.name.removesuffix(".pb.gz"), message)
        check(architecture)
    except OSError as error:
        raise NetworkFileError(f"{path}: cannot be read: {error}") from error
    except (ValueError, EOFError, zlib.error) as error:
        raise NetworkFileError(f"{path}: {error}") from error
    return without_dead_weights(architecture)


def _unpacked(path: Path) -> bytes:
    with gzip.open(path) as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ValueError(f"more than {LARGEST_FILE} bytes")
    if data[:2] in TEXT_VERSIONS:
        raise ValueError("the older format of text, which lc0 does not read any more")
    return data


def _architecture(name: str, net: Message) -> Architecture:
    network = net.message(NET_FORMAT).message(FORMAT_NETWORK)
    _check_format(net, network)
    weights, activation = net.message(NET_WEIGHTS), activation_of(network.integer(ACTIVATION))
    inputs = GAME_INPUTS["chess"]
    first, norm = convolution(weights.message(INPUT_CONV), "input", inputs.planes, activation)
    named = network.integer(NETWORK) >= HEADS_NAMED_FROM
    policy = _plane_policy if named and network.integer(POLICY) == CONVOLUTION_POLICY else None
    return Architecture(
        name=name,
        version=MAIA_VERSION,
        multipliers=Multipliers(),
        pass_alive_under_suicide=False,
        planes=Convolution("input", first.weights * norm.scale[:, None, None, None]),
        # An input of zeros carries the bias of the first convolution.
        globals=Linear(
            "input bias", np.zeros((inputs.globals, first.outputs), np.float32), norm.shift
        ),
        metadata=None,
        blocks=tuple(
            _block(block, f"block {number}", first.outputs, activation)
            for number, block in enumerate(weights.messages(RESIDUAL), 1)
        ),
        tip=plain("tip", first.outputs, activation),
        policy=(policy or _flat_policy)(weights, first.outputs, activation),
        value=_value(weights, first.outputs, activation),
        game="chess",
    )


def _check_format(net: Message, network: Message) -> None:
    """Raises ValueError for a network of an unsupported kind, in words."""
    if NET_ONNX in net:
        raise ValueError("it holds an ONNX model, and only lc0's own layers are supported")
    if NET_WEIGHTS not in net:
        raise ValueError("it holds no weights")
    trunk = network.integer(NETWORK, 1)
    heads_named = trunk >= HEADS_NAMED_FROM
    if trunk not in SUPPORTED_TRUNKS:
        raise ValueError(
            f"the kind of network is {trunk}: networks with attention are not supported, only "
            "convolutional ones, as Maia's and T1"
        )
    if network.integer(INPUT, CLASSICAL_PLANES) != CLASSICAL_PLANES:
        raise ValueError(
            f"the kind of input is {network.integer(INPUT)}, expected {CLASSICAL_PLANES}: the "
            "classical 112 planes"
        )
    if heads_named and network.integer(POLICY) not in (0, 1, CONVOLUTION_POLICY):
        raise ValueError("its policy is by attention, which is not supported")
    if heads_named and network.integer(VALUE) not in (0, 1, WDL_VALUE):
        raise ValueError(f"the kind of value is {network.integer(VALUE)}, expected 1 or 2")


def _block(block: Message, name: str, channels: int, activation: str) -> SqueezedResidual:
    first, middle = convolution(block.message(CONV1), f"{name}, first", channels, activation)
    last, after = convolution(block.message(CONV2), f"{name}, last", first.outputs, "identity")
    squeeze = None
    if SQUEEZE in block:
        unit = block.message(SQUEEZE)
        hidden = linear(unit, f"{name}, squeeze", (SE_W1, SE_B1), channels)
        gates = linear(unit, f"{name}, gates", (SE_W2, SE_B2), hidden.outputs)
        squeeze = Squeeze(f"{name}, squeeze", hidden, activation, gates)
    before = plain(f"{name}, before", channels, activation)
    return SqueezedResidual(name, before, first, middle, last, after, squeeze)


def _flat_policy(weights: Message, channels: int, activation: str) -> FlatPolicyHead:
    first, norm = convolution(weights.message(POLICY_CONV), "policy", channels, activation)
    moves = linear(weights, "policy moves", (IP_POLICY_W, IP_POLICY_B), first.outputs * SQUARES)
    if moves.outputs != POLICY_LOGITS["chess"]:
        raise ValueError(f"layer policy moves: {moves.outputs} moves, not {POLICY_LOGITS['chess']}")
    return FlatPolicyHead("policy", first, norm, moves)


def _plane_policy(weights: Message, channels: int, activation: str) -> PlanePolicyHead:
    first, norm = convolution(weights.message(POLICY1_CONV), "policy", channels, activation)
    block = weights.message(POLICY_CONV)
    planes, shift = convolution(block, "policy planes", first.outputs, "identity")
    if planes.outputs < POLICY_PLANES:
        raise ValueError(f"layer policy planes: {planes.outputs} planes, not {POLICY_PLANES}")
    used = slice(0, POLICY_PLANES)
    return PlanePolicyHead(
        "policy",
        first,
        norm,
        Convolution(planes.name, planes.weights[used]),
        Normalization(shift.name, shift.scale[used], shift.shift[used], "identity"),
        POLICY_CELLS,
    )


def _value(weights: Message, channels: int, activation: str) -> FlatValueHead:
    first, norm = convolution(weights.message(VALUE_CONV), "value", channels, activation)
    hidden = linear(weights, "value hidden", (IP1_VALUE_W, IP1_VALUE_B), first.outputs * SQUARES)
    value = linear(weights, "value", (IP2_VALUE_W, IP2_VALUE_B), hidden.outputs)
    return FlatValueHead("value", first, norm, hidden, activation, _win_loss_draw(value))


def _win_loss_draw(value: Linear) -> Linear:
    """Returns the layer with logits of win, loss and draw.

    lc0's three are win, draw, loss. A single one is the inverse hyperbolic tangent of win - loss,
    without draws.
    """
    biases = np.zeros(value.outputs, np.float32) if value.bias is None else value.bias
    if value.outputs == VALUE_OUTPUTS:
        order = [0, 2, 1]
        return Linear(value.name, _of(value.weights[:, order]), _of(biases[order]))
    if value.outputs != 1:
        raise ValueError(f"layer {value.name}: {value.outputs} outputs, expected 1 or 3")
    column, bias = value.weights[:, 0], biases[0]
    signs = np.array([1, -1, 0], np.float32)
    draw = np.array([0, 0, NO_DRAW_LOGIT], np.float32)
    return Linear(value.name, _of(column[:, None] * signs), _of(bias * signs + draw))


def _of(values: FloatArray) -> FloatArray:
    return np.ascontiguousarray(values, np.float32)
