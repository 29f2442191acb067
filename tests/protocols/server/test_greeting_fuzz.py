"""Greetings and saved states of any content: a request, a conversation, or a refusal in words."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import SettingError
from engine.games.table import GAMES, board_named, usual_board
from engine.play.game_networks import GameNetworks
from engine.play.network_pool import NetworkPool
from engine.play.session import Session
from engine.search.search import Search
from protocols.conversation import ClientRequest, Protocol
from protocols.gtp.engine import GtpEngine
from protocols.gtp.saved import state_of
from protocols.inbox import Inbox
from protocols.saved_sessions import SavedSession, SavedSessions
from protocols.server.greeting import (
    GUESTS_OPTIONS,
    is_greeting,
    is_status,
    read_greeting,
    read_guests_greeting,
)
from tests.support.stand_in import StandInEvaluator

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
NAMES = st.sampled_from((*GUESTS_OPTIONS, "network", "folder", "opponent", "personas"))
GREETINGS = st.fixed_dictionaries(
    {"protocol": st.sampled_from(("gtp", "ugi")) | JSON},
    optional={"options": st.dictionaries(NAMES, JSON | st.sampled_from(("go", "9"))) | JSON},
)
PROTOCOLS = {
    name: Protocol(lambda *_: lambda: None, str, usual_board("go"), board_named)
    for name in ("gtp", "ugi")
}


def pool() -> NetworkPool:
    def load(_choice: object) -> Any:
        raise AssertionError

    return NetworkPool(load, {game: GameNetworks(game) for game in GAMES})


@given(GREETINGS | JSON)
@settings(max_examples=300)
def test_any_greeting_becomes_a_request_or_a_refusal(values: Any) -> None:
    line = json.dumps(values).encode()
    is_greeting(line)
    is_status(line)
    for is_guest in (True, False):
        try:
            request = (
                read_guests_greeting(line, pool(), PROTOCOLS, ClientRequest("gtp"))
                if is_guest
                else read_greeting(line, pool(), PROTOCOLS, ClientRequest("gtp").defaults)
            )
        except ValueError:
            continue
        else:
            assert request.protocol in PROTOCOLS
            assert request.rights.is_user is not is_guest


def engine() -> GtpEngine:
    search = Search(StandInEvaluator())
    return GtpEngine(Session(search), lambda _text: None, Inbox())


@pytest.fixture(scope="module")
def state() -> dict[str, Any]:
    """The state of a short game."""
    begun = engine()
    for line in ("boardsize 9", "play b D4", "play w E5", "time_settings 60 0 0"):
        begun.handle(line)
    values: dict[str, Any] = json.loads(json.dumps(state_of(begun._context)))
    return values | {"answers": {"4": "= \n\n"}}


@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_saved_state_is_gone_on_with_or_refused(
    data: st.DataObject, state: dict[str, Any], tmp_path: Path
) -> None:
    changed = copy.deepcopy(state)
    name = data.draw(st.sampled_from(sorted(changed)))
    changed[name] = data.draw(JSON)
    saved = SavedSession(SavedSessions(tmp_path, minutes=1), "token")
    with suppress(SettingError):
        engine().come_back(saved, changed, received=4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("moves", [[0, 10**30]]),
        ("moves", [[0, -5]]),
        ("moves", [[7, 3]]),
        ("moves", [[0, 99999]]),
        ("size", [0, 0]),
        ("size", [10**12, 1]),
        ("setup", [[0, 999]]),
        ("setup", [[5, 3]]),
        ("first_to_move", 9),
        ("control", {"main": "x"}),
        ("persona", "nosuch"),
        ("parameters", {"maxVisits": -1}),
        ("game", "chess"),
        ("settings", {}),
        ("answers", {"x": "="}),
    ],
)
def test_an_impossible_state_is_refused(
    name: str, value: Any, state: dict[str, Any], tmp_path: Path
) -> None:
    saved = SavedSession(SavedSessions(tmp_path, minutes=1), "token")
    with pytest.raises(SettingError, match="the saved conversation has a fault"):
        engine().come_back(saved, state | {name: value}, received=4)


def test_a_whole_state_is_gone_on_with(state: dict[str, Any], tmp_path: Path) -> None:
    again = engine()
    saved = SavedSession(SavedSessions(tmp_path, minutes=1), "token")
    again.come_back(saved, state, received=4)
    assert state_of(again._context) == {
        name: value if not isinstance(value, list) else state_of(again._context)[name]
        for name, value in state.items()
        if name != "answers"
    }
    assert [list(move) for move in again._context.game.moves] == state["moves"]


@pytest.mark.parametrize(
    "opponent",
    [
        {"name": "1", "server": "ogs", "alias": "Ann", "is_named": True, "rating": {"rating": 9.0}},
        {"name": "Ann", "server": "", "is_named": False},
        ["Ann", "cgos", True],
    ],
)
def test_the_opponent_of_a_state_is_gone_on_with(
    opponent: Any, state: dict[str, Any], tmp_path: Path
) -> None:
    again = engine()
    again.come_back(
        SavedSession(SavedSessions(tmp_path, minutes=1), "token"),
        state | {"opponent": opponent},
        received=4,
    )
    fields = state_of(again._context)["opponent"]
    names = ("name", "server", "is_named")
    wanted = opponent if isinstance(opponent, list) else [opponent[name] for name in names]
    assert [fields[name] for name in names] == wanted
    assert (fields["rating"] or {}).get("rating") == (9.0 if "alias" in opponent else None)
