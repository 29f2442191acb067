"""The options of a command line that name a network and its backend.

Starting a command stays light, so nothing here imports numpy or torch.
"""

from __future__ import annotations

import argparse

BACKENDS = ("auto", "cuda", "native", "openvino", "torch")
PRECISIONS = ("auto", "fp32", "bf16", "fp16")


def add_network_options(parser: argparse.ArgumentParser) -> None:
    """Adds --network, --backend and --precision to `parser`."""
    group = parser.add_argument_group("network")
    group.add_argument(
        "--network",
        "-model",
        metavar="FILE",
        help="a KataGo network (.bin.gz, .txt.gz) or one of ours (.safetensors); "
        "default: those that come with Sparring, by game and board",
    )
    group.add_argument("--backend", choices=BACKENDS, default="auto", help="default: %(default)s")
    group.add_argument(
        "--precision", choices=PRECISIONS, default="auto", help="default: %(default)s"
    )


def add_human_option(parser: argparse.ArgumentParser) -> None:
    """Adds --human-network, KataGo's spelling of it included."""
    parser.add_argument(
        "--human-network",
        "-human-model",
        "--reference",
        metavar="FILE",
        help="whose moves are natural: KataGo's human network, or another one; "
        "default: those of human games that come with Sparring",
    )
