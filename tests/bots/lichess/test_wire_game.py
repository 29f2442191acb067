"""Messages of one game turned into events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import events
from bots.events import Phase
from bots.fields import WireError
from bots.game_policy import GamePolicy
from bots.game_setup import OnlineMove, OnlineResult
from bots.lichess.dead_stones import StonesAnswer, answer_stones
from bots.lichess.messages import DeadStones, GameFull, GameState
from bots.lichess.server_table import SERVERS
from bots.lichess.wire_game import WireGame, unrated, with_rating
from bots.lichess.wire_values import ServerPlayer
from bots.online_game import OnlineGame

PLAYERS = (ServerPlayer("Ann", rating=1400.0, is_provisional=True), ServerPlayer("Sparring"))
STATE = GameState((), (60_000, 60_000), (2000, 2000), "started")
FULL = GameFull("abcd1234", "flipello", PLAYERS, False, "blitz", "startpos", STATE, 60_000, 2000)
GO_START = "9/9/6S2/9/9/9/2S6/9/9[SSss] w - 20 65 0 0 65 0 1"


def game_of(full: GameFull = FULL, server: str = "lichess") -> WireGame:
    return WireGame(SERVERS[server], "sparring", full, unrated)


def state(*moves: str, **values: object) -> GameState:
    return replace(STATE, moves=moves, **values)  # type: ignore[arg-type]


def kinds(found: list[events.Event]) -> list[str]:
    return [type(event).__name__ for event in found]


def test_the_setup_has_board_opponent_and_clock() -> None:
    setup = game_of().setup
    assert (setup.game, setup.width, setup.color) == ("othello", 8, 1)
    assert (setup.opponent.name, setup.opponent.server) == ("Ann", "lichess")
    assert (setup.opponent.rating, setup.opponent.is_provisional) == (1400.0, True)
    assert setup.time_control.text == "fischer 60 2"
    rated = WireGame(SERVERS["lichess"], "Sparring", FULL, lambda each: with_rating(each, 75.0, 9))
    assert (rated.setup.opponent.deviation, rated.setup.opponent.games) == (75.0, 9)


def test_a_handicap_of_go_has_stones_komi_and_white_to_move() -> None:
    game = game_of(replace(FULL, variant="go9x9", start=GO_START), "playstrategy")
    assert game.setup.stones == (OnlineMove(0, "G7"), OnlineMove(0, "C3"))
    assert (game.setup.komi, game.to_move, game.setup.first_to_move) == (6.5, 1, 1)
    game.follow(state("s@d4"), 1.0)
    assert game.moves == (OnlineMove(1, "D4"),)
    assert game.to_move == 0


def test_byoyomi_is_main_time_and_periods() -> None:
    full = replace(FULL, initial=60_000, increment=0, period=10_000, periods=3)
    times = []
    for left in (75_000, 30_000, 29_000, 10_000, 500, 0):
        game = game_of(replace(full, state=state(milliseconds=(left, left))))
        event = game.full_state(0.0)
        assert isinstance(event, events.StateReceived)
        assert event.clocks is not None
        clock = event.clocks.players[0]
        times.append((clock.seconds, clock.stones))
    assert times == [(45, 0), (10, 3), (9, 3), (10, 1), (0.5, 1), (0, 1)]
    assert game_of(full).setup.time_control.text == "byoyomi 60 10 3"


def test_correspondence_has_no_clock_for_the_engine() -> None:
    game = game_of(replace(FULL, initial=None, days=3.0))
    event = game.full_state(0.0)
    assert isinstance(event, events.StateReceived)
    assert event.clocks is None
    assert game.setup.time_control.text == "none"


CHESS960 = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"
POSITION = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"


@pytest.mark.parametrize(
    ("variant", "start", "expected"),
    [
        ("standard", "startpos", ""),
        ("chess960", CHESS960, f"chess960 {CHESS960}"),
        ("chess960", "startpos", "chess960"),
        ("fromPosition", POSITION, f"chess960 {POSITION}"),
    ],
)
def test_a_start_of_chess_is_told_to_the_engine(variant: str, start: str, expected: str) -> None:
    setup = game_of(replace(FULL, variant=variant, start=start)).setup
    assert (setup.game, setup.start, setup.width) == ("chess", expected, 8)
    assert setup.summary.startswith("Black against 'Ann'")


@pytest.mark.parametrize("castling", ["e1g1", "e1h1"])
def test_both_notations_of_castling_are_one_move(castling: str) -> None:
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
    game = game_of(replace(FULL, variant="standard"))
    game.follow(state(*moves), 1.0)
    found = game.follow(state(*moves, castling), 2.0)
    assert [each.move for each in found if isinstance(each, events.MovePlayed)] == [
        OnlineMove(0, "e1g1")
    ]
    game = game_of(replace(FULL, variant="fromPosition", start=POSITION))
    found = game.follow(state({"e1g1": "e8c8", "e1h1": "e8a8"}[castling]), 1.0)
    assert [each.move for each in found if isinstance(each, events.MovePlayed)] == [
        OnlineMove(1, "e8a8")
    ]
    assert game.write("e1h1") == "e1h1"


def test_a_pass_in_chess_alone_claims_a_draw() -> None:
    assert game_of(replace(FULL, variant="standard")).claims_draw("pass")
    assert not game_of(replace(FULL, variant="standard")).claims_draw("e2e4")
    assert not game_of().claims_draw("pass")


def test_new_moves_come_one_by_one_and_a_repeated_state_brings_none() -> None:
    game = game_of()
    found = game.follow(state("P@e3", "P@f5"), 1.0)
    assert [(e.number, e.move) for e in found if isinstance(e, events.MovePlayed)] == [
        (1, OnlineMove(0, "e6")),
        (2, OnlineMove(1, "f4")),
    ]
    assert kinds(game.follow(state("P@e3", "P@f5"), 2.0)) == ["ClocksReceived"]
    assert game.write("e3") == "P@e6"


def test_a_flag_of_a_draw_moves_nothing() -> None:
    game = game_of()
    game.follow(state("P@e3"), 1.0)
    found = game.follow(state("P@e3", draw_offers=(True, False)), 2.0)
    assert kinds(found) == ["ClocksReceived"]


def test_a_takeback_is_requested_withdrawn_and_done() -> None:
    game = game_of()
    game.follow(state("P@e3", "P@f5"), 1.0)
    found = game.follow(state("P@e3", "P@f5", takebacks=(True, False)), 2.0)
    assert found[-1] == events.UndoRequested(2.0, 0)
    found = game.follow(state("P@e3", "P@f5", takebacks=(True, False)), 3.0)
    assert kinds(found) == ["ClocksReceived"]
    found = game.follow(state("P@e3", "P@f5"), 4.0)
    assert found[-1] == events.UndoCanceled(4.0)
    game.follow(state("P@e3", "P@f5", takebacks=(True, False)), 5.0)
    found = game.follow(state(), 6.0)
    assert found[0] == events.UndoAccepted(6.0, 0)
    assert "UndoCanceled" not in kinds(found)
    game.follow(state("P@e3"), 7.0)
    found = game.follow(state("P@e3", takebacks=(True, False)), 8.0)
    assert found[-1] == events.UndoRequested(8.0, 0)


def test_other_moves_are_another_state() -> None:
    game = game_of()
    game.follow(state("P@e3", "P@f5"), 1.0)
    found = game.follow(state("P@d6", "P@c4", "P@b3"), 2.0)
    assert kinds(found) == ["StateReceived"]
    assert game.moves[0] == OnlineMove(0, "d3")


def test_wrong_moves_change_nothing() -> None:
    game = game_of()
    game.follow(state("P@e3"), 1.0)
    with pytest.raises(WireError):
        game.follow(state("P@e3", "P@z9", status="resign"), 2.0)
    assert (len(game.moves), game.phase) == (1, Phase.PLAYING)


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        ("resign", 0, OnlineResult(0, "resign")),
        ("outoftime", 1, OnlineResult(1, "time")),
        ("timeout", 1, OnlineResult(1, "time")),
        ("variantEnd", 1, OnlineResult(1, "0")),
        ("draw", None, OnlineResult(None, "draw")),
        ("aborted", None, OnlineResult(None, "abort")),
        ("noStart", 1, OnlineResult(None, "abort")),
        ("newStatus", None, OnlineResult(None, "0")),
    ],
)
def test_every_status_but_two_ends_the_game(
    status: str, winner: int | None, result: OnlineResult
) -> None:
    found = game_of().follow(state("P@e3", status=status, winner=winner), 1.0)
    assert found[-1] == events.GameEnded(1.0, result)


def test_dead_stones_are_a_phase_of_their_own() -> None:
    game = game_of(replace(FULL, variant="go9x9"), "playstrategy")
    pending = DeadStones("pending")
    found = game.follow(state("s@d4", "pass", "pass", dead_stones=pending), 1.0)
    assert found[-1] == events.PhaseChanged(1.0, Phase.SCORING)
    assert game.to_move is None
    found = game.follow(state("s@d4", "pass", "pass", dead_stones=DeadStones("rejected")), 2.0)
    assert found[-1] == events.PhaseChanged(2.0, Phase.PLAYING)
    assert game.to_move == 1


def test_stones_of_the_opponent_alone_may_be_dead() -> None:
    game = game_of(replace(FULL, variant="go9x9", start=GO_START), "playstrategy")
    game.follow(state("s@d4", "s@e5", "pass", "pass"), 1.0)

    def answer(*squares: str, by: int | None = 0) -> StonesAnswer | None:
        return answer_stones(DeadStones("offered", squares, by), game.setup, game.moves)

    assert answer() is StonesAnswer.ACCEPT
    assert answer("e5", "c3") is StonesAnswer.ACCEPT
    assert answer("e5", "d4") is StonesAnswer.REJECT
    assert answer("a1") is StonesAnswer.REJECT
    assert answer("e5", by=1) is None
    pending = DeadStones("pending")
    assert answer_stones(pending, game.setup, game.moves) is StonesAnswer.PROPOSE_NONE
    assert answer_stones(pending, game.setup, game.moves[:-1]) is None
    assert answer_stones(None, game.setup, game.moves) is None


@pytest.mark.parametrize(
    "full",
    [
        replace(FULL, variant="xiangqi"),
        replace(FULL, start="8/8 w"),
        replace(FULL, players=(PLAYERS[0], PLAYERS[0])),
        replace(FULL, state=state("P@z9")),
    ],
)
def test_a_game_that_cannot_be_played_is_an_error(full: GameFull) -> None:
    with pytest.raises(WireError):
        game_of(full)


MOVES = st.lists(st.sampled_from(["P@e3", "P@f5", "P@e6", "d3d3", "P@z9", "", "pass"]), max_size=6)
STATES = st.builds(
    GameState,
    MOVES.map(tuple),
    st.tuples(st.floats(0, 1e9), st.floats(0, 1e9)),
    st.just((0.0, 0.0)),
    st.sampled_from(["started", "started", "created", "resign", "strange"]),
    st.sampled_from([None, 0, 1]),
    st.tuples(st.booleans(), st.booleans()),
    st.tuples(st.booleans(), st.booleans()),
)


@given(st.lists(STATES, max_size=8))
def test_any_states_in_any_order_are_events_for_the_machine(states: list[GameState]) -> None:
    wire = game_of()
    machine = OnlineGame(GamePolicy(most_undos=2))
    machine.handle(events.LineBack(0.0))
    machine.handle(wire.full_state(0.0))
    for at, each in enumerate(states, start=1):
        try:
            found = wire.follow(each, float(at))
        except WireError:
            continue
        for event in found:
            machine.handle(event)
        if machine.is_over:
            break
        assert machine.is_over == (not wire.state.is_running)
