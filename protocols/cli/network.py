"""`sparring network`: what a network file holds and how it was made; conversion to ONNX."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import UsageError
from engine.games.evaluator import NetworkDescription
from engine.games.table import GAMES
from engine.networks.architecture import Architecture, NetworkFileError, describe
from engine.networks.runtime import read_card, read_network
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `network`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="one of KataGo's or of ours")
    parser.add_argument("--onnx", type=Path, metavar="OUT", help="write it as an ONNX file too")


def run(options: argparse.Namespace, say: Say) -> int:
    """Says what the file holds, a line each, then its card; converts where asked to."""
    try:
        architecture = read_network(options.file)
        card = read_card(options.file)
    except NetworkFileError as error:
        raise UsageError(str(error)) from error
    for line in described(describe(architecture)):
        say(line)
    if card:
        say("")
    for line in told(card):
        say(line)
    if options.onnx:
        convert(architecture, options.onnx)
        say(f"{options.onnx}: {options.onnx.stat().st_size:,} bytes written")
    return 0


def described(network: NetworkDescription) -> Iterator[str]:
    """What a network is, a line a property."""
    rows = {
        "name": network.name,
        "game": GAMES[network.game].title,
        "trunk": network.trunk,
        "parameters": f"{network.parameters:,}",
        "digest": network.digest,
        "inputs": f"{network.planes} planes, {network.globals} globals",
        "policies": str(network.policies),
        "outputs": f"as KataGo's model version {network.version}",
    }
    if network.uses_metadata:
        rows["inputs"] += f", {network.metadata} numbers about the players"
    for name, value in rows.items():
        yield f"{name:<11} {value}"


def told(card: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """A card from a file's header, a line a value; longer texts are paragraphs of their own."""
    for key, value in card.items():
        name = f"{path}{key}"
        if isinstance(value, Mapping):
            yield from told(value, f"{name}.")
        elif isinstance(value, str) and "\n" in value:
            yield from ("", f"{name}:", *value.splitlines())
        else:
            yield f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"


def convert(architecture: Architecture, path: Path) -> None:
    """Writes the network as an ONNX file; ModuleNotFoundError without onnx, OSError."""
    from engine.networks.onnx_model import write_onnx  # noqa: PLC0415 (an optional extra)

    write_onnx(path, architecture)
