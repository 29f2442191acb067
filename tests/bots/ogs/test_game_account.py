from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bots import actions, events
from bots.analysis_text import analysis_json
from bots.events import Event, Phase
from bots.fields import WireError
from bots.game_clocks import PlayerClock
from bots.game_setup import OnlineMove, OnlineOpponent, OnlineResult
from bots.ogs.game_account import GameAccount, Moment
from bots.ogs.messages import OfGame, read_message
from tests.support.ogs.board import Wanted
from tests.support.ogs.challenges import BOT
from tests.support.ogs.online_game import Account, OnlineGame
from tests.support.ogs.server_clock import State
from tests.support.ogs.tournament import TIMES

HUMAN = Account(7, "human", rank=21)
NOW = 1_700_000_000_000.0  # milliseconds of the server
CONNECT = ("game/connect", {"game_id": 5, "chat": True})


class Table:
    """A game on the stand-in, and the bot's account of it, without any line between them."""

    def __init__(self, *, bot_color: int = 1, system: str = "fischer", **settings: Any) -> None:
        control = {"system": system} | TIMES[system]
        wanted = replace(Wanted(7, 7, control), **settings)
        accounts = (BOT, HUMAN) if bot_color == 0 else (HUMAN, BOT)
        self.emitted: list[tuple[str, Any]] = []
        self.game = OnlineGame(5, accounts, wanted, NOW, lambda *event: self.emitted.append(event))
        self.account = GameAccount(
            5, BOT.id, lambda player, _: OnlineOpponent(player.username, "ogs"), since_ms=NOW
        )
        self.commands: list[tuple[str, dict[str, object]]] = []

    def take(self, name: str, data: object, at: float = 1.0) -> list[Event]:
        message = read_message(f"game/5/{name}", data)
        assert isinstance(message, OfGame)
        moment = Moment(at, NOW + at * 1000)
        taken, commands = self.account.take(message.message, moment)
        self.commands += commands
        return taken

    def state(self, at: float = 1.0) -> list[Event]:
        return self.take("gamedata", self.game.state(NOW + at * 1000), at)

    def flush(self, at: float = 1.0) -> list[Event]:
        """Takes all that the server has sent."""
        sent, self.emitted[:] = list(self.emitted), []
        state = self.game.state(NOW + at * 1000)
        return [e for name, data in sent for e in self.take(name, data or state, at)]

    def play(self, *moves: str, at: float = 1.0) -> None:
        for letters in moves:
            player = self.game.accounts[self.game.to_move]
            self.game.play(player.id, letters, NOW + at * 1000)


def of_type(found: list[Event], kind: type[Event]) -> list[Any]:
    return [event for event in found if isinstance(event, kind)]


def test_the_state_has_the_setup_the_moves_and_the_clocks() -> None:
    table = Table(komi=6.5, rules="japanese")
    table.play("cc", "..")
    (state,) = table.state(at=3.0)
    assert isinstance(state, events.StateReceived)
    assert (state.setup.color, state.setup.komi, state.setup.rules) == (1, 6.5, "japanese")
    assert state.moves == (OnlineMove(0, "C5"), OnlineMove(1, "pass"))
    assert (state.to_move, state.phase, state.answers) == (0, Phase.PLAYING, 0)
    assert state.clocks is not None
    assert (state.clocks.running, state.clocks.at) == (0, 3.0)
    assert state.clocks.players[0] == PlayerClock(28)  # 30 and 2 seconds ago


def test_a_state_after_a_request_answers_it_once() -> None:
    table = Table()
    table.state()
    assert table.account.commands(actions.RequestState(4)) == [CONNECT]
    answers = [of_type(table.state(), events.StateReceived)[0].answers for _ in range(2)]
    assert answers == [4, 0]
    table.account.commands(actions.RequestState(5))
    table.account.lose_line()
    assert of_type(table.state(), events.StateReceived)[0].answers == 0


def test_moves_of_both_sides_are_events_with_their_numbers() -> None:
    table = Table(bot_color=0)
    table.state()
    table.play("aa", "gg")
    played = of_type(table.flush(), events.MovePlayed)
    assert [(each.number, each.move, each.to_move) for each in played] == [
        (1, OnlineMove(0, "A7"), 1),
        (2, OnlineMove(1, "G1"), 0),
    ]


def test_own_moves_are_commands_in_letters() -> None:
    table = Table()
    table.state()
    move = ("game/move", {"game_id": 5, "move": "cd"})
    assert table.account.commands(actions.SendMove(1, "c4")) == [move]
    analysis = analysis_json(
        "info move D4 visits 8 winrate 0.7 scoreLead 3 pv D4 info move C4 visits 2 winrate 0.61"
        " scoreLead 1.25 pv C4 D4 pass rootInfo visits 10 winrate 0.69 scoreLead 2"
    )
    _, (name, fields) = table.account.commands(actions.SendMove(1, "c4", analysis))
    body = {
        "type": "analysis",
        "name": "Win rate: 61.0%, Score: 1.2, Visits: 10",
        "from": 0,
        "moves": "cddd..",
        "marks": {"circle": "cd"},
        "engine_analysis": {"win_rate": 61.0, "score": 1.2, "visits": 10},
    }
    chat = {"game_id": 5, "type": "malkovich", "move_number": 1, "body": body}
    assert (name, fields) == ("game/chat", chat)
    passing = table.account.commands(actions.SendMove(1, "pass"))
    assert passing == [("game/move", {"game_id": 5, "move": ".."})]
    with pytest.raises(WireError):
        table.account.commands(actions.SendMove(1, "Z99"))


