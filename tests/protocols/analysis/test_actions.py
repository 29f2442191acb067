"""Terminating, priorities, partial reports, and the other actions of the analysis protocol."""

from __future__ import annotations

import gc
import time
import weakref
from typing import Any

import pytest

from protocols.analysis.scheduler import Scheduler
from protocols.outbox import HIGH_WATER, ClientGoneError
from tests.support.analysis_talk import Gate, Json, Query, Talk

ENDLESS = 10_000_000


def finals(answers: list[Json]) -> list[Json]:
    return [answer for answer in answers if answer.get("isDuringSearch") is False]


def test_query_version_is_echoed_with_versions(talk: Talk) -> None:
    (answer,) = talk.ask({"id": "v", "action": "query_version", "extra": 1})
    assert answer.items() >= {"id": "v", "action": "query_version", "extra": 1}.items()
    assert answer["version"].split(".")[0] == "1"
    assert "git_hash" in answer


def test_query_models_describes_the_network(talk: Talk) -> None:
    (answer,) = talk.ask({"id": "m", "action": "query_models"})
    (model,) = answer["models"]
    assert model["internalName"] == "stand-in"
    assert model["usesHumanSLProfile"] is False


def test_clear_cache_is_echoed(talk: Talk) -> None:
    request = {"id": "c", "action": "clear_cache"}
    assert talk.ask(request) == [request]


WRONG_ACTIONS = [
    ({"action": "dance"}, "action"),
    ({"action": "terminate"}, "terminateId"),
    ({"action": "terminate", "terminateId": 3}, "terminateId"),
    ({"action": "terminate", "terminateId": "q", "turnNumbers": 1}, "turnNumbers"),
    ({"action": "terminate_all", "turnNumbers": ["a"]}, "turnNumbers"),
]


@pytest.mark.parametrize(("request_", "field"), WRONG_ACTIONS)
def test_wrong_actions_are_errors_with_their_id(talk: Talk, request_: Json, field: str) -> None:
    (answer,) = talk.ask({"id": "a"} | request_)
    assert (answer["id"], answer["field"]) == ("a", field)


def test_reports_come_during_the_search_and_one_answer_ends_it(talk: Talk, query: Query) -> None:
    talk.send(query(maxVisits=ENDLESS, reportDuringSearchEvery=0.01))
    answers = talk.wait(lambda all_: len(all_) >= 3)
    assert all(answer["isDuringSearch"] for answer in answers)
    visits = [answer["rootInfo"]["visits"] for answer in answers]
    assert visits == sorted(visits)
    terminate = {"id": "t", "action": "terminate", "terminateId": "q"}
    talk.send(terminate)
    answers = talk.finish()
    assert terminate in answers
    (final,) = finals(answers)
    assert final["rootInfo"]["visits"] >= visits[-1]


def test_the_first_report_may_come_apart_from_the_others(talk: Talk, query: Query) -> None:
    talk.send(
        query(maxVisits=ENDLESS, firstReportDuringSearchAfter=0.01, reportDuringSearchEvery=1000)
    )
    talk.wait(lambda all_: len(all_) == 1)
    talk.send({"id": "t", "action": "terminate_all"})
    assert len([answer for answer in talk.finish() if answer.get("isDuringSearch")]) == 1


def test_what_was_terminated_before_it_began_has_no_results(
    scheduler: Scheduler, query: Query
) -> None:
    gate = Gate()
    talk = Talk(scheduler, gate)
    moves = [["B", "D4"], ["W", "C3"], ["B", "E5"]]
    talk.send(query(moves=moves, analyzeTurns=[0, 1, 2, 3], maxVisits=ENDLESS))
    for _ in range(scheduler.threads):
        gate.reached.acquire()
    talk.send({"id": "t", "action": "terminate", "terminateId": "q", "turnNumbers": [0, 3]})
    assert talk.answers[0] == {
        "id": "q",
        "turnNumber": 3,
        "isDuringSearch": False,
        "noResults": True,
    }
    talk.send({"id": "u", "action": "terminate_all"}, {"id": "w", "action": "terminate_all"})
    gate.open()
    answers = talk.finish()
    assert sorted(answer["turnNumber"] for answer in finals(answers)) == [0, 1, 2, 3]


def test_terminating_one_query_leaves_the_others(talk: Talk, query: Query) -> None:
    talk.send(query(id="long", maxVisits=ENDLESS), query(id="short"))
    talk.send({"id": "t", "action": "terminate", "terminateId": "long"})
    answers = {answer["id"]: answer for answer in finals(talk.finish())}
    assert answers.keys() == {"long", "short"}
    assert answers["short"]["rootInfo"]["visits"] == 10


def order_of_answers(talk: Talk, gate: Gate, scheduler: Scheduler, *queries: Json) -> list[Any]:
    """Keys of the answers to `queries` that were queued while all threads were busy."""
    for _ in range(scheduler.threads):
        gate.reached.acquire()
    talk.send(*queries)
    gate.open()
    return [(a["id"], a["turnNumber"]) for a in talk.finish() if a["id"] != "busy"]


