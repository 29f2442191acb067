"""The client at the stand-in, with a host that only records: no engine, no games of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import actions, events
from bots.events import Event
from bots.ogs import messages
from bots.ogs.acceptance import AcceptanceRules, SpeedLimits
from bots.ogs.connection import BotAccount, ConnectionPolicy, Credentials
from bots.ogs.frames import Frame
from bots.ogs.rest_client import RestPolicy
from bots.ogs.server import OgsServer, OgsSettings
from bots.server import GameHost, LineLostError, LoginRefusedError
from tests.support.ogs.faults import Faults
from tests.support.ogs.online_game import Account, OnlineGame, Wanted
from tests.support.ogs.server import BOT, KEY, Challenge, OgsStandIn

ANN, BOB = Account(7, "ann", rating=1500, deviation=70), Account(8, "bob", rank=12)
SIMPLE = {"system": "simple", "speed": "live", "per_move": 60}
WANTED = Wanted(9, 9, SIMPLE)
RULES = AcceptanceRules({"live": SpeedLimits(3, {"simple": {"per_move": (10, 300)}})})


@dataclass
class RecordingHost(GameHost):
    """Keeps the events, and asks for the state as a game would."""

    told: list[tuple[str, Event]] = field(default_factory=list)
    refusals: list[tuple[str, str]] = field(default_factory=list)
    logins: int = 0
    is_engine_up: bool = True
    move_seconds: float = 0.0

    def now(self) -> float:
        return 0.0

    def connected(self) -> None:
        self.logins += 1

    def tell(self, game: str, event: Event) -> None:
        self.told.append((game, event))

    @property
    def games(self) -> Sequence[str]:
        return list(dict(self.told))

    @property
    def has_room(self) -> bool:
        return True

    async def warm(self, game: str, width: int, height: int) -> None:
        assert (game, width, height) == ("go", 9, 9)
        await until(lambda: self.is_engine_up)

    def refused(self, challenger: str, reason: str) -> None:
        self.refusals.append((challenger, reason))

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for _, event in self.told if isinstance(event, kind)]


def settings(url: str, rules: AcceptanceRules = RULES, key: str = KEY) -> OgsSettings:
    quick = ConnectionPolicy(ping_seconds=0.05, silence_seconds=5, open_seconds=5)
    rest = RestPolicy(retry_seconds=0.01, limit_seconds=0.01)
    bot = Credentials(BOT.username, key)
    return OgsSettings(url, bot, rules, 5, least_move_seconds=1.5, connection=quick, rest=rest)


@asynccontextmanager
async def logged_in(
    stand_in: OgsStandIn, rules: AcceptanceRules = RULES
) -> AsyncIterator[tuple[OgsServer, RecordingHost]]:
    host = RecordingHost()
    client = OgsServer(settings(stand_in.url, rules), host)

    async def run() -> None:
        while True:
            with suppress(LineLostError):
                await client.run()

    running = asyncio.create_task(run())
    try:
        await until(lambda: host.logins > 0)
        yield client, host
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def at_stand_in(
    story: Callable[[OgsStandIn, OgsServer, RecordingHost], Awaitable[None]],
    rules: AcceptanceRules = RULES,
    faults: Faults | None = None,
) -> None:
    async def run() -> None:
        async with OgsStandIn(faults) as stand_in, logged_in(stand_in, rules) as (client, host):
            await story(stand_in, client, host)

    asyncio.run(run())


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


def test_a_challenge_becomes_a_game_with_the_opponents_rating() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, bot_color=1)
        await until(lambda: host.of(events.StateReceived))
        opponent = host.of(events.StateReceived)[0].setup.opponent
        assert (opponent.name, opponent.server, opponent.account) == ("ann", "ogs", "7")
        assert (opponent.rating, opponent.deviation, opponent.games) == (1500, 70, 100)
        assert not opponent.is_provisional
        await until(lambda: stand_in.journal.statuses[-1]["ongoing_live_count"] == 1)
        await until(lambda: stand_in.journal.latencies)
        stand_in.games[challenge.game_id].resign(ANN.id)
        await until(lambda: host.of(events.GameEnded))
        await until(lambda: stand_in.journal.statuses[-1]["ongoing_live_count"] == 0)

    at_stand_in(story)


@pytest.mark.parametrize(
    ("rules", "handicap", "code"),
    [
        (replace(RULES, blocked=frozenset({"ann"})), 0, "blacklisted"),
        (RULES, -1, "handicap_not_allowed"),
        (replace(RULES, decline_new_challenges=True), 0, "not_accepting_new_challenges"),
    ],
)
def test_a_refused_challenge_gets_the_code_and_the_text(
    rules: AcceptanceRules, handicap: int, code: str
) -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, handicap=handicap)
        await until(lambda: challenge.rejection)
        assert challenge.rejection is not None
        assert challenge.rejection["rejection_details"]["rejection_code"] == code
        assert challenge.rejection["message"]
        assert host.refusals == [("'ann'", code)]
        assert stand_in.games == {}

    at_stand_in(story, rules)


def test_one_game_a_player_and_so_many_in_all() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        both = [stand_in.challenge(ANN, WANTED) for _ in range(2)]
        await until(lambda: both[1].rejection)
        assert both[1].rejection is not None
        reason = both[1].rejection["rejection_details"]["rejection_code"]
        assert reason == "too_many_games_for_player"
        others = [stand_in.challenge(Account(20 + n, f"p{n}"), WANTED) for n in range(3)]
        await until(lambda: others[2].rejection)
        assert host.refusals[-1] == ("'p2'", "too_many_live_games")
        await until(lambda: len(stand_in.games) == 3)

    at_stand_in(story)


def test_a_challenge_too_fast_for_the_engine_is_refused() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        host.move_seconds = 31.0  # half of a minute is spare
        challenge = stand_in.challenge(ANN, WANTED)
        await until(lambda: challenge.rejection)
        assert host.refusals == [("'ann'", "too_many_live_games")]
        host.move_seconds = 29.0
        stand_in.challenge(ANN, WANTED)
        await until(lambda: len(stand_in.games) == 1)

    at_stand_in(story)


def test_a_challenge_is_accepted_once_the_engine_is_ready() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, host: RecordingHost) -> None:
        host.is_engine_up = False
        challenge = stand_in.challenge(ANN, WANTED)
        refused = stand_in.challenge(BOB, replace(WANTED, width=10))
        await until(lambda: refused.rejection)
        await asyncio.sleep(0.1)
        assert not challenge.is_answered
        host.is_engine_up = True
        await until(lambda: len(stand_in.games) == 1)

    at_stand_in(story)


def test_challenges_are_answered_once_though_told_twice() -> None:
    async def story(stand_in: OgsStandIn, _: OgsServer, __: RecordingHost) -> None:
        challenges = [stand_in.challenge(Account(20 + n, f"p{n}"), WANTED) for n in range(3)]
        for challenge in challenges:
            stand_in.tell("notification", challenge.notification())
        await until(lambda: len(stand_in.games) == 3)
        await asyncio.sleep(0.1)
        assert [challenge.rejection for challenge in challenges] == [None] * 3

    at_stand_in(story, faults=Faults(3, twice=0.5, late=0.2, refuse=0.3))


def test_a_challenge_from_before_the_login_is_answered() -> None:
    async def run() -> Challenge:
        async with OgsStandIn() as stand_in:
            challenge = stand_in.challenge(ANN, WANTED)
            async with logged_in(stand_in):
                await until(lambda: challenge.is_answered)
            return challenge

    assert asyncio.run(run()).rejection is None


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


def test_a_rematch_is_a_challenge_with_the_colors_exchanged() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, host: RecordingHost) -> None:
        wanted = replace(WANTED, rules="japanese", komi=3.5)
        challenge = stand_in.challenge(ANN, wanted, bot_color=0)
        await until(lambda: host.of(events.StateReceived))
        game = str(challenge.game_id)
        await client.act(game, actions.OfferRematch())
        await until(lambda: stand_in.journal.commands["challenge/keepalive"])
        (offer,) = stand_in.offers
        assert (offer.challenger, offer.bot_color) == (ANN, 1)
        times = {"time_control": "simple", "pause_on_weekends": False}
        assert offer.wanted == replace(wanted, time_control=SIMPLE | times)
        stand_in.begin(offer)
        await until(lambda: str(offer.game_id) in host.games)
        await until(lambda: not client._offers)

    at_stand_in(story)


def test_a_refused_rematch_is_not_kept_up() -> None:
    async def story(stand_in: OgsStandIn, client: OgsServer, host: RecordingHost) -> None:
        challenge = stand_in.challenge(ANN, WANTED, bot_color=0)
        await until(lambda: host.of(events.StateReceived))
        await client.act(str(challenge.game_id), actions.OfferRematch())
        await until(lambda: client._offers)
        refusal = {"id": "r1", "type": "gameOfferRejected", "game_id": stand_in.offers[0].game_id}
        stand_in.tell("notification", refusal)
        await until(lambda: not client._offers)

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


# ---- Hostile input

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
