"""Trackers of strangers, and sessions that have one, on stand-in networks."""

from __future__ import annotations

from engine.games.game_settings import usual_settings
from engine.games.table import Board
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.personas import make_persona
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from tests.support.stand_in import StandInEvaluator

OTHELLO = Board("othello", 6, 6)


def search_of(game: str = "othello") -> Search:
    return Search(StandInEvaluator(game=game), seed=1)


def stranger(search: Search, board: Board = OTHELLO) -> OpponentTracker:
    return of_stranger(board, search.evaluator.network)


def session_of(persona: str, game: str = "connect4") -> Session:
    settings = SessionSettings(budget=Budget(max_visits=12), persona=make_persona(persona, game))
    return Session(search_of(game), settings, game_settings=usual_settings(game), seed=5)
