"""One game being played: what it keeps, what it takes back, how it thinks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine._core import GoPosition
from engine.errors import CannotUndoError, IllegalMoveError, SetupError
from engine.formats import sgf
from engine.games.clock import TimeControl
from engine.games.game_record import RECENT
from engine.games.game_settings import GoSettings
from engine.games.position import Position
from engine.games.rules import RULE_SETS
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
from engine.strength.softmax_index import IndexState
from engine.values import Choice, Limit, Report
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import StandInEvaluator


def session_of(visits: int | None = 16, size: int = 5) -> Session:
    settings = SessionSettings(budget=Budget(max_visits=visits))
    session = Session(Search(StandInEvaluator(count_area)), settings)
    session.start_over((size, size))
    return session


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


def test_no_time_left_still_gives_a_move() -> None:
    session = session_of(visits=None)
    session.clocks.restart(TimeControl(main=10))
    session.clocks.set_left(0, -2, 0)
    assert session.genmove(0).move is not None


def test_what_moves_cost_beside_what_is_aimed_at_is_kept_back() -> None:
    session = session_of()
    session.clocks.restart(TimeControl(main=3))
    aimed = session.limit(0).seconds
    assert aimed is not None
    session.take(0, Choice(7, "quick"), seconds=aimed)
    left = session.clocks[0].main
    session.play(1, 8)
    before = session.limit(0).seconds
    session.clocks.set_left(0, left - 0.3, 0)  # lost on the way
    after = session.limit(0).seconds
    assert before is not None
    assert after is not None
    assert after < 0.8 * before


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


def test_a_stopped_genmove_plays_nothing() -> None:
    session = session_of()
    session.genmove(0, stop=lambda: True)
    assert session.game.moves == ()


def test_the_clock_runs_down_by_the_engine_s_own_moves() -> None:
    times = iter(range(0, 1000, 3))
    search = Search(StandInEvaluator(count_area))
    settings = SessionSettings(budget=Budget(max_visits=4))
    session = Session(search, settings, now=lambda: float(next(times)))
    session.clocks.restart(TimeControl(main=60))
    session.genmove(0)
    assert session.clocks[0].main == 57
    assert session.clocks[1].main == 60
    session.start_over()
    assert session.clocks[0].main == 60


@pytest.mark.parametrize(
    ("budget", "control", "limit"),
    [
        (Budget(), TimeControl(), Limit(seconds=5.0, max_seconds=5.0)),
        (Budget(visits=7), TimeControl(), Limit(visits=7)),
        (Budget(max_visits=7), TimeControl(), Limit(visits=7, most_visits=7)),
        (Budget(visits=7, max_visits=3), TimeControl(), Limit(visits=3, most_visits=3)),
        (Budget(max_seconds=2), TimeControl(), Limit(max_seconds=2)),
        (Budget(max_seconds=2), TimeControl(main=1e6), Limit(seconds=2, max_seconds=2)),
        (Budget(max_playouts=9, max_seconds=1), TimeControl(), Limit(playouts=9, max_seconds=1)),
    ],
)
def test_limits_from_settings_and_clock(budget: Budget, control: TimeControl, limit: Limit) -> None:
    session = Session(Search(StandInEvaluator()), SessionSettings(budget=budget))
    session.clocks.restart(control)
    assert session.limit(0) == limit


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


GAME = (
    "(;GM[1]FF[4]SZ[5:7]KM[0.5]RU[japanese]AB[ba][bb:cc]AW[ee]PL[W];W[aa];B[]"
    "(;W[ab];AE[aa];B[tt])(;W[ac]))"
)


def test_records_are_read_with_their_setup() -> None:
    record = sgf.read(GAME.encode(), RULE_SETS["chinese"])
    assert (record.width, record.height, record.komi) == (5, 7, 0.5)
    assert record.rules == RULE_SETS["japanese"]
    assert record.moves == ((0, 35),)  # stones taken off begin the game anew
    assert (1, 0) not in record.setup
    early = sgf.read(GAME.encode(), RULE_SETS["chinese"], until=3)
    assert early.moves == ((1, 0), (0, 35))
    assert early.setup == ((0, 1), (0, 6), (0, 7), (0, 11), (0, 12), (1, 24))
    assert early.first_to_move == 1


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("", "SGF"),
        ("(;GM[1]SZ[9];B[aa", "SGF"),
        ("(;GM[2]SZ[9])", "GM"),
        ("(;GM[1]SZ[20])", "SZ"),
        ("(;GM[1]SZ[x])", "SZ"),
        ("(;GM[1]SZ[9];B[zz])", "zz"),
        ("(;GM[1]SZ[9];B[aa];W[aa])", "move 2"),
        ("(;GM[1]SZ[9]AB[aa:tt])", "tt"),
        ("(;GM[1]SZ[2]AB[aa][ab][ba][bb])", "setup"),
    ],
)
def test_records_that_cannot_be_played_are_refused(data: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        sgf.read(data.encode(), RULE_SETS["chinese"])


@pytest.mark.parametrize("first", [0, 1])
def test_a_game_written_is_read_the_same(first: int, tmp_path: Path) -> None:
    session = session_of()
    session.set_up([(0, 6), (0, 8)], to_move=first)
    for turn in range(6):
        session.genmove((first + turn) % 2)
    game_settings = GoSettings()
    record = sgf.SgfGame(
        5,
        5,
        game_settings.rules,
        game_settings.komi,
        session.game.setup,
        first,
        session.game.moves,
        "B+R",
    )
    assert sgf.read(sgf.write(record), RULE_SETS["chinese"]) == record
    session.load(record)
    assert session.game.moves == record.moves


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


def test_judging_the_opponent_is_part_of_a_moves_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]

    def look(*_: object, **__: object) -> tuple[object, None]:
        seconds[0] += 0.3
        return session.opponent_model.tracker, None

    def choose(_search: Search, turn: MoveRequest[Position]) -> Choice:
        limits.append(turn.limit)
        return Choice(3, "a test")

    limits: list[Limit] = []
    monkeypatch.setattr("engine.opponents.opponent_model.judge_last_move", look)
    monkeypatch.setattr(move_choice, "choose", choose)
    budget = Budget(max_visits=9, max_seconds=1.0)
    settings = SessionSettings(budget=budget, persona=make_persona("even", "go"))
    session = Session(Search(StandInEvaluator()), settings, now=lambda: seconds[0])
    session.genmove(0)
    assert limits == [Limit(visits=9, most_visits=9, max_seconds=0.7)]
