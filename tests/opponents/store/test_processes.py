"""Several processes on one store, some of them killed: what was done stays, and all is whole."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.opponents.store.store import DatabaseStore
from tests.support.paths import ROOT
from tests.support.store.known import ANN, SMALL

PROCESSES = 3
TIMES = 20
ROUNDS = 4


class Adding:
    """One process that adds."""

    def __init__(self, process: int, path: Path) -> None:
        self._process = process
        self._path = path

    def lines(self) -> list[str]:
        """What it said so far, whole lines."""
        text = self._path.read_text() if self._path.exists() else ""
        return text.splitlines()[: text.count("\n")]

    def kill(self) -> None:
        """Ends it where it stands."""
        os.kill(self._process, signal.SIGKILL)

    def told(self) -> dict[str, list[int]]:
        """What it said it had done, by kind, after it has ended."""
        until = time.monotonic() + 120
        while Path(f"/proc/{self._process}").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        found: dict[str, list[int]] = {"game": [], "known": [], "moves": []}
        for line in self.lines():
            kind, number = line.split()
            found[kind].append(int(number))
        return found


class Starter:
    """What starts them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from tests.support.store.adder import main; main()"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, place: str, times: int) -> Adding:
        """A process that adds so many times, or is killed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._count += 1
        path = self._folder / f"{self._count}.txt"
        print(json.dumps([place, ANN.name, times, str(path)]), file=self.process.stdin, flush=True)
        return Adding(int(self.process.stdout.readline()), path)


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Starter]:
    starter = Starter(tmp_path_factory.mktemp("adding"))
    with starter.process:
        yield starter


def test_processes_that_begin_at_once_lose_no_evidence(place: str, starter: Starter) -> None:
    """The store is not there yet: they also make it at once."""
    processes = [starter.start(place, TIMES) for _ in range(PROCESSES)]
    done = [process.told() for process in processes]
    # No sum was seen by two processes, none was left out.
    seen = [number for each in done for number in each["known"]]
    assert sorted(seen) == list(range(1, PROCESSES * TIMES + 1))
    store = DatabaseStore.open(place)
    known = store.recall(ANN, SMALL)
    games = store.unfinished(ANN)
    store.close()
    assert known is not None
    assert known.state == {"number": PROCESSES * TIMES}
    assert sorted(number for number, _ in games) == sorted(each["game"][0] for each in done)
    for _, game in games:
        assert [move for _, move in game.moves[1:]] == [number % 81 for number in range(TIMES)]
        assert game.reasons[-1] == f"move {TIMES - 1}"


def test_a_kill_at_any_moment_loses_nothing_that_was_done(place: str, starter: Starter) -> None:
    total = 0
    for number in range(ROUNDS):
        steady, killed = starter.start(place, TIMES), starter.start(place, 100_000)
        while len(killed.lines()) <= 5 * number:
            time.sleep(0.001 * number)
        killed.kill()
        done = killed.told()
        assert steady.told()["moves"][-1] == TIMES
        store = DatabaseStore.open(place)
        known, games = store.recall(ANN, SMALL), dict(store.unfinished(ANN))
        store.close()
        assert known is not None
        # What it did last may be there although it could not say so any more.
        added = known.state["number"] - total - TIMES
        assert added - len(done["known"]) in {0, 1}
        total = known.state["number"]
        kept = games[done["game"][0]]
        assert len(kept.moves) - 1 - len(done["moves"]) in {0, 1}
        assert kept.reasons[1:] == tuple(f"move {i}" for i in range(len(kept.moves) - 1))
    if "://" not in place:
        assert problems(place) == []


def problems(path: str) -> list[tuple[object, ...]]:
    """What SQLite finds wrong with a file."""
    connection = sqlite3.connect(path)
    found = [
        *connection.execute("PRAGMA integrity_check"),
        *connection.execute("PRAGMA foreign_key_check"),
    ]
    connection.close()
    return [row for row in found if row != ("ok",)]
