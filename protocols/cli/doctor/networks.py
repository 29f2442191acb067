"""The checks of the networks: the backend and precision in use, and the network files."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from pathlib import Path

from engine.games.evaluator import Evaluator
from engine.games.table import GAMES
from engine.networks.architecture import NetworkFileError, describe
from engine.networks.runtime import BACKENDS, BackendError, choose_backend, read_network
from engine.play.network_pool import GameNetworks, NetworkChoice
from engine.play.networks import load, networks_of
from protocols.cli.doctor.page import Problem, Section, path_text

TRIAL_GAME = "connect4"  # the game of the smallest bundled network


def backends(options: argparse.Namespace) -> Section:
    """Returns the state of each backend, the one in use and the reason of the choice."""
    rows = {name: backend_state(name) for name in BACKENDS}
    try:
        chosen = choose_backend(options.backend, options.precision)
        evaluator = trial(options)
    except (BackendError, NetworkFileError, OSError, ValueError) as error:
        remedy = "Leave out --backend and --precision, or install what is missing."
        return Section(rows, (Problem(str(error), remedy),))
    is_chosen = options.backend != "auto"
    rows["in use"] = f"{chosen}, " + (
        "as --backend names it" if is_chosen else "the first of these that can be used"
    )
    rows["precision"] = precision_choice(options.precision, chosen)
    if evaluator is not None:
        rows["precision"] = f"{evaluator.precision}, {rows['precision']}"
        rows["runs on"] = evaluator.device
    return Section(rows)


def backend_state(name: str) -> str:
    """Returns the precisions of a backend, or the reason why it cannot be used here."""
    row = BACKENDS[name]
    reason = row.missing()
    if reason is not None:
        return f"not here: {reason}"
    return f"can be used, in {', '.join(row.precisions())}"


def precision_choice(precision: str, backend: str) -> str:
    """Returns the reason of the precision in use."""
    if precision != "auto":
        return "as --precision names it"
    return f"the fastest of {', '.join(BACKENDS[backend].precisions())}"


def trial(options: argparse.Namespace) -> Evaluator | None:
    """Loads the smallest bundled network, or the one of --network; None without both."""
    if options.network:
        path = Path(options.network)
        game = describe(read_network(path)).game
        return load(NetworkChoice(path, options.backend, options.precision, game))
    bundled = networks_of(TRIAL_GAME, None, options.backend, options.precision)
    choice = next((each for each in bundled.choices() if each.path is not None), None)
    return None if choice is None else load(choice)


def networks(options: argparse.Namespace) -> Section:
    """Returns the network files by game and board; an unreadable file is a problem."""
    rows: dict[str, str] = {}
    problems: list[Problem] = []
    for game in GAMES:
        files = networks_of(game)
        add_files(rows, problems, game, files_of(files))
        human = {
            f"{board}, human moves": path for board, path in boards(files.humans.items()).items()
        }
        add_files(rows, problems, game, human)
        if files.usual is None and not files.sizes:
            rows[GAMES[game].title] = "no network comes with this installation"
    if options.network:
        add_files(rows, problems, "", {"--network": Path(options.network)})
    return Section(rows, tuple(problems))


def files_of(networks: GameNetworks) -> dict[str, Path]:
    """Returns the files of a game's networks by board in words."""
    usual = [] if networks.usual is None else [(None, networks.usual)]
    return boards([*networks.sizes.items(), *usual])


def boards(paths: Collection[tuple[tuple[int, int] | None, Path]]) -> dict[str, Path]:
    """Returns files by board in words, from pairs of (width, height) and file.

    None in place of the size stands for every board without a file of its own.
    """
    others = "every board" if len(paths) == 1 else "every other board"
    return {others if size is None else f"{size[0]}x{size[1]}": path for size, path in paths}


def add_files(
    rows: dict[str, str], problems: list[Problem], game: str, paths: Mapping[str, Path]
) -> None:
    """Adds a row for each file, and a problem for each unreadable one."""
    for board, path in paths.items():
        title = f"{GAMES[game].title}, {board}" if game else board
        try:
            network = describe(read_network(path))
            rows[title] = f"{path.name} ({network.trunk}, {path.stat().st_size:,} bytes)"
        except (NetworkFileError, OSError) as error:
            rows[title] = f"{path.name} (cannot be read)"
            remedy = "Install Sparring anew." if game else "Name another file by --network."
            problems.append(Problem(f"{path_text(path)}: {error}", remedy))
