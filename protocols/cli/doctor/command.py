"""The subcommand `sparring doctor`: its options, its checks and its exit code.

A failed check becomes a problem on the page, so a broken part hides no other one. For that
reason the checks' modules are imported one by one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from importlib import import_module

from protocols.cli.argument_types import port
from protocols.cli.doctor.page import Problem, Section, has_problems, lines, values
from protocols.cli.options import Say

GTP_PORT = 2601  # as the documentation of `serve` suggests them
WEBSOCKET_PORT = 2600

# Title of each section -> the module and the function of its check, in the order of the page.
CHECKS = {
    "Versions": ("protocols.cli.doctor.system", "versions"),
    "Processor": ("protocols.cli.doctor.system", "processor"),
    "Backends": ("protocols.cli.doctor.networks", "backends"),
    "Networks": ("protocols.cli.doctor.networks", "networks"),
    "User folders": ("protocols.cli.doctor.system", "user_folders"),
    "Store of opponents": ("protocols.cli.doctor.services", "store"),
    "Engine": ("protocols.cli.doctor.services", "engine"),
    "Ports": ("protocols.cli.doctor.services", "ports"),
    "Optional modules": ("protocols.cli.doctor.system", "optional_modules"),
}

EPILOG = "Exit code 0: no problem was found; 1: the page ends with the problems and their remedies."


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `doctor`."""
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--gtp-port", type=port, default=GTP_PORT, metavar="N",
        help="TCP port to look at; default: %(default)s")  # fmt: skip
    add("--websocket-port", type=port, default=WEBSOCKET_PORT, metavar="N",
        help="TCP port to look at; default: %(default)s")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace, say: Say) -> int:
    """Prints the page; returns 1 if it has a problem."""
    page = {title: checked(*check, options) for title, check in CHECKS.items()}
    if options.json:
        say(json.dumps(values(page), indent=1, ensure_ascii=False))
    else:
        for line in lines(page):
            say(line)
    return int(has_problems(page))


def checked(module: str, name: str, options: argparse.Namespace) -> Section:
    """Returns the findings of one check; a failed check is a problem itself."""
    try:
        check: Callable[[argparse.Namespace], Section] = getattr(import_module(module), name)
        return check(options)
    except Exception as error:
        text = f"the check failed: {type(error).__name__}: {error}".splitlines()[0]
        return Section(problems=(Problem(text, "Run `make run` anew, or report this page."),))
