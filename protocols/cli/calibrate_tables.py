"""`sparring calibrate GAME --evidence` and `--matches`: the tables of an existing ladder.

engine.training.opponents.learn plays the games and fits the tables.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine.errors import UsageError
from engine.games.evaluator import NetworkDescription
from engine.lab.calibrate.even_game_records import recorded_even_games
from engine.lab.calibrate.games import evaluator_of, human_policy_of
from engine.lab.placed_games import left_out_lines
from engine.lab.reliability import HEADS, picture, reliabilities
from engine.match.game_spec import GameSpec
from engine.networks.processor import cores
from engine.opponents import MoveLikelihood
from engine.play.game_networks import NetworkChoice
from engine.report.pictures import save
from engine.report.tables import aligned, write_findings
from engine.strength.rating_ladder import (
    RatingLadder,
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
from engine.training.opponents.recorded_even_games import RecordedEvenGame
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
    """Fits the tables to games of --evidence, playing the missing ones, or of --matches.

    networks: the one that plays, and the one of human moves for levels with a rank.
    """
    share = QUICK_SHARE if options.quick else 1.0
    fit: Callable[[TableLearner], LearnedTables]
    if options.evidence:
        fit = partial(
            learn,
            games=options.games or round(share * GAMES),
            stranger_games=max(2, round(share * STRANGER_GAMES)),
        )
    else:
        fit = partial(learn_outcome, games=_recorded(options, start, say))
    choice, human = networks
    network = evaluator_of(choice).network
    own = folder / f"{start.name}.json"
    ladder = read_ladder(own) if own.is_file() else ladder_for(start.board, network)
    if ladder.provisional:
        raise UsageError(f"no ladder of {start.name} for {network.name!r} yet: calibrate it first")
    learner = TableLearner(
        replace(ladder, digest=network.digest),
        partial(evaluator_of, choice),
        folder,
        make_human=partial(human_policy_of, human),
        seed=options.seed,
        rounds=options.rounds,
        steered=max(1, round(share * STEERED_GAMES)),
        processes=options.processes or cores(),
    )
    with _Bars(quiet=options.quiet) as bars:
        learned = fit(replace(learner, progress=bars.show))
    if options.evidence:
        say(_evidence_in_words(learned.ladder))
    _write(learned.ladder, own, network, say, install=not options.no_install)
    _report(learned, folder, say)
    return 0


def _recorded(options: argparse.Namespace, start: GameSpec, say: Say) -> list[RecordedEvenGame]:
    """Returns the games of --matches, and says which ones are left out."""
    games, left_out = recorded_even_games(options.matches, start, dict(options.placed))
    for line in left_out_lines(left_out):
        say(line)
    return games


def _evidence_in_words(ladder: RatingLadder) -> str:
    evidence = MoveLikelihood.from_json(ladder.evidence)
    spread = ", ".join(f"{style.deviation:.0f}" for style in evidence.styles)
    return f"temper {evidence.temper:.2f}, styles' deviations {spread} Elo"


def _write(
    ladder: RatingLadder, path: Path, network: NetworkDescription, say: Say, *, install: bool
) -> None:
    write_ladder(ladder, path)
    say(f"{path}: the ladder with its tables")
    if install:
        path = users_path(ladder.board, network)
        write_ladder(ladder, path)
        say(f"{path}: from now on opponents are judged by it")


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
