"""The console command `sparring`: a table of subcommands, each loaded only when it is chosen.

Knows the names, the help texts and the options that every playing subcommand shares. Does not
know what a subcommand does: its module offers `configure(parser)` and `run(options, say)`, where
`say` prints one line of a report, and is imported after the name has been read. Starting must stay
light, so nothing here imports numpy, torch or asyncio.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple, NoReturn, Protocol, cast

from engine.errors import UsageError
from engine.util.network_options import add_network_options
from protocols.cli.options import Say

# Exit codes beside 0.
MISUSE = 2  # the request cannot be carried out
INTERNAL = 70  # a fault of this program; EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # after Ctrl-C, as shells have it


class SubcommandModule(Protocol):
    """What the module of a subcommand offers."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the subcommand's own options to `parser`."""

    def run(self, options: argparse.Namespace, say: Say) -> int:
        """The exit code, after the work is done; reports go to `say`, a line at a time."""


class Subcommand(NamedTuple):
    """One row of the table. A NamedTuple, because importing dataclasses costs 7 ms."""

    help: str
    module: str
    plays: bool = True  # takes --network, --backend and --precision


SUBCOMMANDS: dict[str, Subcommand] = {
    "serve": Subcommand(
        "hold the networks and serve GUIs, bots and analysis clients", "protocols.cli.serve"
    ),
    "gtp": Subcommand("speak GTP on stdin and stdout, as Sabaki starts it", "protocols.cli.gui"),
    "analysis": Subcommand(
        "speak KataGo's JSON analysis protocol on stdin and stdout", "protocols.cli.gui"
    ),
    "nboard": Subcommand(
        "speak NBoard's protocol on stdin and stdout: Othello", "protocols.cli.gui"
    ),
    "ugi": Subcommand(
        "speak the Universal Game Interface on stdin and stdout: Othello and Connect4",
        "protocols.cli.gui",
    ),
    "bench": Subcommand("measure visits and evaluations a second", "protocols.cli.bench"),
    "match": Subcommand(
        "play programs and agents against each other, without a board",
        "protocols.cli.match",
        plays=False,
    ),
    "personas": Subcommand(
        "list how it can play, show and change a persona", "protocols.cli.personas", plays=False
    ),
    "calibrate": Subcommand(
        "find how strong a network's levels are, by games among them",
        "protocols.cli.calibrate",
    ),
    "balance": Subcommand(
        "measure how even a persona's games are, and how that comes about",
        "protocols.cli.balance",
        plays=False,
    ),
    "frontier": Subcommand(
        "draw personas by how even and how natural their recorded games are",
        "protocols.cli.frontier",
        plays=False,
    ),
    "estimate": Subcommand(
        "measure how well opponents' strength is estimated",
        "protocols.cli.estimate",
        plays=False,
    ),
    "cost": Subcommand(
        "measure how much longer a move takes where the opponent is known",
        "protocols.cli.cost",
    ),
    "styles": Subcommand(
        "measure what a persona's styles come to, by openings with itself",
        "protocols.cli.styles",
    ),
    "endgames": Subcommand(
        "measure how close and natural endgames are by several methods",
        "protocols.cli.endgames",
    ),
    "endings": Subcommand(
        "measure how often games of Go end with the result that another program counts",
        "protocols.cli.endings",
        plays=False,
    ),
    "index": Subcommand(
        "measure Elo against the softmax strength index",
        "protocols.cli.index",
        plays=False,
    ),
    "tune": Subcommand(
        "search the constants by which AlphaDDA balances best, as its paper did",
        "protocols.cli.tune",
        plays=False,
    ),
    "train": Subcommand("make a network", "protocols.cli.train", plays=False),
    "curves": Subcommand("draw pictures of training runs", "protocols.cli.curves", plays=False),
    "network": Subcommand(
        "describe a network's file, and convert it to ONNX", "protocols.cli.network", plays=False
    ),
    "solve": Subcommand(
        "tell exact scores of Othello endings and Connect4 positions, and how fast",
        "protocols.cli.solve",
        plays=False,
    ),
    "examine": Subcommand(
        "grade a network's moves and judgement by exact results: Othello and Connect4",
        "protocols.cli.examine",
    ),
    "records": Subcommand(
        "check files of Othello games (GGF, WTHOR, lines of moves) and convert them",
        "protocols.cli.records",
        plays=False,
    ),
    "review": Subcommand(
        "tell how natural, good and close recorded games are, move by move",
        "protocols.cli.review",
    ),
    "opponents": Subcommand(
        "list the opponents that are remembered, and how strong they are",
        "protocols.cli.opponents",
        plays=False,
    ),
    "opponent": Subcommand(
        "show, export or delete all that is remembered of one opponent",
        "protocols.cli.opponents",
        plays=False,
    ),
    "precision": Subcommand(
        "show how far reduced precision moves the answers from fp32", "protocols.cli.precision"
    ),
    "version": Subcommand("print the version", "protocols.cli.version", plays=False),
}


