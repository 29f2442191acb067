"""The network files that play a game, and how each is loaded."""

from __future__ import annotations

import logging
from pathlib import Path

from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import GAMES
from engine.networks.bundled import WEIGHTS, bundled_networks, human_networks
from engine.networks.rollout_evaluator import KINDS, RolloutEvaluator
from engine.networks.runtime import load_evaluator
from engine.play.network_pool import GameNetworks, NetworkChoice

log = logging.getLogger("sparring")


def bundled_network() -> Path:
    """The network of Go that comes with Sparring; raises SettingError when there is none."""
    path = networks_of("go").usual
    if path is None:
        raise SettingError("no network comes with this installation: name one with --network FILE")
    return path


def networks_of(
    game: str,
    network: str | None = None,
    backend: str = "auto",
    precision: str = "auto",
    *,
    human_network: str | None = None,
    folder: Path = WEIGHTS,
) -> GameNetworks:
    """What plays a game: the network files named, on every board, else those of the folder."""
    humans = human_networks(game, folder)
    if human_network is not None:
        humans = {None: Path(human_network).resolve()}
    if network is not None:
        return GameNetworks(game, Path(network).resolve(), {}, backend, precision, humans)
    found = bundled_networks(game, folder)
    sizes = {size: path for size, path in found.items() if size is not None}
    return GameNetworks(game, found.get(None), sizes, backend, precision, humans)


def load(choice: NetworkChoice) -> Evaluator:
    """The network of `choice`, ready to run; raises SettingError where it is another game's."""
    if choice.path is None:
        return without_network(choice.game)
    log.info("loading %s", choice.path.name)
    evaluator = load_evaluator(choice.path, backend=choice.backend, precision=choice.precision)
    if evaluator.network.game != choice.game:
        theirs, wanted = GAMES[evaluator.network.game].title, GAMES[choice.game].title
        raise SettingError(f"{choice.path.name} is a network of {theirs}, not of {wanted}")
    return evaluator


def without_network(game: str) -> Evaluator:
    """What plays a game of which no network is there; raises SettingError where nothing does."""
    if game not in KINDS:
        raise SettingError(
            f"no network of {GAMES[game].title} comes with this installation: "
            "name one with --network FILE"
        )
    return RolloutEvaluator(game)


def described(evaluator: Evaluator) -> str:
    """The network and what runs it, in one line."""
    network = evaluator.network
    runs = f"{evaluator.backend} {evaluator.precision} on {evaluator.device}"
    return f"{network.name} ({network.trunk}), {runs}"
