from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.fields import WireError
from bots.ogs import coordinates, frames, messages
from bots.ogs.game_data import BLACK, RULES, WHITE, GameData, read_game_data
from bots.ogs.messages import OfGame, read_message
from engine.games.rules import parse_rules
from tests.support.ogs.board import Wanted
from tests.support.ogs.online_game import Account, OnlineGame
from tests.support.ogs.tournament import TIMES

STATE: dict[str, Any] = {
    "game_id": 4242,
    "phase": "play",
    "width": 9,
    "height": 9,
    "rules": "chinese",
    "komi": 7.5,
    "handicap": 0,
    "free_handicap_placement": True,
    "players": {
        "black": {"id": 7, "username": "human", "rank": 20.4},
        "white": {"id": 99, "username": "testbot", "rank": 15},
    },
    "moves": [[3, 5, 1200], [-1, -1, 10.5]],
    "time_control": {"system": "fischer", "speed": "live"} | TIMES["fischer"],
    "clock": {
        "current_player": 7,
        "last_move": 1_700_000_000_000,
        "expiration": 1_700_000_030_000,
        "black_time": {"thinking_time": 30, "skip_bonus": False},
        "white_time": {"thinking_time": 25.5, "skip_bonus": False},
    },
}


def game(**fields: Any) -> GameData:
    return read_game_data(STATE | fields)


def test_a_frame_is_an_array_of_event_data_and_number() -> None:
    assert frames.encode("game/move", {"game_id": 1}, 7) == '["game/move",{"game_id":1},7]'
    assert json.loads(frames.encode("net/ping", {})) == ["net/ping", {}]
    assert frames.decode('["net/pong",{"client":1}]').data == {"client": 1}
    answer = frames.decode('[3,null,{"code":"no"}]')
    assert (answer.event, answer.error) == (3, {"code": "no"})


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "[true]", "[[1]]", "[" * 100_000, "\x00", "[1.5]"]
)
def test_anything_else_is_no_frame(text: str) -> None:
    with pytest.raises(WireError):
        frames.decode(text)


@pytest.mark.parametrize(
    ("move", "size", "letters"),
    [
        (5 * 9 + 3, (9, 9), "df"),
        (8, (9, 9), "ia"),
        (81, (9, 9), ".."),
        (30 * 31 + 30, (31, 31), "EE"),
    ],
)
def test_moves_are_two_letters_with_an_i(move: int, size: tuple[int, int], letters: str) -> None:
    assert coordinates.encode(move, *size) == letters
    assert coordinates.decode_move(letters, *size) == move


def test_moves_come_as_arrays_objects_and_letters() -> None:
    expected = (5 * 9 + 3, 81)
    for value in ([[3, 5, 12], [-1, -1]], [{"x": 3, "y": 5}, {"x": -1, "y": -1}], "df.."):
        assert coordinates.decode_moves(value, 9, 9) == expected


@pytest.mark.parametrize(
    "move",
    [
        "zz",
        "d",
        "d0",
        [9, 0],
        [0],
        ["a", "b"],
        [-1, 3],
        None,
        7,
        {"x": 1},
        [1, 1, 0, 2, {"edited": True}],
    ],
)
def test_impossible_moves_are_refused(move: object) -> None:
    with pytest.raises(WireError):
        coordinates.decode_move(move, 9, 9)


def test_the_state_of_a_game_is_read() -> None:
    state = game()
    assert (state.game_id, state.moves, state.to_move) == (4242, (48, 81), BLACK)
    assert (state.black.rank, state.white.username) == (20.4, "testbot")
    assert (state.clock.white.main, state.clock.current_player_id) == (25.5, 7)


def test_the_winner_is_an_identity_or_a_color() -> None:
    for winner, expected in ((99, 99), ("white", 99), ("tie", None), (None, None)):
        assert game(phase="finished", winner=winner).winner_id == expected


def test_black_places_free_handicap_stones_in_a_row() -> None:
    state = game(handicap=3, moves=[], clock=STATE["clock"] | {"current_player": 7})
    assert [state.color_at(index) for index in range(6)] == [0, 0, 0, 1, 0, 1]


