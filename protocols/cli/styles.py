"""The subcommand `sparring lab styles`: the effect of a persona's styles, and their cost.

engine.lab.styles measures the effect in openings of a style with itself. protocols.cli.style_games
measures the cost in games against the persona without a style.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.evaluator import Evaluator
from engine.games.table import Board
from engine.lab.styles import NORMAL, SHOWINGS, StyleFindings, measure, opening_moves, openings
from engine.match.game_spec import board_of
from engine.match.tally import Tally
from engine.networks.architecture import NetworkFileError
from engine.networks.runtime import BackendError
from engine.play.networks import described, load, networks_of
from engine.report.tables import aligned, write_findings
from engine.style.measures import interval_text
from engine.style.policy_bias import POLICY_BIASES
from protocols.cli import study
from protocols.cli.argument_types import count
from protocols.cli.options import Say
from protocols.cli.style_games import strengths, tally_text, values_of

REFUSALS = (NetworkFileError, BackendError, SettingError, ValueError)
EPILOG = """\
Each style plays the same openings against itself: the first 20 moves on 9x9 Go, 40 on 13x13, 60 on
19x19, half of the cells in the other games; a few of the moves are drawn at random. The table
shows, with 95% bootstrap intervals over games,
{showings}
The first is a number of moves; each other one is a mean over the moves of a game.

With --games N each style also plays N games against the persona without a style, each opening with
both colors: the table shows the points won and the difference in Elo. These games are kept in
--output; a stopped measurement continues there.

examples:
  sparring lab styles go9 --visits 50
  sparring lab styles go9 normal --persona full+mixed=FILE
  sparring lab styles go9 --visits 50 --games 100 --output styles9
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab styles`."""
    study.configure(parser, games=0, visits=100)
    rows = [f"  {name:<10} {showing.about}," for name, showing in SHOWINGS.items()]
    parser.epilog = EPILOG.format(showings="\n".join(rows))
    add = parser.add_argument
    names = ", ".join([NORMAL, *POLICY_BIASES])
    add("styles", nargs="*", metavar="STYLE",
        help=f"any of {names}; with a force, as centre:2; default: all")  # fmt: skip
    add("--persona", default="full", metavar="TEXT",
        help="persona with the styles; default: %(default)s")  # fmt: skip
    add("--openings", type=count, default=20, metavar="N",
        help="number of openings; default: %(default)s")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the openings and games, and prints the tables."""
    study.make_folder(options)
    try:
        board = Board(*board_of(options.game))
        styles = options.styles or [NORMAL, *POLICY_BIASES]
        texts = {style: text_of(options.persona, style) for style in styles}
        networks = networks_of(board.game, options.network, options.backend, options.precision)
        evaluator = load(networks.on(board))
        mixed_network = cache(lambda path: load(replace(networks.on(board), path=path)))
        findings = shown(options, board, texts, evaluator, mixed_network)
    except REFUSALS as error:
        raise UsageError(str(error)) from error
    against: dict[str, Tally] = {}
    styled = {style: text for style, text in texts.items() if style != NORMAL}
    if options.games and styled:
        against = strengths(options, styled, options.persona)
    table = [
        f"{board.name}, {described(evaluator)}: {options.openings} openings of"
        f" {opening_moves(board)} moves, {options.visits} visits",
        *lines(findings, against),
    ]
    values = [each.values() for each in findings]
    for each in values:
        if each["style"] in against:
            each["against"] = values_of(against[each["style"]])
    if options.output is not None:
        write_findings(options.output, "styles", table, values)
    say(json.dumps(values) if options.json else "\n".join(table))
    return 0


def shown(
    options: argparse.Namespace,
    board: Board,
    texts: Mapping[str, str],
    evaluator: Evaluator,
    mixed_network: Callable[[Path], Evaluator],
) -> list[StyleFindings]:
    """Returns the measures of each style in its openings."""
    beginnings = openings(board, options.openings, options.seed)
    findings = []
    total = len(texts) * len(beginnings)
    with tqdm(total=total, unit="game", disable=options.quiet, file=sys.stderr) as bar:
        for style, text in texts.items():
            shows = measure(
                board,
                evaluator,
                text,
                beginnings=beginnings,
                visits=options.visits,
                seed=options.seed,
                mixed_network=mixed_network,
                on_game=bar.update,
            )
            findings.append(StyleFindings(style, len(beginnings), shows))
    return findings


def text_of(persona: str, style: str) -> str:
    """Returns the text of the persona with a style."""
    return persona if style == NORMAL else f"{persona}+style={style}"


def lines(findings: Sequence[StyleFindings], against: Mapping[str, Tally]) -> Iterator[str]:
    """Yields the table of the styles, then that of their games, if any."""
    rows = [["", *SHOWINGS]]
    rows += [
        [each.style, *(interval_text(each.shown[name], ".2f") for name in SHOWINGS)]
        for each in findings
    ]
    yield from aligned(rows)
    if against:
        games = next(iter(against.values())).games
        yield f"points won against {NORMAL}, {games} games each:"
        yield from aligned([[style, tally_text(tally)] for style, tally in against.items()])
