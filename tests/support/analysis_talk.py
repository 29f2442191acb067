"""A client of the analysis protocol whose network is a stand-in."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from engine._core import EvaluationCache
from engine.networks.human_policy import HumanPolicy
from engine.play.network_use import Network
from engine.play.search_source import OneSearch
from engine.search.search import Search
from protocols.analysis.conversation import Conversation
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.settings import QuerySettings
from protocols.outbox import Outbox
from tests.support.stand_in import StandInEvaluator, uniform

Json = dict[str, Any]
Query = Callable[..., Json]  # the fixture: a query with these fields


class Talk:
    """A conversation whose answers are gathered."""

    def __init__(
        self,
        scheduler: Scheduler,
        pause: Callable[[], None] = lambda: None,
        human: HumanPolicy | None = None,
    ) -> None:
        self._arrived = threading.Condition()
        self.answers: list[Json] = []
        self.outbox = Outbox(wake=self._take)
        self.evaluator = StandInEvaluator(uniform, pause=pause)
        network = Network(self.evaluator, EvaluationCache(1024))
        source = OneSearch(Search(self.evaluator), human_policy=lambda: human)
        self.conversation = Conversation(
            network, scheduler, self.outbox, QuerySettings(), source=source
        )

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
