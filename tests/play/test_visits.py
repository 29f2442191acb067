"""The visits of a move that nothing limits: few for weak play, all the time for full strength."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.table import Board
from engine.opponents.tracker import OpponentTracker, stranger_on
from engine.personas import make_persona
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings, limited
from engine.play.visits import FEWEST, STANDING, STRANGER, visits_worth
from engine.search.search import Search
from engine.strength.level import RANDOM, Level
from engine.strength.rating_ladder import RatingLadder, Rung
from engine.values import Limit
from tests.support.stand_in import StandInEvaluator

RUNGS = (
    Rung(0.0, 1.0, RANDOM),
    Rung(1000.0, 1.0, Level(visits=40)),
    Rung(2000.0, 1.0, Level(visits=900)),
)


def tracker_at(elo: float) -> OpponentTracker:
    tracker = stranger_on(RatingLadder(Board("go", 9, 9), "mine", RUNGS))
    posterior = tracker.opponent.posterior
    for _ in range(40):
        posterior = posterior.after_results(elo, 0.5)
    return replace(tracker, opponent=replace(tracker.opponent, posterior=posterior))


@pytest.mark.parametrize(
    ("text", "visits"),
    [
        ("full", None),
        ("level:0", FEWEST),
        ("level:1000", FEWEST),
        ("level:1500", 900),
        ("level:1000+ending=close", None),
        ("strength:even", FEWEST),
        ("even", FEWEST),
        ("human", 40),
        ("human:lambda=0.3", 400),
        ("human:proportion=0.5", None),
        ("softmax:1", None),
        ("alphadda1", None),
    ],
)
def test_a_strength_is_worth_its_visits(text: str, visits: int | None) -> None:
    assert visits_worth(make_persona(text, "go"), tracker_at(500.0)) == visits


def test_an_even_game_with_somebody_strong_is_worth_more() -> None:
    even = make_persona("even", "go")
    assert visits_worth(even, tracker_at(1900.0)) == STANDING * 900
    assert visits_worth(even, None) == STRANGER


def test_only_a_move_without_any_limit_takes_them() -> None:
    budget = Budget(default_seconds=4.0)
    assert limited(Limit(), budget, 200) == Limit(visits=200, max_seconds=4.0)
    assert limited(Limit(), budget) == Limit(seconds=4.0, max_seconds=4.0)
    clock = Limit(seconds=9.0, max_seconds=20.0)
    assert limited(clock, budget, 200) == clock
    by_user = Budget(visits=50)
    assert limited(Limit(), by_user, 200) == limited(Limit(), by_user)


def test_a_session_searches_as_much_as_its_persona_is_worth() -> None:
    settings = SessionSettings(persona=make_persona("strength:even", "go"))
    session = Session(Search(StandInEvaluator()), settings, seed=1)
    session.start_over((5, 5))
    report = session.genmove(0).report
    assert report is not None
    assert report.root.visits == STRANGER
