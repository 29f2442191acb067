"""A session that remembers its opponent: what is noted, and what two learn at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.clock import TimeControl
from engine.games.game_settings import GoSettings, usual_settings
from engine.games.table import Board
from engine.opponents import StoredOpponent
from engine.opponents.advantage import NOTHING
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_record import known_of, result_text
from engine.opponents.opponent_store import (
    EloEstimate,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    TransientStore,
)
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior
from engine.opponents.tracker import of_stranger
from engine.personas import make_persona
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from engine.values import Choice
from tests.support.stand_in import StandInEvaluator
from tests.support.store.known import Noting

ANN = OpponentName("Ann")
BOARD = Board("connect4", 7, 6)
DAY = 86400.0


def session_with(
    memory: OpponentStore, persona: str = "even", *, named: bool = True, today: float = 0.0
) -> Session:
    settings = SessionSettings(
        budget=Budget(max_visits=8), persona=make_persona(persona, "connect4"), solve=False
    )
    session = Session(
        Search(StandInEvaluator(game="connect4"), seed=1),
        settings,
        game_settings=usual_settings("connect4"),
        seed=5,
        today=lambda: today,
    )
    session.opponent_model.meet(StoredOpponent(memory, ANN, is_named=named))
    return session


def known(memory: OpponentStore) -> OpponentEntry:
    found = memory.recall(ANN, BOARD)
    assert found is not None
    return found


def play_to_the_end(session: Session) -> None:
    """We are first; the opponent fills the leftmost columns."""
    while not session.game.position.is_over:
        session.genmove(0)
        if not session.game.position.is_over:
            session.play(1, session.game.position.legal_moves()[0])


def test_every_move_is_noted_with_its_reason_and_the_result() -> None:
    memory = TransientStore()
    session = session_with(memory)
    first = session.genmove(0)
    session.play(1, 3)
    session.genmove(0)
    ((_, game),) = memory.unfinished(ANN)
    assert game.moves == session.game.moves
    assert game.reasons[0] == first.reason
    assert game.reasons[1] == ""
    assert game.reasons[2]
    assert (game.color, game.persona, game.board) == (0, "even", BOARD)
    session.resign(1)
    session.settle()
    assert memory.unfinished(ANN) == ()
    assert (known(memory).games, len(memory.history(ANN, BOARD))) == (1, 1)


def test_a_resignation_stores_the_evidence_of_the_last_move() -> None:
    memory = TransientStore()
    session = session_with(memory)
    session.genmove(0)
    session.play(1, 3)
    session.genmove(0, play=False)
    assert memory.recall(ANN, BOARD) is None
    session.take(0, Choice(None, "lost"))
    assert session.opponent_model.tracker is not None
    assert known(memory).state == known_of(session.opponent_model.tracker.opponent).state


def test_moves_taken_back_are_noted_too() -> None:
    memory = TransientStore()
    session = session_with(memory)
    session.genmove(0)
    session.play(1, 3)
    session.undo(2)
    assert memory.unfinished(ANN)[0][1].moves == ()
    session.play(0, 2)
    assert memory.unfinished(ANN)[0][1].moves == ((0, 2),)


def test_a_game_that_is_left_is_void_and_teaches_no_result() -> None:
    memory = TransientStore()
    session = session_with(memory)
    session.genmove(0)
    session.start_over()
    assert memory.unfinished(ANN) == ()
    assert memory.recall(ANN, BOARD) is None


def test_nothing_is_noted_before_our_first_move_nor_of_both_sides_ours() -> None:
    memory = TransientStore()
    session = session_with(memory)
    session.play(0, 3)
    assert memory.unfinished(ANN) == ()
    session.genmove(1)
    assert memory.unfinished(ANN)[0][1].moves[0] == (0, 3)
    session.genmove(0)
    assert memory.unfinished(ANN) == ()
    session.play(1, 3)
    assert memory.unfinished(ANN) == ()


@pytest.mark.parametrize(
    ("persona", "named", "noted"),
    [("full", False, 0), ("full", True, 1), ("even", False, 1), ("softmax-between", False, 1)],
)
def test_a_presumed_opponent_is_stored_if_the_play_depends_on_it(
    persona: str, named: bool, noted: int
) -> None:
    memory = TransientStore()
    session = session_with(memory, persona, named=named)
    session.genmove(0)
    session.resign(1)
    session.settle()
    assert (memory.recall(ANN, BOARD) is not None) == bool(noted)


def test_the_belief_is_the_same_with_and_without_a_store() -> None:
    """Full strength plays the same moves whether somebody is remembered or nobody."""
    memory = TransientStore()
    remembering, alone = session_with(memory, "full"), session_with(memory, "full")
    alone.opponent_model.meet(None)
    for session in (remembering, alone):
        budget = Budget(max_visits=40)
        session.change_settings(replace(session.settings, budget=budget))
        play_to_the_end(session)
    assert remembering.game.moves == alone.game.moves
    remembering.settle()
    strength = Opponent.from_json(dict(known(memory).state)).posterior
    stranger = of_stranger(BOARD, alone.search.evaluator.network).opponent.posterior
    assert strength.apparent.tolist() != stranger.apparent.tolist()  # their moves were judged


@pytest.mark.parametrize(("persona", "judged"), [("level:500", True), ("softmax:1", False)])
def test_moves_of_a_stored_opponent_are_judged_without_a_search(persona: str, judged: bool) -> None:
    """A published method's tree is not touched, and of 8 visits too few are left to judge by."""
    session = session_with(TransientStore(), persona)
    for move in (3, 2):
        session.genmove(0)
        session.play(1, move)
    session.genmove(0)
    assert session.opponent_model.tracker is not None
    found = session.opponent_model.tracker.opponent.posterior
    stranger = of_stranger(BOARD, session.search.evaluator.network).opponent.posterior
    assert (found.apparent.tolist() != stranger.apparent.tolist()) == judged


