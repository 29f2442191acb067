"""The client at the stand-in: logins, lost lines, the rehearsal, hostile input."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import actions, events
from bots.ogs import messages
from bots.ogs.connection import BotAccount
from bots.ogs.frames import Frame
from bots.ogs.server import OgsServer
from bots.server import LineLostError, LoginRefusedError
from tests.support.ogs.challenges import BOT, KEY
from tests.support.ogs.client_run import (
    ANN,
    BOB,
    WANTED,
    RecordingHost,
    at_stand_in,
    settings,
    until,
)
from tests.support.ogs.online_game import OnlineGame
from tests.support.ogs.server import OgsStandIn


def test_the_bot_presents_itself_and_measures_the_servers_clock() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, _: RecordingHost) -> None:
        await until(lambda: stand_in.journal.statuses)
        (config,) = stand_in.journal.configs
        assert (config["bot_id"], config["min_move_time"]) == (BOT.id, 1500)
        assert KEY not in str(config)
        assert set(stand_in.journal.statuses[0].values()) == {0}
        await until(lambda: client._time.latency)
        assert abs(client._time.now - stand_in.now()) < 1000  # the clocks differ by 100 s

    at_stand_in(story)


def test_friends_are_accepted_and_notifications_deleted() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, __: RecordingHost) -> None:
        friend = {"id": "f1", "type": "friendRequest", "user": {"id": 8, "username": "bob"}}
        stand_in.tell("notification", friend)
        stand_in.tell("notification", {"id": "t1", "type": "tournamentStarted"})
        stand_in.tell("notification", {"id": "d1", "type": "delete"})
        await until(lambda: stand_in.journal.friends == [8])
        await until(lambda: len(stand_in.journal.deleted_notifications) == 2)
        assert stand_in.journal.deleted_notifications == ["f1", "t1"]

    at_stand_in(story)


def test_games_go_on_after_a_lost_line() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, bot_color=0)
        await until(lambda: host.of(events.StateReceived))
        game = str(challenge.game_id)
        for connection in list(stand_in.connections):
            connection.drop()
        await until(lambda: host.logins == 2)
        await client.act(game, actions.RequestState(6))
        await until(lambda: host.of(events.StateReceived)[-1].answers == 6)
        await client.act(game, actions.SendMove(1, "E5"))
        await until(lambda: host.of(events.MovePlayed))
        assert host.of(events.MovePlayed)[0].move.text == "E5"
        assert len(stand_in.journal.configs) == 2

    at_stand_in(story)


def test_a_wrong_key_is_refused_for_good() -> None:
    async def run() -> None:
        async with OgsStandIn() as stand_in:
            client = OgsServer(settings(stand_in.url, key="wrong"), RecordingHost())
            with pytest.raises(LoginRefusedError, match="testbot") as caught:
                await client.run()
            assert "wrong" not in str(caught.value)
            with pytest.raises(LoginRefusedError):
                await client.rehearse()

    asyncio.run(run())


def test_no_server_is_a_lost_line() -> None:
    client = OgsServer(settings("http://127.0.0.1:1"), RecordingHost())
    with pytest.raises(LineLostError):
        asyncio.run(client.run())
    with pytest.raises(LineLostError):
        asyncio.run(client.rehearse())


def test_the_rehearsal_tells_what_the_bot_would_do() -> None:
    async def run() -> str:
        async with OgsStandIn() as stand_in:
            report = await OgsServer(settings(stand_in.url), RecordingHost()).rehearse()
            assert stand_in.journal.configs == []
            return "\n".join(report)

    report = asyncio.run(run())
    for part in ("logged in as 'testbot'", "does not mark it as a bot", "plays to your level"):
        assert part in report
    assert KEY not in report


NOISE: list[Any] = [
    "",
    "null",
    "[]",
    "{",
    "\x00\xff",
    "[" * 50_000,
    ["notification"],
    ["notification", {"type": "challenge", "id": 1}],
    ["notification", {"type": 7}],
    ["active_game", {"id": "x", "phase": "play"}],
    ["active_game", {"id": 1, "phase": "play", "black": 5}],
    ["net/pong", {"client": "soon", "server": None}],
    ["net/pong", {"client": -1e12, "server": 1e300}],
    [3, {"id": 1}],
    ["game/{}/move", {"move_number": 2, "move": [99, 99]}],
    ["game/{}/move", {"move_number": -5, "move": "zz"}],
    ["game/{}/clock", {"current_player": 7, "last_move": -5}],
    ["game/{}/clock", {"current_player": 7, "black_time": {"thinking_time": -9e9}}],
    ["game/{}/clock", None],
    ["game/{}/phase", "lunch"],
    ["game/{}/gamedata", {"width": 9}],
    ["game/{}/undo_requested", {"move_number": -4}],
    ["game/{}/undo_accepted", [1, 2]],
    ["game/{}/removed_stones", {"all_removed": "a"}],
    ["game/{}/chat", {"line": {"body": "\x1b[31m\x00" * 5000, "player_id": 7, "date": 4e9}}],
    ["game/{}/chat", {"line": []}],
    ["ERROR", {"errcode": "x" * 10_000}],
]


def test_noise_between_the_messages_harms_no_game() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, host: RecordingHost) -> None:
        made = [stand_in.challenge(player, WANTED, bot_color=0) for player in (ANN, BOB)]
        await until(lambda: len(host.of(events.StateReceived)) == 2)
        for noise in NOISE:
            for connection in stand_in.connections:
                if isinstance(noise, str):
                    connection._queue.put_nowait(noise or " ")
                else:
                    event = noise[0]
                    name = event.format(made[0].game_id) if isinstance(event, str) else event
                    connection.send(name, *noise[1:])
        await client.act(str(made[1].game_id), actions.SendMove(1, "E5"))
        await until(lambda: host.of(events.MovePlayed))
        await client.act(str(made[0].game_id), actions.RequestState(3))
        await until(lambda: host.of(events.StateReceived)[-1].answers == 3)
        assert host.logins == 1

    at_stand_in(story)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
STATE_FIELDS = st.sampled_from(
    ["width", "height", "moves", "clock", "players", "phase", "time_control", "handicap", "komi"]
)
EVENTS = [f"game/5/{event}" for event in messages._GAME_READERS]


@given(
    frames=st.lists(st.tuples(st.sampled_from([*EVENTS, *messages._SERVER_READERS]), JSON)),
    broken=st.lists(st.tuples(STATE_FIELDS, JSON), max_size=3),
)
def test_no_frame_ends_the_client(
    frames: list[tuple[str, Any]], broken: list[tuple[str, Any]]
) -> None:
    """Draws frames of known events with any data, and states with broken fields."""
    host = RecordingHost()
    client = OgsServer(settings("http://127.0.0.1:1"), host)
    client._account = BotAccount(BOT.id, BOT.username)
    game = OnlineGame(5, (BOT, ANN), WANTED, 1e12, lambda *_: None)

    async def run() -> None:
        client._take_frame(Frame("active_game", game.entry()))
        client._take_frame(Frame("game/5/gamedata", game.state(1e12)))
        for event, data in frames:
            client._take_frame(Frame(event, data))
        for key, value in broken:
            client._take_frame(Frame("game/5/gamedata", game.state(1e12) | {key: value}))
        client._take_frame(Frame("game/5/gamedata", game.state(1e12)))

    asyncio.run(run())
    assert host.of(events.StateReceived)[-1].moves == ()
