"""Writes of several requests share one transaction and one wait for the disk."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path

import pytest

from bots.mqtt.group_commit import GroupCommit
from bots.mqtt.request_reader import read_packet
from bots.mqtt.request_store import Arrival, RequestStore, StoreFileError
from tests.bots.mqtt.messages import packet


def nothing(_arrival: Arrival) -> None:
    return None


@pytest.fixture
def store(tmp_path: Path) -> RequestStore:
    """A store with four requests."""
    store = RequestStore(tmp_path / "mqtt.sqlite3", time.time)
    with store.together():
        for number in range(4):
            sent = packet("start", correlation_id=str(number), board="go9")
            store.arrive(read_packet(sent, ("#",), 65536), nothing)
    return store


def commits(store: RequestStore) -> list[str]:
    """The statements that end a transaction, from now on."""
    found: list[str] = []
    store._database.set_trace_callback(
        lambda text: found.append(text) if text in ("COMMIT", "ROLLBACK") else None
    )
    return found


def test_answers_of_tasks_that_are_ready_together_wait_for_the_disk_once(
    store: RequestStore,
) -> None:
    ends = commits(store)

    async def run() -> None:
        group = GroupCommit(store)
        write = [group.write(partial(store.answer, number, "reply")) for number in (1, 2, 3)]
        await asyncio.gather(*write)
        await group.write(partial(store.answer, 4, "reply"))

    asyncio.run(run())
    assert ends == ["COMMIT", "COMMIT"]
    assert store.unsent_numbers() == [1, 2, 3, 4]


def test_a_group_that_fails_leaves_nothing_and_each_task_hears_of_it(store: RequestStore) -> None:
    ends = commits(store)

    def fail() -> None:
        raise StoreFileError("the disk is full")

    async def run() -> list[BaseException | None]:
        group = GroupCommit(store)
        answer = group.write(partial(store.answer, 1, "reply"))
        return list(await asyncio.gather(answer, group.write(fail), return_exceptions=True))

    errors = asyncio.run(run())
    assert [str(error) for error in errors] == ["the disk is full"] * 2
    assert ends == ["ROLLBACK"]
    assert store.unsent_numbers() == []
    assert len(store.unanswered()) == 4


def test_a_bug_in_one_write_leaves_the_others_written(store: RequestStore) -> None:
    def half() -> None:
        store.answer(2, "reply")
        raise ValueError("wrong")

    async def run() -> list[BaseException | None]:
        group = GroupCommit(store)
        first = group.write(partial(store.answer, 1, "reply"))
        third = group.write(partial(store.answer, 3, "reply"))
        async with asyncio.timeout(20):
            return list(
                await asyncio.gather(first, group.write(half), third, return_exceptions=True)
            )

    first, second, third = asyncio.run(run())
    assert (first, third) == (None, None)
    assert str(second) == "wrong"
    assert store.unsent_numbers() == [1, 3]
    assert [request.number for request in store.unanswered()] == [2, 4]


def test_arrivals_of_a_group_are_stored_or_not_together(store: RequestStore) -> None:
    sent = read_packet(packet("start", correlation_id="5", board="go9"), ("#",), 65536)

    def arrive() -> None:
        with store.together():
            store.arrive(sent, nothing)
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        arrive()
    assert len(store.unanswered()) == 4
