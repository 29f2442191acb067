"""`sparring calibrate GAME --evidence` and `--matches`: the tables of an existing ladder.

engine.training.opponents.learn plays the games and fits the tables.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine.errors import UsageError
from engine.lab.calibrate.even_game_records import recorded_even_games
from engine.lab.calibrate.games import evaluator_of, human_policy_of
from engine.lab.reliability import HEADS, picture, reliabilities
from engine.match.game_spec import GameSpec
from engine.networks.processor import cores
from engine.opponents import MoveLikelihood
from engine.play.game_networks import NetworkChoice
from engine.report.pictures import save
from engine.report.tables import aligned, write_findings
from engine.strength.rating_ladder import (
    ladder_for,
    read_ladder,
    users_path,
    write_ladder,
)
from engine.training.opponents.learn import (
    GAMES,
    STRANGER_GAMES,
    LearnedTables,
    fit_outcome,
    learn,
    learn_outcome,
)
from engine.training.opponents.table_learner import STEERED_GAMES, TableLearner
from protocols.cli.options import Say

QUICK_SHARE = 0.1  # share of the games with --quick
FEWEST_PREDICTED = 20  # games kept even, for a table of their chances


def learn_tables(
    options: argparse.Namespace,
    start: GameSpec,
    networks: tuple[NetworkChoice, NetworkChoice | None],
    folder: Path,
    say: Say,
) -> int:
    """Plays the missing games, fits the tables and writes the ladder with them.

    networks: the one that plays, and the one of human moves for levels with a rank.
    """
    learner = _learner(options, start, networks, folder)
    share = QUICK_SHARE if options.quick else 1.0
    with _Bars(quiet=options.quiet) as bars:
        learned = learn(
            replace(learner, progress=bars.show),
            games=options.games or round(share * GAMES),
            stranger_games=max(2, round(share * STRANGER_GAMES)),
        )
    evidence = MoveLikelihood.from_json(learned.ladder.evidence)
    spread = ", ".join(f"{style.deviation:.0f}" for style in evidence.styles)
    say(f"temper {evidence.temper:.2f}, styles' deviations {spread} Elo")
    _write(learned, networks[0], folder, say, install=not options.no_install)
    return 0


def learn_from_matches(
    options: argparse.Namespace,
    start: GameSpec,
    networks: tuple[NetworkChoice, NetworkChoice | None],
    folder: Path,
    say: Say,
) -> int:
    """Fits the win model to recorded games, and writes the ladder with it."""
    games, left_out = recorded_even_games(options.matches, start, dict(options.placed))
    for rival, number in left_out.items():
        say(f"left out: {number} games against {rival!r}, for want of --placed {rival!r}=ELO")
    learner = _learner(options, start, networks, folder)
    with _Bars(quiet=options.quiet) as bars:
        learned = learn_outcome(replace(learner, progress=bars.show), games)
    _write(learned, networks[0], folder, say, install=not options.no_install)
    return 0


def _learner(
    options: argparse.Namespace,
    start: GameSpec,
    networks: tuple[NetworkChoice, NetworkChoice | None],
    folder: Path,
) -> TableLearner:
    choice, human = networks
    network = evaluator_of(choice).network
    own = folder / f"{start.name}.json"
    ladder = read_ladder(own) if own.is_file() else ladder_for(start.board, network)
    if ladder.provisional:
        raise UsageError(f"no ladder of {start.name} for {network.name!r} yet: calibrate it first")
    share = QUICK_SHARE if options.quick else 1.0
    return TableLearner(
        replace(ladder, digest=network.digest),
        partial(evaluator_of, choice),
        folder,
        make_human=partial(human_policy_of, human),
        seed=options.seed,
        rounds=options.rounds,
        steered=max(1, round(share * STEERED_GAMES)),
        processes=options.processes or cores(),
    )


def _write(
    learned: LearnedTables, choice: NetworkChoice, folder: Path, say: Say, *, install: bool
) -> None:
    """Writes the ladder, and the reliability of its chances."""
    ladder = learned.ladder
    path = folder / f"{ladder.board.name}.json"
    write_ladder(ladder, path)
    say(f"{path}: the ladder with its tables")
    if install:
        path = users_path(ladder.board, evaluator_of(choice).network)
        write_ladder(ladder, path)
        say(f"{path}: from now on opponents are judged by it")
    _report(learned, folder, say)


def _report(learned: LearnedTables, folder: Path, say: Say) -> None:
    """Prints and writes the reliability of the chances of games kept even, if there are any."""
    if len(learned.balanced) < FEWEST_PREDICTED:
        return
    found = reliabilities(learned.balanced, learned.samples, partial(fit_outcome, learned.ladder))
    table = list(aligned([HEADS, *(list(each.cells()) for each in found)]))
    for line in table:
        say(line)
    write_findings(folder, "reliability", table, {"moments": [each.values() for each in found]})
    save(folder / "reliability.png", partial(picture, found, learned.ladder.board.name))


class _Bars:
    """A progress bar for the current step."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._what = ""
        self._bar: Any = None

    def __enter__(self) -> _Bars:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, what: str, done: int, total: int) -> None:
        """Shows `done` of `total` of a step."""
        if self._bar is None or what != self._what:
            self.__exit__()
            self._what = what
            self._bar = tqdm(desc=what, total=total, disable=self._quiet, file=sys.stderr)
        self._bar.update(done - self._bar.n)