def test_a_later_game_begins_with_the_belief_blurred_by_time() -> None:
    memory = TransientStore()
    first = session_with(memory)
    play_to_the_end(first)
    first.settle()
    assert first.opponent_model.tracker is not None
    learned = first.opponent_model.tracker.opponent
    wider = []
    for today in (0.0, 400 * DAY):
        later = session_with(memory, today=today)
        later.genmove(0)
        assert later.opponent_model.tracker is not None
        assert later.opponent_model.tracker.opponent.games == 1
        deviation = later.opponent_model.tracker.opponent.posterior.deviation
        assert deviation == pytest.approx(learned.meeting(today).posterior.deviation, abs=0.1)
        wider.append(deviation - learned.posterior.deviation)
        later.opponent_model.meet(None)
    assert 0 < wider[0] < wider[1] - 10


def test_two_sessions_at_once_lose_no_evidence() -> None:
    memory, fair = TransientStore(), "even:closeness=0"  # whose results count against the level
    sessions = [session_with(memory, fair), session_with(memory, fair)]
    for session in sessions:
        session.genmove(0)
    for session in sessions:
        assert session.opponent_model.tracker is not None
        tracker = replace(session.opponent_model.tracker, levels=(500.0,), advantage=NOTHING)
        session.opponent_model.tracker = tracker
        session.finish(1.0)
    together = Opponent.from_json(dict(known(memory).state))
    alone = session_with(TransientStore(), fair)
    alone.genmove(0)
    assert alone.opponent_model.tracker is not None
    twice = alone.opponent_model.tracker.opponent.posterior.after_results(500.0, 0.0, games=2.0)
    assert together.games == 2
    assert np.allclose(together.posterior.density, twice.density, atol=1e-5)


def test_an_unreadable_record_is_logged_and_begun_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    memory = TransientStore()
    memory.revise(ANN, BOARD, lambda _: OpponentEntry({"name": "Ann"}, 3, EloEstimate(0, 0, 0)))
    again = session_with(memory)
    again.genmove(0)
    again.play(1, 3)
    again.genmove(0)
    assert "the record of 'Ann' cannot be read" in caplog.text
    assert again.opponent_model.tracker is not None
    assert known(memory).state == known_of(again.opponent_model.tracker.opponent).state


def test_a_game_goes_on_where_it_stopped() -> None:
    memory = TransientStore()
    killed = session_with(memory)
    killed.genmove(0)
    killed.play(1, 3)
    later = session_with(memory)
    later.resume(*memory.unfinished(ANN)[0])
    assert later.game.moves == killed.game.moves
    assert killed.last_choice is not None
    assert later.last_choice is not None
    assert later.last_choice.reason == killed.last_choice.reason
    later.genmove(0)
    ((_, game),) = memory.unfinished(ANN)
    assert game.moves == later.game.moves
    assert len(game.moves) == 3
    later.resign(0)
    later.settle()
    assert memory.unfinished(ANN) == ()


def test_other_terms_begin_another_game() -> None:
    memory = TransientStore()
    session = Session(Search(StandInEvaluator()), SessionSettings(budget=Budget(max_visits=4)))
    session.opponent_model.meet(StoredOpponent(memory, ANN))
    session.genmove(0)
    session.agree(GoSettings(komi=0.5))
    assert memory.unfinished(ANN) == ()
    session.play(1, 3)
    session.genmove(0)
    ((_, game),) = memory.unfinished(ANN)
    assert game.game_settings == GoSettings(komi=0.5)
    assert len(game.moves) == 3


