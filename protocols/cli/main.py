"""The console command `sparring`: reads the subcommand's name, imports its module and runs it.

A subcommand's module offers `configure(parser)` and `run(options, say)`; `say` prints one line of a
report. The table of subcommands is in protocols.cli.subcommands. Starting stays light: nothing
here imports numpy, torch or asyncio.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import NoReturn, Protocol, cast

from engine.errors import UsageError
from protocols.cli.network_options import add_network_options
from protocols.cli.options import Say
from protocols.cli.setting_sources import apply
from protocols.cli.settings import add_settings, rows_of
from protocols.cli.subcommands import LAB, find, lab_overview, overview, short_name

# Exit codes beside 0.
MISUSE = 2  # the request cannot be carried out
INTERNAL = 70  # a fault of this program; EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # the exit code after Ctrl-C, as in shells

HELP = {"-h", "--help", "help"}
VERSION = {"-V", "--version"}


class SubcommandModule(Protocol):
    """The interface of a subcommand's module."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the subcommand's own options to `parser`."""

    def run(self, options: argparse.Namespace, say: Say) -> int:
        """Does the work, reports it to `say` a line at a time, and returns the exit code."""


class Parser(argparse.ArgumentParser):
    """Options of a subcommand; a mistake in them is one line, with the nearest option."""

    def error(self, message: str) -> NoReturn:
        """Raises UsageError with argparse's words."""
        raise UsageError(f"{message}; see `{self.prog} --help`")

    def options(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Returns the values of the options; raises UsageError."""
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
    """Runs the subcommand at the head of `arguments` and returns its exit code.

    Raises UsageError, with one line of text, for every failure that the user can mend.
    """
    if not arguments or arguments[0] in HELP:
        say(overview())
        return 0 if arguments else MISUSE
    name, rest = arguments[0], arguments[1:]
    if name in VERSION:
        name = "version"
    elif name == LAB:
        if not rest or rest[0] in HELP:
            say(lab_overview())
            return 0 if rest else MISUSE
        name, rest = f"{LAB} {rest[0]}", rest[1:]
    try:
        return run(name, rest)
    except (UsageError, BrokenPipeError):
        raise
    except Exception as error:
        from protocols.cli import failures  # noqa: PLC0415 - only a failure needs it

        words = failures.words_for(error)
        if not words:
            raise
        raise UsageError(words) from error


def parser_of(name: str, module: SubcommandModule, *, plays: bool) -> Parser:
    """Returns the parser of a subcommand, its module being imported already."""
    parser = Parser(prog=f"sparring {name}", description=find(name).help)
    parser.set_defaults(subcommand=short_name(name))
    module.configure(parser)
    add_settings(parser, name)
    if plays:
        add_network_options(parser)
    return parser


def run(name: str, arguments: Sequence[str]) -> int:
    """Runs the subcommand `name`, a key of the table, and returns its exit code."""
    row = find(name)
    module = cast("SubcommandModule", import_module(row.module))
    options = parser_of(name, module, plays=row.plays).options(arguments)
    apply(options, rows_of(name), os.environ)
    for option in ("network", "human_network"):
        file = getattr(options, option, None)
        if file is not None and not os.path.exists(file):  # noqa: PTH110 - pathlib costs 4 ms
            raise UsageError(f"no network file {file!r}")
    return module.run(options, say)


def main() -> None:
    """Runs the command line of this process and exits with its code."""
    interrupted = False

    def interrupt(_number: int, frame: FrameType | None) -> NoReturn:
        nonlocal interrupted
        interrupted = True
        if is_importing(frame):
            leave(INTERRUPTED)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    sys.unraisablehook = end_at_dropped_interrupt
    try:
        code = dispatch(sys.argv[1:])
    except UsageError as error:
        leave(INTERRUPTED if interrupted else MISUSE, str(error))
    except BrokenPipeError:
        leave(1)
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except Exception as error:
        if interrupted:  # a library may raise another error then
            leave(INTERRUPTED)
        from protocols.cli import failures  # noqa: PLC0415 - only a failure needs it

        leave(INTERNAL, f"internal error: {failures.logged(error, sys.argv[1:])}")
    sys.exit(code)


def is_importing(frame: FrameType | None) -> bool:
    """Tests whether `frame` runs within an import.

    An interrupt raised there may abort the beginning of a C++ module, torch or the core, or get
    lost in a module's own handling of exceptions.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib."):
            return True
        frame = frame.f_back
    return False


def end_at_dropped_interrupt(fault: sys.UnraisableHookArgs) -> None:
    """Ends this process where Python drops an interrupt, as it does in finalizers."""
    if issubclass(fault.exc_type, KeyboardInterrupt):
        leave(INTERRUPTED)
    sys.__unraisablehook__(fault)


def leave(code: int, error: str = "") -> NoReturn:
    """Prints an error, if any, and ends this process at once, without waiting for its threads.

    Python's own exit waits for some threads, and aborts while another one runs inside the core.
    """
    if error and code != INTERRUPTED:
        sys.stderr.write(f"sparring: {error}\n")
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)
