"""The engine is killed at random moments of a game on the page: no acknowledged move is lost."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from protocols.page.messages import VERSION
from tests.support.browser import Serving

ROUNDS = 5
LONGEST_DELAY_SECONDS = 0.1  # of a kill, during the next moves


class Page:
    """A page without a browser: a client of the engine's socket."""

    def __init__(self, path: Path) -> None:
        until = time.monotonic() + 60
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(str(path)):
            assert time.monotonic() < until
            time.sleep(0.02)
            self.socket.close()
            self.socket = socket.socket(socket.AF_UNIX)
        self.file = self.socket.makefile("rw", encoding="utf-8")
        self.file.write('{"protocol":"page"}\n')
        self.file.flush()
        assert json.loads(self.file.readline())["ok"]
        assert self.ask("hello")["type"] == "welcome"

    def ask(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """The first answer to a message; ConnectionError where the engine has gone."""
        self.file.write(json.dumps({"v": VERSION, "type": name, **fields}) + "\n")
        self.file.flush()
        return self.hear()

    def hear(self) -> dict[str, Any]:
        """The next message; ConnectionError where the engine has gone."""
        line = self.file.readline()
        if not line.endswith("\n"):
            raise ConnectionResetError
        answer: dict[str, Any] = json.loads(line)
        assert answer["type"] != "error", answer
        return answer

    def close(self) -> None:
        """Ends the connection."""
        with suppress(OSError):
            self.file.close()
        self.socket.close()


def test_no_acknowledged_move_is_lost_whenever_the_engine_is_killed(tmp_path: Path) -> None:
    rng = random.Random(5)
    state: dict[str, Any] = {"moves": []}
    for _ in range(ROUNDS):
        with Serving(tmp_path, "serve") as engine:
            page = Page(tmp_path / "sparring.sock")
            before = state["moves"] if len(state["moves"]) > 1 else []
            # The page sends no move of its own: all come from the store.
            state = page.ask("continue") if len(before) > 1 else page.ask("new")
            assert state["moves"][: len(before)] == before
            last = len(state["moves"]) + rng.randrange(4, 12)
            killing = threading.Timer(rng.uniform(0, LONGEST_DELAY_SECONDS), engine.process.kill)
            with suppress(ConnectionError, BrokenPipeError):
                while True:
                    while state["phase"] == "engine":
                        state = page.hear()
                    moves = state["legal"][:-1]
                    if (len(state["moves"]) >= last or not moves) and killing.ident is None:
                        killing.start()
                    # At the end of a game the page waits for the killing.
                    state = page.ask("move", at=rng.choice(moves)) if moves else page.hear()
            killing.join()
            page.close()
    assert len(state["moves"]) > 4 * ROUNDS