@pytest.mark.parametrize(
    ("rules", "handicap", "stones", "turns"),
    [
        ("chinese", 3, 0, [0, 0, 0, 1, 0]),
        ("nz", 2, 0, [0, 0, 1, 0, 1]),
        ("japanese", 2, 2, [1, 0, 1, 0, 1]),
        ("aga", 3, 3, [1, 0, 1, 0, 1]),
        ("chinese", 1, 0, [0, 1, 0, 1, 0]),
    ],
)
def test_turns_under_handicap(rules: str, handicap: int, stones: int, turns: list[int]) -> None:
    table = Table(rules=rules, handicap=handicap)
    (state,) = of_type(table.state(), events.StateReceived)
    assert (state.to_move, len(state.setup.stones)) == (turns[0], stones)
    table.play("aa", "ga", "ag", "gg")
    played = of_type(table.flush(), events.MovePlayed)
    assert [each.move.color for each in played] == turns[:4]
    assert [each.to_move for each in played] == turns[1:]
    (again,) = of_type(table.state(), events.StateReceived)
    assert [move.color for move in again.moves] == turns[:4]


@pytest.mark.parametrize("is_undo_counted", [True, False])
def test_undo_is_asked_granted_and_followed(is_undo_counted: bool) -> None:
    table = Table(is_undo_counted=is_undo_counted)
    table.state()
    table.play("aa", "bb", "cc")
    table.flush()
    table.game.request_undo(HUMAN.id, 3)
    (request,) = table.flush()
    assert request == events.UndoRequested(1.0, 2)
    grant = table.account.commands(actions.AcceptUndo(2))
    assert grant == [("game/undo/accept", {"game_id": 5, "move_number": 3})]
    table.game.accept_undo(BOT.id, NOW)
    (undo,) = of_type(table.flush(), events.UndoAccepted)
    assert (undo.moves_left, undo.to_move) == (2, 0)


def test_two_moves_are_taken_back_after_our_answer() -> None:
    table = Table()
    table.state()
    table.play("aa", "bb")
    table.flush()
    table.game.request_undo(HUMAN.id, 2)
    assert table.flush() == [events.UndoRequested(1.0, 0)]
    table.game.accept_undo(BOT.id, NOW)
    (undo,) = of_type(table.flush(), events.UndoAccepted)
    assert (undo.moves_left, undo.to_move) == (0, 0)


def test_doubled_messages_of_an_undo_take_nothing_back_twice() -> None:
    table = Table()
    table.state()
    table.play("aa", "bb", "cc")
    table.flush()
    table.game.request_undo(HUMAN.id, 3)
    request = table.emitted[-1]
    assert len(table.flush()) == 1
    assert table.take(*request) == []
    accepted = {"move_number": 2, "undo_move_count": 1}
    assert len(table.take("undo_accepted", accepted)) == 1
    assert table.take("undo_accepted", accepted) == []
    assert table.take(*request) == []
    assert table.commands == [CONNECT]


def test_a_late_state_asks_for_no_undo_that_is_done() -> None:
    table = Table()
    table.state()
    table.play("aa", "bb", "cc")
    table.flush()
    table.game.request_undo(HUMAN.id, 3)
    late = table.game.state(NOW)
    table.flush()
    assert of_type(table.take("gamedata", late), events.UndoRequested) == []
    table.game.accept_undo(BOT.id, NOW)
    table.flush()
    assert of_type(table.take("gamedata", late), events.UndoRequested) == []
    table.account.lose_line()
    assert len(of_type(table.take("gamedata", late), events.UndoRequested)) == 1


def test_a_request_to_undo_is_known_from_the_state_too() -> None:
    table = Table()
    table.play("aa")
    table.game.request_undo(HUMAN.id, 1)
    assert of_type(table.state(), events.UndoRequested) == [events.UndoRequested(1.0, 0)]


def test_a_players_pause_stops_the_game_and_can_be_ended() -> None:
    table = Table()
    table.state()
    table.play("aa")
    table.flush()
    table.game.pause(HUMAN.id, NOW + 2000)
    found = table.flush(at=9.0)
    assert of_type(found, events.PhaseChanged) == [events.PhaseChanged(9.0, Phase.PAUSED)]
    clocks = of_type(found, events.ClocksReceived)[0].clocks
    assert (clocks.running, clocks.players[1]) == (None, PlayerClock(29))
    resume = ("game/resume", {"game_id": 5})
    assert table.account.commands(actions.ResumeGame()) == [resume]
    assert of_type(table.state(), events.StateReceived)[0].phase is Phase.PAUSED
    table.game.resume(HUMAN.id, NOW + 9000)
    found = table.flush(at=9.0)
    assert of_type(found, events.PhaseChanged) == [events.PhaseChanged(9.0, Phase.PLAYING)]


