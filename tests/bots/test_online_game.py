"""One online game by tables: the events of a story, and the actions after each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bots import actions, events
from bots.actions import Action, LogLine
from bots.chat import CHALLENGE_AT_THE_END, CHALLENGE_ME, CHALLENGE_NOW
from bots.events import Event, Phase
from bots.game_clocks import GameClocks, PlayerClock
from bots.game_policy import GamePolicy
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineResult, OnlineTimeControl
from bots.online_game import OnlineGame

BLACK, WHITE = 0, 1
SETUP = GameSetup(
    "7", WHITE, OnlineOpponent("ann", "test"), time_control=OnlineTimeControl.absolute(60)
)
POLICY = GamePolicy(
    confirm_seconds=10,
    silence_seconds=100,
    greeting="Hello",
    farewell="Bye",
    away="Away",
    can_pause=True,
    most_pause_seconds=50,
    most_undos=1,
)
FIRST = OnlineMove(BLACK, "D4")
OWN = OnlineMove(WHITE, "E5")


def clocks(black: float, white: float, at: float, running: int) -> GameClocks:
    return GameClocks((PlayerClock(black), PlayerClock(white)), at, running)


def state(at: float, *moves: OnlineMove, answers: int = 1, **values: object) -> Event:
    to_move = len(moves) % 2
    event = events.StateReceived(at, SETUP, moves, to_move, answers=answers)
    return replace(event, **values)  # type: ignore[arg-type]


def think(request: int, *moves: OnlineMove, **values: object) -> Action:
    action = actions.Think(request, SETUP, moves, WHITE, lag=POLICY.least_lag_seconds)
    return replace(action, **values)  # type: ignore[arg-type]


def told(game: OnlineGame, *story: tuple[Event, list[Action]]) -> None:
    """Checks the actions after each event; lines for the log are left out."""
    for event, expected in story:
        done = [each for each in game.handle(event) if not isinstance(each, LogLine)]
        assert done == expected, event


def at_move_two(policy: GamePolicy = POLICY) -> OnlineGame:
    """A game after Black's first move; the engine thinks."""
    game = OnlineGame(policy)
    told(
        game,
        (events.LineBack(0), [actions.RequestState(1)]),
        (state(1), [actions.PrepareEngine(SETUP, ()), actions.Say("Hello")]),
        (events.MovePlayed(2, 1, FIRST), [think(1, FIRST)]),
    )
    return game


def sent(game: OnlineGame) -> None:
    """Lets the engine answer at second 3."""
    told(game, (events.EngineMoved(3, 1, "E5"), [actions.SendMove(2, "E5")]))


def test_a_move_waits_for_its_least_time_unless_the_game_is_hurried() -> None:
    policy = replace(POLICY, least_move_seconds=5, hurried_speeds=("blitz",))
    game = at_move_two(policy)
    told(game, (events.EngineMoved(3, 1, "E5"), []))
    assert game.wake_at == 7
    told(game, (events.TimePassed(7), [actions.SendMove(2, "E5")]))
    hurried = at_move_two(replace(policy, hurried_speeds=(SETUP.speed,)))
    sent(hurried)


def test_a_move_takes_its_share_of_the_main_time_after_the_opening() -> None:
    game = OnlineGame(replace(POLICY, think_share=0.025))
    moves = [OnlineMove(number % 2, f"A{number + 1}") for number in range(11)]
    game.handle(events.LineBack(0))
    game.handle(state(0, *moves, clocks=clocks(60, 400, 0, WHITE)))
    told(game, (events.EngineMoved(1, 1, "E5"), []))
    assert game.wake_at == pytest.approx(400 * 0.025 * 0.99)
    told(game, (events.TimePassed(10), [actions.SendMove(12, "E5")]))


def test_a_move_is_sent_once_and_its_echo_confirms_it() -> None:
    game = at_move_two()
    sent(game)
    told(
        game,
        (events.TimePassed(5), []),
        (events.MovePlayed(6, 2, OWN), []),
        (events.MovePlayed(6, 2, OWN), []),
        (events.TimePassed(99), []),
        (events.MovePlayed(100, 3, FIRST), [think(2, FIRST, OWN, FIRST)]),
    )


def test_an_overdue_move_is_sent_again_after_an_answer_without_it() -> None:
    game = at_move_two()
    sent(game)
    assert game.wake_at == 13
    told(
        game,
        (events.TimePassed(13), [actions.RequestState(2)]),
        (state(14, FIRST, answers=0), []),
        (state(14, FIRST, answers=1), []),
        (state(15, FIRST, answers=2), [actions.SendMove(2, "E5")]),
    )


def test_an_overdue_move_is_not_sent_again_if_the_server_has_it() -> None:
    game = at_move_two()
    sent(game)
    told(
        game,
        (events.TimePassed(13), [actions.RequestState(2)]),
        (state(15, FIRST, OWN, answers=2), []),
        (events.TimePassed(50), []),
    )


