"""Our own network files: safetensors with half-precision weights, the architecture in the header.

The header's metadata holds FORMAT, the architecture as JSON (the dataclasses of architecture.py by
field, arrays replaced by their shapes) and the card: the network's training and its scores. Arrays
are stored under their dotted path; vectors and rotations stay float32, being small and the most
sensitive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from engine.games.evaluator import Multipliers
from engine.networks.architecture import (
    Architecture,
    Attention,
    Bottleneck,
    Convolution,
    FeedForward,
    FlatPolicyHead,
    FlatValueHead,
    Linear,
    MetadataEncoder,
    NetworkFileError,
    Normalization,
    PolicyHead,
    PooledResidual,
    Residual,
    RmsNormalization,
    RmsTip,
    ValueHead,
    arrays,
)
from engine.networks.checks import check
from engine.networks.field_types import hints_of, is_of
from engine.networks.pruning import without_dead_weights

FORMAT = "sparring-network-1"
LARGEST_FILE = 1 << 30
LARGEST_WEIGHT = float(np.finfo(np.float16).max)
KINDS = {
    kind.__name__: kind
    for kind in (
        Architecture,
        Attention,
        Bottleneck,
        Convolution,
        FeedForward,
        FlatPolicyHead,
        FlatValueHead,
        Linear,
        MetadataEncoder,
        Multipliers,
        Normalization,
        PolicyHead,
        PooledResidual,
        Residual,
        RmsNormalization,
        RmsTip,
        ValueHead,
    )
}
Card = Mapping[str, Any]
# Errors of the readers on a header with inconsistent layers.
_FORGED = (
    SafetensorError,
    RecursionError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OverflowError,
)


def write_sparring(path: Path, architecture: Architecture, card: Card) -> None:
    """Writes the network. Raises ValueError for a weight beyond half precision."""
    check(architecture)
    stored = {}
    for name, array in arrays(architecture):
        if not (np.abs(array) <= LARGEST_WEIGHT).all():
            raise ValueError(f"{name}: a weight does not fit in half precision")
        small = array.astype(np.float16) if name.endswith(".weights") else array
        stored[name] = np.ascontiguousarray(small)
    header = {
        "format": FORMAT,
        "architecture": json.dumps(_plain(architecture)),
        "card": json.dumps(dict(card)),
    }
    save_file(stored, path, metadata=header)


def read_sparring(path: Path) -> Architecture:
    """Reads the network of one of our files, without its dead weights.

    Raises NetworkFileError, with the reason, if there is none.
    """
    return _read(path)[0]


def read_card(path: Path) -> dict[str, Any]:
    """Reads the card from a file's header. Raises NetworkFileError if it has none."""
    return _read(path)[1]


def _read(path: Path) -> tuple[Architecture, dict[str, Any]]:
    try:
        return _parse(path)
    except OSError as error:
        raise NetworkFileError(f"{path}: cannot be read: {error}") from error
    except _FORGED as error:
        raise NetworkFileError(f"{path}: not a usable network: {error}") from error


def _parse(path: Path) -> tuple[Architecture, dict[str, Any]]:
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise NetworkFileError(f"{size} bytes, the limit is {LARGEST_FILE}")
    with safe_open(path, framework="numpy") as file:
        header = file.metadata() or {}
        if header.get("format") != FORMAT:
            actual = str(header.get("format", "no format"))[:40]
            raise NetworkFileError(f"expected {FORMAT!r} in the header, found {actual!r}")
        stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    card = json.loads(header.get("card", "{}"))
    architecture = _build(json.loads(header.get("architecture", "null")), stored, "")
    if not isinstance(architecture, Architecture) or not isinstance(card, dict):
        raise NetworkFileError("the header holds no architecture or no card")
    if stored:
        raise NetworkFileError(f"holds weights that belong nowhere: {sorted(stored)[:3]}")
    check(architecture)
    return without_dead_weights(architecture), card


def _plain(part: object) -> Any:  # noqa: ANN401 (what JSON can say)
    """Returns a part of an architecture as JSON values."""
    if isinstance(part, np.ndarray):
        return {"shape": list(part.shape)}
    if isinstance(part, tuple):
        return [_plain(item) for item in part]
    if is_dataclass(part) and not isinstance(part, type):
        values = {field.name: _plain(getattr(part, field.name)) for field in fields(part)}
        return {"kind": type(part).__name__, **values}
    return part


def _build(plain: Any, stored: dict[str, NDArray[Any]], path: str) -> Any:  # noqa: ANN401
    """Builds the part described by `_plain`, and takes its arrays out of `stored`."""
    if isinstance(plain, list):
        step = f"{path}." if path else ""
        return tuple(_build(item, stored, f"{step}{index}") for index, item in enumerate(plain))
    if not isinstance(plain, dict):
        return plain
    if "kind" not in plain:
        return _array(plain, stored, path)
    kind = KINDS.get(str(plain["kind"]))
    if kind is None:
        raise NetworkFileError(f"{path}: unknown kind of layer {str(plain['kind'])[:40]!r}")
    names = {field.name for field in fields(kind)}
    present = plain.keys() - {"kind"}
    # A file may be older than a field; the field then has a default, known by MISSING.
    needed = {field.name for field in fields(kind) if field.default is MISSING}
    if not needed <= present <= names:
        raise NetworkFileError(f"{path}: {kind.__name__} needs the fields {sorted(names)}")
    step = f"{path}." if path else ""
    built = {name: _build(plain[name], stored, f"{step}{name}") for name in sorted(present)}
    for name, value in built.items():
        if not is_of(value, hints_of(kind)[name]):
            raise NetworkFileError(f"{step}{name}: {str(plain[name])[:40]!r} is of another type")
    return kind(**built)


def _array(plain: dict[str, Any], stored: dict[str, NDArray[Any]], path: str) -> NDArray[Any]:
    array = stored.pop(path, None)
    if array is None:
        raise NetworkFileError(f"{path}: the weights are missing")
    if list(array.shape) != plain.get("shape"):
        raise NetworkFileError(f"{path}: shape {array.shape}, expected {plain.get('shape')}")
    with np.errstate(over="ignore"):  # too large a number becomes infinite: refused
        array = array.astype(np.float32)
    if not np.isfinite(array).all():
        raise NetworkFileError(f"{path}: holds a weight that is not a finite number")
    return array
