"""Sessions of Go on a small board, with a stand-in that counts area."""

from __future__ import annotations

from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import StandInEvaluator


def session_of(visits: int | None = 16, size: int = 5) -> Session:
    settings = SessionSettings(budget=Budget(max_visits=visits))
    session = Session(Search(StandInEvaluator(count_area)), settings)
    session.start_over((size, size))
    return session