def test_requests_without_an_answer_are_repeated_at_growing_pauses() -> None:
    game = OnlineGame(POLICY)
    game.handle(events.LineBack(0))
    times = []
    for _ in range(6):
        assert game.wake_at is not None
        times.append(game.wake_at)
        assert game.handle(events.TimePassed(game.wake_at)) == [
            actions.RequestState(len(times) + 1)
        ]
    assert times == [10, 30, 70, 150, 230, 310]


def test_a_lost_line_sends_nothing_until_the_answer() -> None:
    game = at_move_two()
    told(
        game,
        (events.LineLost(3), []),
        (events.EngineMoved(4, 1, "E5"), []),
        (events.LineBack(5), [actions.RequestState(2)]),
        (state(6, FIRST, answers=2), [actions.SendMove(2, "E5")]),
    )


def test_a_move_during_the_lost_line_makes_the_engines_answer_void() -> None:
    game = at_move_two()
    other = OnlineMove(WHITE, "C3")
    told(
        game,
        (events.LineLost(3), []),
        (events.LineBack(5), [actions.RequestState(2)]),
        (
            state(6, FIRST, other, FIRST, answers=2),
            [actions.StopThinking(1), think(2, FIRST, other, FIRST)],
        ),
        (events.EngineMoved(7, 1, "E5"), []),
    )


def test_moves_out_of_order_are_put_in_order() -> None:
    game = at_move_two()
    told(
        game,
        (events.MovePlayed(3, 3, FIRST), [actions.RequestState(2)]),
        (events.MovePlayed(3, 2, OWN), [actions.StopThinking(1)]),
        (state(4, FIRST, OWN, FIRST, answers=2), [think(2, FIRST, OWN, FIRST)]),
    )


def test_a_silent_server_is_asked() -> None:
    game = at_move_two()
    told(game, (events.MovePlayed(6, 2, OWN), [actions.StopThinking(1)]))
    assert game.wake_at == 106
    told(game, (events.TimePassed(106), [actions.RequestState(2)]))


def test_a_refused_move_gives_way_to_another_one_and_in_the_end_to_resignation() -> None:
    game = at_move_two(replace(POLICY, most_failures=2))
    sent(game)
    told(
        game,
        (events.MoveRefused(4, "ko"), [actions.RequestState(2)]),
        (state(4.5, FIRST, answers=2), []),
        (events.TimePassed(5), [think(2, FIRST, refused=("E5",))]),
        (events.EngineMoved(6, 2, "F6"), [actions.SendMove(2, "F6")]),
        (events.MoveRefused(7, "ko"), [actions.RequestState(3)]),
        (state(8, FIRST, answers=3), [actions.Resign()]),
        (events.GameEnded(9, OnlineResult(BLACK, "resign")), ENDING),
    )
    assert game.is_over


ENDING: list[Action] = [actions.Say("Bye"), actions.FinishGame(OnlineResult(BLACK, "resign"))]


def test_a_failing_engine_is_asked_again_after_the_state() -> None:
    game = at_move_two()
    told(
        game,
        (events.EngineFailed(3, 1, "illegal move"), [actions.RequestState(2)]),
        (state(3.5, FIRST, answers=2), []),
        (events.TimePassed(4), [think(2, FIRST)]),
    )


def test_a_lost_engine_pauses_the_game_and_says_so_once() -> None:
    game = at_move_two()
    told(
        game,
        (events.EngineLost(3), [actions.Say("Away"), actions.PauseGame()]),
        (events.PhaseChanged(3, Phase.PAUSED), []),
        (events.EngineMoved(4, 1, "E5"), []),
        (events.TimePassed(90), []),
        (events.EngineBack(91), [actions.ResumeGame()]),
        (events.PhaseChanged(92, Phase.PLAYING), [think(2, FIRST)]),
        (events.EngineLost(93), [actions.PauseGame()]),
    )


def test_a_long_pause_is_ended() -> None:
    game = at_move_two()
    told(game, (events.PhaseChanged(3, Phase.PAUSED), [actions.StopThinking(1)]))
    assert game.wake_at == 53
    told(
        game,
        (events.TimePassed(53), [actions.ResumeGame()]),
        (events.PhaseChanged(54, Phase.PLAYING), [think(2, FIRST)]),
    )


def test_undo_is_granted_so_often_and_goes_back() -> None:
    game = at_move_two()
    told(
        game,
        (events.UndoRequested(3, 0), [actions.StopThinking(1), actions.AcceptUndo(0)]),
        (events.UndoAccepted(4, 0), []),
        (events.MovePlayed(5, 1, OnlineMove(BLACK, "Q16")), [think(2, OnlineMove(BLACK, "Q16"))]),
        (events.UndoRequested(6, 0), [actions.RefuseUndo(0)]),
    )


