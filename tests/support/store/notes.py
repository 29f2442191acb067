"""Notes of a game in a memory: made, waited for and read back; and a lock on its file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from engine.opponents.fallback_store import FallbackStore
from engine.opponents.opponent_store import NewMoves, OpponentStore, StoredGame
from engine.opponents.store.store import DatabaseStore
from engine.util.operation_queue import PATIENCE_SECONDS
from tests.support.store.known import ANN, GAME, SMALL, counted

MOVE_SECONDS = 3 * PATIENCE_SECONDS  # the bound, and what a busy machine adds
PLAYED = [(number % 2, number) for number in range(8)]


def until(condition: Callable[[], bool]) -> None:
    """Waits for the memory's thread."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def drain(memory: FallbackStore) -> None:
    """Waits until all is written, which a busy machine may not do in a move's time."""
    until(lambda: not memory._queue._waiting)


def play(memory: OpponentStore, game: int, moves: range, reason: str = "") -> float:
    """Notes these moves; returns the longest time that one took."""
    times = []
    for number in moves:
        began = time.monotonic()
        memory.revise(
            ANN, SMALL, counted, game=game, new=NewMoves(number, [PLAYED[number]], [reason])
        )
        times.append(time.monotonic() - began)
    return max(times)


def blank() -> StoredGame:
    return StoredGame(ANN, GAME.game_settings, 9, 9, color=1)


def kept(memory: OpponentStore) -> StoredGame:
    ((_, game),) = memory.unfinished(ANN)
    return game


def lock(path: Path, _store: DatabaseStore) -> Callable[[], None]:
    """Another process begins to write; returns what ends that."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection.close
