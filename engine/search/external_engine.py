"""A UCI engine that the user names, as the source of the values of moves of chess.

It is started when it is first needed. A program that is absent, ends or stays silent is reported
once in the log; from then on its searches have no lines, and our own search goes on without it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.games.chess_position import ChessPosition
from engine.search.engine_lines import EngineLine, read_line
from engine.util.engine_process import EngineLostError
from engine.util.ugi_client import UgiClient, with_options

log = logging.getLogger("sparring")

START_SECONDS = 60.0  # for the start of a large program on a busy machine
PATIENCE_SECONDS = 10.0  # of silence in a search, and after `stop`
POLL_SECONDS = 0.02  # between two looks at the stop condition
MOST_LINES = 256  # no position of chess has more moves


@dataclass(frozen=True, slots=True)
class EngineLimit:
    """The limits of one search of the engine; None is no limit."""

    nodes: int | None = None
    seconds: float | None = None
    moves: tuple[str, ...] = ()  # the only ones at the root; none: all
    lines: int = MOST_LINES  # the most moves with a value

    @property
    def words(self) -> str:
        """The words after `go`."""
        words = [] if self.nodes is None else [f"nodes {self.nodes}"]
        if self.seconds is not None:
            words.append(f"movetime {max(1, round(1000 * self.seconds))}")
        if self.moves:
            words.append(f"searchmoves {' '.join(self.moves)}")
        return " ".join(words) or "infinite"


class ExternalEngine:
    """A program and its process. For one thread at a time; `close` ends it.

    command: a command line; words such as option.SyzygyPath=DIR set the program's options. start:
    starts a process with the other words; it raises EngineLostError.
    """

    def __init__(
        self,
        command: str,
        *,
        start: Callable[[Sequence[str]], UgiClient] = lambda words: UgiClient(
            words, dialect="uci", seconds=START_SECONDS
        ),
    ) -> None:
        self.command = command
        self.is_lost = False
        self._start = start
        self._client: UgiClient | None = None
        self._lines = 0  # as MultiPV says

    def search(
        self,
        position: ChessPosition,
        limit: EngineLimit,
        stop: Callable[[], bool],
        on_lines: Callable[[Sequence[EngineLine]], None] | None = None,
    ) -> tuple[EngineLine, ...]:
        """Returns the lines of a search, best first; none from a lost program.

        on_lines: receives the lines so far, at each new depth.
        """
        if self.is_lost:
            return ()
        try:
            client = self._client or self._started()
            self._set_lines(client, min(limit.lines, len(position.legal_moves())))
            return _search(client, position, limit, stop, on_lines)
        except EngineLostError as error:
            log.warning("%s: %s; our own search goes on without it", self.command, error)
            self.is_lost = True
            self.close()
            return ()

    def close(self) -> None:
        """Ends the process, if one runs."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _started(self) -> UgiClient:
        words, options = with_options(self.command)
        self._client = client = self._start(words)
        for name, value in options.items():
            client.set_option(name, value)
        if "UCI_ShowWDL" in client.options:
            client.set_option("UCI_ShowWDL", "true")
        if "UCI_Chess960" in client.options:
            client.set_option("UCI_Chess960", "false")
        client.new_game()
        return client

    def _set_lines(self, client: UgiClient, lines: int) -> None:
        if lines != self._lines and "MultiPV" in client.options:
            client.set_option("MultiPV", lines)
            self._lines = lines


def _search(
    client: UgiClient,
    position: ChessPosition,
    limit: EngineLimit,
    stop: Callable[[], bool],
    on_lines: Callable[[Sequence[EngineLine]], None] | None,
) -> tuple[EngineLine, ...]:
    """Returns the last complete value of each line. Raises EngineLostError."""
    if position.is_chess960 and "UCI_Chess960" in client.options:
        client.set_option("UCI_Chess960", "true")
    client.write(f"position fen {position.fen}")
    command = f"go {limit.words}"
    client.write(command)
    values: dict[int, EngineLine] = {}
    began, stopped = time.monotonic(), None
    while True:
        now = time.monotonic()
        if stopped is None and stop():
            client.write("stop")
            stopped = now
        silent_since = stopped if stopped is not None else began
        patience = PATIENCE_SECONDS + (0.0 if stopped is not None else limit.seconds or 0.0)
        is_late = now > silent_since + patience
        line = client.next_line(command, now + POLL_SECONDS)
        if line is None:
            # After a pause of this process its lines may wait: only a look in vain is silence.
            if is_late and (limit.words != "infinite" or stopped is not None):
                raise EngineLostError("hung", f"no reply to {command!r} in time")
            continue
        if line.startswith("bestmove"):
            return _in_order(values)
        began = now  # it is alive
        numbered = read_line(line, position)
        if numbered is not None:
            number, value = numbered
            if number == 1 and on_lines is not None and values:
                on_lines(_in_order(values))
            values[number] = value


def _in_order(values: dict[int, EngineLine]) -> tuple[EngineLine, ...]:
    """Returns the lines by their numbers, each move once."""
    lines: dict[int, EngineLine] = {}
    for _, line in sorted(values.items()):
        lines.setdefault(line.move, line)
    return tuple(lines.values())
