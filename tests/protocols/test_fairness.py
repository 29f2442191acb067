"""What nobody who plays weaker does: resign, or play by how little time the opponent has."""

from __future__ import annotations

import pytest

from engine.games.clock import TimeControl
from engine.games.go_ending import EndingSettings
from engine.personas import FULL, PERSONAS, Persona, make_persona
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search, SearchSettings
from tests.support.stand_in import StandInEvaluator, drawn_from_stones

# Whoever may resign does at once.
EAGER = EndingSettings(
    resign_win_rate=1.1,
    resign_consecutive_turns=1,
    resign_min_score_difference=-1000.0,
    resign_min_moves_per_board_area=0.0,
)
ARGUMENTS = {"level": ":300", "softmax": ":1"}
WEAKER = [
    make_persona(name + ARGUMENTS.get(name, ""), "go")
    for name, kind in PERSONAS.items()
    if name != FULL.name and "go" in kind.games
]


def session_of(persona: Persona) -> Session:
    """A game of Go that goes by visits alone: no time passes."""
    search = Search(StandInEvaluator(drawn_from_stones), SearchSettings(), seed=4, now=lambda: 0.0)
    settings = SessionSettings(budget=Budget(max_visits=12), ending=EAGER, persona=persona)
    session = Session(search, settings, seed=4, now=lambda: 0.0, today=lambda: 0.0)
    session.start_over((7, 7))
    return session


def test_full_strength_resigns() -> None:
    assert session_of(FULL).genmove(0).move is None


@pytest.mark.parametrize("persona", WEAKER, ids=lambda persona: persona.name)
def test_who_plays_weaker_never_resigns(persona: Persona) -> None:
    session = session_of(persona)
    for turn in range(6):
        assert session.genmove(turn % 2).move is not None
    assert session.game.resigned is None


@pytest.mark.parametrize("persona", [FULL, make_persona("even:60%:fair", "go")])
def test_the_opponents_clock_changes_nothing(persona: Persona) -> None:
    games = []
    for left in (600.0, 3.0, 0.1):
        session = session_of(persona)
        session.change_settings(SessionSettings(budget=Budget(max_visits=12), persona=persona))
        session.clocks.restart(TimeControl(main=600))
        turns = []
        for _ in range(4):
            session.clocks.set_left(0, 300.0, 0)
            session.clocks.set_left(1, left, 0)
            limit = session.limit(0)
            choice = session.genmove(0)
            session.play(1, session.game.position.legal_moves()[3])
            turns.append((limit, choice.move, choice.reason))
        games.append(turns)
    assert games[0] == games[1] == games[2]
