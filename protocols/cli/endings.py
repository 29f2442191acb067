"""The subcommand `sparring lab endings`: its options, its games and its table.

engine.lab.endings compares the results.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing

from engine.errors import UsageError
from engine.games.go_count import counts_as_it_stands
from engine.games.rules import named_rules
from engine.lab.endings import Agreement, agreement
from engine.match.game_files import GameFiles
from engine.match.game_spec import GameSpec
from engine.match.players import PlayerTerms, start_player
from engine.match.record import Row
from engine.match.workers import Plan
from engine.report.tables import aligned, write_findings
from engine.util.engine_process import EngineLostError, EngineRefusedError
from protocols.cli import study
from protocols.cli.options import Say

GNU_GO = "gnugo --mode gtp"
FILES = "differing"  # the folder of games with differing counts
EPILOG = """\
Each persona plays --games games of Go against --opponent, with both colors in turn. The result of
each game without resignation is compared with the count of --counter, a GTP engine, after the same
moves. Games with another count are listed, and written as SGF under --output.

GNU Go is the default opponent and counter. It takes dead stones off under all rules. Under rules
that count stones as they stand, agreement means that no dead stone was left on the board.

example:
  sparring lab endings go9 even full level:1500 --rules japanese --games 100 --output endings
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab endings`."""
    study.configure(parser, games=100, visits=50)
    parser.epilog = EPILOG
    add = parser.add_argument
    add("personas", nargs="+", metavar="PERSONA", help="personas, or players as a match has them")
    add("--opponent", metavar="PLAYER",
        help=f"player of the other side; default: gtp:{GNU_GO} --level 1, set to take dead stones "
        "off the board where the rules count stones as they stand")  # fmt: skip
    add("--counter", metavar="COMMAND",
        help=f"GTP engine for the count; default: {GNU_GO} --level 10")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the games, has them counted, and prints the differences."""
    study.make_folder(options)
    board = study.start_of(options)
    if board.game != "go":
        raise UsageError(f"games of {board.kind.title} need no counting")
    players = [study.player_of(text) for text in options.personas]
    plan = study.plan_of(options, [*players, options.opponent or usual_opponent(board)])
    pairs = [(number, len(players)) for number in range(len(players))]
    rows = study.play_pairs(options, plan, pairs)
    compared = recounted(plan, rows, options.counter or usual_counter(board))
    if options.output is not None:
        write_findings(options.output, "endings", table(board, compared), values(board, compared))
        files = GameFiles(options.output / FILES, board, plan.players)
        files.add_missing([each.row for one in compared for each in one.differing])
    say(json.dumps(values(board, compared)) if options.json else "\n".join(table(board, compared)))
    return 0


def usual_opponent(board: GameSpec) -> str:
    """Returns GNU Go at its weakest level, as a player under the rules of the game."""
    stands = counts_as_it_stands(named_rules(board.rules))
    captures = " --capture-all-dead" if stands else ""
    return f"gtp:{GNU_GO} --level 1 {gnu_go_rules(board)}{captures}"


def usual_counter(board: GameSpec) -> str:
    """Returns the command line of GNU Go at its usual level, under the rules of the game."""
    return f"{GNU_GO} --level 10 {gnu_go_rules(board)}"


def gnu_go_rules(board: GameSpec) -> str:
    """Returns GNU Go's options for the rules of the game."""
    rules = named_rules(board.rules)
    words = ["--japanese-rules" if rules.scoring == "TERRITORY" else "--chinese-rules"]
    words += ["--allow-suicide"] if rules.suicide else []
    words += [] if rules.ko == "SIMPLE" else [f"--{rules.ko.lower()}-superko"]
    return " ".join(words)


def recounted(plan: Plan, rows: Sequence[Row], counter: str) -> list[Agreement]:
    """Returns the program's counts of each player's games; raises UsageError where it fails."""
    compared = []
    try:
        program = start_player(f"gtp:{counter}", PlayerTerms(plan.board, patience=plan.patience))
        with closing(program):
            for number, player in enumerate(plan.players[:-1]):
                own = [row for row in rows if row["pair"][0] == number]
                compared.append(agreement(player, own, plan.board, program))
    except (EngineLostError, EngineRefusedError) as error:
        raise UsageError(f"the counter failed: {error}") from error
    return compared


def table(board: GameSpec, compared: Sequence[Agreement]) -> Iterator[str]:
    """Yields the table of agreement, then each game with another count."""
    yield f"{board.name}, {board.rules} rules, komi {board.komi:g}"
    heads = ["player", "games", "counted", "same winner", "same margin"]
    rows = [
        [each.player, *map(str, (len(each.recounts) + each.uncounted, len(each.recounts)))]
        + [f"{number} ({share(number, each)})" for number in (each.winners, each.margins)]
        for each in compared
    ]
    yield from aligned([heads, *rows])
    for each in compared:
        for recount in each.differing:
            row = recount.row
            color = board.kind.colors[int(row["black"] != row["pair"][0])]
            yield ""
            yield (
                f"{each.player} as {color}, game {row['game']}: {recount.result} here, "
                f"{recount.other} by the counter"
            )
            yield " ".join([*row["opening"], *row["moves"]])


def share(number: int, counts: Agreement) -> str:
    """Returns a number of games as a share of the counted ones, as text."""
    return f"{number / len(counts.recounts):.0%}" if counts.recounts else "-"


def values(board: GameSpec, compared: Sequence[Agreement]) -> dict[str, object]:
    """Returns all findings as JSON values."""
    return {
        "game": board.name,
        "rules": board.rules,
        "komi": board.komi,
        "players": [each.values() for each in compared],
    }
