"""The guests of the page: their names, their number, and their own records."""

from __future__ import annotations

from typing import Any

from engine.opponents import TransientStore
from protocols.page.guests import HOUR_SECONDS, MOST_KNOWN, MOST_NEW, GuestBook, guest_name
from tests.support.page_talk import PageTalk


def secret(number: int) -> str:
    """A secret of a cookie."""
    return f"{number:022}"


def played(talk: PageTalk, **terms: Any) -> dict[str, Any]:
    """The last state of a game of Connect4, played to its end."""
    state = talk.state("new", game="connect4", strength="level:0", **terms)
    while state["phase"] == "yours":
        state = talk.state("move", at=state["legal"][0])
    return state


def test_a_name_does_not_tell_the_secret() -> None:
    name = guest_name(secret(1))
    assert secret(1) not in repr(name)
    assert name == guest_name(secret(1)) != guest_name(secret(2))
    assert (name.server, name.alias) == ("page", "guest")


def test_the_number_of_new_guests_is_limited() -> None:
    times = [0.0]
    book = GuestBook(lambda: times[0])
    assert book.admit("") is None
    assert all(book.admit(secret(number)) for number in range(MOST_NEW))
    assert book.admit(secret(MOST_NEW)) is None
    assert book.admit(secret(0)) == guest_name(secret(0)), "a known guest stays welcome"
    times[0] = HOUR_SECONDS + 1
    assert book.admit(secret(MOST_NEW)) is not None


def test_the_oldest_guests_become_new_again() -> None:
    times = [0.0]
    book = GuestBook(lambda: times[0])
    for number in range(MOST_KNOWN + 1):
        times[0] += HOUR_SECONDS
        assert book.admit(secret(number)) is not None
    assert len(book._known) == MOST_KNOWN


def test_a_guest_finds_its_games_and_its_level_again() -> None:
    memory = TransientStore()
    guest = PageTalk(memory=memory, is_user=False, guest=guest_name(secret(1)))
    state = played(guest)
    again = PageTalk(memory=memory, is_user=False, guest=guest_name(secret(1)))
    [records] = again.say("records")
    [level] = records["levels"]
    assert (level["board"], level["games"]) == ("Connect4 7x6", 1)
    assert level["history"] == [level["estimate"]["elo"]]
    [game] = records["games"]
    assert (game["board"], game["color"], game["strength"]) == ("Connect4 7x6", "Red", "level:0")
    assert game["moves"] == len(state["moves"])
    winner = state["result"]["winner"]
    assert game["outcome"] == ("drawn" if winner is None else "lost" if winner else "won")


def test_a_guest_sees_no_records_of_others() -> None:
    memory = TransientStore()
    played(PageTalk(memory=memory, is_user=False, guest=guest_name(secret(1))))
    played(PageTalk(memory=memory, name="Ann"))
    for other in (
        PageTalk(memory=memory, is_user=False, guest=guest_name(secret(2))),
        PageTalk(memory=memory, is_user=False),
        PageTalk(memory=memory, is_user=False, guest=guest_name(secret(3)), name="Ann"),
    ):
        assert other.say("records")[0]["games"] == []


def test_a_game_under_way_has_no_outcome() -> None:
    talk = PageTalk()
    talk.say("new", game="connect4", strength="level:0")
    talk.say("move", at="4")
    [records] = talk.say("records")
    assert [(game["outcome"], game["result"]) for game in records["games"]] == [("", "")]
