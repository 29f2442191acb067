"""The subcommand `sparring network`: lists the networks, describes a file, converts it to ONNX."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import UsageError
from engine.games.evaluator import NetworkDescription
from engine.games.table import GAMES
from engine.networks.architecture import Architecture, NetworkFileError
from engine.networks.description import describe
from engine.networks.runtime import read_card, read_network
from protocols.cli.network_files import TAKEN, bundled_files, line_of
from protocols.cli.options import Say


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `network`."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="network of KataGo (.bin.gz) or of Sparring; without it the bundled ones are listed",
    )
    parser.add_argument("--onnx", type=Path, metavar="OUT", help="also write it as an ONNX file")


def run(options: argparse.Namespace, say: Say) -> int:
    """Prints the network's properties and its card, and writes the ONNX file of --onnx."""
    if options.file is None:
        if options.onnx:
            raise UsageError("--onnx converts the network of FILE: name one")
        for line in listed():
            say(line)
        return 0
    try:
        architecture = read_network(options.file)
        card = read_card(options.file)
    except NetworkFileError as error:
        raise UsageError(str(error)) from error
    for line in described(describe(architecture)):
        say(line)
    if card:
        say("")
    for line in card_lines(card):
        say(line)
    if options.onnx:
        convert(architecture, options.onnx)
        say(f"{options.onnx}: {options.onnx.stat().st_size:,} bytes written")
    return 0


def listed() -> Iterator[str]:
    """Yields the bundled networks by game and board, one a line, and the way to use another one."""
    rows = {title: line_of(path)[0] for title, path in bundled_files()}
    width = max(map(len, rows), default=0)
    for title, line in rows.items():
        yield f"{title:<{width}}  {line}"
    yield ""
    yield f"The option --network FILE names another network: {TAKEN}."
    yield "`sparring network FILE` describes it."


def described(network: NetworkDescription) -> Iterator[str]:
    """Yields the properties of a network, one a line."""
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


def card_lines(card: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yields the card of a file's header, one value a line; long texts become paragraphs.

    path: the names of the tables around the card, each with a dot.
    """
    for key, value in card.items():
        name = f"{path}{key}"
        if isinstance(value, Mapping):
            yield from card_lines(value, f"{name}.")
        elif isinstance(value, str) and "\n" in value:
            yield from ("", f"{name}:", *value.splitlines())
        else:
            yield f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"


def convert(architecture: Architecture, path: Path) -> None:
    """Writes the network as an ONNX file; raises ModuleNotFoundError without onnx, and OSError."""
    from engine.networks.onnx_model import write_onnx  # noqa: PLC0415 (an optional extra)

    write_onnx(path, architecture)
