"""`sparring gtp` and its like with an engine of their own, on stdin and stdout."""

from __future__ import annotations

import argparse
import logging
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path

from engine.errors import SettingError, UsageError
from engine.networks.runtime import BackendError
from engine.personas import USUAL
from protocols.conversation import ClientRequest, RefusedError, converse, folder_named
from protocols.inbox import Inbox
from protocols.lines import LineSplitter
from protocols.outbox import Outbox
from protocols.rights import Rights
from protocols.server import stdio
from protocols.server.app import App, hold

STOPPING_SECONDS = 0.5  # for the conversation to keep what it learned; then it is left behind


def run(options: argparse.Namespace) -> int:
    """Speaks the protocol that the subcommand names until its end; UsageError: it cannot start."""
    stdio.claim()
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.INFO, stream=sys.stderr)
    with ExitStack() as stack:
        try:
            app = stack.enter_context(hold(options))
            request = request_of(options, app)
        except (BackendError, SettingError, ValueError) as error:
            raise UsageError(f"cannot start: {error}") from error
        try:
            carry(app, request)
        except RefusedError as error:
            raise UsageError(f"cannot start: {error}") from error
    return 0


def request_of(options: argparse.Namespace, app: App) -> ClientRequest:
    """Returns what the command line asks for; SettingError where a folder is not there."""
    return ClientRequest(
        options.subcommand,
        rights=Rights(
            is_user=True,
            folder=Path.cwd(),
            personas=folder_named(getattr(options, "personas", None)),
        ),
        networks=app.pool.defaults[app.board.game],
        overrides=getattr(options, "override_config", None) or "",
        finish=not getattr(options, "quit_without_waiting", False),
        game=getattr(options, "game", None) or "",
        board=app.board,
        persona=getattr(options, "persona", None) or USUAL,
        points=getattr(options, "points", False),
        as_katago=getattr(options, "as_katago", False),
        opponent=getattr(options, "opponent", None) or "",
        terms=app.terms,
    )


def carry(app: App, request: ClientRequest) -> None:
    """Serves stdin and stdout until the protocol ends. Raises RefusedError as `converse` does."""
    room, work = threading.Event(), threading.Event()
    inbox, outbox = Inbox(on_room=room.set), Outbox(wake=work.set)
    reading = threading.Thread(target=receive, args=(request, inbox, room), daemon=True)
    reading.start()
    one = ThreadPoolExecutor(1)
    speaking = one.submit(converse, app.pool, app.protocols, request, inbox, outbox)
    one.shutdown(wait=False)
    speaking.add_done_callback(lambda _: outbox.close())
    try:
        send(outbox, work)
    except (BrokenPipeError, KeyboardInterrupt):
        inbox.abandon()
        outbox.close()
        wait([speaking], STOPPING_SECONDS)
        raise
    speaking.result()


def receive(request: ClientRequest, inbox: Inbox, room: threading.Event) -> None:
    """Fills `inbox` from stdin until its end, pausing while too much of it waits."""
    splitter = LineSplitter()
    while data := stdio.read():
        room.clear()
        if not inbox.put(splitter.feed(data)):
            room.wait()
    inbox.put(splitter.finish())
    if request.finish:
        inbox.close()
    else:
        inbox.abandon()


def send(outbox: Outbox, work: threading.Event) -> None:
    """Empties `outbox` to stdout until it is closed."""
    while True:
        closed = outbox.closed
        if parts := outbox.take():
            stdio.write(b"".join(parts))
            outbox.sent(sum(map(len, parts)))
        elif closed:
            return
        else:
            work.wait()
            work.clear()
