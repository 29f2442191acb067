"""The player: full strength as it always was, and a method's steps in place of a game's own."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from engine.games.game_settings import GoSettings, usual_settings
from engine.games.position import Position
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES
from engine.personas import FULL, Persona, make_persona
from engine.play.move_choice import choose
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.play.steps.methods import METHODS
from engine.play.steps.request import MoveRequest, Steps
from engine.search.search import Search, SearchSettings
from engine.style.naturalness import Naturalness
from engine.values import Choice, Limit, Report
from tests.support.beginnings import first_choice
from tests.support.diagrams import position_of
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import StandInEvaluator

DIVIDED = """
. X X O .
X X X O O
. X X O .
X X X O O
. X X O .
"""
# Whole games at full strength as they were before there was any other: (board, moves) by game.
GAMES_AT_FULL_STRENGTH = {
    "go": ((7, 7), "7298cfd211c1"),
    "othello": ((6, 6), "dcf34396afd5"),
    "connect4": ((7, 6), "fa589a19af54"),
}
MOST_MOVES = 150


class Weak:
    """The settings of a method that only this test knows."""


WEAK = Persona("weak", "a test", Weak())


@pytest.mark.parametrize("game", GAMES_AT_FULL_STRENGTH)
def test_full_strength_plays_the_same_games_as_ever(game: str) -> None:
    size, pinned = GAMES_AT_FULL_STRENGTH[game]
    search = Search(StandInEvaluator(game=game), SearchSettings(), seed=5)
    settings = SessionSettings(budget=Budget(max_visits=40), solve=False, persona=FULL)
    game_settings = GoSettings(RULE_SETS["tromp-taylor"]) if game == "go" else usual_settings(game)
    session = Session(search, settings, game_settings=game_settings)
    session.start_over(size)
    while not session.game.position.is_over and session.game.resigned is None:
        if len(session.game.moves) >= MOST_MOVES:
            break
        session.genmove(session.game.position.to_move)
    text = (
        " ".join(f"{color}:{move}" for color, move in session.game.moves)
        + f" {session.game.resigned}"
    )
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == pinned


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_method_decides_in_place_of_the_games_steps(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of its steps: what it prepares limits the search, what it finds is played."""

    def hurry(_search: Search, turn: MoveRequest[Position]) -> MoveRequest[Position]:
        return replace(turn, limit=Limit(visits=3))

    def last(_search: Search, _turn: MoveRequest[Position], report: Report) -> Choice:
        return Choice(report.moves[-1].move, "last", report)

    steps: Steps[Position] = Steps(prepare=(hurry,), after_search=(last,))
    monkeypatch.setitem(METHODS, Weak, steps)
    position = first_choice(game)
    search = Search(StandInEvaluator(game=game), SearchSettings(), seed=5)
    search.set_position(position)
    choice = choose(search, MoveRequest(position, Limit(visits=50), game=game, persona=WEAK))
    assert choice.report is not None
    assert choice.report.root.visits == 3
    assert (choice.move, choice.reason) == (choice.report.moves[-1].move, "last")


@pytest.mark.parametrize("text", ["full", "alphazero", "softmax:2", "level:1500"])
def test_whatever_searches_does_so_by_the_turns_weights(text: str) -> None:
    """All of them on one move leave it alone, also to a level's own short search."""
    position = GAMES["othello"].new_position(8, 8)
    for move in position.legal_moves():
        search = Search(StandInEvaluator(game="othello"), SearchSettings(), seed=5)
        search.set_position(position)
        weights = np.zeros(position.move_count, np.float32)
        weights[move] = 1.0
        persona = make_persona(text, "othello")
        turn = MoveRequest(
            position, Limit(visits=30), game="othello", persona=persona, prior_weights=weights
        )
        choice = choose(search, turn)
        assert choice.move == move
        assert choice.report is not None
        assert {stats.move for stats in choice.report.moves} == {move}


@pytest.mark.parametrize("budget", [None, Naturalness()])
@pytest.mark.parametrize("before", [True, False])
def test_go_keeps_its_manners_whatever_decides(
    before: bool, budget: Naturalness | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pass in answer to a pass on a divided board, also where the search was never asked.

    Nor is what a budget forbids a wish of who asks, whom manners would follow.
    """
    position = position_of(DIVIDED, RULE_SETS["chinese"])
    position.play(position.pass_move)

    def decide(*_: object) -> Choice:
        return Choice(4, "a point of its own")

    steps: Steps[Position] = (
        Steps(before_search=(decide,)) if before else Steps(after_search=(decide,))
    )
    monkeypatch.setitem(METHODS, Weak, steps)
    search = Search(StandInEvaluator(count_area), SearchSettings(), seed=5)
    search.set_position(position)
    persona = replace(WEAK, naturalness=budget)
    choice = choose(search, MoveRequest(position, Limit(visits=20), persona=persona))
    assert (choice.move, choice.reason) == (position.pass_move, "Nothing is left to gain.")
