"""The delay of the engine's answers, shared by all games of a bot."""

from __future__ import annotations

from collections import deque

from bots.game_clocks import PlayerClock

SAMPLES = 50  # answers whose delays count
MOVES, FRESH_SECONDS = 20, 60.0  # moves whose time counts, and for how long
MOST_DELAY = 10.0  # seconds; a longer one is that of an engine that was away


class AnswerDelay:
    """Measures the time of the engine's answers beyond its thinking. All times are in seconds.

    A slow engine delays the answers of all games: a new game begins with the delay of the others.
    """

    def __init__(self) -> None:
        self._samples: deque[float] = deque(maxlen=SAMPLES)
        self._moves: deque[tuple[float, float]] = deque(maxlen=MOVES)  # time, seconds of a move

    def answered(
        self, seconds: float, thought: float, clock: PlayerClock | None, reserved: float
    ) -> None:
        """Takes one answer.

        seconds: from the request to the answer; thought: by the engine's own account; clock: ours
        at the request; reserved: the part of it for the engine to leave.
        """
        delay = seconds - thought
        if clock is not None and clock.stones == 1:  # one move, or the last of a period
            delay = max(delay, seconds - (clock.seconds - reserved))
        if delay <= MOST_DELAY:
            self._samples.append(max(0.0, delay))

    @property
    def reserve(self) -> float:
        """The seconds to reserve at each move: the largest delay of the last answers."""
        return max(self._samples, default=0.0)

    def moved(self, at: float, seconds: float) -> None:
        """Takes the time of a whole move: the opening of the game and the thinking included."""
        self._moves.append((at, seconds))

    def move_seconds(self, at: float) -> float:
        """Returns the longest time of a move within the last minute; 0 without one."""
        return max((each for time, each in self._moves if at - time <= FRESH_SECONDS), default=0.0)
