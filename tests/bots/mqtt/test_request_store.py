"""Requests are stored before their acknowledgement, and answered once, across restarts too."""

from __future__ import annotations

import sqlite3
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from bots.mqtt.request_reader import Incoming, read_packet
from bots.mqtt.request_store import Arrival, RequestStore, StoreFileError
from bots.mqtt.served_game import MqttGame
from tests.bots.mqtt.messages import packet


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "mqtt.sqlite3"


def incoming(correlation_id: str = "1", board: str = "go9", attempt: int = 1) -> Incoming:
    sent = packet("start", correlation_id=correlation_id, board=board, attempt=attempt)
    return read_packet(sent, ("#",), 65536)


def nothing(_arrival: Arrival) -> None:
    return None


def game(number: int = 1, *, is_over: bool = False) -> MqttGame:
    return MqttGame("e1.1", "e1", "go9", "black", "token", number=number, is_over=is_over)


def test_a_redelivery_is_a_duplicate_before_and_after_the_reply(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    assert store.arrive(incoming(), nothing) == (Arrival.NEW, 1)
    assert store.arrive(incoming(), nothing) == (Arrival.DUPLICATE, 1)
    store.answer(1, "reply")
    assert store.arrive(incoming(), nothing) == (Arrival.DUPLICATE, 1)
    store.sent(1)
    assert store.arrive(incoming(), nothing) == (Arrival.DUPLICATE, 1)
    assert store.unsent_numbers() == []


def test_a_further_attempt_gets_the_stored_reply_again_once(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    store.arrive(incoming(), nothing)
    store.answer(1, "reply")
    store.sent(1)
    assert store.arrive(incoming(attempt=2), nothing) == (Arrival.REPEATED, 1)
    assert store.unsent_numbers() == [1]
    assert store.request(1).reply == "reply"
    store.sent(1)
    assert store.arrive(incoming(attempt=2), nothing) == (Arrival.DUPLICATE, 1)
    assert store.arrive(incoming(attempt=1), nothing) == (Arrival.DUPLICATE, 1)
    assert store.unsent_numbers() == []


def test_a_further_attempt_before_the_reply_is_not_carried_out_again(
    path: Path, time: Time
) -> None:
    store = RequestStore(path, time)
    store.arrive(incoming(), nothing)
    assert store.arrive(incoming(attempt=2), nothing) == (Arrival.DUPLICATE, 1)
    store.answer(1, "reply")
    assert store.unsent_numbers() == [1]


def test_a_reused_id_is_refused_once_and_its_redelivery_is_a_duplicate(
    path: Path, time: Time
) -> None:
    store = RequestStore(path, time)
    store.arrive(incoming(), nothing)
    other = incoming(board="go13")
    assert store.arrive(other, lambda _: "refused") == (Arrival.REUSED, 2)
    assert store.arrive(other, lambda _: "refused") == (Arrival.DUPLICATE, 2)
    assert store.unsent_numbers() == [2]
    assert [each.number for each in store.unanswered()] == [1]


def test_ids_meet_only_on_one_response_topic(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    one = incoming()
    other = replace(one, way_back=replace(one.way_back, reply_to="sparring/clients/other"))
    assert store.arrive(one, nothing) == (Arrival.NEW, 1)
    assert store.arrive(other, nothing) == (Arrival.NEW, 2)


def test_everything_survives_the_end_of_the_process(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    store.arrive(incoming("a"), nothing)
    store.arrive(incoming("b"), nothing)
    store.arrive(incoming("c"), nothing)
    store.answer(2, "reply b", game())
    store.answer(3, "reply c")
    store.sent(3)
    store.close()
    again = RequestStore(path, time)
    assert [each.way_back.correlation_id for each in again.unanswered()] == ["a"]
    assert again.unanswered()[0].fields == {"type": "start", "board": "go9"}
    assert again.unsent_numbers() == [2]
    assert again.game("e1.1") == game()
    assert again.unpublished_games() == ["e1.1"]
    for each in "abc":
        assert again.arrive(incoming(each), nothing)[0] is Arrival.DUPLICATE


def test_a_reply_is_never_written_over(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    store.arrive(incoming(), nothing)
    store.answer(1, "first")
    store.answer(1, "second")
    assert store.request(1).reply == "first"


def test_old_replies_go_once_the_broker_has_them(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    for each in "ab":
        store.arrive(incoming(each), nothing)
    store.answer(1, "reply")
    store.answer(2, "reply")
    store.sent(1)
    time.seconds += 100
    assert store.forget(200) == 0
    time.seconds += 200
    assert store.forget(200) == 1
    assert store.unsent_numbers() == [2]
    assert store.arrive(incoming("a"), nothing)[0] is Arrival.NEW


def test_a_published_state_is_the_last_one(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    store.write_game(game(1))
    store.write_game(game(2))
    store.published("e1.1", 1)
    assert store.unpublished_games() == ["e1.1"]
    store.published("e1.1", 2)
    assert store.unpublished_games() == []
    assert (store.games_under_way(), store.idle_games(10)) == (1, [])
    time.seconds += 20
    assert store.idle_games(10) == ["e1.1"]
    store.write_game(game(3, is_over=True))
    assert (store.games_under_way(), store.idle_games(0)) == (0, [])


def test_the_file_is_the_users_alone_and_for_one_process(path: Path, time: Time) -> None:
    store = RequestStore(path, time)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    store.arrive(incoming(), nothing)
    with pytest.raises(StoreFileError, match="locked"):
        RequestStore(path, time)


def test_a_store_of_another_version_is_refused(path: Path, time: Time) -> None:
    RequestStore(path, time).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(StoreFileError, match="another version: 9"):
        RequestStore(path, time)


def test_a_file_that_is_no_store_is_refused(path: Path, time: Time) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreFileError, match="not a database"):
        RequestStore(path, time)
