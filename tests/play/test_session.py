"""One game being played: moves, undo, the verdict, and the lessons of its result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine._core import GoPosition
from engine.errors import CannotUndoError, IllegalMoveError, SetupError
from engine.games.game_settings import GoSettings
from engine.games.rules import RULE_SETS
from engine.personas import FULL, make_persona
from engine.play.session import Session
from engine.strength.softmax_index import IndexState
from tests.support.sessions import session_of


def test_undo_gives_back_captures_turns_and_ko() -> None:
    session = session_of()
    session.set_up([(0, 1), (1, 0)])
    session.play(0, 5)
    assert session.game.position.captured == (0, 1)  # type: ignore[attr-defined]
    before = session.game.position.graph_hash
    session.play(1, 12)
    session.undo()
    assert session.game.position.graph_hash == before
    session.undo()
    assert session.game.position.captured == (0, 0)  # type: ignore[attr-defined]
    with pytest.raises(CannotUndoError):
        session.undo()


def test_a_refused_move_or_setup_changes_nothing() -> None:
    session = session_of()
    session.play(0, 12)
    before = session.game.position.graph_hash
    with pytest.raises(IllegalMoveError):
        session.play(1, 12)
    with pytest.raises(SetupError):
        session.set_up([(0, 1), (0, 5), (1, 0)])
    assert session.game.position.graph_hash == before
    assert session.game.moves == ((0, 12),)


def test_rules_and_komi_change_in_the_middle_of_a_game() -> None:
    session = session_of()
    session.play(0, 12)
    session.agree(GoSettings(RULE_SETS["japanese"], 0.5))
    position = session.game.position
    assert isinstance(position, GoPosition)
    assert position.rules == RULE_SETS["japanese"]
    assert position.komi == 0.5
    assert session.game.moves == ((0, 12),)


def test_a_bad_size_leaves_the_game_as_it_was() -> None:
    session = session_of()
    session.play(0, 12)
    with pytest.raises(ValueError, match="20"):
        session.start_over((20, 20))
    assert session.game.moves == ((0, 12),)


def test_a_finished_game_can_go_on() -> None:
    session = session_of()
    session.play(0, 25)
    session.play(1, 25)
    assert session.game.position.is_over
    assert session.genmove(0).move is not None


def test_the_verdict_stays_until_the_game_changes() -> None:
    session = session_of()
    session.agree(GoSettings(RULE_SETS["chinese"]))
    session.play(0, 12)
    session.play(1, 25)
    session.play(0, 25)
    status = session.final_status()
    assert status.black_score == 25 - 7.5
    assert session.final_status() is status
    session.genmove(1, play=False)
    assert session.final_status() is status
    session.undo()
    assert session.final_status() is not status


def test_a_resignation_is_kept_and_the_verdict_with_it() -> None:
    session = session_of()
    session.play(0, 12)
    status = session.final_status()
    session.resign(1)
    assert session.game.resigned == 1
    assert session.final_status() is status
    session.undo()
    assert session.game.resigned is None


BETWEEN = make_persona("softmax-between", "go")


def index_of(session: Session) -> IndexState:
    tracker = session.opponent_model.tracker
    return IndexState() if tracker is None else tracker.opponent.index


@pytest.mark.parametrize(
    ("ours", "resigning", "index"), [(0, 1, -0.375), (0, 0, 0.375), (1, 1, 0.375)]
)
def test_a_result_changes_the_index_once(ours: int, resigning: int, index: float) -> None:
    session = session_of()
    session.change_settings(replace(session.settings, persona=BETWEEN))
    if ours == 1:
        session.play(0, 3)
    session.genmove(ours)
    session.settle()
    assert index_of(session) == IndexState()
    session.resign(resigning)
    for _ in range(2):
        session.settle()
        assert index_of(session).index == index
    session.start_over()
    assert index_of(session).index == index


def test_a_game_that_ended_is_counted_when_the_next_begins() -> None:
    session = session_of()
    session.change_settings(replace(session.settings, persona=BETWEEN))
    session.genmove(0)
    session.play(1, 25)
    session.play(0, 25)
    session.start_over()
    assert index_of(session).index == -0.375


def test_games_that_nobody_else_played_in_teach_nothing() -> None:
    session = session_of()
    session.change_settings(replace(session.settings, persona=BETWEEN))
    session.genmove(0)
    session.genmove(1)
    session.resign(0)
    session.start_over()
    session.play(0, 3)
    session.resign(0)
    session.settle()
    session.change_settings(replace(session.settings, persona=FULL))
    session.start_over()
    session.genmove(0)
    session.resign(1)
    session.settle()
    assert index_of(session) == IndexState()


def test_whoever_plays_weaker_knows_an_opponent() -> None:
    session = session_of()
    session.genmove(0)
    assert session.opponent_model.tracker is None
    for text in ("level:300", "softmax:1"):
        session.change_settings(replace(session.settings, persona=make_persona(text, "go")))
        session.start_over()
        choice = session.genmove(0)
        tracker = session.opponent_model.tracker
        assert tracker is not None
        assert tracker.levels == (() if choice.level_elo is None else (choice.level_elo,))
        assert tracker.opponent.games == 0
    session.resign(1)
    session.settle()
    assert session.opponent_model.tracker is not None
    assert session.opponent_model.tracker.opponent.games == 1
