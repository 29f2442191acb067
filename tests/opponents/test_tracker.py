"""A tracker during a game: the opponent's moves judged, the levels played, the standings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.chance import draw_by
from engine.games.position import Position
from engine.games.table import Board
from engine.opponents.advantage import NOTHING
from engine.opponents.move_likelihood import PEOPLE_FEATURES, MoveLikelihood
from engine.opponents.opponent import Opponent
from engine.opponents.posterior import Posterior
from engine.opponents.score_model import COUNTED, COUNTED_FROM, counted_share
from engine.opponents.standing import standing_of
from engine.opponents.tracker import (
    FEWEST_OBSERVED,
    MOST_OBSERVED,
    GameSoFar,
    guessed_without_people,
    judge_last_move,
    observed,
    of_stranger,
)
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search
from engine.search.weak_rollouts import UNKNOWN
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Limit
from tests.support.games import PLAYABLE
from tests.support.stand_in import StandInEvaluator, description_of
from tests.support.trackers import OTHELLO, search_of, session_of, stranger

LIMIT = Limit(visits=200)


def test_a_controller_measures_a_lead_by_the_lines_of_its_board() -> None:
    for board, lines in ((Board("go", 9, 9), 9.0), (Board("go", 9, 16), 12.0)):
        tracker = of_stranger(board, description_of("go"))
        assert tracker.controller(TargetWinRate()).lines == lines


def test_dark_chess_is_kept_even_by_the_level_alone() -> None:
    search, aim = search_of("darkchess"), TargetWinRate()
    tracker = stranger(search, Board("darkchess", 4, 8))
    assert tracker.controller(aim).settings == replace(aim, closeness=0.0)
    assert stranger(search_of()).controller(aim).settings == aim


def played(board: Board, moves: list[int]) -> tuple[list[Position], list[tuple[int, int]]]:
    """The positions of these moves and the moves with their colors."""
    position = board.start()
    positions, coloured = [position.copy()], []
    for move in moves:
        coloured.append((position.to_move, move))
        position.play(move)
        positions.append(position.copy())
    return positions, coloured


def two_moves() -> tuple[list[Position], list[tuple[int, int]]]:
    first = OTHELLO.start().legal_moves()[0]
    after = OTHELLO.start()
    after.play(first)
    return played(OTHELLO, [first, after.legal_moves()[1]])


def test_the_opponents_last_move_is_judged_once() -> None:
    search = search_of()
    positions, moves = two_moves()
    before = stranger(search)
    game = GameSoFar(0, positions, moves, None)
    after, path = judge_last_move(search, before, game, LIMIT)
    assert path == [moves[-1][1]]
    assert after.judged == 2
    assert after.opponent.posterior.apparent.tolist() != before.opponent.posterior.apparent.tolist()
    again, path = judge_last_move(search, after, replace(game, path=path), LIMIT)
    assert again is after
    assert path == [moves[-1][1]]


def test_a_table_of_people_without_their_network_judges_by_a_guess_and_says_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    guessed_without_people.cache_clear()
    search = search_of()
    positions, moves = two_moves()
    of_people = MoveLikelihood(
        np.array([0.0, 1000.0]),
        np.ones((1, 2, len(PEOPLE_FEATURES))),
        features=PEOPLE_FEATURES,
    )
    blank = replace(stranger(search), move_likelihood=of_people)
    game = GameSoFar(0, positions, moves, None)
    for _ in range(2):
        after, _ = judge_last_move(search, blank, game, LIMIT)
        assert after.updates == 1
        assert np.ptp(after.opponent.posterior.apparent) > 0
    assert [record.getMessage() for record in caplog.records] == [
        "opponents on othello6 are judged by a guess: there is no network of human moves"
    ]


def test_own_moves_and_forced_ones_are_not_judged() -> None:
    search = search_of()
    positions, moves = two_moves()
    before = stranger(search)
    own, path = judge_last_move(search, before, GameSoFar(1, positions, moves, [1, 2]), LIMIT)
    assert own.opponent is before.opponent
    assert path == [1, 2]
    # The fourth column is the only one that is not full.
    board = Board("connect4", 4, 4)
    search = search_of("connect4")
    full = [0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2]
    positions, moves = played(board, full)
    assert len(positions[-2].legal_moves()) == 1
    before = stranger(search, board)
    forced, _ = judge_last_move(search, before, GameSoFar(0, positions, moves, None), LIMIT)
    assert forced.opponent is before.opponent
    assert search.evaluator.rows == 0  # type: ignore[attr-defined]


def test_our_own_search_reuses_the_visits_below_the_move() -> None:
    search = search_of()
    positions, moves = two_moves()
    # As in a game: the search thought at the start, then we moved, then they did.
    search.set_position(positions[0])
    search.run(LIMIT)
    game = GameSoFar(0, positions, moves, [moves[0][1], moves[1][1]])
    _, path = judge_last_move(search, stranger(search), game, LIMIT)
    assert path is not None
    kept_before = search.visits
    search.set_position(positions[2], path)
    assert kept_before >= observed(LIMIT).visits  # type: ignore[operator]
    assert search.visits > 0


def test_a_look_is_short() -> None:
    assert observed(Limit(visits=200)).visits == 20
    assert observed(Limit(visits=10)).visits == FEWEST_OBSERVED
    assert observed(Limit(visits=100_000)).visits == MOST_OBSERVED
    assert observed(Limit(seconds=5.0)).max_seconds == pytest.approx(0.5)


@pytest.mark.parametrize("color", [0, 1])
def test_the_first_move_is_the_opponents_or_ours(color: int) -> None:
    session = session_of("level:1650")
    if color == 1:
        session.play(0, 3)
    session.genmove(color)
    tracker = session.opponent_model.tracker
    assert tracker is not None
    worth = tracker.advantage.between(1650.0, np.array([1650.0]))[0]
    assert (worth > 400) if color == 1 else (worth < -400)
    session.start_over()
    assert session.opponent_model.tracker is not None
    assert session.opponent_model.tracker.advantage == NOTHING


def test_a_hurried_session_does_not_search_the_opponents_move() -> None:
    positions, moves = two_moves()
    for seconds, is_judged in ((0.05, False), (1.0, True)):
        search = search_of()
        game = GameSoFar(0, positions, moves, None)
        limit = Limit(visits=100, seconds=seconds)
        _, path = judge_last_move(search, stranger(search), game, limit, glimpse=limit.is_hurried)
        assert (search.visits > 0) is is_judged
        assert path == [moves[-1][1]]


@pytest.mark.parametrize(("persona", "steers"), [("even", True), ("even:closeness=0", False)])
def test_a_game_is_judged_by_its_standings_where_it_was_steered(persona: str, steers: bool) -> None:
    session = session_of(persona)
    session.genmove(0)
    tracker = session.opponent_model.tracker
    assert tracker is not None
    assert [stood is not None for stood in tracker.standings] == [steers]


def test_games_of_weak_players_are_played_once_from_where_we_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[int] = []

    def shares(position: Position, _game: str) -> tuple[float, float]:
        looked_at.append(position.move_number)
        return 0.7, 0.6

    monkeypatch.setattr("engine.opponents.tracker.weak_win_rates", shares)
    session = session_of("even")
    session.genmove(0)
    tracker = session.opponent_model.tracker
    assert tracker is not None
    assert [(stood.greedy, stood.careless) for stood in tracker.standings if stood] == [(0.7, 0.6)]
    assert looked_at.count(0) == 1


def test_only_personas_that_use_the_belief_have_a_tracker() -> None:
    full, even = session_of("full"), session_of("even")
    for session in (full, even):
        session.genmove(0)
        session.play(1, 3)
        session.genmove(0)
    assert full.opponent_model.tracker is None
    assert even.opponent_model.tracker is not None
    assert even.opponent_model.tracker.judged == 2
    assert len(even.opponent_model.tracker.levels) == 2
    even.start_over()
    assert even.opponent_model.tracker.judged == 0


SIZES = {"go": (5, 5), "othello": (6, 6), "connect4": (5, 4), "chess": (8, 8)}
SIZES |= {"darkchess": (2, 4), "einstein": (5, 5)}
# What an even game's move may be instead: in Go at the end of the game.
MANNERS = (
    "It plays on: a pass would lose points.",
    "It fills a dame before passing.",
    "It captures dead stones before passing.",
    "The pieces are placed at random.",  # in EinStein würfelt nicht
)


@pytest.mark.parametrize("game", PLAYABLE)
def test_an_even_game_ends_and_says_why_each_move_was_made(game: str) -> None:
    session = session_of("even", game)
    session.start_over(SIZES[game])
    rng = np.random.default_rng(0)
    for _ in range(40):
        if session.game.position.is_over:
            break
        if session.game.position.to_move == 0:
            choice = session.genmove(0)
            is_manners = choice.move == session.game.position.pass_move or choice.reason in MANNERS
            if len(session.game.recent[-2].legal_moves()) > 1 and not is_manners:
                assert choice.reason.startswith("The opponent seems to have about ")
                assert "it expects to win" in choice.reason
                assert session.opponent_model.tracker is not None
                ladder = session.opponent_model.tracker.ladder
                assert choice.level_elo is not None
                assert ladder.lowest <= choice.level_elo <= ladder.highest
        else:
            position = session.game.position
            session.play(1, draw_by(rng)(position, int(rng.choice(position.legal_moves()))))
    assert session.opponent_model.tracker is not None
    assert session.opponent_model.tracker.levels


def test_a_known_weak_opponent_gets_weaker_play() -> None:
    levels = []
    for elo in (100.0, 1500.0):
        session = session_of("even")
        tracker = of_stranger(Board("connect4", 7, 6), session.search.evaluator.network)
        known = Posterior.of_stranger(
            tracker.ladder.lowest, tracker.ladder.highest, mean_elo=elo, deviation_elo=50
        )
        session.opponent_model.tracker = replace(tracker, opponent=Opponent("known", known))
        choice = session.genmove(0)
        assert choice.level_elo is not None
        levels.append(choice.level_elo)
    assert levels[0] < 500
    assert levels[1] > 1200


@pytest.mark.parametrize(("to_move", "lead"), [(0, 1.0), (1, -1.0)])
def test_a_settled_board_of_go_is_counted_by_its_owners(to_move: int, lead: float) -> None:
    position: Any = Board("go", 9, 9).start()
    position.to_move = to_move
    search = Search(StandInEvaluator())
    search.set_position(position)
    report = search.run(Limit(visits=2), options=WITH_OWNERSHIP)
    mine = np.where(np.arange(81) < 45, 1.0, -1.0).astype(np.float32) * (1 if to_move == 0 else -1)
    root = replace(report.root, score_lead=9.0, score_stdev=7.0)
    settled = standing_of(position, replace(report, root=root, ownership=mine), UNKNOWN)
    assert settled.lead == pytest.approx(lead)
    assert (settled.deviation, settled.open_points) == (0.0, 0.0)
    still_open = standing_of(position, replace(report, root=root, ownership=0.5 * mine), UNKNOWN)
    assert (still_open.lead, still_open.deviation) == (9.0, 7.0)
    assert still_open.open_points == pytest.approx(40.5)


def test_between_open_and_settled_the_count_has_a_share_of_the_lead() -> None:
    assert [counted_share(phase) for phase in (0.0, COUNTED_FROM, 0.94, COUNTED, 1.0)] == (
        pytest.approx([0.0, 0.0, 0.5, 1.0, 1.0])
    )