def test_white_begins_after_fixed_handicap_stones() -> None:
    stones = {"black": "ccgg", "white": ""}
    fixed = {"handicap": 2, "free_handicap_placement": False, "initial_player": "white"}
    clock = STATE["clock"] | {"current_player": 99}
    state = game(**fixed, moves=[], initial_state=stones, clock=clock)
    assert state.stones == ((BLACK, 20), (BLACK, 60))
    assert state.to_move == WHITE


def test_the_clock_says_who_begins_a_forked_game() -> None:
    state = game(clock=STATE["clock"] | {"current_player": 99})
    assert state.to_move == WHITE


@pytest.mark.parametrize(
    "fields",
    [
        {"width": 0},
        {"height": 900},
        {"width": "wide"},
        {"rules": "house"},
        {"komi": float("nan")},
        {"players": None},
        {"players": {"black": {"id": 7, "username": "a"}}},
        {"moves": [[40, 0]]},
        {"moves": 5},
        {"time_control": None},
        {"clock": "noon"},
        {"phase": "lunch"},
        {"initial_state": {"black": "z"}},
        {"rengo": True},
    ],
)
def test_a_state_that_cannot_be_played_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        game(**fields)


def test_all_rule_sets_of_the_server_are_the_engines() -> None:
    assert parse_rules(RULES["ing"]).white_handicap_bonus == "N"
    assert parse_rules(RULES["aga"]).white_handicap_bonus == "N-1"
    assert all(parse_rules(rules) for rules in RULES.values())


@pytest.mark.parametrize("system", TIMES)
@pytest.mark.parametrize("rules", RULES)
def test_the_stand_in_states_games_that_can_be_read(system: str, rules: str) -> None:
    events: list[tuple[str, Any]] = []
    wanted = Wanted(7, 7, {"system": system} | TIMES[system], rules=rules, handicap=2)
    accounts = (Account(7, "human"), Account(99, "testbot"))
    played = OnlineGame(5, accounts, wanted, 1e12, lambda *event: events.append(event))
    for letters in ("aa", "bb"):
        played.play(accounts[played.to_move].id, letters, 1e12 + 1000)
    state = read_game_data(json.loads(json.dumps(played.state(1e12 + 2000))))
    assert (len(state.moves), state.to_move) == (2, played.to_move)
    assert all(read_message(f"game/5/{event}", data) for event, data in events)


def test_events_of_a_game_name_it() -> None:
    move = read_message("game/12/move", {"move_number": 3, "move": [3, 5, 100]})
    assert move == OfGame(12, messages.MoveMessage(3, [3, 5, 100]))
    assert read_message("game/12/stalling_score_estimate", {}) is None
    assert read_message("game/x/move", {}) is None


def test_requests_to_undo_are_numbers_or_objects() -> None:
    plain = messages.UndoRequestMessage(8)
    counted = messages.UndoRequestMessage(8, 2, 7)
    data = {"move_number": 8, "requested_by": 7, "undo_move_count": 2}
    assert read_message("game/1/undo_requested", 8) == OfGame(1, plain)
    assert read_message("game/1/undo_requested", "8") == OfGame(1, plain)
    assert read_message("game/1/undo_requested", data) == OfGame(1, counted)
    assert read_message("game/1/undo_accepted", 8) == OfGame(1, messages.UndoMessage())


def test_long_and_structured_lines_of_chat_are_cut_and_emptied() -> None:
    for body, expected in (("x" * 50_000, 10_000), ({"type": "analysis"}, 0), ([], 0)):
        data = {"channel": "main", "line": {"body": body, "player_id": 1, "username": "a"}}
        message = read_message("game/1/chat", data)
        assert isinstance(message, OfGame)
        assert isinstance(message.message, messages.ChatMessage)
        assert len(message.message.body) == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
EVENTS = [f"game/1/{event}" for event in messages._GAME_READERS] + list(messages._SERVER_READERS)


@given(event=st.sampled_from(EVENTS), data=JSON)
def test_no_data_of_any_event_does_worse_than_a_refusal(event: str, data: object) -> None:
    with contextlib.suppress(WireError):
        read_message(event, data)


@given(key=st.sampled_from(sorted(STATE)), value=JSON)
def test_no_field_of_a_state_does_worse_than_a_refusal(key: str, value: object) -> None:
    try:
        state = game(**{key: value})
    except WireError:
        return
    assert state.to_move in (BLACK, WHITE)
