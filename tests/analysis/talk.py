"""A client of the analysis protocol whose network is a stand-in."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from engine._core import EvaluationCache
from engine.evaluator import Multipliers, NetworkDescription
from engine.resident import Network
from protocols.analysis.conversation import Conversation
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.settings import Settings
from protocols.outbox import Outbox

Json = dict[str, Any]


class UniformSlot:
    """Answers at once: every move as likely, Black's moves slightly better, nobody's points."""

    def __init__(self, width: int, height: int, capacity: int, pause: Callable[[], None]) -> None:
        area = width * height
        self.spatial = np.zeros((capacity, 22, height, width), np.uint8)
        self.globals = np.zeros((capacity, 19), np.float32)
        self.metadata = np.zeros((capacity, 0), np.float32)
        self.optimism = np.zeros(capacity, np.float32)
        self.policy = np.zeros((capacity, area + 1), np.float32)
        self.value = np.zeros((capacity, 3), np.float32)
        self.misc = np.zeros((capacity, 6), np.float32)
        self.ownership = np.zeros((capacity, area), np.float32)
        self._pause = pause

    def start(self, rows: int) -> None:
        self.value[:rows] = (1.0, 0.0, -9.0)  # the side to move is ahead ...
        self.misc[:rows, 0] = self.misc[:rows, 2] = 0.25  # ... by 5 points
        self.ownership[:rows] = 0.5

    def wait(self) -> None:
        self._pause()


class UniformEvaluator:
    """A network that knows nothing; `pause` is called for each batch."""

    network = NetworkDescription(
        name="uniform",
        version=8,
        trunk="none",
        parameters=0,
        planes=22,
        globals=19,
        metadata=0,
        policies=1,
        multipliers=Multipliers(),
    )
    backend, precision, device = "numpy", "fp32", "here"
    preferred_rows, slots = 4, 2

    def __init__(self, pause: Callable[[], None] = lambda: None) -> None:
        self._pause = pause

    def open(self, width: int, height: int, capacity: int) -> UniformSlot:
        return UniformSlot(width, height, capacity, self._pause)


class Talk:
    """A conversation whose answers are gathered."""

    def __init__(self, scheduler: Scheduler, pause: Callable[[], None] = lambda: None) -> None:
        self._arrived = threading.Condition()
        self.answers: list[Json] = []
        self.outbox = Outbox(wake=self._take)
        network = Network(UniformEvaluator(pause), EvaluationCache(1024))
        self.conversation = Conversation(network, scheduler, self.outbox, Settings())

    def _take(self) -> None:
        parts = self.outbox.take()
        with self._arrived:
            for part in parts:
                self.outbox.sent(len(part))
                self.answers += [json.loads(line) for line in part.decode().splitlines()]
            self._arrived.notify_all()

    def send(self, *requests: Json | str) -> None:
        for request in requests:
            self.conversation.handle(request if isinstance(request, str) else json.dumps(request))

    def wait(self, enough: Callable[[list[Json]], bool], seconds: float = 30.0) -> list[Json]:
        """All answers so far, once there are `enough`."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: enough(self.answers), seconds), self.answers
            return list(self.answers)

    def ask(self, *requests: Json | str, answers: int = 1) -> list[Json]:
        """What comes back for these requests, once so many answers are there."""
        before = len(self.answers)
        self.send(*requests)
        return self.wait(lambda all_: len(all_) >= before + answers)[before:]

    def finish(self) -> list[Json]:
        """All answers, once nothing waits."""
        self.conversation.leave(finish=True, gone=lambda: False)
        return self.answers


class Gate:
    """Holds every evaluation until opened."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self.reached = threading.Semaphore(0)

    def __call__(self) -> None:
        self.reached.release()
        assert self._open.wait(30)

    def open(self) -> None:
        self._open.set()
