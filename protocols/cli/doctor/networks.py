"""The checks of the networks: the backend and precision in use, and the network files."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.games.evaluator import Evaluator
from engine.games.table import GAMES
from engine.networks.architecture import NetworkFileError
from engine.networks.description import describe
from engine.networks.runtime import BACKENDS, BackendError, choose_backend, read_network
from engine.play.game_networks import NetworkChoice
from engine.play.networks import load, networks_of
from protocols.cli.doctor.page import Problem, Section, path_text
from protocols.cli.network_files import TAKEN, bundled_files, line_of

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
    for title, path in bundled_files():
        add_file(rows, problems, title, path, "Install Sparring anew.")
    titles = {title.split(",")[0] for title in rows}
    absent = "no network comes with this installation"
    rows |= {kind.title: absent for kind in GAMES.values() if kind.title not in titles}
    if options.network:
        remedy = "Name another file by --network."
        add_file(rows, problems, "--network", Path(options.network), remedy)
    else:
        rows["--network FILE"] = f"names another network: {TAKEN}"
    return Section(rows, tuple(problems))


def add_file(
    rows: dict[str, str], problems: list[Problem], title: str, path: Path, remedy: str
) -> None:
    """Adds a row for a file, and a problem with this remedy if it is unreadable."""
    rows[title], reason = line_of(path)
    if reason:
        problems.append(Problem(f"{path_text(path)}: {reason}", remedy))
