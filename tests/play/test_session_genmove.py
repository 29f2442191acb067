"""The moves of a session: its search and tree, its settings, its persona."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.game_record import RECENT
from engine.games.position import Position
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents.tracker import stranger_on
from engine.personas import FULL, make_persona
from engine.play import move_choice
from engine.play.search_source import OneSearch
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.strength.level import RANDOM, Level
from engine.strength.rating_ladder import RatingLadder, Rung
from engine.values import Choice, Limit, Report
from tests.support.gtp_conversation import count_area
from tests.support.sessions import session_of
from tests.support.stand_in import StandInEvaluator


def test_the_search_follows_the_game_and_keeps_its_tree() -> None:
    session = session_of(visits=200)
    session.genmove(0)
    session.search.run(Limit(visits=1))  # as it stands: the position before the move
    session.ponder(stop=lambda: session.search.visits >= 50)
    evaluator = session.search.evaluator
    assert isinstance(evaluator, StandInEvaluator)
    known = session.search.visits
    assert known >= 50
    rows = evaluator.rows
    session.genmove(1)
    assert evaluator.rows - rows < 200


def test_a_color_may_move_twice_and_the_search_obeys() -> None:
    session = session_of()
    for _ in range(3):
        choice = session.genmove(1)
        assert choice.report is not None
        assert choice.report.root.to_move == 1
    assert [color for color, _ in session.game.moves] == [1, 1, 1]


def test_one_visit_is_enough_for_a_legal_move() -> None:
    session = session_of(visits=1)
    for turn in range(12):
        choice = session.genmove(turn % 2)
        assert choice.reason


def test_a_stopped_genmove_plays_nothing() -> None:
    session = session_of()
    session.genmove(0, stop=lambda: True)
    assert session.game.moves == ()


def test_analysis_noise_does_not_reach_play() -> None:
    session = session_of()
    session.change_settings(
        SessionSettings(budget=Budget(max_visits=4), analysis_wide_root_noise=0.5)
    )
    reports: list[Report] = []
    session.analyze(
        0, stop=lambda: bool(reports), on_report=reports.append, report_every_seconds=0.0
    )
    assert session.search.settings.wide_root_noise == 0.5
    session.genmove(0)
    assert session.search.settings.wide_root_noise == 0


def test_a_changed_search_setting_drops_the_tree() -> None:
    session = session_of(visits=50)
    session.genmove(0, play=False)
    changed = session.settings.search.copy()
    changed.root_policy_temperature = 2.0
    session.change_settings(SessionSettings(search=changed, budget=Budget(max_visits=1)))
    session.genmove(0, play=False)
    assert session.search.visits < 50


def test_a_turn_shows_the_last_positions_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[MoveRequest[Position]] = []

    def choose(_search: Search, turn: MoveRequest[Position]) -> Choice:
        turns.append(turn)
        return Choice(turn.position.legal_moves()[0], "the first")

    monkeypatch.setattr(move_choice, "choose", choose)
    session = session_of()
    for _ in range(RECENT + 2):
        choice = session.genmove(session.game.position.to_move)
        assert session.last_choice is choice
    assert [len(turn.recent) for turn in turns] == [*range(1, RECENT + 1), RECENT, RECENT]
    for turn in turns:
        assert turn.recent[-1] is turn.position
    numbers = [position.move_number for position in turns[-1].recent]
    assert numbers == list(range(2, RECENT + 2))
    session.undo(3)
    assert [position.move_number for position in session.game.recent] == list(range(RECENT))
    session.start_over()
    assert session.last_choice is None


def test_another_persona_clears_the_tree() -> None:
    session = session_of()
    session.genmove(0, play=False)
    session.change_settings(replace(session.settings, ponder=True))
    assert session.search.visits == 16
    session.change_settings(replace(session.settings, persona=replace(FULL, name="other")))
    assert session.search.visits == 0


@pytest.mark.parametrize(
    ("text", "people", "asked"),
    [
        ("level:700", True, True),
        ("level:700", False, False),
        ("strength:even", True, True),
        ("strength:even", False, False),
        ("full", True, False),
        ("softmax:1", True, False),
    ],
)
def test_levels_of_people_get_the_human_policy(text: str, people: bool, asked: bool) -> None:
    boards: list[Board] = []
    human = HumanPolicy(StandInEvaluator())
    top = Level(rank=20.0) if people else Level()
    search = Search(StandInEvaluator(count_area))

    class Source(OneSearch):
        def human_policy_on(self, board: Board, /) -> HumanPolicy:
            boards.append(board)
            return human

    session = Session(search, SessionSettings(budget=Budget(max_visits=8)), source=Source(search))
    session.start_over((5, 5))
    rungs = (Rung(0.0, 1.0, RANDOM), Rung(700.0, 1.0, top))
    session.opponent_model.tracker = stranger_on(RatingLadder(Board("go", 5, 5), "mine", rungs))
    session.change_settings(replace(session.settings, persona=make_persona(text, "go")))
    session.genmove(0)
    assert boards == [Board("go", 5, 5)] * asked


def test_chance_follows_the_seed() -> None:
    def drawn(seed: int | None) -> float:
        session = Session(Search(StandInEvaluator()), seed=seed)
        return float(session.rng.random())

    assert drawn(3) == drawn(3) != drawn(4)
    assert drawn(None) != drawn(None)
