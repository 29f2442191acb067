"""The subcommand `sparring lab examine`: its options and its table.

engine.lab.examine.questions draws the positions, engine.lab.examine.scores counts the results.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.formats import transcript
from engine.games.evaluator import Evaluator
from engine.games.table import GAMES
from engine.lab.examine.questions import WINDOWS, Question, draw
from engine.lab.examine.scores import Answer, ExaminationScore, Group, answer, groups
from engine.match.game_spec import GameSpec, board_of
from engine.networks.architecture import NetworkFileError
from engine.networks.runtime import BackendError
from engine.play.game_networks import GameNetworks
from engine.play.networks import described, load, networks_of
from engine.search.search import Search
from engine.search.solver import SOLVERS
from protocols.cli.argument_types import count
from protocols.cli.options import Say

# By game: the fewest and most empty cells of a position; with more the solver takes long.
EMPTIES = {"connect4": (6, 36), "othello": (8, 18)}
_RANGE = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?", re.ASCII)
EPILOG = """\
positions: half come from random games, half from games with a sensible move every other time. They
are spread evenly over the numbers of empty cells. A position is left out if all its legal moves
have the same result (Connect4: the winner; Othello: the score). In positions of "no win at once"
neither side has a move that ends the game. The same seed draws the same positions.

kept: share of moves that win a won position or do not lose a drawn one, with a 95% interval. The
exact solver judges and plays no move. Errors are mean distances from the exact result: of the win
rate (a draw is 0.5) and of the final score.

