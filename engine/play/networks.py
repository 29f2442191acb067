"""The network files of each game, and their loading."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import GAMES
from engine.networks.bundled import WEIGHTS, bundled_networks, human_networks
from engine.networks.rollout_evaluator import KINDS, RolloutEvaluator
from engine.networks.runtime import load_evaluator
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.search.chess_aids import NO_AIDS, ChessAids

log = logging.getLogger("sparring")

CHESS: Final = "chess"


def bundled_network() -> Path:
    """Returns the bundled network of Go; raises SettingError when there is none."""
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
    aids: ChessAids = NO_AIDS,
    folder: Path = WEIGHTS,
) -> GameNetworks:
    """Returns the networks of a game: the named files on every board, else those of the folder.

    aids: those of chess; other games have none. In a game that needs a network and has none in the
    folder, the one of human moves stands in. Raises SettingError for an aid that is not there.
    """
    aids = aids if game == CHESS else NO_AIDS
    aids.check()
    humans = human_networks(game, folder)
    if human_network is not None:
        humans = {None: Path(human_network).resolve()}
    if network is not None:
        usual = Path(network).resolve()
        return GameNetworks(game, usual, {}, backend, precision, humans, aids)
    bundled = bundled_networks(game, folder)
    if not bundled and game not in KINDS:
        return GameNetworks(game, humans.get(None), {}, backend, precision, humans, aids)
    sizes = {size: path for size, path in bundled.items() if size is not None}
    return GameNetworks(game, bundled.get(None), sizes, backend, precision, humans, aids)


def load(choice: NetworkChoice) -> Evaluator:
    """Loads the network of `choice`; raises SettingError if it is another game's."""
    if choice.path is None:
        return without_network(choice.game)
    log.info("loading %s", choice.path.name)
    evaluator = load_evaluator(choice.path, backend=choice.backend, precision=choice.precision)
    if evaluator.network.game != choice.game:
        theirs, expected = GAMES[evaluator.network.game].title, GAMES[choice.game].title
        raise SettingError(f"{choice.path.name} is a network of {theirs}, not of {expected}")
    return evaluator


def without_network(game: str) -> Evaluator:
    """Returns the evaluator of a game without a network; SettingError if the game has none."""
    if game not in KINDS:
        raise SettingError(
            f"no network of {GAMES[game].title} comes with this installation: "
            "name one with --network FILE"
        )
    return RolloutEvaluator(game)


def described(evaluator: Evaluator) -> str:
    """Returns the network with its backend, precision and device, in one line."""
    network = evaluator.network
    runs = f"{evaluator.backend} {evaluator.precision} on {evaluator.device}"
    return f"{network.name} ({network.trunk}), {runs}"
