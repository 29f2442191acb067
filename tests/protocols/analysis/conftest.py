"""Fixtures of the tests of the analysis protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from protocols.analysis.scheduler import Scheduler
from tests.support.analysis_talk import Json, Talk


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    with Scheduler(threads=2) as running:
        yield running


@pytest.fixture
def talk(scheduler: Scheduler) -> Iterator[Talk]:
    yield (talk := Talk(scheduler))
    talk.outbox.close()


@pytest.fixture
def query() -> Callable[..., Json]:
    """A function: a query for an empty 7x7 board with the fields given."""

    def make(**fields: Any) -> Json:
        base: Json = {
            "id": "q",
            "moves": [],
            "rules": "tromp-taylor",
            "komi": 7.5,
            "boardXSize": 7,
            "boardYSize": 7,
            "maxVisits": 10,
        }
        return {name: value for name, value in {**base, **fields}.items() if value is not ...}

    return make
