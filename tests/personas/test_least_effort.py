"""Every persona has a legal move in every game, at the smallest budget."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.chance import without_outcome
from engine.games.game_settings import usual_settings
from engine.personas import PERSONAS, make_persona
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.play.steps import scratch
from engine.search.search import Search, SearchSettings
from engine.values import Report
from tests.support.games import PLAYABLE
from tests.support.stand_in import StandInEvaluator

ARGUMENTS = {
    "level": [":0", ":700", ":-99999", ":1e308"],
    "softmax": [":2", ":-2", ":0:0", ":inf", ":-inf", ":1e308", ":-1e308"],
    "even": ["", ":60%", ":closeness=0", ":fair"],
    "human": ["", ":lambda=0.3"],
    "position": ["", ":A+B+C:c=2.5"],
}
PARTS = {
    "go": ["style=local", "ending=close", "ending=shi", "naturalness=probability=0.99"],
    "othello": ["style=centre", "ending=close", "ending=shi", "naturalness=probability=0.99"],
    "connect4": ["naturalness=probability=0.99"],
    "chess": ["naturalness=probability=0.99"],
    "darkchess": ["naturalness=probability=0.99"],
    "einstein": ["naturalness=probability=0.99"],
}
BUDGETS = {
    "1 visit": Budget(max_visits=1),
    "2 visits": Budget(max_visits=2),
    "1 playout": Budget(max_playouts=1),
    "no time": Budget(max_seconds=0.0),
}
FEW = 16  # evaluations; each search begins with up to four, of mirrored boards
SIZES = {"go": (5, 5), "othello": (6, 6), "connect4": (7, 6), "chess": (8, 8), "darkchess": (2, 4)}
SIZES |= {"einstein": (5, 5)}
SIZES = {game: SIZES[game] for game in PLAYABLE}
CASES = [
    (game, name + argument)
    for game in SIZES
    for name, kind in PERSONAS.items()
    if game in kind.games
    for argument in ARGUMENTS.get(name, [""])
] + [(game, f"full+{part}") for game in SIZES for part in PARTS[game]]


@pytest.mark.parametrize(("game", "text"), CASES)
def test_a_legal_move_with_the_least_effort(game: str, text: str) -> None:
    for name, budget in BUDGETS.items():
        search = Search(StandInEvaluator(game=game), SearchSettings(), seed=3)
        settings = SessionSettings(budget=budget, persona=make_persona(text, game))
        session = Session(search, settings, game_settings=usual_settings(game), seed=3)
        session.start_over(SIZES[game])
        for turn in range(4):
            legal = session.game.position.legal_moves()
            before = session.game.position
            choice = session.genmove(before.to_move)
            assert choice.move is not None
            assert without_outcome(before, choice.move) in legal, f"{name}, move {turn}"


@pytest.mark.parametrize(("game", "text"), CASES)
def test_without_time_a_move_costs_a_few_evaluations(game: str, text: str) -> None:
    evaluator = StandInEvaluator(game=game)
    search = Search(evaluator, SearchSettings(), seed=3)
    settings = SessionSettings(
        budget=BUDGETS["no time"], persona=make_persona(text, game), solve=False
    )
    session = Session(search, settings, game_settings=usual_settings(game), seed=3)
    session.start_over(SIZES[game])
    for turn in range(6):
        before = evaluator.rows
        session.genmove(session.game.position.to_move)
        assert evaluator.rows - before <= FEW, f"move {turn}"


@pytest.mark.parametrize("text", ["full", "even", "even:fair", "level:99999", "softmax:2"])
@pytest.mark.parametrize("game", SIZES)
def test_playouts_bound_all_that_is_searched_for_a_move(game: str, text: str) -> None:
    """A level's own search and the evaluation of the opponent's move too: `go nodes 1` of UGI."""
    evaluator = StandInEvaluator(game=game)
    budget = Budget(max_visits=1, max_playouts=1)
    settings = SessionSettings(budget=budget, persona=make_persona(text, game), solve=False)
    session = Session(
        Search(evaluator, SearchSettings(), seed=3), settings, game_settings=usual_settings(game)
    )
    session.start_over(SIZES[game])
    for _ in range(4):
        before = evaluator.rows
        session.genmove(session.game.position.to_move)
        assert evaluator.rows - before <= 16


@pytest.mark.parametrize("budget", [Budget(max_visits=1), Budget(max_visits=5)], ids=["1", "5"])
@pytest.mark.parametrize(("game", "text"), CASES)
def test_a_client_bounds_the_visits_of_every_search(
    game: str, text: str, budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    class Counted(Search):
        def run(self, *arguments: Any, **options: Any) -> Report:
            report = super().run(*arguments, **options)
            made.append(self.visits)
            return report

    monkeypatch.setattr(scratch, "Search", Counted)
    settings = SessionSettings(budget=budget, persona=make_persona(text, game), solve=False)
    evaluator = StandInEvaluator(game=game)
    session = Session(
        Counted(evaluator, SearchSettings()), settings, game_settings=usual_settings(game)
    )
    session.start_over(SIZES[game])
    for _ in range(4):
        session.clear_search()  # visits left by an earlier search are not counted
        choice = session.genmove(session.game.position.to_move)
        made.append(choice.nodes or 0)
    assert max(made) <= (budget.max_visits or 0)
