"""The conversations of a server, and counts since its start. Safe to use from several threads."""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_left
from collections import Counter, deque
from dataclasses import dataclass, field

from engine.search.meter import Work
from protocols.activity import Activity

# Upper bounds of the classes of latencies, in seconds.
BOUNDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
RATE_SECONDS = 60.0  # over which rates are taken
SAMPLE_SECONDS = 5.0  # between two samples of the work


@dataclass
class Latencies:
    """The latencies of one kind of command, by class."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0  # the sum

    def add(self, seconds: float) -> None:
        """Counts one latency."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def quantile(self, share: float) -> float | None:
        """Returns the upper bound of the class with this quantile; None without any latency.

        >>> latencies = Latencies()
        >>> latencies.add(0.002); latencies.add(3.0)
        >>> latencies.quantile(0.5), latencies.quantile(0.99)
        (0.005, 5.0)
        """
        left = share * sum(self.counts)
        for bound, count in zip((*BOUNDS, float("inf")), self.counts, strict=True):
            left -= count
            if count and left <= 0:
                return bound
        return None


class Statistics:
    """The present conversations, and the counts since the start."""

    def __init__(self) -> None:
        self.started = time.time()  # seconds since 1970
        self._activities: dict[str, Activity] = {}  # by id
        self._latencies: dict[tuple[str, str], Latencies] = {}  # by protocol and kind
        self._conversations: Counter[str] = Counter()  # by protocol
        self._refusals: Counter[str] = Counter()
        self._samples: deque[tuple[float, Work]] = deque()
        self._lock = threading.Lock()

    def begin(self, activity: Activity) -> None:
        """Adds a conversation; it must `end`."""
        activity.on_done = lambda kind, seconds: self._count(activity.protocol, kind, seconds)
        with self._lock:
            self._activities[activity.id] = activity
            self._conversations[activity.protocol] += 1

    def end(self, activity: Activity) -> None:
        """Removes a conversation."""
        with self._lock:
            self._activities.pop(activity.id, None)

    def refused(self, protocol: str) -> None:
        """Counts a refused client."""
        with self._lock:
            self._refusals[protocol] += 1

    def _count(self, protocol: str, kind: str, seconds: float) -> None:
        with self._lock:
            self._latencies.setdefault((protocol, kind), Latencies()).add(seconds)

    def activities(self) -> list[Activity]:
        """Returns the present conversations, the oldest first."""
        with self._lock:
            return sorted(self._activities.values(), key=lambda each: each.begun)

    def latencies(self) -> dict[tuple[str, str], Latencies]:
        """Returns the latencies by protocol and kind of command."""
        with self._lock:
            return {
                key: Latencies(list(each.counts), each.seconds)
                for key, each in self._latencies.items()
            }

    def conversations(self) -> dict[str, int]:
        """Returns the number of conversations since the start, by protocol."""
        with self._lock:
            return dict(self._conversations)

    def refusals(self) -> dict[str, int]:
        """Returns the number of refused clients, by protocol."""
        with self._lock:
            return dict(self._refusals)

    def sample(self, work: Work, now: float) -> None:
        """Keeps the work until now, for the rates. now: by time.monotonic."""
        with self._lock:
            self._samples.append((now, work))
            while self._samples[0][0] < now - RATE_SECONDS:
                self._samples.popleft()

    def rates(self, work: Work, now: float) -> tuple[float, float]:
        """Returns the playouts and the evaluations a second in the last minute."""
        with self._lock:
            if not self._samples:
                return 0.0, 0.0
            before, first = self._samples[0]
        seconds = max(now - before, 1e-3)
        return (
            (work.playouts - first.playouts) / seconds,
            (work.evaluations - first.evaluations) / seconds,
        )


class ErrorCounter(logging.Handler):
    """Counts the log's records by level."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.counts: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Counts a record."""
        self.counts[record.levelname.lower()] += 1