examples:
  sparring lab examine connect4 --visits 200
  sparring lab examine othello6 --network othello6.safetensors --empties 4-18 --positions 300
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab examine`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("game", metavar="GAME", help="connect4 (7x6), connect4-8x7, othello (8x8), othello6 ...")
    add(
        "--visits", type=count, default=200, metavar="N", help="visits a move; default: %(default)s"
    )
    add("--positions", type=count, default=1000, metavar="N",
        help="number of positions; default: %(default)s")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S",
        help="seed of the positions; default: %(default)s")  # fmt: skip
    add("--empties", metavar="LOW-HIGH",
        help="range of empty cells; default: 6-36 in Connect4, 8-18 in Othello")  # fmt: skip
    add("--json", action="store_true", help="print the findings as JSON, with every position")
    add("--no-network", action="store_true", help="evaluate by random rollouts, without a network")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Searches the positions and prints the grades."""
    start, empties = start_of(options.game), empties_of(options)
    try:
        evaluator = load(networks_wanted(start.game, options).on(start.board))
        answers: list[Answer] = []
        try:
            answers.extend(answers_of(start, empties, evaluator, options))
        except KeyboardInterrupt:  # the answers so far are reported
            if answers:
                tell(start, evaluator, options, answers, say)
            raise
    except (NetworkFileError, BackendError, SettingError, ValueError) as error:
        raise UsageError(str(error)) from error
    tell(start, evaluator, options, answers, say)
    return 0


def tell(
    start: GameSpec,
    evaluator: Evaluator,
    options: argparse.Namespace,
    answers: Sequence[Answer],
    say: Say,
) -> None:
    """Prints the grades."""
    graded = list(groups(answers))
    if options.json:
        say(json.dumps(values_of(start, evaluator, options, graded, answers)))
        return
    say(f"{start.name}, {options.visits} visits, seed {options.seed}: {described(evaluator)}")
    for line in table(graded, options.visits, exact=WINDOWS[start.game] is None):
        say(line)


def start_of(name: str) -> GameSpec:
    """Returns the board of a name; raises UsageError where it has no solver."""
    try:
        start = GameSpec(*board_of(name))
    except ValueError as error:
        raise UsageError(str(error)) from error
    if start.game not in SOLVERS:
        titles = " and ".join(GAMES[game].title for game in SOLVERS)
        raise UsageError(f"exact results are known of {titles}, not of {name!r}")
    return start


def empties_of(options: argparse.Namespace) -> list[int]:
    """The numbers of empty cells to ask about; raises UsageError."""
    start = start_of(options.game)
    cells = start.width * start.height
    low, high = EMPTIES[start.game]
    if options.empties is None:
        high = min(high, cells - 4)
        return list(range(min(low, high), high + 1))
    match = _RANGE.fullmatch(options.empties)
    numbers = [int(text) for text in match.groups() if text is not None] if match else []
    if not numbers or not 2 <= numbers[0] <= numbers[-1] < cells:
        raise UsageError(f"--empties is LOW-HIGH within 2..{cells - 1}, not {options.empties!r}")
    return list(range(numbers[0], numbers[-1] + 1))


def networks_wanted(game: str, options: argparse.Namespace) -> GameNetworks:
    """Returns the networks to examine; raises UsageError on conflicting options."""
    if not options.no_network:
        return networks_of(game, options.network, options.backend, options.precision)
    if options.network:
        raise UsageError("--network and --no-network exclude each other")
    return GameNetworks(game)


def answers_of(
    start: GameSpec, empties: Sequence[int], evaluator: Evaluator, options: argparse.Namespace
) -> Iterator[Answer]:
    """Draws the positions and yields the answer to each."""
    search = Search(evaluator, seed=options.seed)
    questions = draw(start, empties, options.positions, options.seed)
    for question in tqdm(
        questions, total=options.positions, unit="position", disable=options.quiet, file=sys.stderr
    ):
        yield answer(question, search, options.visits)


def table(graded: Sequence[Group], visits: int, *, exact: bool) -> Iterator[str]:
    """Yields the grades, a line for each group. exact: whether moves are graded by score."""
    kept_head = f"kept by {visits} visits"
    heads = ["", "positions", kept_head, "by policy alone", "win rate error", "score error"]
    rows = [heads] + [_cells(group) for group in graded]
    if exact:
        for row, group in zip(rows[1:], graded, strict=True):
            row[4:4] = [_best(group.searched), _best(group.alone)]
        heads[4:4] = ["best score, discs lost", "by policy alone"]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells[1:]])
    yield "errors: after the search, in brackets the network's at first sight"


def _cells(group: Group) -> list[str]:
    searched, alone = group.searched, group.alone
    return [
        group.name,
        str(group.positions),
        _kept(searched),
        _kept(alone),
        f"{searched.win_rate_error:.3f} ({alone.win_rate_error:.3f})",
        f"{searched.score_error:.1f} ({alone.score_error:.1f})",
    ]


def _kept(grade: ExaminationScore) -> str:
    low, high = grade.results_kept.interval()
    return f"{grade.results_kept.rate:.1%} ({low:.1%}..{high:.1%})"


def _best(grade: ExaminationScore) -> str:
    return f"{grade.best.rate:.1%}, {grade.lost:.2f}"


def values_of(
    start: GameSpec,
    evaluator: Evaluator,
    options: argparse.Namespace,
    graded: Sequence[Group],
    answers: Sequence[Answer],
) -> dict[str, Any]:
    """Returns all findings as JSON values."""
    return {
        "game": start.name,
        "network": described(evaluator),
        "visits": options.visits,
        "seed": options.seed,
        "groups": [group.values() for group in graded],
        "positions": [_row(start, each) for each in answers],
    }


def _row(start: GameSpec, each: Answer) -> dict[str, Any]:
    question: Question = each.question
    ways = {"searched": each.searched, "alone": each.alone}
    return {
        "moves": transcript.write(start.game, question.moves, start.empty()),
        "play": question.play,
        "empties": question.empties,
        "score": question.score,
        "worth": {start.write(move): worth for move, worth in question.worth.items()},
        **{
            name: {
                "move": start.write(opinion.move),
                "win_rate": opinion.win_rate,
                "score": opinion.score,
            }
            for name, opinion in ways.items()
        },
    }
