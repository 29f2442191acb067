"""Messages of the streams: those of the specification, of the forks, and of no server."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.fields import WireError
from bots.lichess import messages
from bots.lichess.messages import read_message
from bots.lichess.server_table import SERVERS

LICHESS, PLAYSTRATEGY, PYCHESS = (SERVERS[name] for name in ("lichess", "playstrategy", "pychess"))
# The examples of lichess-org/api, doc/specs/schemas and examples.
CHALLENGE: dict[str, Any] = {
    "type": "challenge",
    "challenge": {
        "id": "jWAgu6ga",
        "status": "created",
        "challenger": {"name": "Adriana", "id": "adriana", "rating": 734},
        "destUser": {"name": "Gabriela", "id": "gabriela", "rating": 1528, "provisional": True},
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "rated": False,
        "speed": "rapid",
        "timeControl": {"type": "clock", "limit": 600, "increment": 5, "show": "10+5"},
        "color": "random",
        "finalColor": "black",
        "perf": {"icon": "", "name": "Rapid"},
    },
    "compat": {"bot": False, "board": True},
}
STATE: dict[str, Any] = {
    "type": "gameState",
    "moves": "e2e4 c7c5",
    "wtime": 7598040,
    "btime": 8395220,
    "winc": 10000,
    "binc": 10000,
    "wdraw": False,
    "btakeback": True,
    "status": "started",
}
FULL: dict[str, Any] = {
    "id": "BEOucQJo",
    "variant": {"key": "standard", "name": "Standard", "short": "Std"},
    "speed": "rapid",
    "perf": {"name": "Rapid"},
    "rated": False,
    "createdAt": 1745112707998,
    "white": {"id": "bobby", "name": "Bobby", "title": None, "rating": 1751},
    "black": {"id": "mary", "name": "Mary", "title": "BOT", "rating": 1021, "provisional": True},
    "initialFen": "startpos",
    "clock": {"initial": 900000, "increment": 0},
    "type": "gameFull",
    "state": STATE,
}


def read(message: dict[str, Any], server: Any = LICHESS, account: str = "gabriela") -> Any:
    return read_message(json.dumps(message), server, account)


def changed(message: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {**message, **values}


def test_a_challenge_of_the_specification() -> None:
    event = read(CHALLENGE)
    challenge = event.challenge
    assert not event.is_for_bots
    assert (challenge.id, challenge.variant, challenge.is_rated) == ("jWAgu6ga", "standard", False)
    assert (challenge.challenger.name, challenge.challenger.rating) == ("Adriana", 734)
    assert (challenge.clock.limit, challenge.clock.increment) == (600, 5)
    assert challenge.our_side == 0, "finalColor is the challenger's"
    assert not challenge.is_ours
    assert read(CHALLENGE, account="ADRIANA").challenge.is_ours


def test_a_challenge_of_playstrategy() -> None:
    body = {
        **CHALLENGE["challenge"],
        "variant": {"key": "go9x9", "name": "Go 9x9"},
        "playerIndex": "random",
        "finalPlayerIndex": "p1",
        "initialFen": "9/9/9/9/9/9/9/9/9[SSss] b - 0 55 0 0 55 0 1",
    }
    del body["color"], body["finalColor"]
    challenge = read({"type": "challenge", "challenge": body}, PLAYSTRATEGY).challenge
    assert (challenge.variant, challenge.our_side) == ("go9x9", 1)


def test_a_game_and_its_state() -> None:
    game = read(FULL)
    assert [player.name for player in game.players] == ["Bobby", "Mary"]
    assert [player.is_bot for player in game.players] == [False, True]
    assert (game.initial, game.increment, game.days) == (900000, 0, None)
    state = game.state
    assert state.moves == ("e2e4", "c7c5")
    assert state.milliseconds == (7598040, 8395220)
    assert state.takebacks == (False, True)
    assert state.is_running
    over = read(changed(STATE, status="mate", winner="black"))
    assert (over.is_running, over.winner) == (False, 1)


def test_a_game_of_playstrategy() -> None:
    state = {
        **STATE,
        "moves": "s@d4 pass pass",
        "status": "variantEnd",
        "winner": "p1",
        "selectedsquares": {"status": "offered", "squares": "a1 b2", "playerOffering": "p2"},
    }
    body = {**FULL, "p1": FULL["white"], "p2": FULL["black"], "state": state}
    del body["white"], body["black"]
    body["clock"] = {"initial": 60000, "byoyomi": 10000, "periods": 3, "clockType": "byoyomi"}
    game = read(body, PLAYSTRATEGY)
    assert (game.period, game.periods) == (10000, 3)
    assert game.state.winner == 0
    assert game.state.dead_stones == messages.DeadStones("offered", ("a1", "b2"), 1)


def test_a_game_of_pychess() -> None:
    line = (
        '{"type": "gameFull", "id": "abcd1234", "variant": {"name": "flipello"}, "white": {"name":'
        ' "a"}, "black": {"name": "b"}, "initialFen": "8/8 w", "createdAt": 1, "state": {"type":'
        ' "gameState", "moves": "", "wtime": 60000, "btime": 60000, "winc": 0, "binc": 0, "wdraw":'
        ' false, "bdraw": false, "wtakeback": false, "btakeback": false, "status": "started"}}'
    )
    game = read_message(line, PYCHESS, "b")
    assert isinstance(game, messages.GameFull)
    assert (game.variant, game.initial, game.state.moves) == ("flipello", None, ())
    assert read_message('{"type":"ping"}', PYCHESS, "b") is None
    assert read({"type": "gameEnd", "game": {"id": "abcd1234"}}) == messages.GameFinished(
        "abcd1234"
    )


def test_the_other_messages() -> None:
    assert read_message("  ", LICHESS, "x") is None
    assert read({"type": "later"}) == messages.UnknownMessage("later")
    assert read({"type": "opponentGone", "gone": True, "claimWinInSeconds": 8}) == (
        messages.OpponentGone(True, 8)
    )
    line = {"type": "chatLine", "username": "thibault", "text": "Good luck", "room": "player"}
    assert read(line) == messages.ChatLine("player", "thibault", "Good luck")
    gone = {"id": "jWAgu6ga", "declineReasonKey": "toofast"}
    assert read({"type": "challengeDeclined", "challenge": gone}) == messages.ChallengeGone(
        "jWAgu6ga", "toofast"
    )
    start = {"gameId": "0FgNPGRz", "isMyTurn": True, "secondsLeft": 300, "speed": "blitz"}
    assert read({"type": "gameStart", "game": start}) == messages.GameAnnounced(
        "0FgNPGRz", seconds_left=300, speed="blitz"
    )


def test_negative_clocks_are_empty_ones() -> None:
    assert read(changed(STATE, wtime=-5000, btime=-1)).milliseconds == (0, 0)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": None},
        {"type": "gameState"},
        changed(STATE, moves=["e2e4"]),
        changed(STATE, wtime="soon"),
        changed(STATE, wtime=float("nan")),
        changed(STATE, status=4),
        changed(STATE, winner="red"),
        changed(STATE, wdraw="perhaps"),
        changed(FULL, id="../../account"),
        changed(FULL, id="a" * 500),
        changed(FULL, white=None),
        changed(FULL, white={}),
        changed(FULL, variant="standard"),
        changed(FULL, variant={}),
        changed(FULL, clock=5),
        {"type": "challenge"},
        {"type": "challenge", "challenge": changed(CHALLENGE["challenge"], id="a/b?c")},
        {"type": "challenge", "challenge": changed(CHALLENGE["challenge"], finalColor="p1")},
        {"type": "gameStart", "game": []},
        {"type": "gameStart", "game": {"gameId": "x y z w"}},
    ],
)
def test_a_message_of_the_wrong_shape_is_an_error(message: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        read(message)


@pytest.mark.parametrize("line", ["{", "\udcff", "[]", "5", "null", "[" * 100_000])
def test_a_line_without_an_object_is_an_error(line: str) -> None:
    with pytest.raises(WireError):
        read_message(line, LICHESS, "x")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


@given(st.sampled_from([CHALLENGE, STATE, FULL]), st.data())
def test_any_value_in_any_place_is_read_or_an_error(message: Any, data: st.DataObject) -> None:
    body = json.loads(json.dumps(message))
    part = body
    while True:
        key = data.draw(st.sampled_from(sorted(part)))
        if isinstance(part[key], dict) and data.draw(st.booleans()):
            part = part[key]
            continue
        part[key] = data.draw(VALUES)
        break
    server = data.draw(st.sampled_from(sorted(SERVERS)))
    with contextlib.suppress(WireError):
        read(body, SERVERS[server])