@pytest.mark.parametrize("moves_left", [-1, 1, 10**9])
def test_an_impossible_undo_is_refused(moves_left: int) -> None:
    game = at_move_two()
    told(game, (events.UndoRequested(3, moves_left), [actions.RefuseUndo(moves_left)]))


def test_the_clocks_go_on_until_the_engine_is_asked() -> None:
    game = at_move_two()
    told(
        game,
        (events.ClocksReceived(3, clocks(60, 50, 3, WHITE)), []),
        (events.EngineLost(4), [actions.Say("Away"), actions.PauseGame()]),
        (
            events.EngineBack(13),
            [actions.ResumeGame(), think(2, FIRST, clocks=clocks(60, 40, 13, WHITE))],
        ),
    )


def test_the_lag_is_measured_by_our_own_clock_and_reserved() -> None:
    game = at_move_two()
    told(
        game,
        (events.ClocksReceived(2, clocks(60, 50, 2, WHITE)), []),
        (events.EngineMoved(5, 1, "E5"), [actions.SendMove(2, "E5")]),
        (events.MovePlayed(6, 2, OWN, clocks=clocks(60, 45.5, 6, BLACK)), []),
    )
    assert game.lag.latest == pytest.approx(1.5)  # 4.5 s on the server's clock, 3 s here
    assert game.lag.reserve == pytest.approx(1.5 + POLICY.least_lag_seconds)


def test_a_fast_move_waits() -> None:
    game = at_move_two(replace(POLICY, least_move_seconds=5))
    told(game, (events.EngineMoved(3, 1, "E5"), []))
    assert game.wake_at == 7
    told(game, (events.TimePassed(7), [actions.SendMove(2, "E5")]))


def test_chat_is_answered_to_the_opponent_alone() -> None:
    game = at_move_two()
    told(
        game,
        (events.ChatReceived(3, "bob", "why"), []),
        (events.ChatReceived(3, "ann", "nice game"), []),
        (events.ChatReceived(3, "ann", "Why?", "main"), [actions.AskEngine("why", "main")]),
        (events.ChatReceived(3, "ann", "why", "main"), []),
        (
            events.EngineAnswered(4, "It\x07 was\r\nbig.", "main"),
            [actions.Say("It was big.", "main")],
        ),
    )


def test_after_the_end_nothing_is_sent_but_answers() -> None:
    game = at_move_two()
    told(
        game,
        (
            events.GameEnded(3, OnlineResult(BLACK, "resign")),
            [actions.StopThinking(1), *ENDING],
        ),
        (events.GameEnded(3, OnlineResult(BLACK, "resign")), []),
        (state(4, FIRST), []),
        (events.MovePlayed(4, 2, OWN), []),
    )
    assert game.wake_at is None
    said = game.handle(events.ChatReceived(5, "ann", "rematch"))
    assert said == [actions.Say(CHALLENGE_ME)]


def test_a_rematch_is_offered_once_after_the_end() -> None:
    over = events.GameEnded(5, OnlineResult(BLACK, "resign"))
    policy = replace(POLICY, challenges=True)
    promised = at_move_two(policy)
    said = promised.handle(events.ChatReceived(3, "ann", "rematch?"))
    assert said == [actions.Say(CHALLENGE_AT_THE_END)]
    assert promised.handle(over)[-1] == actions.OfferRematch()
    assert promised.handle(events.ChatReceived(6, "ann", "again")) == []
    asked = at_move_two(policy)
    asked.handle(over)
    offered = [actions.Say(CHALLENGE_NOW), actions.OfferRematch()]
    assert asked.handle(events.ChatReceived(6, "ann", "rematch")) == offered


def test_an_answer_older_than_a_move_is_no_undo() -> None:
    game = at_move_two()
    told(
        game,
        (events.LineBack(3), [actions.RequestState(2)]),
        (events.EngineMoved(3, 1, "E5"), []),
        (state(4, FIRST, answers=2), [actions.SendMove(2, "E5")]),
        (events.LineBack(5), [actions.RequestState(3)]),
        (events.MovePlayed(6, 2, OWN), []),
        (events.MovePlayed(6, 3, FIRST), []),
        (state(6, FIRST, answers=3), [actions.RequestState(4)]),
        (state(7, FIRST, OWN, FIRST, answers=4), [think(2, FIRST, OWN, FIRST)]),
        (events.LineBack(8), [actions.RequestState(5)]),
        (state(9, FIRST, answers=5), [actions.StopThinking(2), think(3, FIRST)]),
    )


def test_the_first_state_of_a_game_needs_no_confirmation() -> None:
    game = OnlineGame(POLICY)
    told(
        game,
        (events.LineBack(0), [actions.RequestState(1)]),
        (
            state(1, FIRST, answers=0),
            [actions.PrepareEngine(SETUP, (FIRST,)), actions.Say("Hello"), think(1, FIRST)],
        ),
        (state(2, FIRST, answers=1), []),
    )
