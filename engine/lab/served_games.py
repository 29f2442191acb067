"""Games on a resident engine, each over a connection of its own, in GTP.

Each connection plays both sides of game after game, in a thread. After each move it sends a command
without a search, and measures the time of the answer. It checks the form and the number of each
answer, each move by the rules of the game, and at the end the engine's board.
"""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.games.position import Position
from engine.games.table import GAMES, Board

ANSWER_SECONDS = 300.0  # longest wait for an answer
PERSONA = "softmax:1"  # never resigns, and plays other games each time
SHORT_COMMANDS = (
    *("name", "protocol_version", "showboard", "known_command genmove"),
    *("list_commands", "sparring-persona"),
)
STONES = {".": 0, "X": 1, "O": 2}
RESIGNATION = "resign"


class AnswerError(Exception):
    """An answer breaks the form of GTP, refuses a proper command or contradicts the rules."""


class GtpConnection:
    """A greeted GTP connection to the Unix socket of a resident engine."""

    def __init__(self, path: str, options: dict[str, object]) -> None:
        """Connects and greets; raises OSError, and AnswerError where the engine refuses."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._received = b""
        self._numbers = itertools.count(1)
        try:
            self._greet(path, options)
        except BaseException:
            self.close()
            raise

    def _greet(self, path: str, options: dict[str, object]) -> None:
        self._socket.settimeout(ANSWER_SECONDS)
        self._socket.connect(path)
        self._socket.sendall(json.dumps({"protocol": "gtp", "options": options}).encode() + b"\n")
        greeting = json.loads(self._until(b"\n"))
        if greeting.get("ok") is not True:
            raise AnswerError(f"the greeting is answered by {greeting}")

    def ask(self, command: str) -> str:
        """Returns the answer to a command without its sign; raises OSError and AnswerError."""
        sign = f"={next(self._numbers)}"
        self._socket.sendall(f"{sign[1:]} {command}\n".encode())
        first, _, rest = self._until(b"\n\n").partition(" ")
        if first != sign:
            raise AnswerError(f"{command!r} is answered by {f'{first} {rest}'!r}")
        return rest.rstrip()

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()

    def _until(self, end: bytes) -> str:
        while end not in self._received:
            data = self._socket.recv(1 << 16)
            if not data:
                raise AnswerError("the engine closed the connection")
            self._received += data
        text, _, self._received = self._received.partition(end)
        return text.decode()


@dataclass
class PlayTally:
    """The events of one connection. One thread writes it."""

    moves: int = 0
    games: int = 0  # finished ones
    errors: list[str] = field(default_factory=list)
    short_seconds: list[float] = field(default_factory=list)  # of commands without a search
    move_seconds: list[float] = field(default_factory=list)
    records: list[list[int]] = field(default_factory=list)  # the moves of each game


class SocketGame:
    """One connection and its games, played in a thread of its own."""

    def __init__(
        self,
        path: str,
        board: Board,
        budget: Mapping[str, float],
        stop: threading.Event,
        pause: float = 0.0,
    ) -> None:
        """budget: seconds or visits of a move. stop: ends the play after the move under way.

        pause: seconds after each move.
        """
        self.board = board
        self.tally = PlayTally()
        self._stop, self._pause = stop, pause
        self._connection = GtpConnection(
            path, {"game": board.game, "persona": PERSONA} | dict(budget)
        )
        self._commands = itertools.cycle(SHORT_COMMANDS)
        self._thread = threading.Thread(target=self._run, name=board.name, daemon=True)

    def start(self) -> None:
        """Begins the play."""
        self._thread.start()

    def join(self) -> None:
        """Waits until the play has ended, and closes the connection."""
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        try:
            if self.board.game == "go":
                self._connection.ask(f"boardsize {self.board.width}")
            while not self._stop.is_set():
                self._connection.ask("clear_board")
                position = self._play()
            check_board(self._connection.ask("gogui-rules_board"), position)
        except (AnswerError, OSError, ValueError) as error:
            self.tally.errors.append(f"{self.board.name}: {error}")

    def _play(self) -> Position:
        """Plays a game until its end or until `stop`; returns its last position."""
        position, kind = self.board.start(), GAMES[self.board.game]
        record: list[int] = []
        self.tally.records.append(record)
        while not (position.is_over or self._stop.is_set()):
            color = "bw"[position.to_move]
            word, seconds = self._timed(f"genmove {color}")
            self.tally.moves += 1
            self.tally.move_seconds.append(seconds)
            if word.lower() == RESIGNATION:
                break
            record.append(kind.read_move(word, position.width, position.height))
            position.play(record[-1])
            self.tally.short_seconds.append(self._timed(next(self._commands))[1])
            self._stop.wait(self._pause)
        else:
            self.tally.games += position.is_over
            return position
        self.tally.games += 1
        return position

    def _timed(self, command: str) -> tuple[str, float]:
        begun = time.monotonic()
        answer = self._connection.ask(command)
        return answer, time.monotonic() - begun


def check_board(text: str, position: Position) -> None:
    """Raises AnswerError unless the answer to gogui-rules_board shows the position's stones.

    The rows may run upwards or downwards; cells outside the game's board are question marks.
    """
    rows = [[STONES[word] for word in line.split() if word in STONES] for line in text.split("\n")]
    shown, stones = [row for row in rows if row], position.stones.tolist()
    if shown not in (stones, stones[::-1]):
        raise AnswerError(f"after {position.move_number} moves the engine's board is {text!r}")


def open_idle(path: str, count: int) -> list[GtpConnection]:
    """Returns so many greeted connections without a game under way."""
    return [GtpConnection(path, {}) for _ in range(count)]


def close_idle(connections: Sequence[GtpConnection]) -> list[str]:
    """Asks each connection for a name and closes it; returns the errors."""
    errors = []
    for connection in connections:
        try:
            connection.ask("name")
        except (AnswerError, OSError) as error:
            errors.append(f"idle connection: {error}")
        connection.close()
    return errors


def state_of(path: str) -> dict[str, Any]:
    """Returns the state of the engine as `sparring status --json` prints it; raises OSError."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(ANSWER_SECONDS)
        connection.connect(path)
        connection.sendall(b'{"protocol": "status"}\n')
        received = b""
        while data := connection.recv(1 << 16):
            received += data
    state: dict[str, Any] = json.loads(received)
    return state