def overview() -> str:
    """The text of `sparring --help`: every subcommand with its line, without importing any."""
    width = max(map(len, SUBCOMMANDS))
    rows = [f"  {name:<{width}}  {row.help}" for name, row in SUBCOMMANDS.items()]
    return "\n".join(
        [
            "usage: sparring SUBCOMMAND [options]",
            "",
            "A game engine that plays to your level.",
            "",
            *rows,
            "",
            "`sparring SUBCOMMAND --help` lists its options.",
            "`sparring --version`, or -V, prints the version.",
            "Start `sparring serve` once, then let a GUI start `sparring gtp`.",
        ]
    )


def find(name: str) -> Subcommand:
    """The row of `name`; raises UsageError naming the nearest ones when there is none."""
    if name in SUBCOMMANDS:
        return SUBCOMMANDS[name]
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistyped name needs it

    near = get_close_matches(name, SUBCOMMANDS)
    hint = f"did you mean {near[0]!r}?" if near else "see `sparring --help`"
    raise UsageError(f"no subcommand {name!r}; {hint}")


class Parser(argparse.ArgumentParser):
    """Options of a subcommand; a mistake in them is one line, with the nearest option."""

    def error(self, message: str) -> NoReturn:
        """Raises UsageError with argparse's words."""
        raise UsageError(f"{message}; see `{self.prog} --help`")

    def options(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options that the arguments name; raises UsageError."""
        options, unknown = self.parse_known_args(arguments)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._nearest(unknown[0])}")
        return options

    def _nearest(self, text: str) -> str:
        from difflib import get_close_matches  # noqa: PLC0415 - only a mistyped option needs it

        near = get_close_matches(text.partition("=")[0], self._option_string_actions, n=1)
        return f", did you mean {near[0]}?" if near else ""


def say(line: str) -> None:
    """Prints one line of a report."""
    print(line, flush=True)


def dispatch(arguments: Sequence[str]) -> int:
    """The exit code of the subcommand that `arguments` name.

    Raises UsageError, in one line, for all that the user can mend.
    """
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        say(overview())
        return 0 if arguments else 2
    name = "version" if arguments[0] in {"--version", "-V"} else arguments[0]
    try:
        return run(name, arguments[1:])
    except (UsageError, BrokenPipeError):
        raise
    except Exception as error:
        from protocols.cli import failures  # noqa: PLC0415 - only a failure needs it

        words = failures.words_for(error)
        if not words:
            raise
        raise UsageError(words) from error


def run(name: str, arguments: Sequence[str]) -> int:
    """The exit code of the subcommand of that name, with these arguments."""
    module = cast("SubcommandModule", import_module(find(name).module))
    row = SUBCOMMANDS[name]
    parser = Parser(prog=f"sparring {name}", description=row.help)
    parser.set_defaults(subcommand=name)
    module.configure(parser)
    if row.plays:
        add_network_options(parser)
    options = parser.options(arguments)
    for option in ("network", "human_network"):
        file = getattr(options, option, None)
        if file is not None and not os.path.isfile(file):  # noqa: PTH113 - pathlib costs 4 ms
            raise UsageError(f"no network file {file!r}")
    return module.run(options, say)


def main() -> None:
    """Runs the command line of this process and exits with its code."""
    interrupted = False

    def interrupt(_number: int, _frame: object) -> NoReturn:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        code = dispatch(sys.argv[1:])
    except UsageError as error:
        leave(INTERRUPTED if interrupted else MISUSE, str(error))
    except BrokenPipeError:
        leave(1)
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except Exception as error:
        if interrupted:  # in the middle of an import, which then says something else
            leave(INTERRUPTED)
        from protocols.cli import failures  # noqa: PLC0415 - only a failure needs it

        leave(INTERNAL, f"internal error: {failures.kept(error, sys.argv[1:])}")
    sys.exit(code)


def leave(code: int, error: str = "") -> NoReturn:
    """Ends this process now, after the words for an error, without waiting for its threads.

    Python's own end waits for some threads, and aborts where another one is inside the core.
    """
    if error and code != INTERRUPTED:
        sys.stderr.write(f"sparring: {error}\n")
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)
