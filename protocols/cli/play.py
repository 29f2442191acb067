"""`sparring play`: opens a page to play on in the browser, with the running engine or its own."""

from __future__ import annotations

import argparse
import logging
import sys
import webbrowser
from collections.abc import Callable

from engine.errors import UsageError
from engine.networks.runtime import BackendError
from protocols.cli.argument_types import port
from protocols.cli.gui import greeting_options
from protocols.cli.local_engine_options import local_engine_options
from protocols.cli.options import Say
from protocols.server.client import connect, socket_path
from protocols.server.local_engine import open_local_engine
from protocols.server.play import serve_page


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `play` beside its settings."""
    add = parser.add_argument
    add("--no-browser", action="store_true", help="print the page's address and open no browser")
    add("--port", type=port, default=0, metavar="N",
        help="TCP port of the page on this machine; default: 2640, or a free one")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Serves the page until SIGINT or SIGTERM; raises UsageError if it cannot."""
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.WARNING, stream=sys.stderr)
    path = options.socket or socket_path()
    shown = shower(say, is_opened=not options.no_browser)
    running = connect(path)
    try:
        if running is not None:
            running.close()
            serve_page(None, path, greeting_options(options), port=options.port, on_address=shown)
            return 0
        with open_local_engine(local_engine_options(options)) as engine:
            own = {"opponent": options.opponent} if options.opponent else {}
            serve_page(engine, path, own, port=options.port, on_address=shown)
    except (BackendError, ValueError) as error:
        raise UsageError(f"cannot play: {error}") from error
    except OSError as error:
        raise UsageError(f"cannot listen at port {options.port}: {error.strerror}") from error
    return 0


def shower(say: Say, *, is_opened: bool) -> Callable[[str], None]:
    """Returns a printer of the page's address; it opens the browser too."""

    def show(address: str) -> None:
        say(f"Play at {address}")
        say("Ctrl-C ends it; the engine keeps a game under way.")
        # The browser's command line is open to other users: it gets no token.
        if is_opened and not webbrowser.open(address.partition("#")[0]):
            say("No browser could be started: open the address yourself.")

    return show
