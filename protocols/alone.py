"""`sparring gtp` and its like with an engine of their own, on stdin and stdout."""

from __future__ import annotations

import argparse
import logging
import sys
import threading
from pathlib import Path

from engine.personas import USUAL
from engine.records import SettingError
from protocols import stdio
from protocols.holding import Holding, hold
from protocols.inbox import Inbox
from protocols.lines import LineSplitter
from protocols.outbox import Outbox
from protocols.speak import Request, folder_named, speak


def run(options: argparse.Namespace) -> int:
    """Speaks the protocol that the subcommand names until its end; 2 when it cannot start."""
    stdio.claim()
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.INFO, stream=sys.stderr)
    try:
        with hold(options) as holding:
            request = Request(
                options.subcommand,
                networks=holding.resident.defaults[holding.board.game],
                folder=Path.cwd(),
                overrides=options.override_config or "",
                finish=not options.quit_without_waiting,
                game=getattr(options, "game", None) or "",
                board=holding.board,
                persona=getattr(options, "persona", None) or USUAL,
                personas=folder_named(getattr(options, "personas", None)),
                points=getattr(options, "points", False),
                opponent=getattr(options, "opponent", None) or "",
            )
            converse(holding, request)
    except (SettingError, ValueError, OSError) as error:
        sys.stderr.write(f"sparring: cannot start: {error}\n")
        return 2
    return 0


def converse(holding: Holding, request: Request) -> None:
    """Serves stdin and stdout until the protocol ends."""
    room, work = threading.Event(), threading.Event()
    inbox, outbox = Inbox(on_room=room.set), Outbox(wake=work.set)
    reading = threading.Thread(target=receive, args=(request, inbox, room), daemon=True)
    speaking = threading.Thread(
        target=speak, args=(holding.resident, holding.protocols, request, inbox, outbox)
    )
    reading.start()
    speaking.start()
    try:
        send(outbox, work)
    except (BrokenPipeError, KeyboardInterrupt):
        inbox.abandon()
        outbox.close()
    speaking.join()


def receive(request: Request, inbox: Inbox, room: threading.Event) -> None:
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
