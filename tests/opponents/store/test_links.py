"""Linked accounts: whose belief grows, and what undoing a link brings back."""

from __future__ import annotations

import pytest

from engine.opponents.opponent_store import EloEstimate, OpponentEntry, OpponentName, StoreError
from engine.opponents.store.store import DatabaseStore
from tests.support.store.known import ANN, BOB, LARGE, SMALL, counted

CAROL = OpponentName("Carol", "ogs")


def entry(number: int) -> OpponentEntry:
    return OpponentEntry({"number": number}, 0, EloEstimate(number, number, number))


def join(first: OpponentEntry | None, second: OpponentEntry) -> OpponentEntry:
    return entry((first.state["number"] if first else 0) + second.state["number"])


def part(now: OpponentEntry, both: OpponentEntry, before: OpponentEntry | None) -> OpponentEntry:
    was = before.state["number"] if before else 0
    return entry(now.state["number"] - both.state["number"] + was)


def number(store: DatabaseStore, name: OpponentName) -> int | None:
    known = store.recall(name, SMALL)
    return None if known is None else int(known.state["number"])


@pytest.fixture
def met(store: DatabaseStore) -> DatabaseStore:
    """A store where Ann was met three times, Bob twice and Carol never."""
    for name in (ANN, ANN, ANN, BOB, BOB):
        store.revise(name, SMALL, counted)
    store.revise(BOB, LARGE, counted)
    return store


def test_a_linked_account_plays_into_the_others_belief(met: DatabaseStore) -> None:
    met.links.link(BOB, ANN, join)
    assert met.links.all() == {BOB: ANN}
    assert (number(met, ANN), number(met, BOB)) == (5, 5)
    met.revise(BOB, SMALL, counted)
    assert (number(met, ANN), number(met, BOB)) == (6, 6)
    assert met.history(BOB, SMALL) == met.history(ANN, SMALL)
    assert met.boards(ANN) == (LARGE, SMALL)


def test_an_undone_link_gives_each_its_own(met: DatabaseStore) -> None:
    met.links.link(BOB, ANN, join)
    met.recall(BOB, SMALL)
    met.revise(BOB, SMALL, counted)
    assert met.links.unlink(BOB, part) == ANN
    assert met.links.all() == {}
    assert (number(met, ANN), number(met, BOB)) == (4, 2)
    assert met.boards(ANN) == (SMALL,)  # that of Bob alone is Bob's again
    met.revise(BOB, SMALL, counted)
    assert (number(met, ANN), number(met, BOB)) == (4, 3)


def test_a_link_made_by_another_process_counts_from_the_next_game(
    place: str, met: DatabaseStore
) -> None:
    assert number(met, BOB) == 2
    other = DatabaseStore.open(place)
    other.links.link(BOB, ANN, join)
    met.revise(BOB, SMALL, counted)  # the game under way ends as it began
    assert number(met, BOB) == 5
    other.close()


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (CAROL, ANN, "nothing is remembered of Carol"),
        (ANN, CAROL, "nothing is remembered of Carol"),
        (ANN, ANN, "the same account"),
        (BOB, ANN, "linked already"),
        (ANN, BOB, "linked already"),
    ],
)
def test_impossible_links_are_refused(
    met: DatabaseStore, first: OpponentName, second: OpponentName, message: str
) -> None:
    if "already" in message:
        met.links.link(BOB, ANN, join)
    with pytest.raises(StoreError, match=message):
        met.links.link(first, second, join)
    if "already" not in message:
        with pytest.raises(StoreError, match=r"is not linked|nothing is remembered"):
            met.links.unlink(first, part)


def test_a_deleted_account_has_no_link(met: DatabaseStore) -> None:
    met.links.link(BOB, ANN, join)
    met.delete(ANN)
    assert met.links.all() == {}
    assert number(met, BOB) == 2