def test_higher_priority_goes_first_and_equal_ones_in_order(query: Query) -> None:
    gate = Gate()
    with Scheduler(threads=1) as scheduler:
        talk = Talk(scheduler, gate)
        talk.send(query(id="busy"))
        moves = [["B", "D4"], ["W", "C3"]]
        found = order_of_answers(
            talk,
            gate,
            scheduler,
            query(id="first"),
            query(id="low", priority=-1),
            query(id="turns", moves=moves, analyzeTurns=[0, 1, 2], priorities=[5, -7, 9]),
            query(id="second"),
        )
    assert found == [
        ("turns", 2),
        ("turns", 0),
        ("first", 0),
        ("second", 0),
        ("low", 0),
        ("turns", 1),
    ]


def test_one_client_does_not_keep_another_waiting(query: Query) -> None:
    gate = Gate()
    with Scheduler(threads=1) as scheduler:
        greedy, modest = Talk(scheduler, gate), Talk(scheduler)
        greedy.send(query(id="busy"))
        gate.reached.acquire()
        moves = [["B", "pass"], ["W", "pass"]] * 50
        greedy.send(query(moves=moves, analyzeTurns=list(range(101)), priority=9))
        modest.send(query())
        served: list[int] = []
        modest.outbox.on_room = lambda: served.append(len(greedy.answers))
        gate.open()
        modest.wait(lambda all_: len(all_) == 1)
        before = len(greedy.answers)
        greedy.finish()
    assert before < 101


def test_an_endless_query_does_not_keep_another_client_waiting(query: Query) -> None:
    with Scheduler(threads=1) as scheduler:
        greedy, modest = Talk(scheduler), Talk(scheduler)
        greedy.send(query(maxVisits=ENDLESS), query(id="second", maxVisits=ENDLESS))
        assert modest.ask(query())[0]["rootInfo"]["visits"] == 10
        assert not greedy.answers
        greedy.conversation.leave(finish=False, gone=lambda: True)
        modest.finish()


def test_idle_threads_keep_nothing_of_a_client_that_has_gone(query: Query) -> None:
    with Scheduler(threads=2) as scheduler:
        talk = Talk(scheduler)
        talk.ask(query(), query(id="again"), answers=2)
        talk.finish()
        gone = weakref.ref(talk.outbox)
        del talk
        deadline = time.monotonic() + 10
        while gone() is not None and time.monotonic() < deadline:
            gc.collect()
        assert gone() is None


def test_queries_terminated_for_a_client_that_does_not_read_are_answered_no_faster(
    query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.outbox.STALLED_SECONDS", 0.05)
    gate = Gate()
    with Scheduler(threads=1) as scheduler:
        talk = Talk(scheduler, gate)
        talk.send(query(id="busy"))
        gate.reached.acquire()
        name = "x" * (HIGH_WATER // 4)
        talk.send(query(id=name, moves=[["B", "pass"]] * 9, analyzeTurns=list(range(10))))
        talk.outbox._wake = lambda: None  # the client does not read
        with pytest.raises(ClientGoneError):
            talk.send({"id": "t", "action": "terminate_all"})
        assert sum(map(len, talk.outbox.take())) < 2 * HIGH_WATER
        gate.open()


def test_queries_whose_lines_hold_too_many_bytes_are_refused(
    talk: Talk, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.analysis.conversation.MOST_WAITING_BYTES", 2000)
    (answer,) = talk.ask(query(id="x" * 2000))
    assert "more than 2000 bytes of queries would wait" in answer["error"]
    assert talk.ask(query())[0]["rootInfo"]["visits"] == 10


def test_nothing_new_is_begun_for_a_client_that_does_not_read(
    scheduler: Scheduler, query: Query
) -> None:
    talk, other = Talk(scheduler), Talk(scheduler)
    talk.outbox._held = HIGH_WATER  # as if it had not read
    talk.send(query())
    other.ask(query(), query(id="again"), answers=2)
    assert not talk.answers
    talk.outbox.on_room = scheduler.wake
    talk.outbox.sent(HIGH_WATER)
    assert len(talk.finish()) == 1


def test_a_client_that_leaves_stops_its_searches(scheduler: Scheduler, query: Query) -> None:
    talk = Talk(scheduler)
    talk.send(*[query(id=str(number), maxVisits=ENDLESS) for number in range(5)])
    talk.conversation.leave(finish=False, gone=lambda: True)
    other = Talk(scheduler)
    assert other.ask(query())[0]["rootInfo"]["visits"] == 10


def test_too_many_waiting_positions_are_refused(
    talk: Talk, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.analysis.conversation.MOST_WAITING", 2)
    moves = [["B", "D4"], ["W", "C3"]]
    (answer,) = talk.ask(query(moves=moves, analyzeTurns=[0, 1, 2]))
    assert answer["field"] == "analyzeTurns"


def test_a_fault_while_searching_still_ends_the_turn(
    scheduler: Scheduler, query: Query, caplog: pytest.LogCaptureFixture
) -> None:
    def fault() -> None:
        raise ValueError("the device is gone")

    talk = Talk(scheduler, fault)
    (answer,) = talk.ask(query())
    assert answer["noResults"] is True
    assert answer["error"] == "internal error"
    assert "the device is gone" in caplog.text