def test_a_pause_that_ended_during_a_lost_line_is_over() -> None:
    table = Table()
    table.game.pause(HUMAN.id, NOW)
    assert of_type(table.state(), events.StateReceived)[0].phase is Phase.PAUSED
    table.game.resume(HUMAN.id, NOW)
    assert of_type(table.state(), events.StateReceived)[0].phase is Phase.PLAYING


@pytest.mark.parametrize("reason", ["weekend", "vacation-7", "system"])
def test_the_servers_pauses_stop_the_clocks_alone(reason: str) -> None:
    table = Table()
    table.play("aa")
    table.game.clock.pause(reason, value=True, now=NOW)
    (state,) = of_type(table.state(), events.StateReceived)
    assert state.phase is Phase.PLAYING
    assert state.clocks is not None
    assert state.clocks.running is None
    assert table.account.commands(actions.ResumeGame()) == []


def test_the_end_brings_its_result_once_the_state_is_there() -> None:
    table = Table()
    table.state()
    table.game.resign(HUMAN.id)
    table.flush()
    assert table.commands == [CONNECT]  # by the phase
    assert table.account.is_over
    (ended,) = of_type(table.state(at=2.0), events.GameEnded)
    assert ended.result == OnlineResult(1, "resign")
    assert table.account.over_at == 1.0


@pytest.mark.parametrize(
    ("outcome", "winner", "expected"),
    [
        ("3.5 points", 7, OnlineResult(0, "3.5")),
        ("Timeout", 99, OnlineResult(1, "time")),
        ("Cancellation", 7, OnlineResult(None, "abort")),
        ("0 points", "tie", OnlineResult(None, "draw")),
        ("Disconnection", 99, OnlineResult(1, "time")),
        ("Moderator Decision", 7, OnlineResult(0, "")),
    ],
)
def test_outcomes(outcome: str, winner: int | str, expected: OnlineResult) -> None:
    table = Table()
    table.game.finish(outcome, winner)
    (ended,) = of_type(table.state(), events.GameEnded)
    assert ended.result == expected


def test_players_settle_dead_stones() -> None:
    table = Table(is_scored_by_players=True)
    table.state()
    table.play("aa", "dd", "..", "..")
    assert of_type(table.flush(), events.JudgementWanted) == [events.JudgementWanted(1.0)]
    judged = actions.SettleStones(dead=("A7",), alive=("D4",))
    mark = {"game_id": 5, "removed": True, "stones": "aa"}
    assert table.account.commands(judged) == [("game/removed_stones/set", mark)]
    table.game.set_removed(BOT.id, mark)
    table.flush()
    accept = {"game_id": 5, "stones": "aa", "strict_seki_mode": False}
    assert table.commands == [("game/removed_stones/accept", accept)]
    table.commands.clear()
    assert of_type(table.state(), events.JudgementWanted) == []  # a reconnect asks no engine
    assert table.commands == [("game/removed_stones/accept", accept)]
    table.game.reject_removed(HUMAN.id, NOW)
    assert of_type(table.flush(), events.PhaseChanged)[0].phase is Phase.PLAYING
    assert table.account.commands(judged) == []


def test_chat_of_the_opponent_is_read_once() -> None:
    table = Table()
    table.state()
    for player, body, at in (
        (HUMAN, "old", NOW - 5000),
        (BOT, "mine", NOW),
        (Account(55, "spectator"), "hi", NOW),
        (HUMAN, "level", NOW),
    ):
        table.game.chat(player.id, player.username, {"body": body}, at)
    lines = list(table.emitted)
    assert [event.text for event in of_type(table.flush(), events.ChatReceived)] == ["level"]
    for line in lines:
        assert table.take(*line) == []


def test_answers_are_lines_of_the_main_room() -> None:
    table = Table()
    table.state()
    (command,) = table.account.commands(actions.Say("hello"))
    assert command == (
        "game/chat",
        {"game_id": 5, "type": "main", "move_number": 0, "body": "hello"},
    )


def test_actions_that_the_server_lacks_do_nothing() -> None:
    table = Table()
    table.state()
    assert table.account.commands(actions.OfferRematch()) == []


def test_a_game_of_others_is_refused() -> None:
    table = Table()
    table.account._bot_id = 1234
    with pytest.raises(WireError):
        table.state()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("move", {"move_number": 0, "move": [1, 1]}),
        ("move", {"move_number": 99_999_999, "move": [1, 1]}),
        ("move", {"move_number": 1, "move": [40, 1]}),
        ("removed_stones", {"all_removed": "zz"}),
    ],
)
def test_impossible_messages_are_errors_and_change_nothing(name: str, data: State) -> None:
    table = Table()
    table.state()
    with pytest.raises(WireError):
        table.take(name, data)
    table.play("aa")
    assert Counter(type(event) for event in table.flush())[events.MovePlayed] == 1
