"""The network of Go that self-play or another distillation starts from."""

from __future__ import annotations

from pathlib import Path

from engine.errors import SettingError
from engine.networks.architecture import Architecture, NetworkFileError
from engine.networks.bundled import bundled_networks
from engine.networks.one_policy import one_policy
from engine.networks.runtime import read_network


def start_network(path: Path | None) -> Architecture:
    """Returns the file's network, or the bundled one, with one policy.

    Raises SettingError for no Go network.
    """
    if path is None:
        if None not in (bundled := bundled_networks("go")):
            raise SettingError("no network for Go comes with this engine")
        path = bundled[None]
    try:
        network = read_network(path)
    except NetworkFileError as error:
        raise SettingError(str(error)) from error
    if network.game != "go":
        raise SettingError(f"{path}: a network for {network.game}")
    return one_policy(network)
