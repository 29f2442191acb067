"""Stores of every kind, empty; and a memory that soon tries again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from engine.opponents import fallback_store
from engine.opponents.opponent_store import OpponentStore, TransientStore
from engine.opponents.store.store import DatabaseStore
from engine.util import operation_queue
from tests.support.store.postgres import running

KINDS = ["sqlite", "postgresql"]


class Clock:
    """A time that goes on by a minute whenever it is asked."""

    def __init__(self) -> None:
        self.time = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(minutes=1)
        return self.time


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL database; skips where there is no server to start."""
    pytest.importorskip("psycopg", reason="needs psycopg: sparring[postgres]")
    with running() as url:
        yield url


def empty_place(kind: str, request: pytest.FixtureRequest) -> str:
    """Where a store of that kind can be made; nothing is there yet."""
    if kind == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        return str(folder / "data" / "opponents.sqlite3")
    url: str = request.getfixturevalue("postgres")
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest) -> str:
    """Where a store can be made, one kind after the other."""
    return empty_place(request.param, request)


@pytest.fixture
def store(place: str) -> Iterator[DatabaseStore]:
    """An empty store."""
    store = DatabaseStore.open(place, now=Clock())
    yield store
    store.close()


@pytest.fixture(params=["none", *KINDS])
def memory(request: pytest.FixtureRequest) -> Iterator[OpponentStore]:
    """An empty memory of any kind."""
    memory: OpponentStore = TransientStore(now=Clock())
    if request.param != "none":
        memory = DatabaseStore.open(empty_place(request.param, request), now=Clock())
    yield memory
    memory.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another attempt soon."""
    monkeypatch.setattr(fallback_store, "ANSWER_SECONDS", 0.02)
    monkeypatch.setattr(operation_queue, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(operation_queue, "SLOWEST_RETRY_SECONDS", 0.02)
