"""Processes that add to what a store knows and to a game of it, until they are done or killed.

Started once, it has all imported; for each JSON list [place, name, times, path] on a line of its
stdin it forks a process and prints its id. That one writes a line to `path` after each thing done.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path

import alembic.command  # noqa: F401 - needed by the one who makes the tables

from engine.opponents.opponent_store import NewMoves, OpponentName
from engine.opponents.store.store import DatabaseStore
from tests.support.store.known import GAME, SMALL, count_by


def add(place: str, name: str, times: int, path: str) -> None:
    """Adds one, so many times, and a move each time."""
    with Path(path).open("w") as output:
        store = DatabaseStore.open(place)
        game = store.begin_game(GAME)
        print("game", game, file=output, flush=True)
        for number in range(times):
            new = NewMoves(1 + number, [(number % 2, number % 81)], [f"move {number}"])
            together = new if number % 3 else None
            known = store.revise(OpponentName(name), SMALL, count_by(1), game=game, new=together)
            print("known", known.state["number"], file=output, flush=True)
            if together is None:
                store.note_moves(game, new)
            print("moves", number + 1, file=output, flush=True)
        store.close()


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    for line in sys.stdin:
        place, name, times, path = json.loads(line)
        process = os.fork()
        if process == 0:
            try:
                add(place, name, times, path)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)
        print(process, flush=True)