@pytest.mark.parametrize(("komi", "given"), [(7.5, 0), (-200.0, 1)])
def test_a_result_counts_against_the_advantage(komi: float, given: int) -> None:
    """Who loses in spite of a great advantage is weaker than who loses without one."""
    session = Session(
        Search(StandInEvaluator()),
        SessionSettings(budget=Budget(max_visits=4), persona=make_persona("level:500", "go")),
        seed=2,
    )
    session.agree(GoSettings(komi=komi))
    session.genmove(1, play=False)
    session.genmove(1)
    before = session.opponent_model.tracker
    session.resign(0)
    session.settle()
    after = session.opponent_model.tracker
    assert before is not None
    assert after is not None
    fallen = before.opponent.posterior.mean - after.opponent.posterior.mean
    assert fallen > 0
    fallen_fairly = before.opponent.after_game(
        points=0, level_elo=before.levels[-1], now_seconds=0.0
    )
    usual = before.opponent.posterior.mean - fallen_fairly.posterior.mean
    assert (fallen > usual + 20) == bool(given)


def test_the_clock_says_less_of_a_player_than_the_board_and_a_forfeit_nothing() -> None:
    means, results = {}, {}
    for won_by in ("", "R", "T", "F"):
        memory = Noting()
        session = session_with(memory, "level:500")
        session.genmove(0)
        session.finish_won_by(0, won_by)
        session.finish_won_by(1)  # once a game
        results[won_by] = memory.results[0]
        assert session.opponent_model.tracker is not None
        means[won_by] = session.opponent_model.tracker.opponent.posterior.mean
        assert known(memory).games == 1
    session = session_with(TransientStore(), "level:500")
    session.finish_won_by(0, "R")  # of a game that was not ours
    session.genmove(0)
    assert session.opponent_model.tracker is not None
    before = session.opponent_model.tracker.opponent.posterior.mean
    assert results == {how: (f"B+{how}", 1.0) for how in ("", "R", "T", "F")}
    assert means[""] == means["R"] < means["T"] - 20
    assert means["T"] < means["F"] - 10
    assert means["F"] == before


@pytest.mark.parametrize(("won_by", "index"), [("R", -0.375), ("T", -0.375), ("F", 0.0)])
def test_a_forfeit_changes_no_strength_index(won_by: str, index: float) -> None:
    session = session_with(TransientStore(), "softmax-between")
    session.genmove(0)
    session.finish_won_by(0, won_by)
    assert session.opponent_model.tracker is not None
    assert session.opponent_model.tracker.opponent.index.index == index


def test_a_faster_game_begins_with_less_certainty() -> None:
    memory = TransientStore()
    first = session_with(memory)
    play_to_the_end(first)
    first.settle()
    deviations = []
    for seconds in (3600.0, 20.0):
        session = session_with(memory)
        session.clocks.restart(TimeControl(main=seconds))
        session.genmove(0)
        assert session.opponent_model.tracker is not None
        deviations.append(session.opponent_model.tracker.opponent.posterior.deviation)
        session.opponent_model.meet(None)
    assert deviations[0] < deviations[1] - 10


RESULTS = [
    # points, color, how; what SGF says
    (1.0, 0, "R", "B+R"),
    (0.0, 0, "R", "W+R"),
    (1.0, 1, "3.5", "W+3.5"),
    (0.0, 1, "", "B+"),
    (0.5, 1, "0", "0"),
]


@pytest.mark.parametrize(("points", "color", "how", "text"), RESULTS)
def test_results_are_written_as_sgf_has_them(
    points: float, color: int, how: str, text: str
) -> None:
    assert result_text(points, color, how) == text


def test_a_belief_on_an_older_ladder_serves_on_a_new_one() -> None:
    memory = TransientStore()
    older = Posterior.of_stranger(
        -300, 900, styles=(PlayerStyle(0.5, 50.0), PlayerStyle(0.5, 250.0))
    )
    kept = Opponent("Ann", older, games=4, last_game_seconds=0.0)
    memory.revise(ANN, BOARD, lambda _: known_of(kept))
    session = session_with(memory)
    session.genmove(0)
    session.play(1, 3)
    session.genmove(0)  # judges the move by the present ladder's styles
    tracker = session.opponent_model.tracker
    assert tracker is not None
    assert tracker.opponent.games == 4
    assert tracker.opponent.posterior.styles != older.styles
    assert known(memory).state == tracker.opponent.to_json()


def test_an_opponent_deleted_during_a_game_is_a_stranger_again() -> None:
    """What is learned afterwards is remembered, and nothing of what was believed before."""
    memory = TransientStore()
    session = session_with(memory)
    play_to_the_end(session)
    session.settle()
    assert known(memory).games == 1
    session.start_over()
    session.genmove(0)
    memory._known.clear()  # as another process deletes
    session.finish(1.0)
    assert known(memory).games == 1
